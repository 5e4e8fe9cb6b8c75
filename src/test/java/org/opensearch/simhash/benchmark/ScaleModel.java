/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.Locale;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.JoinCases;
import org.opensearch.simhash.core.join.Prints;

/**
 * What a report takes: memory, disk, and core-seconds by phase. The join is priced by the plugin itself ({@link JoinCases#nanos}), from a
 * sample of the fingerprints; all other costs are proportional. The constants were fitted to the jobs over 1 and 10 million
 * documents in docs/figures/benchmarks-deduplicate.md, whose node has two cores. Immutable.
 *
 * @param documents how many there are
 * @param distance greatest number of differing bits
 * @param sample of their fingerprints
 * @param linkedShare how many of them are near another one
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record ScaleModel(long documents, int distance, long[] sample, double linkedShare) {

    static final int MEASURED_CORES = 2;

    /** Seconds of a core for a row. */
    private static final double SCAN = 0.24e-6;

    /** Seconds of a core for a row: equal digests and the sort, which run on one. */
    private static final double SORT = 0.3e-6;

    /** How many times as long as the price a join takes: in long ranges it compares faster than its price says. */
    private static final double JOIN = 0.6;

    /** Seconds of a core for a term of {@code _id}. */
    private static final double TERM = 0.1e-6;

    /** Seconds of a core for a linked document: its id, its rank, its place in a group. */
    private static final double LINKED = 0.8e-6;

    /** Of the address, the rank, the position, and an id of eight digits in a job that writes nothing. */
    private static final int LINKED_BYTES = 38;

    /** Bytes of heap of a pass over so many rows where they fit there. */
    static long heap(long rows) {
        return rows * Prints.JOIN_BYTES;
    }

    /** Bytes of heap of a pass over so many rows in files. */
    static long heapOfFiles(long rows) {
        return rows * Prints.HEAP_BYTES;
    }

    /** Bytes of disk of a pass over so many rows in files. */
    static long disk(long rows) {
        return rows * Prints.DISK_BYTES;
    }

    /** Bytes of heap of the node that the job is on, for what is near another. */
    long linkedBytes() {
        return (long) (documents * linkedShare * LINKED_BYTES);
    }

    /** In how many chunks the documents are dealt where so many rows fit into a pass, and each of some nodes is to have one. */
    int chunks(long rows, int nodes) {
        int chunks = documents <= rows ? 1 : (int) Math.max(3, (2 * documents + rows - 1) / rows);
        while (Chunks.passes(chunks) < nodes) {
            chunks++;
        }
        return chunks;
    }

    /** Seconds of one core to read the fingerprints of so many documents. */
    static double scan(long rows) {
        return rows * SCAN;
    }

    /** Seconds to join so many rows on so many cores. */
    double join(long rows, int cores) {
        return rows * SORT + JOIN * JoinCases.nanos(sample, rows, distance) / 1e9 / cores;
    }

    /** Seconds to read the ids of what is linked, where each of some nodes reads its own. */
    double read(int nodes) {
        return documents * TERM / nodes;
    }

    /** Seconds to rank and group what is linked, on one core. */
    double group() {
        return documents * linkedShare * LINKED;
    }

    /** Seconds of a job on one node, in one pass. */
    double seconds() {
        return scan(documents) + join(documents, MEASURED_CORES) + read(1) + group();
    }

    /** Pairs of unrelated documents within the distance, where fingerprints of unrelated documents are uniform. */
    static double chancePairs(double documents, int distance) {
        return documents * (documents - 1) / 2 * chance(distance);
    }

    /** Whether two uniform fingerprints are within a distance. */
    static double chance(int distance) {
        double ways = 1;
        double sum = 1;
        for (int bits = 1; bits <= distance; bits++) {
            ways = ways * (Long.SIZE + 1 - bits) / bits;
            sum += ways;
        }
        return sum * Math.pow(2, -Long.SIZE);
    }

    /**
     * Documents that a search has to look at, uniform fingerprints: those in the buckets of all values that it looks up. With k = m·r + a
     * it looks up all within r bits in a + 1 of m segments, and within r - 1 bits in the others.
     */
    static double candidates(double documents, int distance, int segments) {
        int width = Long.SIZE / segments;
        return probes(distance, segments) * documents / Math.pow(2, width);
    }

    /** Values that a search looks up. The segments have equal widths. */
    static double probes(int distance, int segments) {
        int width = Long.SIZE / segments;
        int radius = distance / segments;
        int larger = distance % segments + 1;
        return larger * ball(width, radius) + (segments - larger) * ball(width, radius - 1);
    }

    private static double ball(int width, int radius) {
        double ways = 1;
        double sum = radius < 0 ? 0 : 1;
        for (int bits = 1; bits <= radius; bits++) {
            ways = ways * (width + 1 - bits) / bits;
            sum += ways;
        }
        return sum;
    }

    static String number(double value) {
        if (value >= 1e6) {
            return String.format(
                    Locale.ROOT, value < 1e7 && value % 1e6 > 0 ? "%.1f million" : "%,.0f million", value / 1e6);
        }
        return value >= 100
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, value < 0.01 ? "%.1g" : "%.2f", value);
    }
}
