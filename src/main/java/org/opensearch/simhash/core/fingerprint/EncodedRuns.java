/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Arrays;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Replaces each run of encoded bytes in a text by one word: base64 in lines of any width from {@value #NARROWEST} on or in none, data URIs,
 * and hexadecimal of more than {@value #LONGEST_HEX_ID} digits. Cut into words, a picture would outweigh the text around it.
 *
 * <p>What is written by people stays: base64 mixes capitals, small letters and digits, which no word, path, camel case or
 * list of nucleotides does for long. Decimal numbers and hashes up to SHA-256 stay too. Linear: of most texts without runs only the
 * digits are looked at; others are read at every {@value #MIN_CHUNK}th character.
 */
final class EncodedRuns {

    /** A word that stands for a run, in every analyzer. */
    static final String PLACEHOLDER = " encodedrun ";

    /** Fewest characters of a line of a run; its last line may be shorter. */
    static final int NARROWEST = 4;

    /** Fewest characters of a line that may have others beside it. Shorter ones stand alone, as words of people rarely do. */
    static final int PROBE = 8;

    /** Fewest characters of a line of a run of less than {@link #LONG_BASE64}. */
    static final int MIN_CHUNK = 16;

    /** The most narrow lines between two places that are looked at. */
    private static final int NOT_LOOKED_AT = 4;

    static final int MIN_BASE64 = 64;

    /** From here on base64 may be of bytes with little variety, such as zeros. */
    private static final int LONG_BASE64 = 256;

    /** Digits of SHA-256. */
    private static final int LONGEST_HEX_ID = 64;

    /** Fewest digits of several lines: three names of objects may stand below one another. */
    private static final int MIN_HEX_LINES = 192;

    /** Characters with which names in a list begin. */
    private static final int ALIKE = 3;

    /** What may follow the last line of a run. */
    static final String ENDS_OF_LINE = "\r\n\"'`<>)]},;";

    /** Each data URI begins with it. */
    static final String DATA = "data:";

    private static final int MAX_DATA_HEADER = 128;
    private static final Set<String> MEDIA =
            Set.of("application", "audio", "font", "image", "message", "model", "multipart", "text", "video");
    private static final int MAX_REFERENCE = 7;
    private static final String INDENTS = " \t>|";
    private static final int MAX_INDENT = 32;

    /** Fewest digits of hexadecimal in narrow lines: some addresses may stand below one another. */
    private static final int MIN_NARROW_HEX = 512;

    private static final byte UPPER = 1;
    private static final byte LOWER = 2;
    private static final byte DIGIT = 3;
    /** Plus, slash, and what stands for them in file names and URLs. */
    private static final byte SIGN = 4;

    private static final byte[] CLASSES = classes();

    private final String text;
    /** Of the text: one character of a string takes several times as long as one of an array. */
    private final char[] chars;
    /** Data URIs, the begin in the higher half. */
    private long[] marked = new long[4];

    private int marks;

    private StringBuilder replaced;
    private int done;
    private final LongConsumer digest;

    private EncodedRuns(String text, LongConsumer digest) {
        this.text = text;
        this.chars = text.toCharArray();
        this.digest = digest;
    }

    /** The text with {@link #PLACEHOLDER} for each run, whose hash goes to the digest; the same instance if there is none. */
    static String replace(String text, LongConsumer digest) {
        return text.length() < PROBE ? text : new EncodedRuns(text, digest).replace();
    }

    private String replace() {
        markDataUris();
        if (marks == 0 && new LineDigits(chars, chars.length).mayHaveRuns() == false) {
            return text;
        }
        int from = 0;
        for (int i = 0; i < marks; i++) {
            int begin = (int) (marked[i] >>> Integer.SIZE);
            scan(from, begin);
            from = (int) marked[i];
            cut(begin, from);
        }
        scan(from, chars.length);
        return replaced == null
                ? text
                : replaced.append(text, done, chars.length).toString();
    }

    private void cut(int from, int to) {
        if (replaced == null) {
            replaced = new StringBuilder(chars.length);
        }
        replaced.append(text, done, from).append(PLACEHOLDER);
        done = to;
        HashStream64 hash = Hashing.xxh3_64().hashStream();
        for (int i = from; i < to; i++) {
            if (Character.isWhitespace(chars[i]) == false) {
                hash.putChar(chars[i]);
            }
        }
        digest.accept(hash.getAsLong());
    }

    /** Cuts base64 and hexadecimal between two places. */
    private void scan(int from, int to) {
        for (int i = from + PROBE - 1; i < to; ) {
            if (classAt(i) == 0) {
                i += isBesideLines(chars[i]) ? 1 : PROBE;
                continue;
            }
            int begin = beginOfChunk(chars, i, from);
            int end = endOfChunk(chars, i, to);
            boolean mayBeLine = end - begin < PROBE
                    ? end - begin >= NARROWEST && isWholeLine(begin, end)
                    : end - begin >= MIN_CHUNK || isPlain(begin, end) == false;
            if (mayBeLine) {
                int first = end - begin < MIN_CHUNK ? firstOfNarrow(begin, end, Math.max(from, done)) : begin;
                end = Math.max(end, run(first, end - begin, to));
            }
            i = end + MIN_CHUNK;
        }
    }

    static boolean isBesideLines(char c) {
        return c == '\n' || c == '\r' || INDENTS.indexOf(c) >= 0;
    }

    /** Whether nothing but the marks of a quoted mail stands beside a chunk. */
    private boolean isWholeLine(int begin, int end) {
        char next = end == chars.length ? '\n' : chars[end];
        return (next == '\n' || next == '\r') && isIndented(begin);
    }

    /** Whether a chunk looks like most long words, which is rare among narrow lines of a run. */
    private boolean isPlain(int begin, int end) {
        boolean isHex = true;
        for (int i = begin + 1; i < end; i++) {
            if (classAt(i) != LOWER) {
                return false;
            }
            isHex &= chars[i] <= 'f';
        }
        return isHex == false && classAt(begin) <= LOWER;
    }

    /** Where the lines of this width begin: a few before the first that was looked at. */
    private int firstOfNarrow(int begin, int end, int from) {
        int width = end - begin;
        int first = begin;
        int most = width < PROBE ? MIN_CHUNK : NOT_LOOKED_AT;
        for (int lines = 0; lines < most; lines++) {
            int endBefore = first;
            while (endBefore > from && first - endBefore < MIN_CHUNK && classAt(endBefore - 1) == 0) {
                endBefore--;
            }
            int line = endBefore - width;
            if (line < from
                    || (line > from && classAt(line - 1) != 0)
                    || endOfChunk(chars, line, endBefore) < endBefore
                    || (width < PROBE && isWholeLine(line, endBefore) == false)
                    || nextChunk(endBefore, end) != first) {
                return first;
            }
            first = line;
        }
        return first;
    }

    /** Cuts the run that begins with a chunk, if it is one. Returns how far the text was read. */
    private int run(int begin, int width, int to) {
        int endOfFirst = begin + width;
        CharacterCounts counts = new CharacterCounts();
        counts.add(text.startsWith("0x", begin) ? begin + 2 : begin, endOfFirst);
        boolean isWide = width >= PROBE;
        if (isWide && counts.mayBeEncoded() == false) {
            return endOfFirst;
        }
        boolean isSpaced = false;
        int end = endOfFirst;
        int lines = 1;
        int alike = 0;
        int previous = begin;
        for (int next = nextChunk(end, to); next >= 0; next = nextChunk(end, to)) {
            int endOfNext = endOfChunk(chars, next, Math.min(to, next + width + 1));
            boolean isBlankBetween = hasBlankLine(end, next);
            if (endOfNext - next == width
                    && (isWide || (isWholeLine(next, endOfNext) && (lines == 1 || isBlankBetween == isSpaced)))) {
                isSpaced = isBlankBetween;
                lines++;
                alike += areAlike(previous, next, width) ? 1 : 0;
                previous = next;
            } else if (endOfNext - next >= width
                    || isBlankBetween != isSpaced
                    || isLastLine(counts.all, end, next, endOfNext, to) == false) {
                break;
            }
            counts.add(next, endOfNext);
            end = endOfNext;
            if (endOfNext - next < width) {
                break;
            }
        }
        if (2 * alike <= lines && (counts.isHex(lines, width) || counts.isBase64(lines, width))) {
            int padded = endOfLastPadding(end, to);
            cut(begin, padded);
            return padded;
        }
        return end;
    }

    /** Behind at most two signs, which may stand on a line of their own. */
    private int endOfLastPadding(int end, int to) {
        int begin = end;
        while (begin < to && begin < end + MAX_INDENT && isBesideLines(chars[begin])) {
            begin++;
        }
        int padded = begin;
        while (padded < to && padded < begin + 2 && chars[padded] == '=') {
            padded++;
        }
        return padded == begin || (padded < to && chars[padded] == '=') ? end : padded;
    }

    /** Whether two lines begin alike and differ, as names and numbers in a list do. */
    private boolean areAlike(int a, int b, int width) {
        return text.regionMatches(a, text, b, ALIKE) && text.regionMatches(a, text, b, width) == false;
    }

    private boolean hasBlankLine(int from, int to) {
        int breaks = 0;
        for (int i = from; i < to; i++) {
            breaks += chars[i] == '\n' ? 1 : 0;
        }
        return breaks > 1;
    }

    /** The next chunk, behind blanks and at most one blank line; behind a line break a mail may be quoted; -1 if there is none. */
    private int nextChunk(int end, int to) {
        int breaks = 0;
        int i = end;
        for (; i < to; i++) {
            char c = chars[i];
            if (c == '\n') {
                breaks++;
            } else if (c != ' ' && c != '\t' && c != '\r' && ((c != '>' && c != '|') || breaks == 0)) {
                break;
            }
        }
        return i == end || i == to || breaks > 2 || classAt(i) == 0 ? -1 : i;
    }

    /** Whether a shorter line ends a run of so many characters: with padding, or alone on its line and no plain word. */
    private boolean isLastLine(int count, int endBefore, int begin, int end, int to) {
        if (end < to && chars[end] == '=') {
            return true;
        }
        if (text.substring(endBefore, begin).indexOf('\n') < 0 || (end < to && ENDS_OF_LINE.indexOf(chars[end]) < 0)) {
            return false;
        }
        if (count % 4 != 0 && (count + end - begin) % 4 == 0) {
            return true; // base64 comes in fours
        }
        boolean hasLower = false;
        boolean hasUpper = false;
        for (int i = begin; i < end; i++) {
            if (classAt(i) >= DIGIT) {
                return true;
            }
            hasLower |= classAt(i) == LOWER;
            hasUpper |= i > begin && classAt(i) == UPPER;
        }
        return hasLower && hasUpper;
    }

    static int beginOfChunk(char[] chars, int end, int from) {
        int begin = end;
        while (begin > from && classOf(chars[begin - 1]) != 0) {
            begin--;
        }
        return begin;
    }

    static int endOfChunk(char[] chars, int from, int to) {
        int end = from;
        while (end < to && classOf(chars[end]) != 0) {
            end++;
        }
        return end;
    }

    private byte classAt(int i) {
        return classOf(chars[i]);
    }

    private static byte classOf(char c) {
        return c < CLASSES.length ? CLASSES[c] : 0;
    }

    private void markDataUris() {
        for (int at = text.indexOf(DATA); at >= 0; ) {
            int end = endOfDataUri(at);
            if (end > 0) {
                mark(at, end);
            }
            at = text.indexOf(DATA, end > 0 ? end : at + DATA.length());
        }
    }

    /** The end of {@code data:TYPE/SUBTYPE;OPTIONS,CONTENT}; -1 if it is none. */
    private int endOfDataUri(int begin) {
        int headEnd = Math.min(chars.length, begin + MAX_DATA_HEADER);
        int slash = -1;
        int i = begin + DATA.length();
        while (i < headEnd && isHeader(chars[i])) {
            slash = chars[i] == '/' && slash < 0 ? i : slash;
            i++;
        }
        boolean isAlone = begin == 0 || Character.isLetterOrDigit(chars[begin - 1]) == false;
        if (i == headEnd
                || chars[i] != ','
                || isAlone == false
                || slash < 0
                || MEDIA.contains(text.substring(begin + DATA.length(), slash)) == false) {
            return -1;
        }
        int content = i + 1;
        boolean isBase64 = text.startsWith(";base64", i - ";base64".length());
        int end = content;
        for (int next = content; next > end || next == content; next = isBase64 ? endOfReference(end) : end) {
            end = next;
            while (end < chars.length && (isBase64 ? classAt(end) != 0 || isPadding(chars[end]) : isUri(chars[end]))) {
                end++;
            }
            if (end == content) {
                return -1;
            }
        }
        if (end - content < MIN_CHUNK) {
            return -1;
        }
        return isBase64 ? endOfLines(end) : end;
    }

    /** The end of the lines of equal width that go on with a data URI. */
    private int endOfLines(int endOfFirst) {
        int end = endOfFirst;
        int width = -1;
        for (int next = nextChunk(end, chars.length); next >= 0; next = nextChunk(end, chars.length)) {
            int endOfNext = endOfChunk(chars, next, chars.length);
            if (width < 0 && endOfNext - next >= PROBE) {
                width = endOfNext - next;
                CharacterCounts counts = new CharacterCounts();
                counts.add(next, endOfNext);
                if (counts.mayBeEncoded() == false) {
                    return end;
                }
            } else if (width < 0 || endOfNext - next != width) {
                boolean isLast = endOfNext - next < Math.max(width, MIN_CHUNK)
                        && isLastLine(0, end, next, endOfNext, chars.length);
                return isLast ? endOfPadding(endOfNext) : end;
            }
            end = endOfPadding(endOfNext);
        }
        return end;
    }

    private int endOfPadding(int from) {
        int end = from;
        while (end < chars.length && chars[end] == '=') {
            end++;
        }
        return end;
    }

    /** In a URI a sign may be written by its number. */
    private static boolean isPadding(char c) {
        return c == '=' || c == '%';
    }

    /** In HTML, too, as a character reference. The same place if there is none. */
    private int endOfReference(int from) {
        int end = text.startsWith("&#", from) ? from + 2 : chars.length;
        while (end < chars.length && end < from + MAX_REFERENCE && Character.isLetterOrDigit(chars[end])) {
            end++;
        }
        return end < chars.length && chars[end] == ';' ? end + 1 : from;
    }

    private static boolean isHeader(char c) {
        return classOf(c) != 0 || c == ';' || c == '=' || c == '.';
    }

    private static boolean isUri(char c) {
        return c > ' ' && c < 0x7F && "\"'<>()[]{}`\\".indexOf(c) < 0;
    }

    /** Whether nothing but quotation marks of a mail stand before a place in its line. */
    private boolean isIndented(int place) {
        int i = place;
        while (i > 0 && place - i < MAX_INDENT && INDENTS.indexOf(chars[i - 1]) >= 0) {
            i--;
        }
        return i == 0 || chars[i - 1] == '\n';
    }

    private void mark(int begin, int end) {
        if (marks == marked.length) {
            marked = Arrays.copyOf(marked, 2 * marks);
        }
        marked[marks++] = (long) begin << Integer.SIZE | end;
    }

    /** The characters of a run by their kinds. */
    private final class CharacterCounts {

        private final int[] ofClass = new int[SIGN + 1];
        private int all;
        private int upperHex;
        private int lowerHex;
        /** Letters and digits that follow one of another kind. */
        private int changes;
        /** Capitals that follow one. */
        private int capitals;
        /** Signs that follow no sign. */
        private int signs;

        void add(int from, int to) {
            byte before = 0;
            for (int i = from; i < to; i++) {
                char c = chars[i];
                byte its = classAt(i);
                ofClass[its]++;
                upperHex += c >= 'A' && c <= 'F' ? 1 : 0;
                lowerHex += c >= 'a' && c <= 'f' ? 1 : 0;
                boolean differs = its != before && before != 0;
                changes += differs && its != SIGN && before != SIGN ? 1 : 0;
                capitals += its == UPPER && before == UPPER ? 1 : 0;
                signs += differs && its == SIGN ? 1 : 0;
                before = its;
            }
            all += to - from;
        }

        /** Whether the first line can begin a run. */
        boolean mayBeEncoded() {
            return isAllHex() || (ofClass[UPPER] > 0 && ofClass[LOWER] > 0) || ofClass[SIGN] + ofClass[DIGIT] > 0;
        }

        private boolean isAllHex() {
            int letters = ofClass[UPPER] + ofClass[LOWER];
            return letters + ofClass[DIGIT] == all && (letters == upperHex || letters == lowerHex);
        }

        boolean isHex(int lines, int width) {
            return isAllHex()
                    && all > LONGEST_HEX_ID
                    && (lines == 1 || all >= (width < PROBE ? MIN_NARROW_HEX : MIN_HEX_LINES))
                    && upperHex + lowerHex > 0.02 * all
                    && ofClass[DIGIT] > 0.02 * all;
        }

        boolean isBase64(int lines, int width) {
            if (all < (width < MIN_CHUNK ? LONG_BASE64 : MIN_BASE64)) {
                return false;
            }
            boolean isLong = all >= LONG_BASE64 && width >= PROBE;
            return ofClass[UPPER] >= (isLong ? 0.08 : 0.15) * all
                    && ofClass[LOWER] >= (isLong ? 0.08 : 0.15) * all
                    && ofClass[DIGIT] >= (isLong ? 0.01 : 0.03) * all
                    && changes >= (isLong ? 0.1 : 0.35) * all
                    && capitals >= 0.03 * all
                    && (signs <= 0.1 * all || lines > 3);
        }
    }

    private static byte[] classes() {
        byte[] classes = new byte[0x80];
        Arrays.fill(classes, 'A', 'Z' + 1, UPPER);
        Arrays.fill(classes, 'a', 'z' + 1, LOWER);
        Arrays.fill(classes, '0', '9' + 1, DIGIT);
        for (char sign : "+/-_".toCharArray()) {
            classes[sign] = SIGN;
        }
        return classes;
    }
}
