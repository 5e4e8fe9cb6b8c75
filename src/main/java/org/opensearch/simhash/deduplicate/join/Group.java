/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/**
 * A survivor and its duplicates, all by rank.
 *
 * @param members the duplicates, ascending
 * @param distances of the members from the survivor; negative if unknown
 * @param similarities of the members; NaN without verification
 */
@SuppressWarnings("ArrayRecordComponent") // Columns; never compared.
public record Group(int survivor, int[] members, byte[] distances, double[] similarities) {

    /** Survivor and members. */
    public int size() {
        return members.length + 1;
    }
}
