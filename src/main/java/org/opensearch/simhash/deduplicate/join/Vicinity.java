/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Tells whether a fingerprint is within a distance of any target. Tables hold the targets by the blocks that
 * {@link BlockChoice} finds cheapest, one table per combination. If no blocks pay, all targets are compared. Immutable.
 *
 * <p>Cost of a call: some 20 ns for 10,000 targets at distance 3. Memory: 16 bytes per target and table.
 */
public final class Vicinity {

    /** More take longer to build than they save. */
    private static final int MOST_COMBINATIONS = 64;

    /** Fewer targets are compared one by one. */
    private static final int WORTH_TABLES = 32;

    private static final int SAMPLE = 4_096;

    /** The targets by their bits under a mask. */
    private static final class Table {

        private final long mask;
        private final int shift;
        private final int[] starts;
        private final long[] values;

        Table(long[] targets, long mask) {
            this.mask = mask;
            int log2 = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(targets.length));
            this.shift = Long.SIZE - log2;
            this.starts = new int[(1 << log2) + 1];
            for (long target : targets) {
                starts[bucket(target) + 1]++;
            }
            for (int i = 1; i < starts.length; i++) {
                starts[i] += starts[i - 1];
            }
            this.values = new long[targets.length];
            int[] next = starts.clone();
            for (long target : targets) {
                values[next[bucket(target)]++] = target;
            }
        }

        private int bucket(long value) {
            return (int) (((value & mask) * 0x9E37_79B9_7F4A_7C15L) >>> shift);
        }

        boolean isNear(long value, int distance) {
            int bucket = bucket(value);
            return Comparer.isNear(value, values, starts[bucket], starts[bucket + 1], distance);
        }
    }

    private final long[] targets;
    private final int distance;
    /** Empty if all targets are compared. */
    private final List<Table> tables = new ArrayList<>();

    /** @param distance greatest number of differing bits */
    public Vicinity(long[] targets, int distance, LongConsumer memory) {
        this.targets = targets;
        this.distance = distance;
        if (targets.length < WORTH_TABLES) {
            memory.accept(bytes(targets.length, 0));
            return;
        }
        // Twice the count, because a join compares each only with half of the others.
        long[] sample = BlockChoice.sample(targets, 0, targets.length, SAMPLE);
        BlockPlan plan = BlockChoice.choose(sample, 2L * targets.length, -1L, distance, MOST_COMBINATIONS);
        int[] combinations = plan.isQuadratic() ? new int[0] : plan.combinations();
        memory.accept(bytes(targets.length, combinations.length));
        for (int combination : combinations) {
            tables.add(new Table(targets, plan.mask(combination)));
        }
    }

    /** The targets, and per table the values and their starts. */
    private static long bytes(int targets, int tables) {
        return targets * (Long.BYTES + tables * (Long.BYTES + 2L * Integer.BYTES));
    }

    public boolean contains(long fingerprint) {
        if (tables.isEmpty()) {
            return Comparer.isNear(fingerprint, targets, 0, targets.length, distance);
        }
        for (Table table : tables) {
            if (table.isNear(fingerprint, distance)) {
                return true;
            }
        }
        return false;
    }

    /** Number of tables; 0 if all targets are compared. */
    int tables() {
        return tables.size();
    }
}
