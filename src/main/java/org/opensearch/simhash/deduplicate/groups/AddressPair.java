/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

/** Two documents of a point in time, by address. */
public record AddressPair(long a, long b) {

    /** Bytes of heap, in a list. */
    public static final int BYTES = 40;
}
