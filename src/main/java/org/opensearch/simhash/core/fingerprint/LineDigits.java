/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

/**
 * Tells of most texts that they have none of the {@link EncodedRuns}: each run has decimal digits in its lines, and most texts have
 * few, where no line is. Not thread-safe.
 */
final class LineDigits {

    /** Characters that are searched for digits at once. */
    private static final int BLOCK = 32;

    /** Fewest decimal digits of a run in lines: the shortest one has two. */
    private static final int LEAST_DIGITS = 2;

    private final char[] text;
    private final int length;

    private int digitsOfLines;
    /** End of the chunk that was looked at last, and whether it may be a line. */
    private int endOfChunk;

    private boolean isLine;

    /** @param length of the text, from the begin of the array on */
    LineDigits(char[] text, int length) {
        this.text = text;
        this.length = length;
    }

    /** Whether the text has digits where a line of a run may be. */
    boolean mayHaveRuns() {
        for (int from = 0; from < length; from += BLOCK) {
            int to = Math.min(from + BLOCK, length);
            if (hasDigits(from, to)) {
                for (int i = from; i < to; i++) {
                    if (areEnoughWith(i)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Without a branch for each character. */
    private boolean hasDigits(int from, int to) {
        int any = 0;
        for (int i = from; i < to; i++) {
            any |= (char) (text[i] - '0') - 10; // below 0 for a digit
        }
        return any < 0;
    }

    /** Counts a character if it is a digit; call it in the order of the text. Returns whether there are enough. */
    boolean areEnoughWith(int digit) {
        if (text[digit] < '0' || text[digit] > '9') {
            return false;
        }
        if (digit >= endOfChunk) {
            endOfChunk = EncodedRuns.endOfChunk(text, digit, length);
            isLine = mayBeLine(EncodedRuns.beginOfChunk(text, digit, 0), endOfChunk);
        }
        digitsOfLines += isLine ? 1 : 0;
        return digitsOfLines >= LEAST_DIGITS;
    }

    /** Whether a chunk may be a line of a run: it is wide enough for a run alone, it has a line beside it, or it is the last one. */
    private boolean mayBeLine(int begin, int end) {
        int width = end - begin;
        char next = end < length ? text[end] : '\n';
        if (width >= EncodedRuns.MIN_BASE64 || next == '=') {
            return true;
        }
        int endBefore = begin;
        boolean isFirst = true;
        while (endBefore > 0 && EncodedRuns.isBesideLines(text[endBefore - 1])) {
            endBefore--;
            isFirst &= text[endBefore] != '\n';
        }
        boolean isWide = width >= EncodedRuns.MIN_CHUNK;
        if ((isWide || EncodedRuns.ENDS_OF_LINE.indexOf(next) >= 0)
                && (isFirst == false || (endBefore == 0 && width >= EncodedRuns.NARROWEST))) {
            return true;
        }
        if (width < EncodedRuns.PROBE) {
            return false;
        }
        int beginOfNext = end;
        boolean isLast = true;
        while (beginOfNext < length && EncodedRuns.isBesideLines(text[beginOfNext])) {
            isLast &= text[beginOfNext] != '\n';
            beginOfNext++;
        }
        int endOfNext = EncodedRuns.endOfChunk(text, beginOfNext, length);
        return (isWide && (isLast == false || (endOfNext < length && text[endOfNext] == '=')))
                || endBefore - EncodedRuns.beginOfChunk(text, endBefore, 0) == width
                || endOfNext - beginOfNext == width;
    }
}
