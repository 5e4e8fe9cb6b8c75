/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** A block of rows in columns, as in the file. Not thread-safe. */
final class RowBlock {

    static final int ROWS = 1 << 13;

    static final int ROW_BYTES = 3 * Long.BYTES + Integer.BYTES;

    /** Of heap. */
    static final long BYTES = (long) ROWS * ROW_BYTES;

    private final long[] addresses = new long[ROWS];
    private final long[] bits = new long[ROWS];
    private final long[] digests = new long[ROWS];

    /** Complemented for rows without bits. */
    private final int[] strata = new int[ROWS];

    private int size;

    /** Returns whether the block is full now. */
    boolean add(long address, long fingerprint, long digest, int stratum) {
        addresses[size] = address;
        bits[size] = fingerprint;
        digests[size] = digest;
        strata[size++] = stratum;
        return size == ROWS;
    }

    /** Writes the block, full or not, and empties it. */
    void write(ScratchFile file, int number) {
        long at = number * BYTES;
        file.write(at, addresses, 0, size);
        file.write(at + (long) ROWS * Long.BYTES, bits, 0, size);
        file.write(at + 2L * ROWS * Long.BYTES, digests, 0, size);
        file.write(at + 3L * ROWS * Long.BYTES, strata, 0, size);
        size = 0;
    }

    void read(ScratchFile file, int number, int rows) {
        long at = number * BYTES;
        size = rows;
        file.read(at, addresses, 0, size);
        file.read(at + (long) ROWS * Long.BYTES, bits, 0, size);
        file.read(at + 2L * ROWS * Long.BYTES, digests, 0, size);
        file.read(at + 3L * ROWS * Long.BYTES, strata, 0, size);
    }

    /** Adds the rows whose digest is in a part. */
    void addDigests(RowSink rows, int part, int parts) {
        for (int i = 0; i < size; i++) {
            if (digests[i] != 0 && Long.remainderUnsigned(digests[i], parts) == part) {
                if (strata[i] >= 0) {
                    rows.add(addresses[i], bits[i], digests[i], strata[i]);
                } else {
                    rows.addWithoutBits(addresses[i], digests[i], ~strata[i]);
                }
            }
        }
    }

    /** Adds the rows that have bits. */
    void addTo(SortedRows rows) {
        for (int i = 0; i < size; i++) {
            if (strata[i] >= 0) {
                rows.add(bits[i], addresses[i], strata[i]);
            }
        }
    }
}
