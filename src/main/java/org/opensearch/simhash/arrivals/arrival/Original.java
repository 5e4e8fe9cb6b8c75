/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.util.Comparator;
import org.opensearch.simhash.arrivals.scope.DocumentName;

/**
 * A document that another one is, or may be, a near-duplicate of.
 *
 * @param distance bits in which the fingerprints differ, 0 if the digests are equal
 * @param similarity of the texts, {@code NaN} if not compared
 * @param version found by a search; {@link Version#NONE} if found in the window
 * @param number in the window, or -1 if found by a search
 */
public record Original(DocumentName name, int distance, double similarity, Version version, long number) {

    public static final Comparator<Original> NEAREST_THEN_OLDEST = Comparator.comparingInt(Original::distance)
            .thenComparingLong(original -> original.version().seqNo())
            .thenComparing(original -> original.name().index())
            .thenComparing(original -> original.name().id());

    public record Version(long seqNo, long primaryTerm) {

        public static final Version NONE = new Version(-2, 0);

        /** Whether it was written before another one of the same document. */
        public boolean isBefore(Version other) {
            return primaryTerm == other.primaryTerm ? seqNo < other.seqNo : primaryTerm < other.primaryTerm;
        }
    }

    public boolean isInWindow() {
        return number >= 0;
    }
}
