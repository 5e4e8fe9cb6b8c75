/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/**
 * A survivor and its near-duplicates, all by rank.
 *
 * @param survivor the best by the survivor order
 * @param members the others, ascending
 * @param distances of the members from the survivor; negative where it is not known
 * @param similarities of the members as verified; NaN where nothing was verified
 */
@SuppressWarnings("ArrayRecordComponent") // Columns; never compared as a whole.
public record Group(int survivor, int[] members, byte[] distances, double[] similarities) {

    /** Survivor and members. */
    public int size() {
        return members.length + 1;
    }
}
