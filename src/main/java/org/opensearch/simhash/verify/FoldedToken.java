/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.CharBuffer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.opensearch.simhash.fingerprint.Folding;

/** Hashes folded tokens. Its buffer grows with the longest. Not thread-safe. */
final class FoldedToken {

    private static final Hasher64 HASH = Hashing.xxh3_64();

    private final Folding folding;
    private char[] folded = new char[256];

    FoldedToken(Folding folding) {
        this.folding = folding;
    }

    long hash(CharTermAttribute token) {
        return HASH.hashCharsToLong(fold(token, folding));
    }

    /** Valid until the next call of anything. */
    CharSequence withoutCase(CharTermAttribute token) {
        return fold(token, Folding.CASE);
    }

    private CharBuffer fold(CharTermAttribute token, Folding by) {
        int most = Folding.MAX_EXPANSION * token.length();
        if (folded.length < most) {
            folded = new char[most];
        }
        return CharBuffer.wrap(folded, 0, by.fold(token.buffer(), 0, token.length(), folded));
    }
}
