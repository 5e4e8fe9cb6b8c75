/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.core.memory.Account;

/**
 * The limits of one image that is being decoded. Belongs to one thread.
 *
 * <p>Time is that of the processor, so that the same image is not decoded on an idle node and refused on a busy one.
 */
final class Decoding {

    /**
     * The limit of JPEG and GIF. A PNG needs it too: a decoder keeps whole rows and takes time for each, so an image of
     * 50 million pixels by 1 takes a gigabyte, and one of 1 by 50 million a minute, from about 200 kB.
     */
    static final int LONGEST_SIDE = 65_535;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int fineEnough;
    private final int maxPixels;
    private final TimeValue maxTime;
    private final Account memory;
    private final long start = now();
    private long pixels;

    /**
     * @param fineEnough the least pixels kept along a longer side
     * @param memory accounts for the bytes; the caller gives them back
     */
    Decoding(int fineEnough, int maxPixels, TimeValue maxTime, Account memory) {
        this.fineEnough = fineEnough;
        this.maxPixels = maxPixels;
        this.maxTime = maxTime;
        this.memory = memory;
    }

    int fineEnough() {
        return fineEnough;
    }

    int maxPixels() {
        return maxPixels;
    }

    void requireSize(int width, int height) {
        if ((long) width * height > maxPixels) {
            throw new IllegalArgumentException(
                    "must be an image of at most [max_pixels] " + maxPixels + ", got: " + width + " x " + height);
        }
        if (Math.max(width, height) > LONGEST_SIDE) {
            throw new IllegalArgumentException("must be an image of at most " + LONGEST_SIDE
                    + " pixels along a side, got: " + width + " x " + height);
        }
        pixels = (long) width * height;
        requireTime();
    }

    /** Of the picture; 0 while they are unknown. */
    long pixels() {
        return pixels;
    }

    /** Accounts for bytes before they are allocated. */
    void take(long bytes) {
        memory.take(bytes);
    }

    /** Call at least once for each row. */
    void requireTime() {
        if (isLate()) {
            throw new IllegalArgumentException("must be an image that is decoded in at most [" + ImageHash.MAX_TIME
                    + "] " + maxTime + " of a processor's time");
        }
    }

    boolean isLate() {
        return now() - start > maxTime.nanos();
    }

    static long now() {
        return THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled()
                ? THREADS.getCurrentThreadCpuTime()
                : System.nanoTime();
    }
}
