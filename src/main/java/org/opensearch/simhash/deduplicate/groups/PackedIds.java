/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.mapper.Uid;

/**
 * Ids of documents by position, as an index has them: five bytes more than an id takes there: a number of eight digits takes five,
 * and one that OpenSearch made 15. One thread.
 */
final class PackedIds {

    private static final int BLOCK = 1 << 14;

    /** An id has 512 bytes at most, and in an index one or two more. */
    private static final int SHORT = 127;

    private static final int NONE = -1;

    private final LongConsumer memory;
    private final List<byte[]> blocks = new ArrayList<>();

    /** Offset in all blocks, unsigned. */
    private final int[] starts;

    private long end;

    /**
     * None yet.
     *
     * @param memory is told the bytes before they are taken, and may refuse them
     */
    PackedIds(int positions, LongConsumer memory) {
        this.memory = memory;
        memory.accept((long) positions * Integer.BYTES);
        this.starts = new int[positions];
        Arrays.fill(starts, NONE);
    }

    void put(int position, BytesRef id) {
        int header = id.length <= SHORT ? 1 : 2;
        int at = (int) (end % BLOCK);
        if (blocks.isEmpty() || at + header + id.length > BLOCK || at == 0) {
            memory.accept(BLOCK);
            end = (long) blocks.size() * BLOCK;
            blocks.add(new byte[BLOCK]);
            at = 0;
        }
        if (end + BLOCK > 1L << Integer.SIZE) {
            throw new IllegalArgumentException("ids of near documents must take at most 4 GB, got: " + end + " bytes");
        }
        byte[] block = blocks.getLast();
        starts[position] = (int) end;
        if (header == 2) {
            block[at++] = (byte) (-1 - (id.length >>> 7));
            block[at++] = (byte) (id.length & 0x7F);
        } else {
            block[at++] = (byte) id.length;
        }
        System.arraycopy(id.bytes, id.offset, block, at, id.length);
        end += header + id.length;
    }

    boolean has(int position) {
        return starts[position] != NONE;
    }

    /** As people see it. */
    String get(int position) {
        long start = Integer.toUnsignedLong(starts[position]);
        byte[] block = blocks.get((int) (start / BLOCK));
        int at = (int) (start % BLOCK);
        int length = block[at++];
        if (length < 0) {
            length = ((-1 - length) << 7) + block[at++];
        }
        return Uid.decodeId(block, at, length);
    }
}
