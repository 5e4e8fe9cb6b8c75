/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.util.function.LongConsumer;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.apache.lucene.util.Counter;

/** Ids of groups, each stored once and numbered from 0: some 40 bytes each. Not thread-safe. */
public final class NamePool {

    private final BytesRefHash names;

    /** @param memory accounts for the bytes */
    public NamePool(LongConsumer memory) {
        Counter counter = new Counter() {
            private long taken;

            @Override
            public long addAndGet(long delta) {
                memory.accept(delta);
                taken += delta;
                return taken;
            }

            @Override
            public long get() {
                return taken;
            }
        };
        this.names = new BytesRefHash(
                new ByteBlockPool(new ByteBlockPool.DirectTrackingAllocator(counter)),
                BytesRefHash.DEFAULT_CAPACITY,
                new BytesRefHash.DirectBytesStartArray(BytesRefHash.DEFAULT_CAPACITY, counter));
    }

    /** The number of a name, which is stored if it is new. */
    int add(String name) {
        int number = names.add(new BytesRef(name));
        return number < 0 ? -number - 1 : number;
    }

    boolean has(String name) {
        return names.find(new BytesRef(name)) >= 0;
    }

    String get(int number) {
        return names.get(number, new BytesRef()).utf8ToString();
    }

    int size() {
        return names.size();
    }
}
