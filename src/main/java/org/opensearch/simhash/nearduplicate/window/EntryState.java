/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

/** What is known of an entry of a window. */
public enum EntryState {
    UNDECIDED,
    KEPT,
    /** Kept, or the document of its name is changed in another way. */
    BESIDE,
    /** It was kept; a newer version took its place, which may be refused yet. */
    REPLACED,
    /** It was beside; a newer version took its place, which may be refused yet. */
    ASIDE,
    GONE;

    /** Whether others may be near-duplicates of it whatever happens. */
    public boolean isKept() {
        return this == KEPT || this == BESIDE;
    }

    /** Whether it counts no more unless it comes back. */
    boolean isReplaced() {
        return this == REPLACED || this == ASIDE;
    }
}
