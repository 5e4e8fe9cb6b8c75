/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.io.EOFException;
import java.io.IOException;

/**
 * Decodes the first picture of a WebP: lossy or lossless, with or without transparent parts. That of an animation is taken at its
 * own size. Metadata and colour profiles are passed over.
 */
final class WebpDecoder {

    private static final int RIFF = 12;
    private static final int CHUNK = 8;
    private static final int FRAME = 16;
    private static final int EXTENDED = 10;

    /** The way that alpha is stored, and how its rows are filtered. */
    private static final int PLAIN = 0;

    private static final int LOSSLESS = 1;
    private static final int HORIZONTAL = 1;
    private static final int VERTICAL = 2;
    private static final int GRADIENT = 3;

    private final byte[] bytes;
    private final Decoding limits;

    /** The size that the head of an extended file, or of its first frame, says; 0 without one. */
    private int width;

    private int height;
    private int alphaStart;
    private int alphaEnd;

    private WebpDecoder(byte[] bytes, Decoding limits) {
        this.bytes = bytes;
        this.limits = limits;
    }

    static LumaImage decode(byte[] bytes, Decoding limits) throws IOException {
        long length = CHUNK + littleEndian(bytes, 4, 4);
        if (length > bytes.length) {
            throw new EOFException("it ends in the middle, after " + bytes.length + " bytes");
        }
        return new WebpDecoder(bytes, limits).chunks(RIFF, (int) Math.max(RIFF, length), false);
    }

    private static long littleEndian(byte[] bytes, int at, int count) {
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = (value << Byte.SIZE) | (bytes[at + i] & 0xFF);
        }
        return value;
    }

    /** Walks to the first picture: each chunk lies within what is around it. A frame has none in it. */
    private LumaImage chunks(int from, int to, boolean isFrame) throws IOException {
        int at = from;
        while (to - at >= CHUNK) {
            long length = littleEndian(bytes, at + 4, 4);
            int start = at + CHUNK;
            if (length > to - start) {
                throw new EOFException("its part at byte " + at + " ends behind it");
            }
            int end = start + (int) length;
            switch ((int) littleEndian(bytes, at, 4)) {
                case 0x20_38_50_56 -> { // VP8
                    return lossy(start, end);
                }
                case 0x4C_38_50_56 -> { // VP8L
                    return lossless(start, end);
                }
                case 0x58_38_50_56 -> { // VP8X
                    requireLength(length, EXTENDED);
                    size(start + 4);
                }
                case 0x46_4D_4E_41 -> { // ANMF
                    requireLength(length, isFrame ? Integer.MAX_VALUE : FRAME);
                    size(start + 6);
                    return chunks(start + FRAME, end, true);
                }
                case 0x48_50_4C_41 -> { // ALPH
                    alphaStart = start;
                    alphaEnd = end;
                }
                default -> {}
            }
            at = (int) Math.min(to, end + (length & 1));
        }
        throw new EOFException("it ends before its first picture");
    }

    private static void requireLength(long length, int least) throws IOException {
        if (length < least) {
            throw new EOFException("its head ends in the middle");
        }
    }

    private void size(int at) {
        width = 1 + (int) littleEndian(bytes, at, 3);
        height = 1 + (int) littleEndian(bytes, at + 3, 3);
    }

    private void requireSize(int ofPicture, int byPicture) throws IOException {
        limits.requireSize(ofPicture, byPicture);
        if (width > 0 && (width != ofPicture || height != byPicture)) {
            throw new IOException("its picture of " + ofPicture + " x " + byPicture + " pixels is in a frame of "
                    + width + " x " + height);
        }
    }

    private LumaImage lossless(int start, int end) throws IOException {
        Vp8lDecoder decoder = new Vp8lDecoder(bytes, start, end, limits);
        int[] head = decoder.head();
        int across = head[0];
        requireSize(across, head[1]);
        Samples samples = new Samples(across, head[1], limits);
        int[] pixels = decoder.pixels(across, head[1]);
        boolean hasAlpha = head[2] != 0;
        for (int y = 0; y < head[1]; y++) {
            int row = y * across;
            samples.row(y, 0, 1, across, x -> luma(pixels[row + x], hasAlpha));
        }
        return samples.image();
    }

    private static int luma(int pixel, boolean hasAlpha) {
        int luma = LumaImage.luma(pixel >>> 16 & 0xFF, pixel >>> 8 & 0xFF, pixel & 0xFF);
        return hasAlpha ? ImageDecoder.onWhite(luma, pixel >>> 24) : luma;
    }

    private LumaImage lossy(int start, int end) throws IOException {
        Vp8Decoder decoder = new Vp8Decoder(bytes, start, end, limits);
        int across = decoder.width();
        requireSize(across, decoder.height());
        Samples samples = new Samples(across, decoder.height(), limits);
        byte[] alpha = alphaEnd == 0 ? null : alpha(across, decoder.height());
        decoder.decode((y, rows, from) -> {
            int row = y * across;
            samples.row(y, 0, 1, across, x -> {
                // Brightness goes from 16 to 235 there.
                int luma = Math.clamp(((rows[from + x] & 0xFF) * 298 - 16 * 298 + 128) >> 8, 0, 0xFF);
                return alpha == null ? luma : ImageDecoder.onWhite(luma, alpha[row + x] & 0xFF);
            });
        });
        return samples.image();
    }

    private byte[] alpha(int across, int down) throws IOException {
        if (alphaEnd == alphaStart) {
            throw new EOFException("its alpha ends in its head");
        }
        int head = bytes[alphaStart];
        int start = alphaStart + 1;
        int size = across * down;
        limits.take(size);
        byte[] alpha = new byte[size];
        if ((head & 3) == LOSSLESS) {
            int[] pixels = new Vp8lDecoder(bytes, start, alphaEnd, limits).pixels(across, down);
            for (int i = 0; i < size; i++) {
                alpha[i] = (byte) (pixels[i] >> 8);
            }
        } else if ((head & 3) == PLAIN && alphaEnd - start >= size) {
            System.arraycopy(bytes, start, alpha, 0, size);
        } else {
            throw new EOFException("its alpha cannot be read");
        }
        for (int i = 1; i < size && (head >> 2 & 3) > 0; i++) {
            alpha[i] += (byte) predicted(head >> 2 & 3, alpha, i, across);
        }
        return alpha;
    }

    private static int predicted(int filter, byte[] alpha, int i, int across) {
        boolean isFirst = i % across == 0;
        if (i < across || filter == HORIZONTAL) {
            return alpha[isFirst ? i - across : i - 1];
        }
        if (isFirst || filter == VERTICAL) {
            return alpha[i - across];
        }
        assert filter == GRADIENT : filter;
        int corner = alpha[i - across - 1] & 0xFF;
        return Math.clamp((alpha[i - 1] & 0xFF) + (alpha[i - across] & 0xFF) - corner, 0, 0xFF);
    }
}
