/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.Locale;

/** The action for a near-duplicate. All but {@link #TAG} need an original that is durable for certain; else they tag. */
public enum DuplicateAction {
    /** Indexes it; it names the original. */
    TAG,
    /** Does not index it. */
    DROP,
    /** Refuses it; the error names the original. */
    FAIL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
