/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Bins in two files: values and numbers. */
final class FileBins implements Bins {

    private final int[] starts;
    private final AtomicIntegerArray next;
    private final ScratchFile values;
    private final ScratchFile numbers;

    /** @param starts start of each bin, then the end of the last one */
    FileBins(int[] starts, Path folder) {
        this.starts = starts;
        this.next = new AtomicIntegerArray(starts);
        this.values = new ScratchFile(folder);
        try {
            this.numbers = new ScratchFile(folder);
        } catch (RuntimeException e) {
            values.close();
            throw e;
        }
    }

    @Override
    public void put(int bin, long[] fromValues, int[] fromNumbers, int from, int count) {
        long to = next.getAndAdd(bin, count);
        values.write(to * Long.BYTES, fromValues, from, count);
        numbers.write(to * Integer.BYTES, fromNumbers, from, count);
    }

    @Override
    public void get(int bin, Room room, Taker taker) {
        int count = starts[bin + 1] - starts[bin];
        room.require(count);
        values.read((long) starts[bin] * Long.BYTES, room.values(), 0, count);
        numbers.read((long) starts[bin] * Integer.BYTES, room.numbers(), 0, count);
        taker.take(room.values(), room.numbers(), 0, count);
    }

    @Override
    public void close() {
        values.close();
        numbers.close();
    }
}
