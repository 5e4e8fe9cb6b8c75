/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Tells of most texts that they have none of the {@link EncodedRuns}: each run has decimal digits in its lines, and most texts have
 * few, where no line is. Eight characters at once; not thread-safe.
 */
final class LineDigits {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGHEST_OF_EACH_BYTE = 0x8080_8080_8080_8080L;
    private static final long ZEROS = 0x3030_3030_3030_3030L;
    /** Sets the highest bit of a byte that is above nine. */
    private static final long ABOVE_NINE = 0x7676_7676_7676_7676L;

    /** Fewest decimal digits of a run in lines: the shortest one has two. */
    private static final int LEAST_DIGITS = 2;

    /** As far as they matter here. Other characters are question marks, which are in no line. */
    private final byte[] text;

    private int digits;
    private int digitsOfLines;
    /** End of the chunk that was looked at last, and whether it may be a line. */
    private int endOfChunk;

    private boolean isLine;

    private LineDigits(byte[] text) {
        this.text = text;
    }

    /** Whether a text has digits enough for a run in groups, or digits where a line of a run may be. */
    static boolean mayHaveRuns(String text) {
        return new LineDigits(text.getBytes(ISO_8859_1)).mayHaveRuns();
    }

    private boolean mayHaveRuns() {
        int i = 0;
        for (; i + Long.BYTES <= text.length; i += Long.BYTES) {
            for (long rest = digits((long) LONG.get(text, i)); rest != 0; rest &= rest - 1) {
                if (mayHaveRuns(i + Long.numberOfTrailingZeros(rest) / Byte.SIZE)) {
                    return true;
                }
            }
        }
        for (; i < text.length; i++) {
            if (text[i] >= '0' && text[i] <= '9' && mayHaveRuns(i)) {
                return true;
            }
        }
        return false;
    }

    /** The highest bit of each of eight characters that is a decimal digit. */
    private static long digits(long eight) {
        long values = eight ^ ZEROS;
        long others = ((values & ~HIGHEST_OF_EACH_BYTE) + ABOVE_NINE) | values;
        return ~others & HIGHEST_OF_EACH_BYTE;
    }

    /** Counts a digit. Returns whether there are enough. */
    private boolean mayHaveRuns(int digit) {
        if (digit >= endOfChunk) {
            endOfChunk = end(digit);
            isLine = mayBeLine(begin(digit), endOfChunk);
        }
        digits++;
        digitsOfLines += isLine ? 1 : 0;
        return digitsOfLines >= LEAST_DIGITS || digits >= EncodedRuns.LEAST_DIGITS_OF_GROUPS;
    }

    /** Whether a chunk may be a line of a run: a wide one, one beside another of its width, or the last one. */
    private boolean mayBeLine(int begin, int end) {
        int width = end - begin;
        char next = end < text.length ? (char) text[end] : '\n';
        if (width >= EncodedRuns.MIN_CHUNK || next == '=') {
            return true;
        }
        int endBefore = begin;
        boolean isFirst = true;
        while (endBefore > 0 && EncodedRuns.isBesideLines((char) text[endBefore - 1])) {
            endBefore--;
            isFirst &= text[endBefore] != '\n';
        }
        if (EncodedRuns.ENDS_OF_LINE.indexOf(next) >= 0
                && (isFirst == false || (endBefore == 0 && width >= EncodedRuns.NARROWEST))) {
            return true;
        }
        if (width < EncodedRuns.PROBE) {
            return false;
        }
        int beginOfNext = end;
        while (beginOfNext < text.length && EncodedRuns.isBesideLines((char) text[beginOfNext])) {
            beginOfNext++;
        }
        return endBefore - begin(endBefore) == width || end(beginOfNext) - beginOfNext == width;
    }

    private int begin(int end) {
        int begin = end;
        while (begin > 0 && isInChunk(text[begin - 1])) {
            begin--;
        }
        return begin;
    }

    private int end(int begin) {
        int end = begin;
        while (end < text.length && isInChunk(text[end])) {
            end++;
        }
        return end;
    }

    private static boolean isInChunk(byte b) {
        return b >= 0 && EncodedRuns.CLASSES[b] != 0;
    }
}
