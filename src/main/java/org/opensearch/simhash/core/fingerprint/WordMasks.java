/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.io.IOException;
import java.io.Reader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.opensearch.simhash.core.text.Hyphenation;
import org.opensearch.simhash.core.text.LoneCharacters;

/**
 * A window of text: the {@link WordClass} of each character, its folded UTF-8, and bit masks with a bit per character (part of a word,
 * complex). The masks give the ends of words without branches per word, which no processor predicts. Not thread-safe.
 */
final class WordMasks {

    private static final int PLACE_BITS = 13;
    private static final int SIZE = 1 << PLACE_BITS;
    private static final int BITS = Long.SIZE;
    private static final int SINGLE_OR_KANA = (WordClass.SINGLE | WordClass.KANA) & 0xff;
    private static final byte DIGIT_OR_BETWEEN = WordClass.DIGIT & ~WordClass.WORD;
    private static final int EDGES_AT_ONCE = 8;
    private static final int MAX_UTF8 = 3;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOWEST_OF_EACH_BYTE = 0x0101_0101_0101_0101L;
    /** A multiplier that moves bit 0 of byte {@code i} to bit {@code i} of the highest byte. */
    private static final long LOWEST_TO_HIGHEST_BYTE = 0x0102_0408_1020_4080L;

    private final char[] chars = new char[SIZE];
    /** Folded. Each character is written as four bytes, and the next one overwrites the unused ones. */
    private final byte[] utf8 = new byte[SIZE * MAX_UTF8 + 1];
    /** In the lower half the offset in {@link #utf8} of each character, above it the letters before; then the ends. */
    private final int[] places = new int[SIZE + 1];

    private final byte[] classes = new byte[SIZE];
    /** Begins of words; then a number beyond all. */
    private final char[] begins = new char[SIZE + EDGES_AT_ONCE];
    /** Ends of the same words. */
    private final char[] ends = new char[SIZE + EDGES_AT_ONCE];

    private int word;

    private final long[] complex = new long[SIZE / BITS];
    /** Characters that folding changes beyond case. */
    private final long[] folded = new long[SIZE / BITS];
    /** Characters that may be symbols. */
    private final long[] symbols = new long[SIZE / BITS];
    /** The {@link WordClass#bits} that occur in each block. */
    private final int[] present = new int[SIZE / BITS];
    /** The bits that occur in any block. */
    private int anywhere;
    /** The bits that all entries of the text that was looked at share. */
    private int everywhere;

    private int limit;

    void clear() {
        limit = 0;
        findWords();
    }

    int limit() {
        return limit;
    }

    char character(int i) {
        return chars[i];
    }

    char lowercase(int i) {
        return (char) Character.toLowerCase((int) chars[i]);
    }

    /** Moves the window to {@code from} and reads on. Whether the text ends in it. */
    boolean fill(int from, Reader input) throws IOException {
        System.arraycopy(chars, from, chars, 0, limit - from);
        limit -= from;
        boolean allRead = false;
        while (limit < SIZE && allRead == false) {
            int read = input.read(chars, limit, SIZE - limit);
            allRead = read < 0;
            limit += Math.max(0, read);
        }
        lookUp(false);
        findWords();
        return allRead;
    }

    /** Makes a whole text the window, if it fits; otherwise returns false. */
    boolean look(String text) {
        if (text.length() > SIZE) {
            return false;
        }
        limit = text.length();
        text.getChars(0, limit, chars, 0);
        everywhere = lookUp(true);
        return true;
    }

    /**
     * Normalises the text that was looked at, if {@link LoneCharacters} can do so in place; otherwise returns false. The look-up of
     * characters tells whether that is needed: a separate pass takes a tenth of a fingerprint's time.
     */
    boolean normalize() {
        boolean isChanged = (anywhere & WordClass.CHANGED) != 0;
        boolean isNormalized = (everywhere & WordClass.NORMALIZED) != 0;
        if (((isChanged || isNormalized == false) && LoneCharacters.normalize(chars, limit) < 0)
                || ((anywhere & WordClass.LINE_BREAK) != 0 && mayJoinLines())) {
            limit = 0;
            return false;
        }
        findWords();
        return true;
    }

    /** Returns the bits that all entries share. */
    private int lookUp(boolean normalizing) {
        int common = lookUpKnown(normalizing);
        if ((common & WordClass.KNOWN) == 0) {
            WordClass.ask(chars, limit);
            common = lookUpKnown(normalizing);
        }
        Arrays.fill(classes, limit, blocks() * BITS, WordClass.SPACE);
        return common;
    }

    /** Unknown entries are found by the common bits: a branch per character would cost a tenth. */
    private int lookUpKnown(boolean normalizing) {
        long[] entries = WordClass.entries(normalizing);
        long common = -1;
        anywhere = 0;
        int place = 0;
        for (int begin = 0, block = 0; begin < limit; begin += BITS, block++) {
            int end = Math.min(begin + BITS, limit);
            long any = 0;
            long signs = 0;
            for (int i = begin; i < end; i++) {
                long entry = entries[chars[i]];
                common &= entry;
                any |= entry;
                signs = (signs >>> 1) | (entry & WordClass.SYMBOL);
                classes[i] = (byte) WordClass.bits(entry);
                places[i] = place;
                INT.set(utf8, offset(place), WordClass.utf8(entry));
                place += WordClass.counts(entry);
            }
            symbols[block] = signs >>> (BITS - (end - begin));
            present[block] = WordClass.bits(any);
            anywhere |= WordClass.bits(any);
        }
        places[limit] = place;
        return WordClass.bits(common);
    }

    /** In {@link #utf8}. */
    static int offset(int place) {
        return (char) place;
    }

    /** Whether the text that was looked at may have {@link EncodedRuns}: digits where a line of one may be, or the begin of data. */
    boolean mayHaveRuns() {
        LineDigits digits = new LineDigits(chars, limit);
        for (int block = 0; block < blocks(); block++) {
            if ((present[block] & DIGIT_OR_BETWEEN) != 0) {
                for (long rest = mask(block, DIGIT_OR_BETWEEN); rest != 0; rest &= rest - 1) {
                    int i = block * BITS + Long.numberOfTrailingZeros(rest);
                    if (digits.areEnoughWith(i) || isEndOf(EncodedRuns.DATA, i)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isEndOf(String text, int last) {
        int from = last + 1 - text.length();
        return chars[last] == text.charAt(text.length() - 1)
                && from >= 0
                && text.equals(new String(chars, from, text.length()));
    }

    private boolean mayJoinLines() {
        for (int block = 0; block < blocks(); block++) {
            if ((present[block] & WordClass.LINE_BREAK) != 0) {
                int end = Math.min((block + 1) * BITS, limit);
                for (int i = block * BITS; i < end; i++) {
                    if (Hyphenation.isLineBreak(chars[i]) && Hyphenation.mayJoin(chars, i)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** The symbols of a text that fits in the window. */
    void symbols(Symbols.Sink sink) {
        int more = 0;
        int before = 0;
        for (int i = nextSet(symbols, 0); i < limit; i = nextSet(symbols, i + 1)) {
            int symbol = Symbols.at(chars, i, limit);
            int letters = (places[i] >>> Character.SIZE) + more;
            if (symbol != Symbols.NONE) {
                sink.symbol(symbol, letters - before);
                before = letters;
            }
            more += Symbols.letters(Character.codePointAt(chars, i, limit));
        }
    }

    private void findWords() {
        long before = 0;
        long singleBefore = 0;
        long kanaBefore = 0;
        int begun = 0;
        int ended = 0;
        for (int block = 0; block < blocks(); block++) {
            long words = words(block);
            long follows = words << 1 | before;
            long begin = words & ~follows;
            before = words >>> (BITS - 1);
            complex[block] = (present[block] & WordClass.COMPLEX) == 0 ? 0 : mask(block, WordClass.COMPLEX);
            folded[block] = (present[block] & WordClass.FOLDED) == 0 ? 0 : mask(block, WordClass.FOLDED);
            if ((present[block] & SINGLE_OR_KANA) != 0 || singleBefore != 0 || kanaBefore != 0) {
                long single = words & mask(block, WordClass.SINGLE);
                long kana = mask(block, WordClass.KANA);
                begin |= words & (single | (single << 1 | singleBefore) | (kana ^ (kana << 1 | kanaBefore)));
                singleBefore = single >>> (BITS - 1);
                kanaBefore = kana >>> (BITS - 1);
            }
            long end = follows & (~words | begin);
            writeEdges(begin, block * BITS, begins, begun);
            writeEdges(end, block * BITS, ends, ended);
            begun += Long.bitCount(begin);
            ended += Long.bitCount(end);
        }
        if (ended < begun) {
            ends[ended] = (char) limit;
        }
        begins[begun] = Character.MAX_VALUE;
        word = 0;
    }

    private long words(int block) {
        long words = mask(block, WordClass.WORD);
        for (long between = mask(block, WordClass.BETWEEN); between != 0; between &= between - 1) {
            if (joins(block * BITS + Long.numberOfTrailingZeros(between))) {
                words |= between & -between;
            }
        }
        return words;
    }

    /** Writes whole groups, with garbage at the end: a loop with the exact count is an unpredictable branch. */
    private static void writeEdges(long set, int base, char[] edges, int count) {
        long rest = set;
        for (int i = count; rest != 0; i += EDGES_AT_ONCE) {
            for (int j = i; j < i + EDGES_AT_ONCE; j++) {
                edges[j] = (char) (base + Long.numberOfTrailingZeros(rest));
                rest &= rest - 1;
            }
        }
    }

    /** Mask of the characters in a block whose class has a bit. A multiplication gathers the bits of eight classes. */
    private long mask(int block, byte bit) {
        int shift = Integer.numberOfTrailingZeros(bit);
        long mask = 0;
        for (int i = 0; i < BITS; i += Long.BYTES) {
            long eight = ((long) LONG.get(classes, block * BITS + i) >>> shift) & LOWEST_OF_EACH_BYTE;
            mask |= ((eight * LOWEST_TO_HIGHEST_BYTE) >>> (BITS - Byte.SIZE)) << i;
        }
        return mask;
    }

    private int blocks() {
        return (limit + BITS - 1) / BITS;
    }

    /** Whether the character at {@code i} makes one word of its two neighbours. */
    private boolean joins(int i) {
        if (i == 0 || i + 1 >= limit) {
            return false;
        }
        byte before = WordClass.ofEntry(classes[i - 1]);
        if (before != WordClass.ofEntry(classes[i + 1])) {
            return false;
        }
        return switch (before) {
            case WordClass.LETTER -> classes[i] != WordClass.BETWEEN_DIGITS;
            case WordClass.DIGIT -> classes[i] != WordClass.BETWEEN_LETTERS;
            default -> false;
        };
    }

    /** Whether all characters from {@code from} on are simple. */
    boolean isSimple(int from) {
        return nextSet(complex, from) >= limit;
    }

    /** Goes to the first word from a place outside of words. Returns its start, or {@code to} if there is none before. */
    int nextWord(int from, int to) {
        while (begins[word] < from) {
            word++;
        }
        return Math.min(to, begins[word]);
    }

    int endOfWord() {
        return ends[word];
    }

    /** Hands on the words from the current one that begin before {@code to}, up to a longer one. Returns the last end. */
    int handOn(int to, int longest, Shingles shingles) {
        int last = word + 1;
        while (begins[last] < to && ends[last] - begins[last] <= longest) {
            last++;
        }
        shingles.tokens(utf8, places, begins, ends, word, last);
        if ((anywhere & WordClass.FOLDED) != 0) {
            tellSpelling(last, shingles);
        }
        word = last;
        return ends[last - 1];
    }

    /** Reports what folding changed in the words before {@code last}. */
    private void tellSpelling(int last, Shingles shingles) {
        int in = word;
        int end = ends[last - 1];
        for (int i = nextSet(folded, begins[word]); i < end; i = nextSet(folded, i + 1)) {
            while (ends[in] <= i) {
                in++;
            }
            char withoutCase = WordClass.withoutCase(chars[i]);
            if (begins[in] <= i) {
                shingles.spelling(last - in, offset(places[i]) - offset(places[begins[in]]), withoutCase);
            }
        }
    }

    /** Begin of the stretch with the next complex character, or of one that may continue; else the end of the window. */
    int endOfSimple(int from, boolean allRead) {
        int next = nextSet(complex, from);
        if (next >= limit && allRead) {
            return limit;
        }
        for (int i = Math.min(next, limit) - 1; i >= from; i--) {
            if (classes[i] == WordClass.SPACE) {
                return i + 1;
            }
        }
        return from;
    }

    /** First set bit from {@code from} on, or a number not below the limit. */
    private int nextSet(long[] mask, int from) {
        int block = from / BITS;
        int blocks = blocks();
        if (block >= blocks) {
            return limit;
        }
        long rest = mask[block] & (-1L << from);
        while (rest == 0) {
            if (++block >= blocks) {
                return limit;
            }
            rest = mask[block];
        }
        return block * BITS + Long.numberOfTrailingZeros(rest);
    }
}
