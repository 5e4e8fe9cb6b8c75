/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.opensearch.simhash.core.text.Folding;
import org.opensearch.simhash.core.text.Hyphenation;
import org.opensearch.simhash.core.text.LoneCharacters;

/**
 * The class of a character in Lucene's {@link StandardTokenizer} (word boundaries of UAX #29). The classes are read
 * from that tokenizer, {@value #PAGE} characters at a time (a millisecond), so both follow the same Unicode version.
 *
 * <p>Simple characters are Latin, Greek, Cyrillic and Armenian letters, digits, ideographs, kana, symbols and
 * punctuation. All others are {@link #COMPLEX}.
 */
final class WordClass {

    /** Bit of characters that make words. */
    static final byte WORD = 1;
    /** Bit of characters that may stand within a word. */
    static final byte BETWEEN = 1 << 1;
    /** Depends on more than the two neighbours: combining marks, underscores, other scripts. */
    static final byte COMPLEX = 1 << 2;
    /** White space. No word crosses it. */
    static final byte SPACE = 1 << 3;
    /** Ends a word. */
    static final byte BREAK = 0;

    static final byte LETTER = WORD;
    static final byte DIGIT = WORD | 1 << 4;
    /** Bit, added to {@link #WORD}, of characters that are words by themselves. */
    static final byte SINGLE = 1 << 5;
    /** An ideograph, hiragana, or a symbol that is a word. */
    static final byte IDEOGRAPH = WORD | SINGLE;
    /** Of characters that {@link Folding#LETTERS} and {@link Folding#CASE} fold differently. Not part of the class. */
    static final byte FOLDED = 1 << 6;
    /** Bit of characters that make one word only with others of this class. */
    static final byte KANA = (byte) (1 << 7);

    static final byte KATAKANA = WORD | KANA;
    /** Part of the word between two letters. */
    static final byte BETWEEN_LETTERS = BETWEEN | 1 << 4;
    /** Part of the word between two digits. */
    static final byte BETWEEN_DIGITS = BETWEEN | 1 << 3;
    /** Part of the word between two letters or two digits. */
    static final byte BETWEEN_BOTH = BETWEEN;

    /** Hebrew, with its special quotation marks; scripts with marks or without spaces follow. */
    private static final char END_OF_ALPHABETS = 0x590;

    private static final char PUNCTUATION = 0x2000;
    private static final char END_OF_IDEOGRAPHS = 0xA000;

    /** One line per character; the character replaces {@code X}. */
    private static final String QUESTION = "aXa 1X1 XX a'X \u30abX\n";

    /** Separates the words of an answer. Never asked about. */
    private static final String SEPARATOR = "\uFFFF";

    private static final Map<String, Byte> CLASSES = classesByAnswer();

    private static final int PAGE = 256;

    /** One of the {@link #bits} of every entry that is filled. */
    static final int KNOWN = 1 << Character.SIZE;
    /** Of a character that {@code TextNormalizer} never changes. */
    static final int NORMALIZED = KNOWN << 1;
    /** Of the end of a line. */
    static final int LINE_BREAK = KNOWN << 2;
    /** Of a changed character. */
    static final int CHANGED = KNOWN << 3;

    /** The sign bit of an entry: {@link Symbols} must look at it. */
    static final long SYMBOL = Long.MIN_VALUE;

    private static final int MAX_UTF8 = 3;
    private static final int UTF8 = Integer.SIZE;
    private static final int LETTERS = Character.SIZE;
    private static final int COUNTS = MAX_UTF8 | 3 << LETTERS;

    /**
     * Everything about a character, for one look-up: {@link #bits}, {@link #counts}, {@link #utf8} and {@link #SYMBOL}. 0 before
     * {@link #ask} was called. Threads may fill the same page at once, with the same values. What another thread wrote may be
     * seen late and in any order, so that each reader of an array takes 0 as unknown.
     */
    private static final long[] ENTRIES = new long[Character.MAX_VALUE + 1];

    /** The entry of a character's normal form, if that is context-free. */
    private static final long[] NORMALIZED_ENTRIES = new long[Character.MAX_VALUE + 1];

    /** The form without case of characters with {@link #FOLDED}. */
    private static final char[] WITHOUT_CASE = new char[Character.MAX_VALUE + 1];

    private WordClass() {}

    /** The entries by character; normalising, that of its context-free normal form, with {@link #CHANGED}. Read only. */
    static long[] entries(boolean normalizing) {
        return normalizing ? NORMALIZED_ENTRIES : ENTRIES;
    }

    static byte of(char c) {
        if (ENTRIES[c] == 0) {
            askEntries(c - c % PAGE);
        }
        return ofEntry((byte) bits(ENTRIES[c]));
    }

    static byte ofEntry(byte lowest) {
        return (byte) (lowest & ~FOLDED);
    }

    /** The class and {@link #FOLDED} in the lowest byte; above it {@link #KNOWN} and its neighbour bits. */
    static int bits(long entry) {
        return (int) (entry >>> Byte.SIZE);
    }

    /** The length of {@link #utf8}; in the upper half the number of letters and digits, as {@link Symbols} counts them. */
    static int counts(long entry) {
        return (int) entry & COUNTS;
    }

    /** The UTF-8 of the character folded by {@link Folding#LETTERS}, first byte lowest. Unused bytes are undefined. */
    static int utf8(long entry) {
        return (int) (entry >>> UTF8);
    }

    /** {@link Folding#CASE} of a character with {@link #FOLDED}. */
    static char withoutCase(char c) {
        char known = WITHOUT_CASE[c];
        return known == 0 ? firstOf(Folding.CASE.of(c)) : known;
    }

    private static char firstOf(String text) {
        return text.isEmpty() ? 0 : text.charAt(0);
    }

    private static Map<String, Byte> classesByAnswer() {
        Map<String, Byte> classes = new HashMap<>();
        Map.of(
                        IDEOGRAPH, "a X a 1 X 1 X X a X \u30ab X",
                        KATAKANA, "a X a 1 X 1 XX a X \u30abX",
                        LETTER, "aXa 1X1 XX a'X \u30ab X",
                        DIGIT, "aXa 1X1 XX a X \u30ab X",
                        BREAK, "a a 1 1 a \u30ab",
                        BETWEEN_LETTERS, "aXa 1 1 a \u30ab",
                        BETWEEN_DIGITS, "a a 1X1 a \u30ab",
                        BETWEEN_BOTH, "aXa 1X1 a \u30ab")
                .forEach((itsClass, words) -> classes.put(words.replace(" ", SEPARATOR), itsClass));
        return classes;
    }

    /** Fills the entries of the first {@code length} characters. */
    static void ask(char[] chars, int length) {
        for (int i = 0; i < length; i++) {
            if (ENTRIES[chars[i]] == 0 || NORMALIZED_ENTRIES[chars[i]] == 0) {
                askPage(chars[i] - chars[i] % PAGE);
            }
        }
    }

    private static void askPage(int page) {
        askEntries(page);
        for (int c = page; c < page + PAGE; c++) {
            char becomes = LoneCharacters.becomes((char) c);
            if (becomes == LoneCharacters.LONG_WAY || becomes == c) {
                NORMALIZED_ENTRIES[c] = ENTRIES[c];
            } else {
                if (ENTRIES[becomes] == 0) {
                    askEntries(becomes - becomes % PAGE);
                }
                NORMALIZED_ENTRIES[c] = ENTRIES[becomes] | (long) CHANGED << Byte.SIZE;
            }
        }
    }

    private static void askEntries(int page) {
        StringBuilder[] answers = answers(page);
        for (int i = 0; i < PAGE; i++) {
            char c = (char) (page + i);
            byte[] letters = Folding.LETTERS.of(c).getBytes(StandardCharsets.UTF_8);
            String withoutCase = Folding.CASE.of(c);
            boolean isFolded = withoutCase.equals(Folding.LETTERS.of(c)) == false;
            boolean hasRoom = letters.length <= MAX_UTF8 && (isFolded == false || withoutCase.length() == 1);
            byte itsClass = isAsked(c) && hasRoom ? classOf(c, answers[i].toString()) : COMPLEX;
            WITHOUT_CASE[c] = firstOf(withoutCase);
            int bits = KNOWN
                    | (LoneCharacters.isUnchanged(c) ? NORMALIZED : 0)
                    | (Hyphenation.isLineBreak(c) ? LINE_BREAK : 0)
                    | (isFolded ? FOLDED : 0)
                    | (itsClass & 0xff);
            ENTRIES[c] = (hasRoom ? utf8Entry(letters) : 0)
                    | (SymbolClass.of(c) > SymbolClass.LETTERS ? SYMBOL : 0)
                    | (long) bits << Byte.SIZE
                    | SymbolClass.letters(c) << LETTERS;
        }
    }

    private static long utf8Entry(byte[] utf8) {
        long entry = utf8.length;
        for (int i = 0; i < utf8.length; i++) {
            entry |= (utf8[i] & 0xffL) << (UTF8 + Byte.SIZE * i);
        }
        return entry;
    }

    private static boolean isAsked(int c) {
        return c < END_OF_ALPHABETS || (c >= PUNCTUATION && c < END_OF_IDEOGRAPHS);
    }

    private static StringBuilder[] answers(int page) {
        StringBuilder[] answers = new StringBuilder[PAGE];
        StringBuilder questions = new StringBuilder(PAGE * QUESTION.length());
        for (int i = 0; i < PAGE; i++) {
            answers[i] = new StringBuilder();
            questions.append(
                    isAsked(page + i) ? QUESTION.replace('X', (char) (page + i)) : " ".repeat(QUESTION.length()));
        }
        try (var tokenizer = new StandardTokenizer()) {
            CharTermAttribute term = tokenizer.addAttribute(CharTermAttribute.class);
            OffsetAttribute offset = tokenizer.addAttribute(OffsetAttribute.class);
            tokenizer.setReader(new StringReader(questions.toString()));
            tokenizer.reset();
            while (tokenizer.incrementToken()) {
                StringBuilder answer = answers[offset.startOffset() / QUESTION.length()];
                answer.append(answer.isEmpty() ? "" : SEPARATOR).append(term);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return answers;
    }

    private static byte classOf(char c, String words) {
        for (Map.Entry<String, Byte> one : CLASSES.entrySet()) {
            String expected = one.getKey();
            if (expected.length() == words.length() && expected.replace('X', c).equals(words)) {
                return one.getValue() == BREAK && Character.isWhitespace(c) ? SPACE : one.getValue();
            }
        }
        return COMPLEX;
    }
}
