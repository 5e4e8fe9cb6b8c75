/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.lucene.util.UnicodeUtil;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.Folding;

/**
 * Makes features of a sequence of tokens: all runs of {@code minSize} to {@code maxSize} tokens. A sequence of fewer than {@code minSize}
 * tokens is one feature. Only the order of tokens counts: position gaps (stop words) and stacked tokens do not.
 *
 * <p>"to be or" with sizes 1 to 2 gives {@code to}, {@code be}, {@code to be}, {@code or}, {@code be or}.
 *
 * <p>Each token is folded as the recipe says and hashed once; {@link HashFunction#join} combines the hashes. The
 * {@link TextDigest} is made in the same pass. Memory follows the longest token. Not thread-safe.
 */
final class Shingles {

    /** One less than a power of two; the ring holds the tokens of the largest shingle. */
    private static final int RING = Recipe.MAX_SHINGLE_SIZE - 1;

    private static final char FIRST_AFTER_ASCII = 0x80;

    private static final int FIRST_BUFFER = 256;
    /** In characters. A larger buffer is accounted, and not kept. */
    private static final int KEPT_BUFFER = 1 << 12;
    /** For a token folded in two ways and written as UTF-8. */
    private static final int BYTES_PER_CHARACTER = Folding.MAX_EXPANSION * (2 * Character.BYTES + 3);

    /** Tokens and texts between two checks of the memory; a power of two. */
    private static final int STEPS_BETWEEN_CHECKS = 1 << 12;

    private final int minSize;
    private final int maxSize;
    private final HashFunction function;
    private final Features features;
    /** Null if no other recipe shares the tokens. */
    private final AnalysedTexts analysed;

    private final TextDigest digest = new TextDigest();

    private LongConsumer memory = bytes -> {};
    private int room;
    private char[] folded;
    private char[] withoutCase;
    private byte[] utf8;

    /** The hashes of the last tokens: token t is at {@code t & RING}. */
    private final long[] hashes = new long[RING + 1];

    private int tokens;
    private int steps;

    /** @param analysed keeps the tokens for {@link #again}; may be null */
    Shingles(int minSize, int maxSize, HashFunction function, Features features, AnalysedTexts analysed) {
        this.minSize = minSize;
        this.maxSize = maxSize;
        this.function = function;
        this.features = features;
        this.analysed = analysed;
        makeRoom(FIRST_BUFFER);
    }

    /** @param newMemory accounts for huge tokens and receives 0 now and then */
    void accountOn(LongConsumer newMemory) {
        memory = newMemory;
    }

    void token(char[] chars, int offset, int length) {
        if (length > room) {
            int more = Math.max(length, 2 * room);
            memory.accept((long) BYTES_PER_CHARACTER * more);
            makeRoom(more);
        }
        if (isPlain(chars, offset, length)) {
            same(utf8, 0, length);
            return;
        }
        int end = Folding.LETTERS.fold(chars, offset, length, folded);
        int bytes = UnicodeUtil.UTF16toUTF8(folded, 0, end, utf8);
        long hash = function.hash(utf8, 0, bytes);
        emit(utf8, 0, bytes, hash);
        int endWithoutCase = Folding.CASE.fold(chars, offset, length, withoutCase);
        boolean differsInCaseOnly = Arrays.equals(folded, 0, end, withoutCase, 0, endWithoutCase);
        if (differsInCaseOnly && function == HashFunction.XXH3) {
            digest.token(hash);
        } else {
            tellSpelling(endWithoutCase);
        }
    }

    /** Compared with the token without case, because the capital of an iota subscript is a letter. */
    private void tellSpelling(int endWithoutCase) {
        int end = Folding.LETTERS.fold(withoutCase, 0, endWithoutCase, folded);
        int bytes = UnicodeUtil.UTF16toUTF8(folded, 0, end, utf8);
        digest.token(HashFunction.XXH3.hash(utf8, 0, bytes));
        int place = 0;
        for (int i = 0; i < endWithoutCase; i++) {
            char c = withoutCase[i];
            if (Folding.LETTERS.changes(c)) {
                digest.spelling(tokens - 1, place, c);
            }
            place += Folding.LETTERS.utf8Length(c);
        }
    }

    /** Whether a token is lowercase ASCII, which no folding changes. Writes it as UTF-8. */
    private boolean isPlain(char[] chars, int offset, int length) {
        for (int i = 0; i < length; i++) {
            char c = chars[offset + i];
            if (c >= FIRST_AFTER_ASCII || (c >= 'A' && c <= 'Z')) {
                return false;
            }
            utf8[i] = (byte) c;
        }
        return true;
    }

    /** Adds tokens: token {@code i} is in {@code letters} from {@code places[from[i]]} to {@code places[to[i]]}, folded. */
    void tokens(byte[] letters, int[] places, char[] from, char[] to, int first, int last) {
        for (int i = first; i < last; i++) {
            int offset = WordMasks.offset(places[from[i]]);
            int length = WordMasks.offset(places[to[i]]) - offset;
            same(letters, offset, length);
        }
    }

    /** Reports a character that folding changes, at a place in the token that was added so many ago; without case. */
    void spelling(int back, int place, char character) {
        digest.spelling(tokens - back, place, character);
    }

    /** A token with the same form in the digest and in features. */
    private void same(byte[] letters, int offset, int length) {
        long hash = function.hash(letters, offset, length);
        emit(letters, offset, length, hash);
        digest.token(function == HashFunction.XXH3 ? hash : HashFunction.XXH3.hash(letters, offset, length));
    }

    int endText() {
        if (tokens > 0) {
            digest.endText(tokens);
        }
        if (analysed != null) {
            analysed.endText();
        }
        return endFeatures();
    }

    private int endFeatures() {
        if (tokens > 0 && tokens < minSize) {
            features.feature(shingle(tokens), tokens, FeatureKind.RUN);
        }
        features.endText();
        step();
        int ended = tokens;
        tokens = 0;
        return ended;
    }

    /** Makes the features of a text that was analysed before, by its number, without its digest. */
    void again(AnalysedTexts document, int text) {
        Words words = document.tokens();
        int end = words.to(text);
        for (int i = words.from(text); i < end; i++) {
            emit(words.hash(i), document.kind(i));
        }
        endFeatures();
    }

    /** The digest of all texts since the last {@link #clear}. */
    TextDigest digest() {
        return digest;
    }

    /** Prepares for another document, also after a failure. */
    void clear() {
        digest.clear();
        tokens = 0;
        if (room > KEPT_BUFFER) {
            makeRoom(FIRST_BUFFER);
        }
    }

    private void emit(byte[] letters, int offset, int length, long hash) {
        FeatureKind kind = FeatureKind.ofToken(letters, offset, length);
        features.token(letters, offset, length);
        if (analysed != null) {
            analysed.token(hash, kind);
        }
        emit(hash, kind);
    }

    private void emit(long hash, FeatureKind kind) {
        hashes[tokens & RING] = hash;
        tokens++;
        if (minSize == 1) {
            features.feature(hash, 1, kind);
        }
        long shingle = hash;
        for (int size = 2; size <= maxSize && size <= tokens; size++) {
            shingle = HashFunction.join(hashes[(tokens - size) & RING], shingle);
            if (size >= minSize) {
                features.feature(shingle, size, FeatureKind.RUN);
            }
        }
        step();
    }

    private void step() {
        if ((++steps & (STEPS_BETWEEN_CHECKS - 1)) == 0) {
            memory.accept(0);
        }
    }

    private long shingle(int size) {
        long shingle = hashes[(tokens - 1) & RING];
        for (int i = 2; i <= size; i++) {
            shingle = HashFunction.join(hashes[(tokens - i) & RING], shingle);
        }
        return shingle;
    }

    private void makeRoom(int characters) {
        room = characters;
        folded = new char[Folding.MAX_EXPANSION * characters];
        withoutCase = new char[Folding.MAX_EXPANSION * characters];
        utf8 = new byte[UnicodeUtil.maxUTF8Length(folded.length)];
    }

    /** Receives the features that {@link Shingles} makes, by hash. */
    interface Features {

        /** The next token, in the form that is hashed. Its features follow. */
        default void token(byte[] utf8, int offset, int length) {}

        /** A feature of so many tokens that ends with the last one; of several it is a {@link FeatureKind#RUN}. */
        void feature(long hash, int size, FeatureKind kind);

        default void endText() {}
    }
}
