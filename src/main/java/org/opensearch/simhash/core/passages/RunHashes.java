/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

/** Hashes of runs of any length, equal for equal words: from the hashes of all beginnings of the words. 8 bytes a word. */
public final class RunHashes {

    private final long[] beginnings;

    public RunHashes(Words words) {
        this.beginnings = new long[words.size() + 1];
        for (int i = 0; i < words.size(); i++) {
            beginnings[i + 1] = RollingHash.next(beginnings[i], words.hash(i));
        }
    }

    /** How many words they are. */
    public int size() {
        return beginnings.length - 1;
    }

    /** The hash of the words {@code from} to {@code to} (exclusive). Takes the logarithm of their number. */
    public long of(int from, int to) {
        return RollingHash.between(beginnings[from], beginnings[to], to - from);
    }
}
