/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Links as pairs of positions with a distance: {@value #BYTES} bytes each, in blocks that are never copied. Not thread-safe. */
public final class LinkList {

    private static final int BLOCK = 1 << 16;

    public static final int BYTES = 2 * Integer.BYTES + 1;

    /** @param <E> what it may throw */
    public interface Visitor<E extends Exception> {
        void pair(int a, int b, int distance) throws E;
    }

    @SuppressWarnings("ArrayRecordComponent") // Columns; never compared.
    private record Block(int[] a, int[] b, byte[] distances) {}

    private final List<Block> blocks = new ArrayList<>();
    private final LongConsumer memory;
    private int inLast = BLOCK;

    public LinkList(LongConsumer memory) {
        this.memory = memory;
    }

    public void add(int a, int b, int distance) {
        if (inLast == BLOCK) {
            memory.accept((long) BLOCK * BYTES);
            blocks.add(new Block(new int[BLOCK], new int[BLOCK], new byte[BLOCK]));
            inLast = 0;
        }
        Block last = blocks.getLast();
        last.a[inLast] = a;
        last.b[inLast] = b;
        last.distances[inLast++] = (byte) distance;
    }

    /** Removes all pairs and gives the memory back. */
    void clear() {
        memory.accept(-(long) blocks.size() * BLOCK * BYTES);
        blocks.clear();
        inLast = BLOCK;
    }

    public long size() {
        return blocks.isEmpty() ? 0 : (long) (blocks.size() - 1) * BLOCK + inLast;
    }

    public <E extends Exception> void forEach(Visitor<E> visitor) throws E {
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            int end = i == blocks.size() - 1 ? inLast : BLOCK;
            for (int j = 0; j < end; j++) {
                visitor.pair(block.a[j], block.b[j], block.distances[j]);
            }
        }
    }
}
