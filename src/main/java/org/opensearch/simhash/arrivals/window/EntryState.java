/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

public enum EntryState {
    UNDECIDED,
    KEPT,
    /** It is stored, or another version stays. */
    BESIDE,
    /** Was {@link #KEPT}. A newer version replaced it, and may still be refused. */
    REPLACED,
    /** Was {@link #BESIDE}. A newer version replaced it, and may still be refused. */
    ASIDE,
    GONE;

    public boolean isKept() {
        return this == KEPT || this == BESIDE;
    }

    /** Whether it counts only if the newer version is refused. */
    boolean isReplaced() {
        return this == REPLACED || this == ASIDE;
    }
}
