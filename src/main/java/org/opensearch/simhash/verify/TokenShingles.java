/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.opensearch.simhash.fingerprint.Folding;

/**
 * The shingles of a text as 64-bit hashes: each run of {@code size} folded tokens. A text with fewer tokens has one
 * shingle of all. With size 3, "to be or not" has "to be or" and "be or not".
 *
 * @param folding which spellings are equal
 * @param size tokens per shingle
 */
record TokenShingles(Analyzer analyzer, Folding folding, int size) {

    private static final int TOKENS_BETWEEN_CHECKS = 1 << 12;

    /** Receives shingles. */
    interface Visitor {
        /** Returns whether it wants more. */
        boolean visit(long shingle);
    }

    /**
     * Visits the shingles of {@code text} until the visitor has enough.
     *
     * @return whether there was a token
     */
    boolean forEach(String text, Visitor visitor, Runnable checkCancelled) {
        try (TokenStream tokens = analyzer.tokenStream("verify", text)) {
            CharTermAttribute token = tokens.addAttribute(CharTermAttribute.class);
            long[] hashes = new long[size];
            FoldedToken folded = new FoldedToken(folding);
            int count = 0;
            tokens.reset();
            while (tokens.incrementToken()) {
                hashes[count++ % size] = folded.hash(token);
                if (count >= size && visitor.visit(shingle(hashes, count - size, count)) == false) {
                    return true;
                }
                if (count % TOKENS_BETWEEN_CHECKS == 0) {
                    checkCancelled.run();
                }
            }
            tokens.end();
            if (count > 0 && count < size) {
                visitor.visit(shingle(hashes, 0, count));
            }
            return count > 0;
        } catch (IOException e) {
            throw new UncheckedIOException("reading a string", e);
        }
    }

    private long shingle(long[] hashes, int from, int to) {
        long hash = 0;
        for (int i = from; i < to; i++) {
            hash = mix(hash + hashes[i % size]);
        }
        return hash;
    }

    /** The finaliser of SplitMix64 (Stafford's variant 13). Unlike a sum, it depends on the order. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
