/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

import org.opensearch.simhash.core.fingerprint.TypedNumber;

/** How texts become terms: a hash of each run of {@code words} words, and of each {@code window} neighbouring hashes the least. */
public record PassageLayout(int words, int window) {

    public static final PassageLayout DEFAULT = new PassageLayout(8, 8);

    public static final int MIN_WORDS = 2;
    public static final int MAX_WORDS = 64;
    public static final int MAX_WINDOW = 256;

    public PassageLayout {
        TypedNumber.requireBetween("words", MIN_WORDS, MAX_WORDS, words);
        TypedNumber.requireBetween("window", 1, MAX_WINDOW, window);
    }

    /** Two texts with as many equal words in a row share a term. */
    public int run() {
        return words + window - 1;
    }
}
