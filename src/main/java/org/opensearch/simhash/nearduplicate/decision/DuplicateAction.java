/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.Locale;

/** What becomes of a document that is a near-duplicate. */
public enum DuplicateAction {
    /** Indexed, with the original named in it. */
    TAG,
    /** Not indexed, when the original is confirmed to be durable; else tagged. */
    DROP,
    /** Refused, with the original named in the error, when that is confirmed to be durable; else tagged. */
    FAIL,
    /** Indexed into another index, when the original is confirmed to be durable; else tagged. Names the original. */
    REROUTE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
