/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.opensearch.simhash.core.text.Folding;

/**
 * A hash of the tokens of a document's texts without case, of their spelling, and of the {@link Symbols} in their places. Tokens are folded
 * by {@link Folding#LETTERS}, so that one hash serves digest and features; characters that folding changed are added apart, with their
 * places. All parts have a fixed length, so different sequences have different input. Not thread-safe.
 */
final class TextDigest {

    /** The place of characters in a text without tokens, where all characters count. */
    private static final int NO_PLACE = -1;
    /** Distinguishes a character of a token from a symbol. */
    private static final long OF_TOKEN = 1L << 31;
    /** Distinguishes an encoded run from both. */
    private static final long OF_RUN = 1L << 30;

    private final HashOfLongs tokens = new HashOfLongs();
    /** Characters and their places, two numbers each. */
    private final HashOfLongs characters = new HashOfLongs();

    private long characterCount;
    private int texts;

    /** Adds a token by the XXH3 of its folded UTF-8, so that digests of different recipes are comparable. */
    void token(long hash) {
        tokens.put(hash);
    }

    /** The place is in the token's folded UTF-8; the character is without case. */
    void spelling(int token, int place, char character) {
        characters.put((long) texts << Integer.SIZE | OF_TOKEN | character);
        characters.put((long) token << Integer.SIZE | place);
        characterCount++;
    }

    /** Adds a run of the text that is being read, see {@link EncodedRuns}. */
    void encoded(long hash) {
        characters.put((long) texts << Integer.SIZE | OF_RUN);
        characters.put(hash);
        characterCount++;
    }

    /** Adds a symbol of the last text. */
    void symbol(int codePoint, int letters) {
        characters.put((long) texts << Integer.SIZE | codePoint);
        characters.put(letters);
        characterCount++;
    }

    /** Adds a text without tokens by its characters, without space and case: "!!!" and "???" differ. */
    void characters(String text) {
        Folding.CASE.of(text).codePoints().filter(c -> isSpace(c) == false).forEach(c -> symbol(c, NO_PLACE));
    }

    /** Ends a text that had tokens. It separates the values of a document. */
    void endText(int count) {
        tokens.put(count);
        texts++;
    }

    /** 32 hex digits. */
    String value() {
        HashValue128 ofCharacters = characters.get();
        tokens.put(characterCount);
        tokens.put(ofCharacters.getLeastSignificantBits());
        tokens.put(ofCharacters.getMostSignificantBits());
        HashValue128 hash = tokens.get();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(hash.getLeastSignificantBits()) + hex.toHexDigits(hash.getMostSignificantBits());
    }

    void clear() {
        tokens.clear();
        characters.clear();
        characterCount = 0;
        texts = 0;
    }

    private static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    /** MurmurHash3 x64 128 of a sequence of numbers. A buffer halves the cost. Not thread-safe. */
    private static final class HashOfLongs {

        private static final VarHandle LONG =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
        private static final int BUFFER = 1024;

        private final HashStream128 stream = Hashing.murmur3_128().hashStream();
        private final byte[] buffer = new byte[BUFFER];
        private int filled;

        void put(long value) {
            LONG.set(buffer, filled, value);
            filled += Long.BYTES;
            if (filled == BUFFER) {
                flush();
            }
        }

        HashValue128 get() {
            flush();
            return stream.get();
        }

        void clear() {
            stream.reset();
            filled = 0;
        }

        private void flush() {
            stream.putBytes(buffer, 0, filled);
            filled = 0;
        }
    }
}
