/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.scope;

import java.util.Arrays;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;

/**
 * What a document must have in common with an original beside the text, and its own values.
 *
 * @param conditions one object for all documents of a processor
 * @param others by the conditions of other processors of its pipeline; null if there are none
 */
public record Pairing(PairConditions conditions, PairValues values, Pairing others) {

    public static final Pairing NONE = new Pairing(PairConditions.NONE, PairValues.NONE, null);

    private static final int FIXED_BYTES = 32;

    /** Whether another document may be an original. Values for other conditions say nothing. */
    public boolean isMetBy(Pairing other) {
        if (conditions.isEmpty()) {
            return true;
        }
        Pairing comparable = other.by(conditions);
        return comparable != null && conditions.areMet(values, comparable.values);
    }

    /** Whether the other one cannot be the same version of a document. */
    public boolean differsFrom(Pairing other) {
        Pairing comparable = other.by(conditions);
        boolean isOther = comparable != null
                && (values.keys().equals(comparable.values.keys()) == false
                        || Arrays.equals(values.places(), comparable.values.places()) == false);
        return isOther || (others != null && others.differsFrom(other));
    }

    /** The same document at another processor. */
    public Pairing with(Pairing another) {
        if (another == null || another.conditions.isEmpty()) {
            return this;
        }
        if (conditions.isEmpty()) {
            return another;
        }
        boolean isNew = by(another.conditions) == null;
        Pairing all = isNew ? new Pairing(another.conditions, another.values, this) : this;
        return all.with(another.others);
    }

    private Pairing by(PairConditions wanted) {
        if (conditions.equals(wanted)) {
            return this;
        }
        return others == null ? null : others.by(wanted);
    }

    /** Bytes on the heap without the conditions. */
    public long bytes() {
        long bytes = conditions.isEmpty() ? 0 : FIXED_BYTES + values.bytes();
        return others == null ? bytes : bytes + others.bytes();
    }
}
