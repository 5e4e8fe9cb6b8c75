/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import org.opensearch.simhash.durable.Durability;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * What a real-time get says of a document.
 *
 * @param reading what came of it
 * @param likeness of what is stored; null when that is not near, or not read
 * @param isAsFound whether it is the version that a search found
 * @param original the document that it names as its original, or null
 * @param durability null when nobody asked yet
 */
record StoredState(
        Reading reading, Likeness likeness, boolean isAsFound, DocumentName original, Durability durability) {

    enum Reading {
        /** It was not got, or could not be. */
        UNKNOWN,
        /** It is not stored. */
        MISSING,
        /** It is stored, and nobody can tell how near it is. */
        UNREADABLE,
        READ
    }

    static final StoredState UNKNOWN = new StoredState(Reading.UNKNOWN, null, false, null, null);
    static final StoredState MISSING = new StoredState(Reading.MISSING, null, false, null, null);

    boolean isNear() {
        return likeness != null;
    }

    /** Whether a get told what is stored, or that nothing is. */
    boolean isTold() {
        return reading == Reading.READ || reading == Reading.MISSING;
    }
}
