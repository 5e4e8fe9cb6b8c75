/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/**
 * What a character is to Lucene's {@link StandardTokenizer}, which follows the word boundaries of Unicode (UAX #29), for those
 * characters whose part in them is simple. The table is not written here, it is asked of that tokenizer, {@value #PAGE} characters
 * at a time, before the first of them is looked up (a millisecond): whatever Unicode version it follows, this follows.
 *
 * <p>Simple are Latin, Greek, Cyrillic and Armenian letters, digits, ideographs, kana, symbols and punctuation. Everything else is
 * {@link #COMPLEX}.
 */
final class WordClass {

    /** The bit of those that make words. */
    static final byte WORD = 1;
    /** The bit of what may stand within a word. */
    static final byte BETWEEN = 1 << 1;
    /** Depends on more than its two neighbours: combining marks, underscores, other scripts. */
    static final byte COMPLEX = 1 << 2;
    /** White space: no word, whatever its characters, goes across. */
    static final byte SPACE = 1 << 3;
    /** Ends a word. */
    static final byte BREAK = 0;

    static final byte LETTER = WORD;
    static final byte DIGIT = WORD | 1 << 4;
    /** The bit that makes a word of its own of what has {@link #WORD}, too. */
    static final byte SINGLE = 1 << 5;
    /** An ideograph, hiragana, or a symbol that is a word. */
    static final byte IDEOGRAPH = WORD | SINGLE;
    /** The bit of what {@link Folding#LETTERS} makes something else of than {@link Folding#CASE}; not of the class. */
    static final byte FOLDED = 1 << 6;
    /** The bit of what is one word with its like only. */
    static final byte KANA = (byte) (1 << 7);

    static final byte KATAKANA = WORD | KANA;
    /** Belongs to the word between two letters. */
    static final byte BETWEEN_LETTERS = BETWEEN | 1 << 4;
    /** Belongs to the word between two digits. */
    static final byte BETWEEN_DIGITS = BETWEEN | 1 << 3;
    /** Belongs to the word between two letters, or two digits. */
    static final byte BETWEEN_BOTH = BETWEEN;

    /** From here on Hebrew, whose quotation marks are special, and scripts with marks or without spaces. */
    private static final char END_OF_ALPHABETS = 0x590;

    private static final char PUNCTUATION = 0x2000;
    private static final char END_OF_IDEOGRAPHS = 0xA000;

    /** A line for each character that is asked about, which takes the places of {@code X}. */
    private static final String QUESTION = "aXa 1X1 XX a'X \u30abX\n";

    /** Between the words of an answer. Nothing that is asked about, so that no answer can be mistaken for another. */
    private static final String SEPARATOR = "\uFFFF";

    private static final Map<String, Byte> CLASSES = classesByAnswer();

    private static final int PAGE = 256;

    /** The bit of every {@link #entry} that was asked for. */
    static final int KNOWN = 1 << (Byte.SIZE + Character.SIZE);
    /** The bit of an {@link #entry} that {@link TextNormalizer} leaves as it is, whatever stands beside it. */
    static final int NORMALIZED = KNOWN << 1;

    /** The bit of an {@link #entry} that ends a line. */
    static final int LINE_BREAK = KNOWN << 3;
    /** The bit of an {@link #entry} of what another character becomes. */
    static final int CHANGED = KNOWN << 6;

    /** Where an {@link #entry} has the bit of what has to be looked at for {@link Symbols}. */
    private static final int SYMBOLS = Byte.SIZE + Character.SIZE + 2;

    private static final int LETTERS = Byte.SIZE + Character.SIZE + 4;
    private static final int MAX_LETTERS = 3;

    private static final int UTF8 = Integer.SIZE;
    private static final int MAX_UTF8 = 3;
    private static final int UTF8_LENGTH = UTF8 + MAX_UTF8 * Byte.SIZE;

    /** Threads may ask for the same page at the same time, for the same answers. */
    private static final long[] ENTRIES = new long[Character.MAX_VALUE + 1];

    /** Of a character that becomes another one whatever stands beside it, the entry of that; written after {@link #ENTRIES}. */
    private static final long[] NORMALIZED_ENTRIES = new long[Character.MAX_VALUE + 1];

    /** What becomes of a character that has {@link #FOLDED} without case; written before the entry. */
    private static final char[] WITHOUT_CASE = new char[Character.MAX_VALUE + 1];

    private WordClass() {}

    /**
     * All about a character, to be looked up once: its class in the lowest byte, with {@link #FOLDED}, above it {@link #lowercase} as a character,
     * {@link #KNOWN} and the bits beside it, and {@link #utf8}. 0 for a character that {@link #ask} was not called for.
     */
    static long entry(char c) {
        return ENTRIES[c];
    }

    /** By character, its {@link #entry}, or that of what it becomes by itself, which has {@link #CHANGED}. Not to be changed. */
    static long[] entries(boolean normalizing) {
        return normalizing ? NORMALIZED_ENTRIES : ENTRIES;
    }

    static byte of(char c) {
        return ofEntry((byte) entry(c));
    }

    /** The class in the lowest byte of an {@link #entry}. */
    static byte ofEntry(byte lowest) {
        return (byte) (lowest & ~FOLDED);
    }

    /** 1 for an {@link #entry} that has to be looked at for {@link Symbols}, else 0. */
    static int symbols(long entry) {
        return (int) (entry >>> SYMBOLS) & 1;
    }

    /** How many letters and digits an {@link #entry} is that tell places of {@link Symbols}. */
    static int letters(long entry) {
        return (int) (entry >>> LETTERS) & MAX_LETTERS;
    }

    /** Of an {@link #entry} of a letter or digit, or of what stands between them. */
    static char lowercase(long entry) {
        return (char) (entry >>> Byte.SIZE);
    }

    /** The bytes of what {@link Folding#LETTERS} makes of it, the first one lowest; then anything. */
    static int utf8(long entry) {
        return (int) (entry >>> UTF8);
    }

    static int utf8Length(long entry) {
        return (int) (entry >>> UTF8_LENGTH);
    }

    /** What {@link Folding#CASE} makes of a character that has {@link #FOLDED}. */
    static char withoutCase(char c) {
        return WITHOUT_CASE[c];
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

    /** Makes sure that the first {@code length} characters have entries. */
    static void ask(char[] chars, int length) {
        for (int i = 0; i < length; i++) {
            if (NORMALIZED_ENTRIES[chars[i]] == 0) {
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
                NORMALIZED_ENTRIES[c] = ENTRIES[becomes] | CHANGED;
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
            WITHOUT_CASE[c] = withoutCase.isEmpty() ? 0 : withoutCase.charAt(0);
            ENTRIES[c] = (hasRoom ? utf8Entry(letters) : 0)
                    | KNOWN
                    | Character.toLowerCase((int) c) << Byte.SIZE
                    | (LoneCharacters.isUnchanged(c) ? NORMALIZED : 0)
                    | (isFolded ? FOLDED : 0)
                    | (SymbolClass.of(c) > SymbolClass.LETTERS ? 1 << SYMBOLS : 0)
                    | SymbolClass.letters(c) << LETTERS
                    | (Hyphenation.isLineBreak(c) ? LINE_BREAK : 0)
                    | (itsClass & 0xff);
        }
    }

    private static long utf8Entry(byte[] utf8) {
        long entry = (long) utf8.length << UTF8_LENGTH;
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
