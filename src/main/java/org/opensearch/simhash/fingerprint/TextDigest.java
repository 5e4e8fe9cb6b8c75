/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.util.HexFormat;

/**
 * A hash of the tokens of a document's texts, case aside, of how these are spelled, and of the {@link Symbols} in their places. Each
 * token is in it without its optional marks, as {@link Folding#LETTERS} leaves it; the characters that lost something there
 * follow apart, with their places. So a token needs one hash for the digest and for its features. All parts are of fixed length, so that
 * no two sequences are written alike, whatever is in a token. Not thread-safe.
 */
final class TextDigest {

    /** Of a text without tokens all characters count. */
    private static final int NO_PLACE = -1;
    /** Tells a character of a token from a symbol. */
    private static final long OF_TOKEN = 1L << 31;

    private final HashOfLongs tokens = new HashOfLongs();
    /** Characters with their places, two numbers each. */
    private final HashOfLongs characters = new HashOfLongs();

    private long characterCount;
    private int texts;

    /** The next token of a text, by the hash of its folded UTF-8: XXH3 whatever the recipe, so that recipes can be compared. */
    void token(long hash) {
        tokens.put(hash);
    }

    /**
     * A character that folding changes, without case.
     *
     * @param token number of the token that it is in, in its text
     * @param place where it begins in the folded UTF-8 of the token
     */
    void spelling(int token, int place, char character) {
        characters.put((long) texts << Integer.SIZE | OF_TOKEN | character);
        characters.put((long) token << Integer.SIZE | place);
        characterCount++;
    }

    /** A symbol of the text that ended last. */
    void symbol(int codePoint, int letters) {
        characters.put((long) texts << Integer.SIZE | codePoint);
        characters.put(letters);
        characterCount++;
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
}
