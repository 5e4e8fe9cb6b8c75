/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.Comparator;

/**
 * A document that another one is a near-duplicate of, or may be.
 *
 * @param name where it is
 * @param distance bits in which the fingerprints differ, 0 when the digests are equal
 * @param similarity of the texts, {@code NaN} when they were not compared
 * @param version which version of it was found; {@link Version#NONE} when it was found in the window
 * @param number in the window, -1 when it was found in the index
 */
record Original(DocumentName name, int distance, double similarity, Version version, long number) {

    static final Comparator<Original> NEAREST_THEN_OLDEST = Comparator.comparingInt(Original::distance)
            .thenComparingLong(original -> original.version().seqNo())
            .thenComparing(original -> original.name().index())
            .thenComparing(original -> original.name().id());

    /** Which write made a document what it is. */
    record Version(long seqNo, long primaryTerm) {

        static final Version NONE = new Version(-2, 0);
    }

    boolean isInWindow() {
        return number >= 0;
    }

    Original similar(double newSimilarity) {
        return new Original(name, distance, newSimilarity, version, number);
    }
}
