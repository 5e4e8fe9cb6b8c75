/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import java.util.Comparator;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * A document that another one is a near-duplicate of, or may be.
 *
 * @param name where it is
 * @param distance bits in which the fingerprints differ, 0 when the digests are equal
 * @param similarity of the texts, {@code NaN} when they were not compared
 * @param version which version of it was found; {@link Version#NONE} when it was found in the window
 * @param number in the window, -1 when it was found in the index
 */
public record Original(DocumentName name, int distance, double similarity, Version version, long number) {

    public static final Comparator<Original> NEAREST_THEN_OLDEST = Comparator.comparingInt(Original::distance)
            .thenComparingLong(original -> original.version().seqNo())
            .thenComparing(original -> original.name().index())
            .thenComparing(original -> original.name().id());

    /** Which write made a document what it is. */
    public record Version(long seqNo, long primaryTerm) {

        public static final Version NONE = new Version(-2, 0);
    }

    public boolean isInWindow() {
        return number >= 0;
    }
}
