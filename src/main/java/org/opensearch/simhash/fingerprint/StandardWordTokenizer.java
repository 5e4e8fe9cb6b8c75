/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import java.io.Reader;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * The terms of Lucene's {@link StandardAnalyzer}, several times as fast: the same for every text without lone surrogates, which
 * {@link TextNormalizer} takes out (Lucene's depend on where its buffer ends there). A text is read in stretches
 * from white space to white space: a stretch of letters of alphabets, digits and punctuation is cut by a table of
 * {@link WordClass}es and put into lower case on the way; any other one, and what follows up to {@value #CLEAR} simple
 * characters in a row, is left to Lucene's own tokenizer. Terms only: no offsets, positions or types.
 *
 * <p>Memory: a window of 16 kB, whatever the length of the text. Linear.
 */
final class StandardWordTokenizer extends Tokenizer {

    /** Lucene's tokenizer cuts longer words. */
    private static final int MAX_STRETCH = StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;
    /** Without it every other word of some texts would change the tokenizer, which costs more than a word. */
    private static final int CLEAR = 32;

    private static final int WINDOW = 8192;
    /** So much of the text is in the window ahead of a stretch. */
    private static final int AHEAD = MAX_STRETCH + 1;

    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);

    private final StandardTokenizer standard = new StandardTokenizer();
    private final TokenStream complex = new LowerCaseFilter(standard);
    private final CharTermAttribute complexTerm = complex.getAttribute(CharTermAttribute.class);
    private boolean inComplex;

    private final char[] window = new char[WINDOW];
    private int position;
    private int limit;
    private boolean allRead;

    /** The characters of the simple stretch that was read last, in lower case, and where its words begin and end in them. */
    private final char[] stretch = new char[MAX_STRETCH];

    private final int[] bounds = new int[MAX_STRETCH + 1];
    private int words;
    private int taken;

    @Override
    public void reset() throws IOException {
        super.reset();
        position = 0;
        limit = 0;
        allRead = false;
        words = 0;
        taken = 0;
    }

    @Override
    public boolean incrementToken() throws IOException {
        clearAttributes();
        while (true) {
            if (inComplex) {
                if (complex.incrementToken()) {
                    term.copyBuffer(complexTerm.buffer(), 0, complexTerm.length());
                    return true;
                }
                leaveComplex();
            }
            if (taken < words) {
                int begin = bounds[2 * taken];
                term.copyBuffer(stretch, begin, bounds[2 * taken + 1] - begin);
                taken++;
                return true;
            }
            if (skipSpace() == false) {
                return false;
            }
            if (readSimpleStretch() == false) {
                enterComplex();
            }
        }
    }

    @Override
    public void close() throws IOException {
        super.close();
        if (inComplex) {
            leaveComplex();
        }
    }

    /** Goes to the next stretch; false at the end of the text. */
    private boolean skipSpace() throws IOException {
        while (lookAhead()) {
            for (; position < limit; position++) {
                if (WordClass.of(window[position]) != WordClass.SPACE) {
                    return lookAhead();
                }
            }
        }
        return false;
    }

    /** Cuts the stretch that begins here into words; false when it is not simple, and nothing is read. */
    private boolean readSimpleStretch() {
        words = 0;
        taken = 0;
        int length = 0;
        /* The class of the last letter or digit when a word is open, BREAK when none is. */
        byte open = WordClass.BREAK;
        /* What stands between that and here, which belongs to the word if the next character does. */
        byte between = WordClass.SPACE;
        for (int i = position; i < limit; i++, length++) {
            char c = window[i];
            byte type = WordClass.of(c);
            if (type == WordClass.SPACE) {
                break;
            }
            if (type == WordClass.COMPLEX || length == MAX_STRETCH) {
                words = 0;
                return false;
            }
            stretch[length] = WordClass.lowercase(c);
            if (type == WordClass.LETTER || type == WordClass.DIGIT) {
                if (between != WordClass.SPACE && joins(between, open, type) == false) {
                    bounds[2 * words++ + 1] = length - 1;
                    open = WordClass.BREAK;
                }
                if (open == WordClass.BREAK) {
                    bounds[2 * words] = length;
                }
                open = type;
                between = WordClass.SPACE;
            } else if (open != WordClass.BREAK) {
                if (between == WordClass.SPACE && type != WordClass.BREAK) {
                    between = type;
                } else {
                    bounds[2 * words++ + 1] = between == WordClass.SPACE ? length : length - 1;
                    open = WordClass.BREAK;
                    between = WordClass.SPACE;
                }
            }
        }
        if (open != WordClass.BREAK) {
            bounds[2 * words++ + 1] = between == WordClass.SPACE ? length : length - 1;
        }
        position += length;
        return true;
    }

    private static boolean joins(byte between, byte last, byte next) {
        return last == next
                && (between == WordClass.BETWEEN_BOTH
                        || between
                                == (last == WordClass.LETTER ? WordClass.BETWEEN_LETTERS : WordClass.BETWEEN_DIGITS));
    }

    private void enterComplex() throws IOException {
        standard.setReader(new ComplexStretches());
        complex.reset();
        inComplex = true;
    }

    private void leaveComplex() throws IOException {
        inComplex = false;
        complex.close();
    }

    /** Reads on when too little of the text is ahead; false at its end. */
    private boolean lookAhead() throws IOException {
        if (limit - position < AHEAD && allRead == false) {
            System.arraycopy(window, position, window, 0, limit - position);
            limit -= position;
            position = 0;
            while (limit < WINDOW && allRead == false) {
                int read = input.read(window, limit, WINDOW - limit);
                allRead = read < 0;
                limit += Math.max(0, read);
            }
        }
        return position < limit;
    }

    /** Ends at white space that simple characters follow. */
    private final class ComplexStretches extends Reader {

        @Override
        public int read(char[] target, int offset, int length) throws IOException {
            int read = 0;
            while (read < length && lookAhead() && isEnd() == false) {
                target[offset + read++] = window[position++];
            }
            return read == 0 ? -1 : read;
        }

        private boolean isEnd() {
            if (WordClass.of(window[position]) != WordClass.SPACE) {
                return false;
            }
            int furthest = Math.min(limit, position + CLEAR);
            for (int i = position; i < furthest; i++) {
                if (WordClass.of(window[i]) == WordClass.COMPLEX) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {}
    }
}
