/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * A hash of the tokens of a document's texts, case aside, and of the {@link Symbols} in their places: MurmurHash3 x64 128 over the
 * 64-bit hashes of the tokens and the number of them for each text, and over the symbols. Of fixed length each, so that no two
 * sequences are written alike, whatever is in a token. Not thread-safe.
 */
final class TextDigest {

    /** Of a text without tokens all characters count. */
    private static final int NO_PLACE = -1;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BUFFER = 1024;

    private final HashStream128 tokens = Hashing.murmur3_128().hashStream();
    private final HashStream128 symbols = Hashing.murmur3_128().hashStream();
    private final byte[] buffer = new byte[BUFFER];
    private int filled;
    private int texts;
    private long symbolCount;

    /** The next token of a text, by the hash of its UTF-8 without case: XXH3 whatever the recipe, so that recipes can be compared. */
    void token(long hash) {
        LONG.set(buffer, filled, hash);
        filled += Long.BYTES;
        if (filled == BUFFER) {
            flush();
        }
    }

    /** A symbol of the text that ended last. */
    void symbol(int codePoint, int letters) {
        symbols.putInt(texts).putInt(codePoint).putInt(letters);
        symbolCount++;
    }

    /**
     * The characters of a text without tokens stand for it, white space and case aside: "!!!" and "???" are not equal texts. Nor are
     * texts of stop words only.
     */
    void characters(String text) {
        Folding.CASE.of(text).codePoints().filter(c -> isSpace(c) == false).forEach(c -> symbol(c, NO_PLACE));
    }

    /** Ends a text that had tokens: no two values of a document are read as one. */
    void endText(int count) {
        token(count);
        texts++;
    }

    /** 32 hex digits. */
    String value() {
        flush();
        HashValue128 ofSymbols = symbols.get();
        HashValue128 hash = tokens.putLong(symbolCount)
                .putLong(ofSymbols.getLeastSignificantBits())
                .putLong(ofSymbols.getMostSignificantBits())
                .get();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(hash.getLeastSignificantBits()) + hex.toHexDigits(hash.getMostSignificantBits());
    }

    void clear() {
        tokens.reset();
        symbols.reset();
        filled = 0;
        texts = 0;
        symbolCount = 0;
    }

    private void flush() {
        tokens.putBytes(buffer, 0, filled);
        filled = 0;
    }

    private static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }
}
