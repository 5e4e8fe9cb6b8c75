/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
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

    /** Receives tokens, each with the shingle that ends there. */
    interface EndVisitor {
        /**
         * @param number from 0
         * @param shingle of fewer tokens at the first ones
         */
        void visit(CharTermAttribute token, int number, long shingle);
    }

    /** Receives shingles with the mean weight of their tokens. */
    interface WeightedVisitor {
        void visit(long shingle, double weight);
    }

    /**
     * Visits the shingles of {@code text} until the visitor has enough.
     *
     * @return whether there was a token
     */
    boolean forEach(String text, Visitor visitor, Runnable checkCancelled) {
        long[] hashes = new long[size];
        FoldedToken folded = new FoldedToken(folding);
        int count = read(text, checkCancelled, (token, i) -> {
            hashes[i % size] = folded.hash(token);
            return i + 1 < size || visitor.visit(shingle(hashes, i + 1 - size, i + 1));
        });
        if (count > 0 && count < size) {
            visitor.visit(shingle(hashes, 0, count));
        }
        return count > 0;
    }

    /** Visits all tokens of {@code text} and returns their number. */
    int forEachToken(String text, EndVisitor visitor, Runnable checkCancelled) {
        long[] hashes = new long[size];
        FoldedToken folded = new FoldedToken(folding);
        return read(text, checkCancelled, (token, i) -> {
            hashes[i % size] = folded.hash(token);
            visitor.visit(token, i, shingle(hashes, Math.max(0, i + 1 - size), i + 1));
            return true;
        });
    }

    /** Visits all shingles of {@code text} with their weights. */
    void forEachWeighted(String text, TokenWeights weights, WeightedVisitor visitor, Runnable checkCancelled) {
        long[] hashes = new long[size];
        double[] ofTokens = new double[size];
        FoldedToken folded = new FoldedToken(folding);
        int count = read(text, checkCancelled, (token, i) -> {
            hashes[i % size] = folded.hash(token);
            ofTokens[i % size] = weights.weight(folded.withoutCase(token));
            if (i + 1 >= size) {
                visitor.visit(shingle(hashes, i + 1 - size, i + 1), mean(ofTokens, size));
            }
            return true;
        });
        if (count > 0 && count < size) {
            visitor.visit(shingle(hashes, 0, count), mean(ofTokens, count));
        }
    }

    private static double mean(double[] weights, int count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[i];
        }
        return sum / count;
    }

    /** Receives tokens. */
    private interface TokenVisitor {
        /** Returns whether it wants more. */
        boolean visit(CharTermAttribute token, int number);
    }

    /** Returns the number of tokens read. */
    private int read(String text, Runnable checkCancelled, TokenVisitor visitor) {
        try (TokenStream tokens = analyzer.tokenStream("verify", text)) {
            CharTermAttribute token = tokens.addAttribute(CharTermAttribute.class);
            int count = 0;
            tokens.reset();
            while (tokens.incrementToken()) {
                if (visitor.visit(token, count++) == false) {
                    return count;
                }
                if (count % TOKENS_BETWEEN_CHECKS == 0) {
                    checkCancelled.run();
                }
            }
            tokens.end();
            return count;
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

    /** Hashes folded tokens. Its buffer grows with the longest. Not thread-safe. */
    private static final class FoldedToken {

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
}
