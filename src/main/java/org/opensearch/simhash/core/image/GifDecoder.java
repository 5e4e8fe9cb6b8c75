/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.io.EOFException;
import java.io.IOException;

/**
 * Decodes the first picture of a GIF (version 89a), at its own size: that of the screen has no meaning. Ends with its
 * last pixel, whatever the codes behind it promise. Keeps one row. Not thread-safe.
 */
final class GifDecoder {

    private static final int TABLE = 0x80;
    private static final int INTERLACED = 0x40;
    private static final int PICTURE = 0x2C;
    private static final int EXTENSION = 0x21;
    private static final int GRAPHIC_CONTROL = 0xF9;
    private static final int TRANSPARENT = 1;

    private static final int MOST_CODES = 4096;
    private static final int LONGEST_CODE = 12;

    /** First row and step of rows: of the only pass, and of the four. */
    private static final int[][] WHOLE = {{0, 1}};

    private static final int[][] PASSES = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};

    private final FileBytes in;
    private final Decoding limits;

    /** Luma of each colour; black for those that the table lacks. */
    private int[] table;

    private int colors;
    private int transparent = -1;

    private Samples samples;
    private int width;
    private int height;
    private int[][] passes;
    private byte[] row;
    private int x;
    private int y;
    private int pass;
    private boolean isFull;

    private int blockLeft;

    private GifDecoder(byte[] file, Decoding limits) {
        this.in = new FileBytes(file);
        this.limits = limits;
    }

    static LumaImage decode(byte[] file, Decoding limits) throws IOException {
        GifDecoder gif = new GifDecoder(file, limits);
        gif.find();
        gif.pixels();
        return gif.samples.image();
    }

    private void find() throws IOException {
        in.skip(10);
        int flags = in.next();
        in.skip(2);
        table(flags);
        int block = in.next();
        while (block == EXTENSION) {
            if (in.next() == GRAPHIC_CONTROL) {
                int start = in.position();
                if (in.next() >= 4) {
                    int control = in.next();
                    in.skip(2);
                    int color = in.next();
                    transparent = (control & TRANSPARENT) == 0 ? -1 : color;
                }
                in.seek(start);
            }
            skipBlocks();
            block = in.next();
        }
        if (block != PICTURE) {
            throw new EOFException("it ends before its first picture");
        }
        in.skip(4);
        width = in.littleEndian16();
        height = in.littleEndian16();
        if (width < 1 || height < 1) {
            throw new IOException("it has " + width + " x " + height + " pixels");
        }
        limits.requireSize(width, height);
        flags = in.next();
        passes = (flags & INTERLACED) == 0 ? WHOLE : PASSES;
        table(flags);
        if (table == null) {
            throw new IOException("it has no table of colours");
        }
        if (transparent >= 0) {
            // Some files mean the last one by 255.
            table[Math.min(transparent, colors - 1)] = 0xFF;
        }
    }

    /** The table that the flags announce replaces any other. */
    private void table(int flags) throws IOException {
        if ((flags & TABLE) == 0) {
            return;
        }
        int count = 2 << (flags & 7);
        table = new int[256];
        for (int i = 0; i < count; i++) {
            table[i] = LumaImage.luma(in.next(), in.next(), in.next());
        }
        colors = count == 8 ? 16 : count > 16 ? 256 : count;
    }

    private void skipBlocks() throws IOException {
        for (int size = in.next(); size != 0; size = in.next()) {
            in.skip(size);
        }
    }

    private void pixels() throws IOException {
        samples = new Samples(width, height, limits);
        limits.take(width + 4L * MOST_CODES);
        row = new byte[width];
        int least = in.next();
        if (least < 1 || least > 8) {
            throw new IOException("it has codes of " + least + " bits");
        }
        int clear = 1 << least;
        int end = clear + 1;
        short[] prefixes = new short[MOST_CODES];
        byte[] suffixes = new byte[MOST_CODES];
        byte[] string = new byte[MOST_CODES];
        int next = end + 1;
        int length = least + 1;
        int previous = -1;
        int first = 0;
        int bits = 0;
        int count = 0;
        while (isFull == false) {
            while (count < length) {
                bits |= nextCodeByte() << count;
                count += Byte.SIZE;
            }
            int code = bits & ((1 << length) - 1);
            bits >>>= length;
            count -= length;
            if (code == clear) {
                next = end + 1;
                length = least + 1;
                previous = -1;
                continue;
            }
            if (code == end) {
                throw new EOFException("its data ends before its last row");
            }
            if (previous < 0 ? code > end : code > next) {
                throw new IOException("it has a code that is not known yet");
            }
            int top = MOST_CODES;
            int at = code;
            if (code == next) {
                string[--top] = (byte) first;
                at = previous;
            }
            while (at > end) {
                string[--top] = suffixes[at];
                at = prefixes[at];
            }
            string[--top] = (byte) at;
            first = at;
            if (previous >= 0 && next < MOST_CODES) {
                prefixes[next] = (short) previous;
                suffixes[next] = (byte) first;
                next++;
                if (next == 1 << length && length < LONGEST_CODE) {
                    length++;
                }
            }
            previous = code;
            for (int i = top; i < MOST_CODES && isFull == false; i++) {
                pixel(string[i]);
            }
        }
        in.skip(blockLeft);
        skipBlocks();
    }

    private int nextCodeByte() throws IOException {
        if (blockLeft == 0) {
            limits.requireTime();
            blockLeft = in.next();
            if (blockLeft == 0) {
                throw new EOFException("its data ends before its last row");
            }
        }
        blockLeft--;
        return in.next();
    }

    private void pixel(byte color) {
        row[x++] = color;
        if (x < width) {
            return;
        }
        limits.requireTime();
        samples.row(y, 0, 1, width, i -> table[row[i] & 0xFF]);
        x = 0;
        y += passes[pass][1];
        while (y >= height && isFull == false) {
            pass++;
            isFull = pass == passes.length;
            y = isFull ? y : passes[pass][0];
        }
    }
}
