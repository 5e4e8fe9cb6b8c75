/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.Arrays;
import java.util.Locale;

/** What becomes of a document that is a near-duplicate. */
enum DuplicateAction {
    /** Indexed, with the original named in it. */
    TAG,
    /** Not indexed, when the original is confirmed to be stored; else tagged. */
    DROP,
    /** Refused, with the original named in the error. */
    FAIL,
    /** Indexed into another index, with the original named in it. */
    REROUTE;

    /**
     * The action of a name, which is lowercase.
     *
     * @throws IllegalArgumentException when no action has this name
     */
    static DuplicateAction parse(String name) {
        for (DuplicateAction action : values()) {
            if (action.toString().equals(name)) {
                return action;
            }
        }
        throw new IllegalArgumentException("[action] must be one of "
                + Arrays.stream(values()).map(DuplicateAction::toString).toList() + ", got: " + name);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
