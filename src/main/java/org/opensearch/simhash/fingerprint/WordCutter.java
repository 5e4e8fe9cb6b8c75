/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * The terms of Lucene's {@link StandardAnalyzer}, several times as fast: the same for every text without lone surrogates, which
 * {@link TextNormalizer} takes out (Lucene's depend on where its buffer ends there).
 *
 * <p>A window of the text at a time is classified by {@link WordMasks}; what lies between two boundaries of a word is a word. A
 * stretch from white space to white space that holds a complex character, and what follows up to {@value #CLEAR} simple
 * characters in a row, is left to Lucene's own tokenizer.
 *
 * <p>Memory: windows of 100 kB, whatever the length of the text. Linear. Not thread-safe.
 */
final class WordCutter implements Closeable {

    /** Lucene's tokenizer cuts longer words. */
    private static final int MAX_WORD = StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;
    /** Without it every other word of some texts would change the tokenizer, which costs more than a word. */
    private static final int CLEAR = 32;

    private final StandardTokenizer standard = new StandardTokenizer();
    private final TokenStream complex = new LowerCaseFilter(standard);
    private final CharTermAttribute complexTerm = complex.getAttribute(CharTermAttribute.class);
    private boolean inComplex;

    private final WordMasks window = new WordMasks();
    private Reader input;
    private int position;
    /** Up to here all words are simple, and end. */
    private int simpleEnd;

    private boolean allRead;

    /** Where a simple word begins; it ends at the position. */
    private int begin;

    /** Begins another text, normalised, if it is short and easily normalised; otherwise none, and returns false. */
    boolean beginNormalized(String text) {
        input = null;
        position = 0;
        allRead = true;
        if (window.fillNormalized(text) == false) {
            return false;
        }
        findSimpleEnd();
        return true;
    }

    /** Begins another text. */
    void begin(Reader newInput) {
        input = newInput;
        position = 0;
        simpleEnd = 0;
        allRead = false;
        window.clear();
    }

    /** Goes to the next word; false at the end of the text. */
    boolean next() throws IOException {
        while (true) {
            if (inComplex) {
                if (complex.incrementToken()) {
                    return true;
                }
                endComplex();
                findSimpleEnd();
            }
            begin = window.nextWord(position, simpleEnd);
            if (begin < simpleEnd) {
                position = window.endOfWord();
                if (position - begin <= MAX_WORD) {
                    return true;
                }
                position = begin;
                enterComplex();
            } else {
                position = simpleEnd;
                if (goOn() == false) {
                    return false;
                }
            }
        }
    }

    /** Goes through all words, as {@link #next} does, and hands them on. */
    void forEach(Shingles shingles) throws IOException {
        while (next()) {
            if (inComplex) {
                shingles.token(complexTerm.buffer(), 0, complexTerm.length());
            } else {
                position = window.handOn(simpleEnd, MAX_WORD, shingles);
            }
        }
    }

    void copyTo(CharTermAttribute term) {
        if (inComplex) {
            term.copyBuffer(complexTerm.buffer(), 0, complexTerm.length());
            return;
        }
        int length = position - begin;
        char[] target = term.resizeBuffer(length);
        for (int i = 0; i < length; i++) {
            target[i] = window.lowercase(begin + i);
        }
        term.setLength(length);
    }

    /** Ends the text, and lets go of it: a thread keeps its cutter, and may have to wait long for the next text. */
    @Override
    public void close() throws IOException {
        input = null;
        endComplex();
    }

    /** Ends what Lucene's tokenizer does. */
    private void endComplex() throws IOException {
        if (inComplex) {
            inComplex = false;
            complex.close();
        }
    }

    /** Reads on where the simple words end, or lets Lucene's tokenizer do it; false at the end of the text. */
    private boolean goOn() throws IOException {
        if (allRead == false && window.isSimple(position)) {
            read();
            findSimpleEnd();
            if (position < simpleEnd) {
                return true;
            }
        }
        if (position == window.limit()) {
            return false;
        }
        enterComplex();
        return true;
    }

    private void findSimpleEnd() {
        simpleEnd = window.endOfSimple(position, allRead);
    }

    private void enterComplex() throws IOException {
        standard.setReader(new ComplexStretches());
        complex.reset();
        inComplex = true;
    }

    /** Fills the window from the current position on. */
    private void read() throws IOException {
        if (allRead == false) {
            allRead = window.fill(position, input);
            position = 0;
        }
    }

    /** Ends at white space that simple characters follow. */
    private final class ComplexStretches extends Reader {

        @Override
        public int read(char[] target, int offset, int length) throws IOException {
            int read = 0;
            while (read < length && isEnd() == false) {
                target[offset + read++] = window.character(position++);
            }
            return read == 0 ? -1 : read;
        }

        private boolean isEnd() throws IOException {
            if (window.limit() - position <= CLEAR) {
                WordCutter.this.read();
                if (position == window.limit()) {
                    return true;
                }
            }
            if (WordClass.of(window.character(position)) != WordClass.SPACE) {
                return false;
            }
            int furthest = Math.min(window.limit(), position + CLEAR);
            for (int i = position; i < furthest; i++) {
                if (WordClass.of(window.character(i)) == WordClass.COMPLEX) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {}
    }
}
