/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * What a character is to Lucene's {@link StandardTokenizer}, which follows the word boundaries of Unicode (UAX #29), for those
 * characters whose part in them is simple. The table is not written here, it is asked of that tokenizer when this class is
 * loaded (some milliseconds): whatever Unicode version it follows, this follows.
 *
 * <p>Simple are Latin, Greek, Cyrillic and Armenian letters, digits, and punctuation. Everything else is {@link #COMPLEX}.
 */
final class WordClass {

    /** The bit of those that make words. */
    static final byte WORD = 1;
    /** The bit of what may stand within a word. */
    static final byte BETWEEN = 1 << 1;
    /** Depends on more than its two neighbours: combining marks, underscores, emoji, other scripts. */
    static final byte COMPLEX = 1 << 2;
    /** White space: no word, whatever its characters, goes across. */
    static final byte SPACE = 1 << 3;
    /** Ends a word. */
    static final byte BREAK = 0;
    /** Beside its class, in an {@link #entry}: not ASCII. */
    static final byte FOREIGN = 1 << 6;

    static final byte LETTER = WORD;
    static final byte DIGIT = WORD | 1 << 4;
    /** Belongs to the word between two letters. */
    static final byte BETWEEN_LETTERS = BETWEEN | 1 << 4;
    /** Belongs to the word between two digits. */
    static final byte BETWEEN_DIGITS = BETWEEN | 1 << 5;
    /** Belongs to the word between two letters, or two digits. */
    static final byte BETWEEN_BOTH = BETWEEN;

    /** From here on Hebrew, whose quotation marks are special, and scripts with marks or without spaces. */
    private static final char END_OF_ALPHABETS = 0x590;

    private static final char PUNCTUATION = 0x2000;
    private static final char END_OF_PUNCTUATION = 0x2070;

    private static final int[] ENTRIES = new int[END_OF_PUNCTUATION];

    static {
        for (char c = 0; c < END_OF_PUNCTUATION; c++) {
            int lowercase = c < END_OF_ALPHABETS ? Character.toLowerCase((int) c) : c;
            byte itsClass = c < END_OF_ALPHABETS || c >= PUNCTUATION ? ask(c) : COMPLEX;
            ENTRIES[c] = lowercase << Byte.SIZE | (c < 0x80 ? 0 : FOREIGN) | itsClass;
        }
    }

    private WordClass() {}

    static byte of(char c) {
        return (byte) (entry(c) & ~FOREIGN);
    }

    /** All about a character, to be looked up once: class and {@link #FOREIGN} in the lowest byte, above them {@link #lowercase(int)}. */
    static int entry(char c) {
        return c < END_OF_PUNCTUATION ? ENTRIES[c] : c << Byte.SIZE | FOREIGN | COMPLEX;
    }

    /** Of an {@link #entry} of a letter or digit, or of what stands between them. */
    static char lowercase(int entry) {
        return (char) (entry >>> Byte.SIZE);
    }

    private static byte ask(char c) {
        List<String> words = words("a" + c + "a 1" + c + "1 a" + c + " " + c + "a " + c + c + " " + c);
        if (words.equals(List.of("a", "a", "1", "1", "a", "a"))) {
            return Character.isWhitespace(c) ? SPACE : BREAK;
        }
        if (words.equals(List.of("a" + c + "a", "1", "1", "a", "a"))) {
            return BETWEEN_LETTERS;
        }
        if (words.equals(List.of("a", "a", "1" + c + "1", "a", "a"))) {
            return BETWEEN_DIGITS;
        }
        if (words.equals(List.of("a" + c + "a", "1" + c + "1", "a", "a"))) {
            return BETWEEN_BOTH;
        }
        String alone = String.valueOf(c);
        if (words.equals(List.of("a" + c + "a", "1" + c + "1", "a" + c, c + "a", alone + c, alone))) {
            List<String> beside = words("a'" + c + " " + c + "'a 1," + c + " " + c + ",1");
            if (beside.equals(List.of("a'" + c, c + "'a", "1", alone, alone, "1"))) {
                return LETTER;
            }
            if (beside.equals(List.of("a", alone, alone, "a", "1," + c, c + ",1"))) {
                return DIGIT;
            }
        }
        return COMPLEX;
    }

    private static List<String> words(String text) {
        try (var tokenizer = new StandardTokenizer()) {
            List<String> words = new ArrayList<>();
            CharTermAttribute term = tokenizer.addAttribute(CharTermAttribute.class);
            tokenizer.setReader(new StringReader(text));
            tokenizer.reset();
            while (tokenizer.incrementToken()) {
                words.add(term.toString());
            }
            return words;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
