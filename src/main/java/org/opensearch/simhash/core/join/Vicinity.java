/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.List;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.join.RadiusPlan.Block;
import org.opensearch.simhash.core.join.RadiusPlan.RadiusJoin;

/**
 * Tells whether a fingerprint is within a distance of any target. The targets lie in buckets by the plan of a join: one
 * table for each block, and the buckets within its radius are compared. Immutable.
 *
 * <p>Cost of a call: tens of ns for 10,000 targets at distance 3. Memory: 8 bytes per target, and 12 at most per target and table.
 */
public final class Vicinity {

    /** Fewer targets are compared one by one. */
    private static final int WORTH_TABLES = 32;

    private static final int SAMPLE = 4_096;

    /** The targets by their bits in a block. */
    private static final class Table {

        private final Block block;
        private final int[] flips;
        private final int[] starts;
        private final long[] values;

        Table(long[] targets, Block block) {
            this.block = block;
            this.flips = RadiusJoin.flips(1 << block.bits(), block.radius());
            this.starts = new int[(1 << block.bits()) + 1];
            for (long target : targets) {
                starts[block.key(target) + 1]++;
            }
            for (int i = 1; i < starts.length; i++) {
                starts[i] += starts[i - 1];
            }
            this.values = new long[targets.length];
            int[] next = starts.clone();
            for (long target : targets) {
                values[next[block.key(target)]++] = target;
            }
        }

        boolean isNear(long value, int distance) {
            int key = block.key(value);
            for (int flip : flips) {
                int end = starts[(key ^ flip) + 1];
                for (int i = starts[key ^ flip]; i < end; i++) {
                    if (Long.bitCount(value ^ values[i]) <= distance) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    private final long[] targets;
    private final int distance;
    /** Empty if all targets are compared. */
    private final List<Table> tables;

    /** @param distance greatest number of differing bits */
    public Vicinity(long[] targets, int distance, LongConsumer memory) {
        this.targets = targets;
        this.distance = distance;
        // Twice the count, because a join compares each only with half of the others.
        RadiusPlan plan = targets.length < WORTH_TABLES
                ? RadiusPlan.whole(distance)
                : JoinCost.cheapest(JoinCost.sample(targets, 0, targets.length, SAMPLE), 2L * targets.length, distance)
                        .plan();
        List<Block> blocks = plan.isWhole() ? List.of() : plan.blocks();
        long bytes = (long) targets.length * Long.BYTES;
        for (Block block : blocks) {
            bytes += (long) targets.length * Long.BYTES + (2L << block.bits()) * Integer.BYTES;
        }
        memory.accept(bytes);
        this.tables = blocks.stream().map(block -> new Table(targets, block)).toList();
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
