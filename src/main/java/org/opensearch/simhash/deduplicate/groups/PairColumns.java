/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.pair.PairConditions;
import org.opensearch.simhash.pair.PairValues;

/**
 * What decides the {@link PairConditions} of linked documents, by position: 16 bytes for each field of {@code same} and
 * {@code differ}, some 40 for that of {@code within}. Equal hashes of 128 bits stand for equal values. Not thread-safe.
 */
final class PairColumns {

    private static final int PLACES_BYTES = 40;
    /** What shows that the documents of a clique are all apart. */
    private static final int APART_BYTES = Long.BYTES + Integer.BYTES;

    private final PairConditions conditions;
    private final List<FieldAndFormat> fields;
    private final Account memory;

    /** By field of {@code same} and {@code differ}; both 0 for a missing value. */
    private final long[][] high;

    private final long[][] low;
    /** Null without {@code within}. */
    private final double[][] places;

    /**
     * @param fields doc values of the fields of the conditions
     * @param memory pays for the columns; its owner closes it
     */
    PairColumns(PairConditions conditions, List<FieldAndFormat> fields, int positions, Account memory) {
        this.conditions = conditions;
        this.fields = fields;
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

    List<FieldAndFormat> fields() {
        return fields;
    }

    void put(int position, SearchHit hit) {
        if (isEmpty()) {
            return;
        }
        List<String> names = new ArrayList<>(conditions.fields());
        PairValues values = PairValues.of(
                conditions,
                field -> values(hit, fields.get(names.indexOf(field))),
                field -> values(hit, fields.get(names.indexOf(field))).stream()
                        .mapToDouble(value -> Double.parseDouble(value.toString()))
                        .toArray());
        for (int key = 0; key < high.length; key++) {
            if (values.keys().get(key) != null) {
                HashValue128 hash =
                        Hashing.murmur3_128().hashCharsTo128Bits(values.keys().get(key));
                high[key][position] = hash.getMostSignificantBits();
                // Never what stands for a missing value.
                low[key][position] = hash.getLeastSignificantBits() | 1;
            }
        }
        if (places != null) {
            memory.take((long) Math.max(0, values.places().length - 1) * Double.BYTES);
            places[position] = values.places();
        }
    }

    private static List<Object> values(SearchHit hit, FieldAndFormat field) {
        DocumentField found = hit.field(field.field);
        return found == null ? List.of() : found.getValues();
    }

    /** Whether the documents at two positions meet all conditions. */
    boolean areMet(int a, int b) {
        int key = 0;
        for (PairConditions.Same field : conditions.same()) {
            boolean passes = field.missingEqualsAll() && (low[key][a] == 0 || low[key][b] == 0);
            if (passes == false && areEqual(key, a, b) == false) {
                return false;
            }
            key++;
        }
        for (; key < high.length; key++) {
            if (areEqual(key, a, b)) {
                return false;
            }
        }
        return places == null
                || PairValues.distance(places[a], places[b])
                        <= conditions.within().most();
    }

    /** Of the first field that must differ; 0 without one. */
    long apartKey(int position) {
        int first = conditions.same().size();
        // A missing value is a value, too.
        return conditions.differ().isEmpty() ? 0 : (high[first][position] ^ low[first][position]) | 1;
    }

    private boolean areEqual(int key, int a, int b) {
        return high[key][a] == high[key][b] && low[key][a] == low[key][b];
    }
}
