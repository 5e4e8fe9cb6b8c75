/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.StandardWordAnalyzer;
import org.opensearch.simhash.core.text.Folding;

/**
 * The shingles of a text as 64-bit hashes: each run of {@code size} folded tokens. A text with fewer tokens has one
 * shingle of all. With size 3, "to be or not" has "to be or" and "be or not".
 *
 * <p>Scripts without spaces come in runs of three letters. A shingle of them has one token less, so that it is four
 * letters long, and counts a letter. Words among them make rows of their own, which count their letters: a name in a Thai
 * text would be one token of hundreds. A row of fewer tokens than a shingle is one shingle. Where all tokens are words,
 * all shingles count the same. docs/figures/decisions.md has the measurements.
 *
 * @param size tokens per shingle
 */
record TokenShingles(Analyzer analyzer, int size) {

    private static final int TOKENS_BETWEEN_CHECKS = 1 << 12;

    /** The lowest bits of a shingle say how many letters it counts. */
    private static final int MOST_LETTERS = 31;
    /** Letters that a word counts in a row of words. */
    private static final int WORD = 3;

    private static final int SHORTEST_WORD = 2;
    private static final int LONGEST_WORD = 6;

    /** Receives tokens, each with the shingle that ends there. */
    interface EndVisitor {
        /** Numbers begin at 0; the first shingles have fewer tokens. */
        void visit(CharTermAttribute token, int number, long shingle);
    }

    /** Receives shingles with the mean weight of their tokens. */
    interface Visitor {
        /** Returns whether it wants more. */
        boolean visit(long shingle, double weight);
    }

    /** What a shingle counts, in letters of a script without spaces. */
    static int letters(long shingle) {
        return (int) shingle & MOST_LETTERS;
    }

    /** Visits the shingles of a text with their weights until the visitor has enough. Whether there was a token. */
    boolean forEach(String text, TokenWeights weights, Visitor visitor, Runnable checkCancelled) {
        Row row = new Row(weights, visitor);
        boolean isStandard = analyzer instanceof StandardWordAnalyzer;
        Analyzer words = analyzer instanceof StandardWordAnalyzer standard ? standard.comparing() : analyzer;
        int count = read(
                words,
                text,
                checkCancelled,
                (token, i) -> row.add(
                        token, isStandard && StandardWordAnalyzer.isRunOfLetters(token.buffer(), token.length())));
        row.end();
        return count > 0;
    }

    /** Visits all tokens of {@code text} and returns their number. */
    int forEachToken(String text, EndVisitor visitor, Runnable checkCancelled) {
        long[] hashes = new long[size];
        FoldedToken folded = new FoldedToken();
        return read(analyzer, text, checkCancelled, (token, i) -> {
            hashes[i % size] = folded.hash(token);
            visitor.visit(token, i, shingle(hashes, Math.max(0, i + 1 - size), i + 1));
            return true;
        });
    }

    /** Tokens of one kind in a row: words, or runs of letters. */
    private final class Row {

        private final TokenWeights weights;
        private final Visitor visitor;
        private final FoldedToken folded = new FoldedToken();
        private final long[] hashes = new long[size];
        private final double[] ofTokens = new double[size];
        private boolean isOfRuns;
        private int length;
        private int letters;

        Row(TokenWeights weights, Visitor visitor) {
            this.weights = weights;
            this.visitor = visitor;
        }

        boolean add(CharTermAttribute token, boolean isRun) {
            boolean wantsMore = isRun == isOfRuns || end();
            isOfRuns = isRun;
            int place = length % size;
            hashes[place] = folded.hash(token);
            letters += Math.clamp(folded.length, SHORTEST_WORD, LONGEST_WORD);
            if (TokenWeights.EQUAL.equals(weights) == false) {
                ofTokens[place] = weights.weight(folded.withoutCase(token));
            }
            length++;
            return length < full() ? wantsMore : visit(full(), isRun ? 1 : WORD) && wantsMore;
        }

        /** Ends the row; one that is too short is a shingle. */
        boolean end() {
            boolean wantsMore =
                    length == 0 || length >= full() || visit(length, isOfRuns ? 1 : Math.min(letters, MOST_LETTERS));
            length = 0;
            letters = 0;
            return wantsMore;
        }

        private int full() {
            return isOfRuns ? Math.max(1, size - 1) : size;
        }

        private boolean visit(int tokens, int counted) {
            long shingle = (shingle(hashes, length - tokens, length) & ~MOST_LETTERS) | counted;
            double weight = 1;
            if (TokenWeights.EQUAL.equals(weights) == false) {
                double sum = 0;
                for (int i = length - tokens; i < length; i++) {
                    sum += ofTokens[i % size];
                }
                weight = sum / tokens;
            }
            return visitor.visit(shingle, weight * counted / WORD);
        }
    }

    private interface TokenVisitor {
        /** Returns whether it wants more. */
        boolean visit(CharTermAttribute token, int number);
    }

    private static int read(Analyzer words, String text, Runnable checkCancelled, TokenVisitor visitor) {
        try (TokenStream tokens = words.tokenStream("verify", text)) {
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
            hash = HashFunction.mix(hash + hashes[i % size]);
        }
        return hash;
    }

    /** Hashes folded tokens. Its buffer grows with the longest. Not thread-safe. */
    private static final class FoldedToken {

        private static final Hasher64 HASH = Hashing.xxh3_64();

        private char[] folded = new char[256];
        /** Of the last token. */
        private int length;

        long hash(CharTermAttribute token) {
            return HASH.hashCharsToLong(fold(token, Folding.LETTERS));
        }

        /** Valid until the next call of anything. */
        CharSequence withoutCase(CharTermAttribute token) {
            return fold(token, Folding.CASE);
        }

        private CharBuffer fold(CharTermAttribute token, Folding by) {
            int capacity = Folding.MAX_EXPANSION * token.length();
            if (folded.length < capacity) {
                folded = new char[capacity];
            }
            length = by.fold(token.buffer(), 0, token.length(), folded);
            return CharBuffer.wrap(folded, 0, length);
        }
    }
}
