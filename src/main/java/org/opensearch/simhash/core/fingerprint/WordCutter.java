/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.opensearch.simhash.core.fingerprint.ScriptGrams.Script;
import org.opensearch.simhash.core.text.QuotationMarks;

/**
 * The terms of Lucene's {@link StandardAnalyzer}, several times as fast. They are the same for every text without lone
 * surrogates, which {@code TextNormalizer} removes. Scripts without reliable word spaces are the exception: they give
 * {@link ScriptGrams}, words are cut between them and other scripts, and a Hebrew word ends before an apostrophe.
 *
 * <p>{@link WordMasks} classifies one window of the text at a time. Lucene's own tokenizer reads each stretch, from white space to white
 * space, that holds a complex character. Such a stretch extends until {@value #CLEAR} simple characters follow in a row.
 *
 * <p>Memory: windows of 100 kB for any text. Linear. Not thread-safe.
 */
final class WordCutter implements Closeable {

    /** Lucene's tokenizer splits longer words. */
    private static final int MAX_WORD = StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;
    /** Without it, some texts would change the tokenizer at every other word, which costs more than a word. */
    private static final int CLEAR = 32;

    private static final String SOUTH_EAST_ASIAN = StandardTokenizer.TOKEN_TYPES[StandardTokenizer.SOUTHEAST_ASIAN];
    private static final char FIRST_SYLLABLE = '\uAC00';
    private static final char LAST_SYLLABLE = '\uD7A3';

    private final boolean hangulIsWords;
    private final StandardTokenizer standard = new StandardTokenizer();
    private final TokenStream complex = new LowerCaseFilter(standard);
    private final CharTermAttribute complexTerm = complex.getAttribute(CharTermAttribute.class);
    private final TypeAttribute complexType = complex.getAttribute(TypeAttribute.class);
    private boolean inComplex;
    /** Next offset in the complex term. */
    private int nextOfTerm;

    private int endOfTerm;

    private final ScriptGrams grams = new ScriptGrams();

    private enum Source {
        WINDOW,
        TERM,
        GRAM
    }

    private Source source;
    /** For a word that is part of the complex term. */
    private int beginInTerm;

    private final WordMasks window = new WordMasks();
    private Reader input;
    private int position;
    /** All words before this index are simple and end before it. */
    private int simpleEnd;

    private boolean allRead;

    /** Begin of a simple word, which ends at the position. */
    private int begin;

    /** @param hangulIsWords whether Hangul is cut at spaces, and not into runs of syllables */
    WordCutter(boolean hangulIsWords) {
        this.hangulIsWords = hangulIsWords;
    }

    /** Looks at another text, if it is short. Otherwise false. */
    boolean look(String text) {
        return window.look(text);
    }

    /** Whether the text that was looked at may have {@link EncodedRuns}. */
    boolean mayHaveRuns() {
        return window.mayHaveRuns();
    }

    /** Begins the text that was looked at, normalised, if that is easy. Otherwise false. */
    boolean beginNormalized() {
        input = null;
        position = 0;
        allRead = true;
        grams.clear();
        if (window.normalize() == false) {
            return false;
        }
        findSimpleEnd();
        return true;
    }

    void begin(Reader newInput) {
        input = newInput;
        position = 0;
        simpleEnd = 0;
        allRead = false;
        window.clear();
        grams.clear();
    }

    /** The symbols of the text begun by {@link #beginNormalized}. */
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

    /** Hands on all words, in the order of {@link #next}. */
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

    /** Excludes the apostrophe of a Hebrew word, which counts as a quotation mark. */
    private int endOfWord() {
        int end = complexTerm.length();
        while (end > 1 && complexTerm.buffer()[end - 1] == QuotationMarks.APOSTROPHE) {
            end--;
        }
        return end;
    }

    /** The script of the character if it makes grams; else null. */
    private Script scriptAt(int i) {
        if (complexType.type().equals(SOUTH_EAST_ASIAN)) {
            return Script.COMPLEX_CONTEXT;
        }
        char c = complexTerm.buffer()[i];
        return hangulIsWords == false && c >= FIRST_SYLLABLE && c <= LAST_SYLLABLE ? Script.HANGUL : null;
    }

    private boolean lastGram() {
        grams.takeLast();
        source = Source.GRAM;
        return true;
    }

    /** Ends the text and releases it. A thread keeps its cutter, and may wait long for the next text. */
    @Override
    public void close() throws IOException {
        input = null;
        endComplex();
    }

    /** Closes Lucene's tokenizer. */
    private void endComplex() throws IOException {
        if (inComplex) {
            inComplex = false;
            complex.close();
        }
    }

    /** Continues where the simple words end, with or without Lucene's tokenizer; false at the end of the text. */
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
        // The text before may have ended within a term.
        nextOfTerm = 0;
        endOfTerm = 0;
        standard.setReader(new ComplexStretches());
        complex.reset();
        inComplex = true;
    }

    /** Fills the window from the current position. */
    private void read() throws IOException {
        if (allRead == false) {
            allRead = window.fill(position, input);
            position = 0;
        }
    }

    /** Reads complex stretches; ends at white space that simple characters follow. */
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
