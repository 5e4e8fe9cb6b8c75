/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.opensearch.simhash.core.join.NearJoin.Search;
import org.opensearch.simhash.core.join.PairSearch.BitSearch;
import org.opensearch.simhash.core.join.PairSearch.Plan;

/**
 * Distinct fingerprints per stratum, and the documents that have them. A value has a number. A stratum has consecutive
 * numbers, some of them unused. Thread-safe, unless a method says otherwise.
 */
interface Fingerprints extends PairSearch.Values {

    /**
     * A stratum: the numbers in {@code [from, to)}.
     *
     * @param stratum its key, equal on all nodes
     */
    record Slice(int from, int to, long stratum) {
        int size() {
            return to - from;
        }
    }

    List<Slice> slices();

    /**
     * The searches that find all links, one after the other.
     *
     * @param check throws to end the job
     */
    default List<Search> searches(int distance, Runnable check) {
        if (distance == 0) {
            return List.of();
        }
        List<Plan> plans = new ArrayList<>();
        for (Slice slice : slices()) {
            check.run();
            if (slice.size() > 1) {
                JoinCost.Priced plan = slice.size() <= JoinCost.SMALL
                        ? JoinCost.whole(slice.size(), distance)
                        : JoinCost.cheapest(sample(slice, JoinCost.SAMPLE), slice.size(), distance);
                plans.add(new Plan(slice, plan.plan(), plan.nanos()));
            }
        }
        return List.of(new BitSearch(this, distance, plans));
    }

    /**
     * Ends a join whose links are too many to keep, unless it should count them.
     *
     * @param mostLinks that are kept
     * @throws IllegalArgumentException naming the option that makes them fewer
     */
    default void refuseTooMany(long mostLinks, int distance) {}

    /** Whether the bits of two values tell a distance. */
    default boolean haveDistances() {
        return true;
    }

    /** The greatest number + 1. */
    int size();

    /** The first used number from {@code number} on; {@link #size} if there is none. */
    int next(int number);

    long value(int number);

    /** How many rows have a value. */
    int rows(int number);

    /** Whether each value has one row and each document one value. */
    boolean areSingle();

    /** Whether a document may have several rows. */
    boolean hasSeveral();

    /** Pairs of rows of different documents. Compares the addresses if documents have several rows. */
    long pairs(int a, int b);

    /** Addresses of the documents with a value. One thread; fastest in ascending order. */
    long[] addresses(int number);

    /** At most {@code limit} values of a slice, at equal intervals. */
    default long[] sample(Slice slice, int limit) {
        long[] sample = new long[Math.min(limit, slice.size())];
        for (int i = 0; i < sample.length; i++) {
            // An unused number reads the value before it.
            sample[i] = value(slice.from() + (int) ((long) i * slice.size() / sample.length));
        }
        return sample;
    }

    /**
     * Distinct fingerprints on the heap, ascending within a stratum, with their rows. Sorting takes 24 bytes per row for a
     * moment; 16 and the addresses remain.
     */
    static class DistinctFingerprints implements Fingerprints {

        private static final int SORT_BYTES = 2 * (Long.BYTES + Integer.BYTES);

        private final FingerprintRows rows;
        private final long[] values;

        /** Start of each value's rows in {@link #order}. */
        private final int[] starts;

        private final int[] order;
        private final List<Slice> slices = new ArrayList<>();

        DistinctFingerprints(FingerprintRows rows) {
            this.rows = rows;
            int count = rows.withBits();
            rows.account().take((long) count * SORT_BYTES);
            this.order = new int[count];
            this.values = new long[count];
            int next = 0;
            for (int row = 0; row < rows.size(); row++) {
                if (rows.hasBits(row)) {
                    order[next] = row;
                    values[next++] = rows.bits(row);
                }
            }
            RadixSort.sort(values, order, count);
            if (hasOneStratum() == false) {
                sortByStratum();
            }
            rows.account().give((long) count * (SORT_BYTES - Long.BYTES - 2 * Integer.BYTES));
            this.starts = new int[count + 1];
            collapse();
        }

        private boolean hasOneStratum() {
            for (int row : order) {
                if (rows.stratum(row) != rows.stratum(order[0])) {
                    return false;
                }
            }
            return true;
        }

        /** Stable: values stay ascending within a stratum. */
        private void sortByStratum() {
            for (int i = 0; i < order.length; i++) {
                values[i] = rows.stratum(order[i]);
            }
            RadixSort.sort(values, order, order.length);
            for (int i = 0; i < order.length; i++) {
                values[i] = rows.bits(order[i]);
            }
        }

        private void collapse() {
            int distinct = 0;
            int sliceStart = 0;
            for (int i = 0; i < order.length; i++) {
                boolean newStratum = i > 0 && rows.stratum(order[i]) != rows.stratum(order[i - 1]);
                if (newStratum) {
                    slices.add(new Slice(sliceStart, distinct, rows.stratumKey(order[i - 1])));
                    sliceStart = distinct;
                }
                if (i == 0 || newStratum || values[i] != values[distinct - 1]) {
                    starts[distinct] = i;
                    values[distinct++] = values[i];
                }
            }
            starts[distinct] = order.length;
            if (distinct > 0) {
                slices.add(new Slice(sliceStart, distinct, rows.stratumKey(order[order.length - 1])));
            }
        }

        @Override
        public List<Slice> slices() {
            return slices;
        }

        @Override
        public int size() {
            return slices.isEmpty() ? 0 : slices.getLast().to();
        }

        @Override
        public int next(int number) {
            return number;
        }

        @Override
        public long value(int number) {
            return values[number];
        }

        @Override
        public int read(int from, int to, long[] toValues, int[] numbers) {
            System.arraycopy(values, from, toValues, 0, to - from);
            for (int i = from; i < to; i++) {
                numbers[i - from] = i;
            }
            return to - from;
        }

        @Override
        public int rows(int number) {
            return starts[number + 1] - starts[number];
        }

        /** The first row with a value. */
        int firstRow(int number) {
            return order[starts[number]];
        }

        @Override
        public boolean areSingle() {
            return size() == order.length && hasSeveral() == false;
        }

        @Override
        public boolean hasSeveral() {
            return rows.hasSeveral();
        }

        @Override
        public long pairs(int a, int b) {
            long all = (long) rows(a) * rows(b);
            return rows.hasSeveral() ? all - pairsWithin(rows(a) < rows(b) ? a : b, rows(a) < rows(b) ? b : a) : all;
        }

        /** Rows of a document are consecutive, and rows of a value ascend. */
        private long pairsWithin(int fewer, int more) {
            long within = 0;
            for (int i = starts[fewer]; i < starts[fewer + 1]; i++) {
                long address = rows.address(order[i]);
                int first = order[i];
                while (first > 0 && rows.address(first - 1) == address) {
                    first--;
                }
                int at = Arrays.binarySearch(order, starts[more], starts[more + 1], first);
                at = at < 0 ? ~at : at;
                while (at < starts[more + 1] && rows.address(order[at]) == address) {
                    within++;
                    at++;
                }
            }
            return within;
        }

        @Override
        public long[] addresses(int number) {
            long[] addresses = new long[rows(number)];
            for (int i = 0; i < addresses.length; i++) {
                addresses[i] = rows.address(order[starts[number] + i]);
            }
            return addresses;
        }
    }
}
