/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import org.opensearch.simhash.durable.Durability;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedPrint;
import org.opensearch.simhash.nearduplicate.arrival.Membership;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * A document as a real-time get tells it.
 *
 * @param likeness of the stored version; null if it is not near, or not read
 * @param isAsFound whether it is the version that the search found
 * @param original that it names, or null
 * @param membership the group that it names, or null
 * @param print null if unknown
 * @param durability null until asked
 */
record StoredState(
        Reading reading,
        Likeness likeness,
        boolean isAsFound,
        DocumentName original,
        Membership membership,
        ArrivedPrint print,
        Durability durability) {

    enum Reading {
        /** Not read, or the get failed. */
        UNKNOWN,
        MISSING,
        /** Stored, but not comparable. */
        UNREADABLE,
        READ
    }

    static final StoredState UNKNOWN = new StoredState(Reading.UNKNOWN, null, false, null, null, null, null);
    static final StoredState MISSING = new StoredState(Reading.MISSING, null, false, null, null, null, null);

    boolean isNear() {
        return likeness != null;
    }

    /** Whether the stored version is known, or known to be missing. */
    boolean isTold() {
        return reading == Reading.READ || reading == Reading.MISSING;
    }
}
