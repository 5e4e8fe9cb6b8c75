/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Decodes the lossless kind of WebP, after the specification of its bit stream, to alpha, red, green and blue in one number a
 * pixel. Each kind of transform comes once at most. Takes 4 bytes a pixel, twice that with a palette. Not thread-safe.
 */
final class Vp8lDecoder {

    private static final int SIGNATURE = 0x2F;

    /** Kinds of transforms. */
    private static final int PREDICTOR = 0;

    private static final int COLOUR = 1;
    private static final int GREEN = 2;
    private static final int PALETTE = 3;

    private static final int OPAQUE = 0xFF00_0000;
    private static final int LITERALS = 256;
    private static final int LENGTHS = 24;
    private static final int DISTANCES = 40;
    private static final int NEAR = 120;
    private static final int MOST_CACHE_BITS = 11;
    private static final int LONGEST_CODE = 15;
    private static final int ROOT_BITS = 8;
    private static final int CODES = 5;
    private static final int CACHE_FACTOR = 0x1E35_A7BD;

    private static final int[] LENGTH_ORDER = {17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    /** The nearest places by their number: rows above, and 8 minus columns to the left. */
    private static final byte[] PLACES = HexFormat.of()
            .parseHex("1807171928062729161a262a38053739151b363a252b48044749141c353b464a242c58454b343c03"
                    + "5759131d565a232d444c555b333d68026769121e666a222e545c434d656b323e78017779535d111f"
                    + "646c424e767a212f757b313f636d525e00747c414f1020626e30737d515f40727e616f50717f6070");

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int end;
    private final Decoding limits;
    private int at;
    private long bits;
    private int bitCount;

    /** @param xSize pixels of a row, before */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Transform(int kind, int xSize, int sizeBits, int[] data) {}

    Vp8lDecoder(byte[] bytes, int start, int end, Decoding limits) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
        this.limits = limits;
    }

    /**
     * Decodes a picture whose size is known.
     *
     * @return its pixels, row by row
     */
    int[] pixels(int width, int height) throws IOException {
        List<Transform> transforms = new ArrayList<>();
        int seen = 0;
        int xSize = width;
        while (read(1) != 0) {
            int kind = read(2);
            if ((seen >> kind & 1) != 0) {
                throw new IOException("it has a transform twice");
            }
            seen |= 1 << kind;
            Transform transform = transform(kind, xSize, height);
            transforms.add(transform);
            xSize = kind == PALETTE ? parts(xSize, transform.sizeBits) : xSize;
        }
        int[] pixels = image(xSize, height, true);
        for (Transform transform : transforms.reversed()) {
            switch (transform.kind) {
                case PREDICTOR -> predict(pixels, transform, height);
                case COLOUR -> colour(pixels, transform, height);
                case GREEN -> green(pixels);
                default -> pixels = spread(pixels, transform, height);
            }
        }
        return pixels;
    }

    /** The size in the head of a picture, behind which its pixels begin: width, height, whether alpha counts. */
    int[] head() throws IOException {
        if (read(8) != SIGNATURE) {
            throw new IOException("its picture is no lossless one");
        }
        int width = read(14) + 1;
        int height = read(14) + 1;
        int alpha = read(1);
        if (read(3) != 0) {
            throw new IOException("its picture is of an unknown version");
        }
        return new int[] {width, height, alpha};
    }

    private Transform transform(int kind, int xSize, int ySize) throws IOException {
        if (kind == GREEN) {
            return new Transform(kind, xSize, 0, null);
        }
        if (kind == PALETTE) {
            int colours = read(8) + 1;
            int[] palette = image(colours, 1, false);
            for (int i = 1; i < colours; i++) {
                palette[i] = sum(palette[i], palette[i - 1]);
            }
            return new Transform(kind, xSize, colours > 16 ? 0 : colours > 4 ? 1 : colours > 2 ? 2 : 3, palette);
        }
        int sizeBits = read(3) + 2;
        return new Transform(kind, xSize, sizeBits, image(parts(xSize, sizeBits), parts(ySize, sizeBits), false));
    }

    private static int parts(int size, int bits) {
        return (size + (1 << bits) - 1) >> bits;
    }

    /** Reads entropy-coded pixels. */
    private int[] image(int xSize, int ySize, boolean isMain) throws IOException {
        int cacheBits = read(1) == 0 ? 0 : read(4);
        if (cacheBits > MOST_CACHE_BITS) {
            throw new IOException("its cache of colours has " + cacheBits + " bits");
        }
        int groupBits = 0;
        int[] groupOf = null;
        if (isMain && read(1) != 0) {
            groupBits = read(3) + 2;
            groupOf = image(parts(xSize, groupBits), parts(ySize, groupBits), false);
        }
        PrefixCode[][] groups = groups(groupOf, cacheBits);
        int[] cache = cacheBits == 0 ? null : new int[1 << cacheBits];
        limits.take((long) Integer.BYTES * xSize * ySize);
        int[] pixels = new int[xSize * ySize];
        PrefixCode[] group = groups[0];
        int mask = (1 << groupBits) - 1;
        int x = 0;
        int y = 0;
        boolean isNew = true;
        for (int next = 0; next < pixels.length; ) {
            if (groupOf != null && (isNew || (x & mask) == 0)) {
                group = groups[groupOf[(y >> groupBits) * parts(xSize, groupBits) + (x >> groupBits)]];
            }
            isNew = false;
            int code = symbol(group[0]);
            int count = 1;
            if (code < LITERALS) {
                int red = symbol(group[1]);
                int blue = symbol(group[2]);
                pixels[next] = symbol(group[3]) << 24 | red << 16 | code << 8 | blue;
            } else if (code < LITERALS + LENGTHS) {
                count = number(code - LITERALS);
                int distance = distance(number(symbol(group[4])), xSize);
                if (distance > next || count > pixels.length - next) {
                    throw new IOException("it repeats pixels that it has not");
                }
                for (int i = next; i < next + count; i++) {
                    pixels[i] = pixels[i - distance];
                }
                isNew = true;
            } else {
                pixels[next] = cache[code - LITERALS - LENGTHS];
            }
            for (int i = next; i < next + count && cache != null; i++) {
                cache[(pixels[i] * CACHE_FACTOR) >>> (Integer.SIZE - cacheBits)] = pixels[i];
            }
            next += count;
            x += count;
            while (x >= xSize) {
                x -= xSize;
                y++;
                limits.requireTime();
            }
        }
        return pixels;
    }

    /** @param groupOf in green and red, for which it gets the number itself; null for one group */
    private PrefixCode[][] groups(int[] groupOf, int cacheBits) throws IOException {
        int count = 1;
        boolean[] used = {true};
        if (groupOf != null) {
            for (int i = 0; i < groupOf.length; i++) {
                groupOf[i] = groupOf[i] >>> 8 & 0xFFFF;
                count = Math.max(count, groupOf[i] + 1);
            }
            used = new boolean[count];
            for (int group : groupOf) {
                used[group] = true;
            }
        }
        limits.take((long) Long.BYTES * count);
        PrefixCode[][] groups = new PrefixCode[count][];
        int cached = cacheBits == 0 ? 0 : 1 << cacheBits;
        for (int i = 0; i < count; i++) {
            limits.requireTime();
            PrefixCode[] codes = new PrefixCode[CODES];
            for (int j = 0; j < CODES; j++) {
                int size = j == 0 ? LITERALS + LENGTHS + cached : j == CODES - 1 ? DISTANCES : LITERALS;
                codes[j] = code(size, used[i]);
            }
            groups[i] = used[i] ? codes : null;
        }
        return groups;
    }

    private PrefixCode code(int size, boolean isKept) throws IOException {
        byte[] lengths = new byte[size];
        if (read(1) != 0) {
            int count = read(1) + 1;
            int first = read(read(1) == 0 ? 1 : 8);
            int second = count == 1 ? first : read(8);
            if (first >= size || second >= size) {
                throw new IOException("it has a code for no symbol");
            }
            lengths[first] = 1;
            lengths[second] = 1;
        } else {
            readLengths(lengths);
        }
        PrefixCode code = new PrefixCode(lengths);
        if (isKept) {
            limits.take(code.bytes());
        }
        return code;
    }

    private void readLengths(byte[] lengths) throws IOException {
        byte[] ofLengths = new byte[LENGTH_ORDER.length];
        int count = read(4) + 4;
        for (int i = 0; i < count; i++) {
            ofLengths[LENGTH_ORDER[i]] = (byte) read(3);
        }
        PrefixCode code = new PrefixCode(ofLengths);
        int left = lengths.length;
        if (read(1) != 0) {
            left = 2 + read(2 + 2 * read(3));
            if (left > lengths.length) {
                throw new IOException("it has more codes than symbols");
            }
        }
        int previous = 8;
        for (int i = 0; i < lengths.length && left > 0; left--) {
            int symbol = symbol(code);
            if (symbol < 16) {
                lengths[i++] = (byte) symbol;
                previous = symbol == 0 ? previous : symbol;
                continue;
            }
            int repeated = symbol == 16 ? 3 + read(2) : symbol == 17 ? 3 + read(3) : 11 + read(7);
            if (repeated > lengths.length - i) {
                throw new IOException("it has more codes than symbols");
            }
            Arrays.fill(lengths, i, i + repeated, (byte) (symbol == 16 ? previous : 0));
            i += repeated;
        }
    }

    private int number(int prefix) throws IOException {
        if (prefix < 4) {
            return prefix + 1;
        }
        int extra = (prefix - 2) >> 1;
        return ((2 + (prefix & 1)) << extra) + read(extra) + 1;
    }

    private static int distance(int number, int xSize) {
        if (number > NEAR) {
            return number - NEAR;
        }
        int place = PLACES[number - 1];
        return Math.max(1, (place >> 4) * xSize + 8 - (place & 0xF));
    }

    private void predict(int[] pixels, Transform transform, int height) {
        int width = transform.xSize;
        int perRow = parts(width, transform.sizeBits);
        for (int y = 0; y < height; y++) {
            limits.requireTime();
            int row = y * width;
            pixels[row] = sum(pixels[row], y == 0 ? OPAQUE : pixels[row - width]);
            for (int x = 1; x < width; x++) {
                int i = row + x;
                int mode = y == 0
                        ? 1
                        : transform.data[(y >> transform.sizeBits) * perRow + (x >> transform.sizeBits)] >>> 8 & 0xF;
                pixels[i] = sum(pixels[i], predicted(mode, pixels, i, width));
            }
        }
    }

    private static int predicted(int mode, int[] pixels, int i, int width) {
        int left = pixels[i - 1];
        if (mode == 1) {
            return left;
        }
        int top = pixels[i - width];
        int topLeft = pixels[i - width - 1];
        // In the last column, that is the first pixel of this row.
        int topRight = pixels[i - width + 1];
        return switch (mode) {
            case 2 -> top;
            case 3 -> topRight;
            case 4 -> topLeft;
            case 5 -> mean(mean(left, topRight), top);
            case 6 -> mean(left, topLeft);
            case 7 -> mean(left, top);
            case 8 -> mean(topLeft, top);
            case 9 -> mean(top, topRight);
            case 10 -> mean(mean(left, topLeft), mean(top, topRight));
            case 11 -> nearer(left, top, topLeft);
            case 12 -> each(left, top, topLeft, false);
            case 13 -> each(mean(left, top), 0, topLeft, true);
            default -> OPAQUE;
        };
    }

    private static int mean(int a, int b) {
        return (((a ^ b) & 0xFEFE_FEFE) >>> 1) + (a & b);
    }

    /** That which is nearer to left + top - corner. */
    private static int nearer(int left, int top, int corner) {
        int toLeft = 0;
        int toTop = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            int c = corner >>> shift & 0xFF;
            toLeft += Math.abs((top >>> shift & 0xFF) - c);
            toTop += Math.abs((left >>> shift & 0xFF) - c);
        }
        return toLeft < toTop ? left : top;
    }

    /** Of each part a + b - c; or a and half of its difference to c. */
    private static int each(int a, int b, int c, boolean isHalf) {
        int result = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            int of = a >>> shift & 0xFF;
            int minus = c >>> shift & 0xFF;
            int value = isHalf ? of + (of - minus) / 2 : of + (b >>> shift & 0xFF) - minus;
            result |= Math.clamp(value, 0, 0xFF) << shift;
        }
        return result;
    }

    private void colour(int[] pixels, Transform transform, int height) {
        int width = transform.xSize;
        int perRow = parts(width, transform.sizeBits);
        for (int y = 0; y < height; y++) {
            limits.requireTime();
            for (int x = 0; x < width; x++) {
                int factors = transform.data[(y >> transform.sizeBits) * perRow + (x >> transform.sizeBits)];
                int i = y * width + x;
                int pixel = pixels[i];
                int green = pixel >> 8;
                int red = (pixel >> 16) + share(factors, green) & 0xFF;
                int blue = pixel + share(factors >> 8, green) + share(factors >> 16, red) & 0xFF;
                pixels[i] = (pixel & 0xFF00_FF00) | (red << 16) | blue;
            }
        }
    }

    private static int share(int factor, int colour) {
        return ((byte) factor * (byte) colour) >> 5;
    }

    private static void green(int[] pixels) {
        for (int i = 0; i < pixels.length; i++) {
            int green = pixels[i] >>> 8 & 0xFF;
            pixels[i] = sum(pixels[i], green << 16 | green);
        }
    }

    /** Of each of the four parts. */
    private static int sum(int a, int b) {
        return (((a & 0xFF00_FF00) + (b & 0xFF00_FF00)) & 0xFF00_FF00)
                | (((a & 0xFF_00FF) + (b & 0xFF_00FF)) & 0xFF_00FF);
    }

    /** The colours of the palette. Those that it lacks are transparent. */
    private int[] spread(int[] packed, Transform transform, int height) {
        int width = transform.xSize;
        int perRow = parts(width, transform.sizeBits);
        int bitsOfEach = Byte.SIZE >> transform.sizeBits;
        int within = (1 << transform.sizeBits) - 1;
        limits.take((long) Integer.BYTES * width * height);
        int[] pixels = new int[width * height];
        for (int y = 0; y < height; y++) {
            limits.requireTime();
            for (int x = 0; x < width; x++) {
                int group = packed[y * perRow + (x >> transform.sizeBits)] >>> 8 & 0xFF;
                int colour = (group >> ((x & within) * bitsOfEach)) & ((1 << bitsOfEach) - 1);
                pixels[y * width + x] = colour < transform.data.length ? transform.data[colour] : 0;
            }
        }
        return pixels;
    }

    /** To more bits than any call takes, or to the end. Bits beyond the counted ones may be there already. */
    private void fill() {
        if (bitCount >= Integer.SIZE) {
            return;
        }
        if (end - at >= Long.BYTES) {
            bits |= (long) LONGS.get(bytes, at) << bitCount;
            int added = (Long.SIZE - 1 - bitCount) >> 3;
            at += added;
            bitCount += added * Byte.SIZE;
            return;
        }
        while (bitCount <= Long.SIZE - Byte.SIZE && at < end) {
            bits |= (bytes[at++] & 0xFFL) << bitCount;
            bitCount += Byte.SIZE;
        }
    }

    /** @param count at most 24 */
    private int read(int count) throws EOFException {
        fill();
        int value = (int) bits & (1 << count) - 1;
        consume(count);
        return value;
    }

    private void consume(int count) throws EOFException {
        bitCount -= count;
        if (bitCount < 0) {
            throw new EOFException("its data ends before its last row");
        }
        bits >>>= count;
    }

    private int symbol(PrefixCode code) throws IOException {
        if (code.only >= 0) {
            return code.only;
        }
        fill();
        int entry = code.table[(int) bits & code.table.length - 1];
        if (entry != 0) {
            consume(entry & 0xF);
            return entry >>> 4;
        }
        int value = 0;
        int first = 0;
        int index = 0;
        for (int length = 1; length <= LONGEST_CODE; length++) {
            value |= (int) (bits >>> (length - 1)) & 1;
            int count = code.counts[length];
            if (value - count < first) {
                consume(length);
                return code.symbols[index + value - first];
            }
            index += count;
            first = (first + count) << 1;
            value <<= 1;
        }
        throw new IOException("it has a code that is not known");
    }

    /** A prefix code by the lengths of its codes. Short ones are looked up. */
    private static final class PrefixCode {

        final int[] counts = new int[LONGEST_CODE + 1];

        /** By length, then by number. */
        final char[] symbols;

        /** By the next bits: the symbol and the length of its code; 0 where the code is longer. */
        final char[] table;

        /** The only symbol, which takes no bits; negative if there are several. */
        final int only;

        /** @throws IOException if the code is not complete */
        PrefixCode(byte[] lengths) throws IOException {
            int longest = 0;
            int count = 0;
            for (byte length : lengths) {
                counts[length]++;
                longest = Math.max(longest, length);
                count += length > 0 ? 1 : 0;
            }
            counts[0] = 0;
            symbols = new char[count];
            int[] next = new int[LONGEST_CODE + 2];
            int[] codes = new int[LONGEST_CODE + 2];
            int open = 1;
            for (int length = 1; length <= LONGEST_CODE; length++) {
                open = 2 * open - counts[length];
                if (open < 0) {
                    break;
                }
                next[length + 1] = next[length] + counts[length];
                codes[length + 1] = (codes[length] + counts[length]) << 1;
            }
            if (count == 0 || (count > 1 && open != 0)) {
                throw new IOException("it has a code that is not complete");
            }
            table = new char[count == 1 ? 0 : 1 << Math.min(ROOT_BITS, longest)];
            int last = -1;
            for (int symbol = 0; symbol < lengths.length; symbol++) {
                int length = lengths[symbol];
                if (length > 0) {
                    last = symbol;
                    symbols[next[length]++] = (char) symbol;
                    int reversed = Integer.reverse(codes[length]++) >>> (Integer.SIZE - length);
                    for (int i = reversed; i < table.length && length <= ROOT_BITS; i += 1 << length) {
                        table[i] = (char) (symbol << 4 | length);
                    }
                }
            }
            only = count == 1 ? last : -1;
        }

        long bytes() {
            return 160
                    + (long) Character.BYTES * (table.length + symbols.length)
                    + (long) Integer.BYTES * counts.length;
        }
    }
}
