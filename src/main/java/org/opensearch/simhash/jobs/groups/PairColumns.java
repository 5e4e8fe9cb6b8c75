/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;

/**
 * What decides the {@link PairConditions} of linked documents, by position: 16 bytes for each field of {@code same} and
 * {@code differ}, some 40 for that of {@code within}. Equal hashes of 128 bits stand for equal values. Not thread-safe.
 */
final class PairColumns {

    private static final int PLACES_BYTES = 40;
    /** What shows that the documents of a clique are all apart. */
    private static final int APART_BYTES = Long.BYTES + Integer.BYTES;

    private final PairConditions conditions;
    private final Account memory;

    /** By field of {@code same} and {@code differ}; both 0 for a missing value. */
    private final long[][] high;

    private final long[][] low;
    /** Null without {@code within}. */
    private final double[][] places;

    PairColumns(PairConditions conditions, int positions, Account memory) {
        this.conditions = conditions;
        this.memory = memory;
        int keys = conditions.same().size() + conditions.differ().size();
        int placesBytes = conditions.within() == null ? 0 : PLACES_BYTES;
        memory.take(conditions.isEmpty() ? 0 : (long) positions * (2 * keys * Long.BYTES + placesBytes + APART_BYTES));
        this.high = new long[keys][positions];
        this.low = new long[keys][positions];
        this.places = conditions.within() == null ? null : new double[positions][];
    }

    boolean isEmpty() {
        return conditions.isEmpty();
    }

    PairConditions conditions() {
        return conditions;
    }

    /** @param halves of the document's hashes */
    void put(int position, long[] halves, double[] ofDocument) {
        for (int key = 0; key < high.length; key++) {
            high[key][position] = halves[2 * key];
            low[key][position] = halves[2 * key + 1];
        }
        if (places != null) {
            memory.take((long) Math.max(0, ofDocument.length - 1) * Double.BYTES);
            places[position] = ofDocument;
        }
    }

    /** Whether the documents at two positions meet all conditions. */
    boolean areMet(int a, int b) {
        return conditions.areMet(new PairConditions.Pair() {
            @Override
            public boolean isOneMissing(int key) {
                return low[key][a] == 0 || low[key][b] == 0;
            }

            @Override
            public boolean areEqual(int key) {
                return high[key][a] == high[key][b] && low[key][a] == low[key][b];
            }

            @Override
            public double distance() {
                return PairValues.distance(places[a], places[b]);
            }
        });
    }

    /** Of the first field that must differ; 0 without one. */
    long apartKey(int position) {
        int first = conditions.same().size();
        // A missing value is a value, too.
        return conditions.differ().isEmpty() ? 0 : (high[first][position] ^ low[first][position]) | 1;
    }
}
