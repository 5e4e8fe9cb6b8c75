/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes PNG (ISO/IEC 15948): all colour types and depths, interlaced or not. Reads the chunks {@code IHDR},
 * {@code PLTE}, {@code tRNS} and {@code IDAT} and steps over all others. Keeps two rows. Not thread-safe.
 */
final class PngDecoder {

    private static final int SIGNATURE = 8;
    private static final int IHDR = 0x49484452;
    private static final int PLTE = 0x504C5445;
    private static final int TRNS = 0x74524E53;
    private static final int IDAT = 0x49444154;
    private static final int IEND = 0x49454E44;

    /** Deflate makes at most so many bytes of one. */
    private static final int MOST_INFLATED = 1032;

    private static final int GRAY = 0;
    private static final int RGB = 2;
    private static final int PALETTE = 3;
    private static final int GRAY_ALPHA = 4;
    private static final int RGB_ALPHA = 6;

    /** First column, first row, step of columns and of rows: of the only pass, and of the seven. */
    private static final int[][] WHOLE = {{0, 0, 1, 1}};

    private static final int[][] INTERLACED = {
        {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}
    };

    private final byte[] file;
    private final FileBytes in;
    private final Decoding limits;

    private int width;
    private int height;
    private int depth;
    private int color;
    private int channels;
    private int[][] passes;

    /** Luma of each colour of the palette; black for those that it lacks. */
    private int[] palette;

    /** The samples of the transparent colour; null if there is none. */
    private int[] transparent;

    private int firstData;
    private long dataBytes;

    private PngDecoder(byte[] file, Decoding limits) {
        this.file = file;
        this.in = new FileBytes(file);
        this.limits = limits;
    }

    static LumaImage decode(byte[] file, Decoding limits) throws IOException {
        PngDecoder png = new PngDecoder(file, limits);
        png.readChunks();
        return png.pixels();
    }

    private void readChunks() throws IOException {
        in.skip(SIGNATURE);
        int type = 0;
        int before = 0;
        while (type != IEND) {
            long length = Integer.toUnsignedLong(in.bigEndian32());
            type = in.bigEndian32();
            int start = in.position();
            in.skip(length + Integer.BYTES); // and the checksum
            int end = in.position();
            in.seek(start);
            boolean isFirst = start == SIGNATURE + 2 * Integer.BYTES;
            if (isFirst && type != IHDR) {
                throw new IOException("it does not begin with its header");
            }
            switch (type) {
                case IHDR -> header(isFirst, length);
                case PLTE -> palette(length);
                case TRNS -> transparency(length);
                case IDAT -> data(before, start, length);
                default -> {}
            }
            in.seek(end);
            before = type;
        }
        long pixelBytes = 0;
        for (int[] pass : passes) {
            int passHeight = steps(height, pass[1], pass[3]);
            int passWidth = steps(width, pass[0], pass[2]);
            pixelBytes += passWidth == 0 ? 0 : (1L + rowBytes(passWidth)) * passHeight;
        }
        if (dataBytes * MOST_INFLATED < pixelBytes) {
            throw new IOException("it has " + dataBytes + " bytes for " + width + " x " + height + " pixels");
        }
        if (color == PALETTE && palette == null) {
            throw new IOException("it has no palette");
        }
    }

    private void header(boolean isFirst, long length) throws IOException {
        if (isFirst == false || length != 13) {
            throw new IOException("it has a wrong header");
        }
        width = in.bigEndian32();
        height = in.bigEndian32();
        if (width < 1 || height < 1) {
            throw new IOException(
                    "it has " + Integer.toUnsignedString(width) + " x " + Integer.toUnsignedString(height) + " pixels");
        }
        limits.requireSize(width, height);
        depth = in.next();
        color = in.next();
        boolean isKnown = switch (color) {
            case GRAY -> depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
            case PALETTE -> depth == 1 || depth == 2 || depth == 4 || depth == 8;
            case RGB, GRAY_ALPHA, RGB_ALPHA -> depth == 8 || depth == 16;
            default -> false;
        };
        if (isKnown == false) {
            throw new IOException("it has the unknown colour type " + color + " with " + depth + " bits");
        }
        int compression = in.next();
        int filter = in.next();
        int interlacing = in.next();
        if (compression != 0 || filter != 0 || interlacing > 1) {
            throw new IOException("it has an unknown compression, filter or interlacing");
        }
        passes = interlacing == 0 ? WHOLE : INTERLACED;
        channels = switch (color) {
            case RGB -> 3;
            case GRAY_ALPHA -> 2;
            case RGB_ALPHA -> 4;
            default -> 1;
        };
    }

    private void palette(long length) throws IOException {
        if (length < 3 || length > 3 * 256 || length % 3 != 0) {
            throw new IOException("it has a palette of " + length + " bytes");
        }
        if (color != PALETTE) {
            return; // a suggestion for screens of few colours
        }
        if (palette != null) {
            throw new IOException("it has two palettes");
        }
        palette = new int[256];
        for (int i = 0; i < length / 3; i++) {
            palette[i] = LumaImage.luma(in.next(), in.next(), in.next());
        }
    }

    private void transparency(long length) throws IOException {
        if (color == PALETTE && palette != null) {
            for (int i = 0; i < Math.min(length, palette.length); i++) {
                palette[i] = ImageDecoder.onWhite(palette[i], in.next());
            }
        } else if ((color == GRAY || color == RGB) && length == 2L * channels) {
            transparent = new int[channels];
            for (int i = 0; i < channels; i++) {
                transparent[i] = in.bigEndian16();
            }
        }
        // Anything else has no meaning.
    }

    private void data(int before, int start, long length) throws IOException {
        if (firstData == 0) {
            firstData = start - 2 * Integer.BYTES;
        } else if (before != IDAT) {
            throw new IOException("its data is in two places");
        }
        dataBytes += length;
    }

    private LumaImage pixels() throws IOException {
        int rowBytes = rowBytes(width);
        limits.take(2L * (1 + rowBytes));
        byte[] row = new byte[1 + rowBytes];
        byte[] above = new byte[1 + rowBytes];
        Samples samples = new Samples(width, height, limits);
        Inflater inflater = new Inflater();
        try {
            in.seek(firstData);
            for (int[] pass : passes) {
                int passWidth = steps(width, pass[0], pass[2]);
                int passHeight = passWidth == 0 ? 0 : steps(height, pass[1], pass[3]);
                int bytes = rowBytes(passWidth);
                Arrays.fill(above, (byte) 0);
                for (int y = 0; y < passHeight; y++) {
                    limits.requireTime();
                    inflate(inflater, row, 1 + bytes);
                    unfilter(row, above, bytes);
                    byte[] done = row;
                    samples.row(pass[1] + y * pass[3], pass[0], pass[2], passWidth, x -> luma(done, x));
                    row = above;
                    above = done;
                }
            }
            requireChecksum(inflater);
        } catch (DataFormatException e) {
            throw new IOException("its data is damaged: " + e.getMessage(), e);
        } finally {
            inflater.end();
        }
        return samples.image();
    }

    private static int steps(int length, int first, int step) {
        return (length - first + step - 1) / step;
    }

    private int rowBytes(int pixels) {
        return (int) (((long) pixels * channels * depth + 7) / 8);
    }

    private void inflate(Inflater inflater, byte[] target, int length) throws IOException, DataFormatException {
        int count = 0;
        while (count < length) {
            int more = inflater.inflate(target, count, length - count);
            count += more;
            if (more == 0 && (isAtEnd(inflater) || (inflater.needsInput() && nextData(inflater) == false))) {
                throw new EOFException("its data ends before its last row");
            }
        }
    }

    /** The checksum tells that rows are damaged. What is behind the last row is no harm. */
    private void requireChecksum(Inflater inflater) throws IOException, DataFormatException {
        byte[] surplus = new byte[1];
        while (isAtEnd(inflater) == false && inflater.inflate(surplus) == 0) {
            if (inflater.needsInput() && nextData(inflater) == false) {
                return;
            }
        }
    }

    private static boolean isAtEnd(Inflater inflater) {
        return inflater.finished() || inflater.needsDictionary();
    }

    /** Gives the next chunk of data; false if there is none. */
    private boolean nextData(Inflater inflater) throws IOException {
        int length = in.bigEndian32();
        if (in.bigEndian32() != IDAT) {
            in.seek(in.position() - 2 * Integer.BYTES);
            return false;
        }
        inflater.setInput(file, in.position(), length);
        in.skip((long) length + Integer.BYTES);
        return true;
    }

    /** Byte 0 of a row is its filter. */
    private void unfilter(byte[] row, byte[] above, int bytes) throws IOException {
        int back = Math.max(1, channels * depth / 8);
        switch (row[0]) {
            case 0 -> {}
            case 1 -> {
                for (int i = 1 + back; i <= bytes; i++) {
                    row[i] += row[i - back];
                }
            }
            case 2 -> {
                for (int i = 1; i <= bytes; i++) {
                    row[i] += above[i];
                }
            }
            case 3 -> {
                for (int i = 1; i <= bytes; i++) {
                    int left = i > back ? row[i - back] & 0xFF : 0;
                    row[i] += (byte) ((left + (above[i] & 0xFF)) / 2);
                }
            }
            case 4 -> {
                for (int i = 1; i <= bytes; i++) {
                    int left = i > back ? row[i - back] & 0xFF : 0;
                    int aboveLeft = i > back ? above[i - back] & 0xFF : 0;
                    row[i] += (byte) paeth(left, above[i] & 0xFF, aboveLeft);
                }
            }
            default -> throw new IOException("it has the unknown row filter " + (row[0] & 0xFF));
        }
    }

    private static int paeth(int left, int above, int aboveLeft) {
        int toLeft = Math.abs(above - aboveLeft);
        int toAbove = Math.abs(left - aboveLeft);
        int toAboveLeft = Math.abs(left + above - 2 * aboveLeft);
        if (toLeft <= toAbove && toLeft <= toAboveLeft) {
            return left;
        }
        return toAbove <= toAboveLeft ? above : aboveLeft;
    }

    private int luma(byte[] row, int x) {
        int first = sample(row, x * channels);
        if (color == PALETTE) {
            return palette[first];
        }
        if (transparent != null && isTransparent(row, x)) {
            return 0xFF;
        }
        boolean hasColors = color == RGB || color == RGB_ALPHA;
        int luma = hasColors
                ? LumaImage.luma(
                        eightBits(first),
                        eightBits(sample(row, x * channels + 1)),
                        eightBits(sample(row, x * channels + 2)))
                : eightBits(first);
        boolean hasAlpha = color == GRAY_ALPHA || color == RGB_ALPHA;
        return hasAlpha ? ImageDecoder.onWhite(luma, eightBits(sample(row, x * channels + channels - 1))) : luma;
    }

    private boolean isTransparent(byte[] row, int x) {
        for (int i = 0; i < channels; i++) {
            if (sample(row, x * channels + i) != transparent[i]) {
                return false;
            }
        }
        return true;
    }

    /** A sample by its number in the row. */
    private int sample(byte[] row, int number) {
        if (depth == 8) {
            return row[1 + number] & 0xFF;
        }
        if (depth == 16) {
            return (row[1 + 2 * number] & 0xFF) << 8 | (row[2 + 2 * number] & 0xFF);
        }
        int bit = number * depth;
        return (row[1 + bit / 8] >> (8 - depth - bit % 8)) & ((1 << depth) - 1);
    }

    private int eightBits(int sample) {
        return depth == 16 ? sample >> 8 : sample * 0xFF / ((1 << depth) - 1);
    }
}
