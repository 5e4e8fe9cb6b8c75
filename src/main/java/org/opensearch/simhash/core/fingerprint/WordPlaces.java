/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.util.ArrayUtil;
import org.jsoup.parser.Parser;
import org.opensearch.simhash.core.text.LoneCharacters;
import org.opensearch.simhash.core.text.NormalForm;
import org.opensearch.simhash.core.text.TextNormalizer;

/**
 * Where the words of a text stand in it, as it was written: before its markup was taken off and its characters were normalised. In
 * UTF-16 units. Costs an analysis. One thread.
 */
final class WordPlaces {

    static final int UNKNOWN = -1;

    /** Places of words and characters. */
    static final int BYTES_PER_CHARACTER = 24;

    /** Between two words are no more characters that are none. */
    private static final int FURTHEST = 1 << 14;
    /** Characters at both ends of a passage, in whose middle markup was left out. */
    private static final int ENDS = 40;

    private final String prepared;
    private int[] starts = new int[256];
    private int[] ends = new int[256];
    private int words;

    private final Canonical written;
    /** Null if the written text is the prepared one. */
    private final Canonical wanted;

    private final boolean areAligned;

    /** The text as it was written, perhaps with tags, and as analysis gets it. */
    WordPlaces(String text, String prepared, boolean isHtml, Analyzer analyzer) {
        this.prepared = prepared;
        if (text.equals(prepared)) {
            this.written = null;
            this.wanted = null;
        } else {
            this.written = isHtml ? Canonical.ofHtml(text) : Canonical.ofWritten(text);
            this.wanted = Canonical.ofPrepared(prepared);
        }
        this.areAligned = wanted != null && wanted.characters.compareTo(written.characters) == 0;
        try (TokenStream tokens = analyzer.tokenStream("simhash", prepared)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            OffsetAttribute offsets =
                    analyzer instanceof StandardWordAnalyzer ? null : tokens.addAttribute(OffsetAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                if (offsets == null) {
                    search(term);
                } else {
                    add(offsets.startOffset(), offsets.endOffset());
                }
            }
            tokens.end();
        } catch (IOException e) {
            throw new UncheckedIOException("reading a string", e);
        }
    }

    /** The characters from a word to another one (exclusive); {@link #UNKNOWN} twice if they cannot be told. */
    int[] characters(int from, int to) {
        int[] unknown = {UNKNOWN, UNKNOWN};
        if (to > words || starts[from] < 0 || ends[to - 1] < 0) {
            return unknown;
        }
        int start = starts[from];
        int end = ends[to - 1];
        if (wanted == null) {
            return new int[] {start, end};
        }
        int first = wanted.firstFrom(start);
        int last = wanted.firstFrom(end);
        if (first >= last) {
            return unknown;
        }
        if (areAligned == false) {
            String passage = wanted.characters.substring(first, last);
            int found = written.characters.indexOf(passage);
            if (found < 0) {
                int ends = Math.min(ENDS, passage.length() / 2);
                found = written.characters.indexOf(passage.substring(0, ends));
                int tail =
                        found < 0 ? -1 : written.characters.indexOf(passage.substring(passage.length() - ends), found);
                if (tail < 0) {
                    return unknown;
                }
                last = tail + ends;
            } else {
                last = found + passage.length();
            }
            first = found;
        }
        return new int[] {written.starts[first], written.ends[last - 1]};
    }

    private void add(int start, int end) {
        starts = ArrayUtil.grow(starts, words + 1);
        ends = ArrayUtil.grow(ends, words + 1);
        starts[words] = start;
        ends[words] = end;
        words++;
    }

    /** Words of {@link WordCutter} have no offsets, but stand in the text, in this order. Runs of scripts without spaces overlap. */
    private void search(CharTermAttribute term) {
        boolean isGram = FeatureKind.isOfGrams(Character.codePointAt(term, 0));
        int from = 0;
        if (words > 0) {
            int before = starts[words - 1];
            boolean afterGram = before >= 0 && FeatureKind.isOfGrams(prepared.codePointAt(before));
            from = before < 0 ? UNKNOWN : isGram && afterGram ? before + 1 : ends[words - 1];
        }
        for (int start = from; start >= 0 && start < Math.min(prepared.length(), (long) from + FURTHEST); start++) {
            int end = endOf(term, start, isGram);
            if (end >= 0) {
                add(start, end);
                return;
            }
        }
        add(UNKNOWN, UNKNOWN);
    }

    /** Where the term ends if it begins here, else {@link #UNKNOWN}. */
    private int endOf(CharTermAttribute term, int start, boolean isGram) {
        int i = start;
        for (int t = 0; t < term.length(); ) {
            int wantedCharacter = Character.codePointAt(term, t);
            if (i >= prepared.length()) {
                return UNKNOWN;
            }
            int c = prepared.codePointAt(i);
            if (c == wantedCharacter || Character.toLowerCase(c) == wantedCharacter) {
                t += Character.charCount(wantedCharacter);
            } else if (t == 0 || isGram == false || Character.isLetterOrDigit(c)) {
                return UNKNOWN;
            }
            i += Character.charCount(c);
        }
        return i;
    }

    /** The characters of a text without white space and hyphens, with their places, so that two writings of a text are equal. */
    private static final class Canonical {

        private static final int MOST_CLUSTER = 32;
        private static final int MOST_ENTITY = 33;

        private final StringBuilder characters = new StringBuilder();
        private int[] starts = new int[256];
        private int[] ends = new int[256];

        static Canonical ofPrepared(String text) {
            Canonical canonical = new Canonical();
            for (int i = 0; i < text.length(); i++) {
                canonical.add(text.charAt(i), i, i + 1);
            }
            return canonical;
        }

        static Canonical ofWritten(String text) {
            Canonical canonical = new Canonical();
            canonical.addWritten(text, 0, text.length());
            return canonical;
        }

        static Canonical ofHtml(String text) {
            Canonical canonical = new Canonical();
            int i = 0;
            while (i < text.length()) {
                int next = i;
                while (next < text.length() && text.charAt(next) != '<' && text.charAt(next) != '&') {
                    next++;
                }
                canonical.addWritten(text, i, next);
                i = next;
                if (i < text.length()) {
                    i = text.charAt(i) == '<' ? canonical.addTag(text, i) : canonical.addEntity(text, i);
                }
            }
            return canonical;
        }

        private static int orEnd(String text, int index) {
            return index < 0 ? text.length() : index;
        }

        /** Where the text goes on. */
        private int addTag(String text, int begin) {
            char next = begin + 1 < text.length() ? text.charAt(begin + 1) : ' ';
            if (Character.isLetter(next) == false && next != '/' && next != '!' && next != '?') {
                addWritten(text, begin, begin + 1);
                return begin + 1;
            }
            if (text.startsWith("<!--", begin)) {
                return Math.min(text.length(), orEnd(text, text.indexOf("-->", begin)) + 3);
            }
            for (String raw : new String[] {"script", "style"}) {
                if (text.regionMatches(true, begin + 1, raw, 0, raw.length())) {
                    int end = begin;
                    do {
                        end = orEnd(text, text.indexOf("</", end + 1));
                    } while (end < text.length() && text.regionMatches(true, end + 2, raw, 0, raw.length()) == false);
                    return Math.min(text.length(), orEnd(text, text.indexOf('>', end)) + 1);
                }
            }
            return Math.min(text.length(), orEnd(text, text.indexOf('>', begin)) + 1);
        }

        private int addEntity(String text, int begin) {
            int end = text.indexOf(';', begin, Math.min(text.length(), begin + MOST_ENTITY));
            if (end < 0) {
                addWritten(text, begin, begin + 1);
                return begin + 1;
            }
            String decoded = TextNormalizer.normalize(Parser.unescapeEntities(text.substring(begin, end + 1), false));
            decoded.chars().forEach(c -> add((char) c, begin, end + 1));
            return end + 1;
        }

        private void addWritten(String text, int begin, int end) {
            for (int i = begin, next; i < end; i = next) {
                next = i + 1;
                while (next < end
                        && next - i < MOST_CLUSTER
                        && LoneCharacters.isUnchanged(text.charAt(next)) == false
                        && NormalForm.isIndependent(text.charAt(next)) == false) {
                    next++;
                }
                if (next == i + 1 && LoneCharacters.isUnchanged(text.charAt(i))) {
                    add(text.charAt(i), i, next);
                } else {
                    String normal = TextNormalizer.normalize(text.substring(i, next));
                    for (int j = 0; j < normal.length(); j++) {
                        add(normal.charAt(j), i, next);
                    }
                }
            }
        }

        private void add(char c, int start, int end) {
            if (Character.isWhitespace(c) || Character.getType(c) == Character.DASH_PUNCTUATION || c == '\u00AD') {
                return;
            }
            int size = characters.length();
            starts = ArrayUtil.grow(starts, size + 1);
            ends = ArrayUtil.grow(ends, size + 1);
            starts[size] = start;
            ends[size] = end;
            characters.append(c);
        }

        /** The first character that stands at this place or behind it. */
        int firstFrom(int place) {
            int low = 0;
            int high = characters.length();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (starts[middle] < place) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }
}
