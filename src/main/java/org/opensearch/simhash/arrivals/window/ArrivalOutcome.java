/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import org.opensearch.simhash.arrivals.arrival.Membership;
import org.opensearch.simhash.arrivals.scope.DocumentName;

/**
 * The decision on an entry.
 *
 * @param name under which it will be stored, or null
 */
public record ArrivalOutcome(long number, Fate fate, DocumentName name, DocumentName original, Membership membership) {

    public ArrivalOutcome(long number, Fate fate, DocumentName name, DocumentName original) {
        this(number, fate, name, original, null);
    }

    public enum Fate {
        /** It will be stored, unless its shard refuses it. */
        KEPT,
        /** It may be stored, or another version stays. */
        PERHAPS,
        /** It will not be stored. */
        ENDED,
        /** It will not be stored, unless its pipeline ignores failures. */
        REFUSED,
        /** The window forgets it. */
        FORGOTTEN
    }

    public static ArrivalOutcome forgotten(long number) {
        return new ArrivalOutcome(number, Fate.FORGOTTEN, null, null);
    }
}
