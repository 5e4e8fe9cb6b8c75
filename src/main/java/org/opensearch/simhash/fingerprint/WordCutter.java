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
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.opensearch.simhash.fingerprint.ScriptGrams.Script;

/**
 * The terms of Lucene's {@link StandardAnalyzer}, several times as fast: the same for every text without lone surrogates, which
 * {@link TextNormalizer} takes out (Lucene's depend on where its buffer ends there), but for scripts that are not cut into words, or
 * not by everybody: of these it makes {@link ScriptGrams}. A word of Hangul and others is cut between them, and a Hebrew word ends
 * before an apostrophe.
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

    private static final String SOUTH_EAST_ASIAN = StandardTokenizer.TOKEN_TYPES[StandardTokenizer.SOUTHEAST_ASIAN];
    private static final char FIRST_SYLLABLE = '\uAC00';
    private static final char LAST_SYLLABLE = '\uD7A3';

    private final StandardTokenizer standard = new StandardTokenizer();
    private final TokenStream complex = new LowerCaseFilter(standard);
    private final CharTermAttribute complexTerm = complex.getAttribute(CharTermAttribute.class);
    private final TypeAttribute complexType = complex.getAttribute(TypeAttribute.class);
    private boolean inComplex;
    /** Of the complex term, what comes next. */
    private int nextOfTerm;

    private int endOfTerm;

    private final ScriptGrams grams = new ScriptGrams();

    /** Where the current word is. */
    private enum Source {
        WINDOW,
        TERM,
        GRAM
    }

    private Source source;
    /** Of a word that is part of the complex term. */
    private int beginInTerm;

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
        grams.clear();
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
        grams.clear();
    }

    /** The symbols of the text that {@link #beginNormalized} began. */
    void symbols(Symbols.Sink sink) {
        window.symbols(sink);
    }

    /** Goes to the next word; false at the end of the text. */
    boolean next() throws IOException {
        while (true) {
            if (inComplex) {
                if (nextInTerm()) {
                    return true;
                }
                if (complex.incrementToken()) {
                    nextOfTerm = 0;
                    endOfTerm = endOfWord();
                    continue;
                }
                endComplex();
                findSimpleEnd();
            }
            begin = window.nextWord(position, simpleEnd);
            if (begin < simpleEnd) {
                if (window.endOfWord() - begin > MAX_WORD) {
                    position = begin;
                    enterComplex();
                } else if (grams.isOpen()) {
                    position = begin;
                    return lastGram();
                } else {
                    position = window.endOfWord();
                    source = Source.WINDOW;
                    return true;
                }
            } else {
                position = simpleEnd;
                if (goOn() == false) {
                    return grams.isOpen() && lastGram();
                }
            }
        }
    }

    /** Goes through all words, as {@link #next} does, and hands them on. */
    void forEach(Shingles shingles) throws IOException {
        while (next()) {
            switch (source) {
                case WINDOW -> position = window.handOn(simpleEnd, MAX_WORD, shingles);
                case TERM -> shingles.token(complexTerm.buffer(), beginInTerm, nextOfTerm - beginInTerm);
                case GRAM -> shingles.token(grams.gram(), 0, grams.length());
            }
        }
    }

    void copyTo(CharTermAttribute term) {
        switch (source) {
            case TERM -> term.copyBuffer(complexTerm.buffer(), beginInTerm, nextOfTerm - beginInTerm);
            case GRAM -> term.copyBuffer(grams.gram(), 0, grams.length());
            case WINDOW -> {
                int length = position - begin;
                char[] target = term.resizeBuffer(length);
                for (int i = 0; i < length; i++) {
                    target[i] = window.lowercase(begin + i);
                }
                term.setLength(length);
            }
        }
    }

    /** Goes to the next word in the complex term; false at its end. */
    private boolean nextInTerm() {
        char[] term = complexTerm.buffer();
        while (nextOfTerm < endOfTerm) {
            Script script = scriptAt(nextOfTerm);
            if (grams.isOpen() && grams.isOf(script) == false) {
                return lastGram();
            }
            if (script == null) {
                beginInTerm = nextOfTerm;
                while (nextOfTerm < endOfTerm && scriptAt(nextOfTerm) == null) {
                    nextOfTerm++;
                }
                source = Source.TERM;
                return true;
            }
            nextOfTerm = grams.add(script, term, nextOfTerm, endOfTerm);
            if (grams.isFull()) {
                grams.take();
                source = Source.GRAM;
                return true;
            }
        }
        return false;
    }

    /** Without the apostrophe that belongs to a Hebrew word before it, as a quotation mark does not. */
    private int endOfWord() {
        int end = complexTerm.length();
        while (end > 1 && complexTerm.buffer()[end - 1] == QuotationMarks.APOSTROPHE) {
            end--;
        }
        return end;
    }

    /** Of what becomes grams; else null. */
    private Script scriptAt(int i) {
        if (complexType.type().equals(SOUTH_EAST_ASIAN)) {
            return Script.COMPLEX_CONTEXT;
        }
        char c = complexTerm.buffer()[i];
        return c >= FIRST_SYLLABLE && c <= LAST_SYLLABLE ? Script.HANGUL : null;
    }

    private boolean lastGram() {
        grams.takeLast();
        source = Source.GRAM;
        return true;
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
