/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.List;
import java.util.Objects;
import org.apache.lucene.util.BytesRef;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.deduplicate.options.SurvivorField;
import org.opensearch.simhash.memory.Account;

/** The survivor values by position; empty if the id alone decides. Not thread-safe. */
final class SurvivorValues {

    private static final int VALUE_BYTES = 64;

    private final List<SurvivorField> fields;
    private final Account memory;

    /** The fields without the id, in order. */
    private final Object[][] values;

    private boolean areWhole = true;

    /** @param memory pays for the values; its owner closes it */
    SurvivorValues(List<SurvivorField> fields, int positions, Account memory) {
        this.fields = fields;
        this.memory = memory;
        boolean isNeeded = fields.stream().anyMatch(field -> field.isId() == false);
        memory.take(isNeeded ? (long) positions * Integer.BYTES : 0);
        this.values = isNeeded ? new Object[positions][] : null;
    }

    /** A missing value makes the two sorts of a field differ, and becomes null. */
    void put(int position, SearchHit hit) {
        if (values == null) {
            return;
        }
        Object[] raw = hit.getRawSortValues();
        Object[] ofHit = new Object[raw.length / 2];
        long bytes = 0;
        for (int i = 0; i < ofHit.length; i++) {
            ofHit[i] = Objects.equals(raw[2 * i], raw[2 * i + 1]) ? raw[2 * i] : null;
            bytes += VALUE_BYTES + (ofHit[i] instanceof BytesRef text ? text.length : 0);
        }
        areWhole &= ofHit.length == 0 || ofHit[0] == null || ofHit[0] instanceof Long;
        memory.take(bytes);
        values[position] = ofHit;
    }

    /** The key by the first field, for {@link Ranking}. */
    long key(int position, PackedIds ids) {
        SurvivorField first = fields.getFirst();
        if (first.isId()) {
            long ascending = IdOrder.key(ids.get(position));
            return first.ordered(1) > 0 ? ascending : ~ascending;
        }
        if (areWhole == false) {
            return 0;
        }
        if (values[position][0] instanceof Long value) {
            return first.ordered(1) > 0 ? value : ~value;
        }
        return Long.MAX_VALUE;
    }

    int compare(int a, int b, PackedIds ids) {
        int value = 0;
        for (SurvivorField field : fields) {
            int result = field.isId()
                    ? field.ordered(IdOrder.compare(ids.get(a), ids.get(b)))
                    : field.compare(values[a][value], values[b][value++]);
            if (result != 0) {
                return result;
            }
        }
        return 0;
    }
}
