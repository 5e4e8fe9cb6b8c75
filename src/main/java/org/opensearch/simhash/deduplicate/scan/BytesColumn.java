/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/** Collects bytes of documents; 8 bytes of overhead per document. Not thread-safe. */
final class BytesColumn {

    private static final int FIRST_CAPACITY = 256;

    private final LongConsumer memory;
    private int[] documents = new int[0];
    private int[] ends = new int[0];
    private byte[] bytes = new byte[0];
    private int size;

    /** @param memory is told the bytes first, and may refuse them */
    BytesColumn(LongConsumer memory) {
        this.memory = memory;
    }

    int size() {
        return size;
    }

    void add(int document, BytesRef value) {
        int start = size == 0 ? 0 : ends[size - 1];
        int end = Math.addExact(start, value.length);
        if (size == documents.length) {
            int capacity = Math.max(FIRST_CAPACITY, 2 * size);
            memory.accept(2L * Integer.BYTES * (capacity - size));
            documents = Arrays.copyOf(documents, capacity);
            ends = Arrays.copyOf(ends, capacity);
        }
        if (end > bytes.length) {
            int capacity = ArrayUtil.oversize(end, Byte.BYTES);
            memory.accept(capacity - bytes.length);
            bytes = Arrays.copyOf(bytes, capacity);
        }
        System.arraycopy(value.bytes, value.offset, bytes, start, value.length);
        documents[size] = document;
        ends[size++] = end;
    }

    ShardIds.Column build() {
        return new ShardIds.Column(
                Arrays.copyOf(documents, size),
                Arrays.copyOf(ends, size),
                Arrays.copyOf(bytes, size == 0 ? 0 : ends[size - 1]));
    }
}
