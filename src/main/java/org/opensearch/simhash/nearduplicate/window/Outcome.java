/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * What becomes of a document that entered the window.
 *
 * @param number of its entry
 * @param name by which it will be stored; null when it will not be
 * @param original what it is tagged with, or null
 */
public record Outcome(long number, Fate fate, DocumentName name, DocumentName original) {

    /** What is known of a document once it is decided on. */
    public enum Fate {
        /** It will be stored, unless its shard refuses it. */
        KEPT,
        /** It may be stored: another version of it may stay as it is. */
        PERHAPS,
        /** It will not be stored, whatever other processors decide. */
        ENDED,
        /** It will not be stored, unless its pipeline ignores failures. */
        REFUSED,
        /** It is none of the window's concern. */
        FORGOTTEN
    }

    public static Outcome forgotten(long number) {
        return new Outcome(number, Fate.FORGOTTEN, null, null);
    }
}
