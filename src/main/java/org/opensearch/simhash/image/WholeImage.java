/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import java.io.EOFException;

/**
 * Checks by the stated lengths that a file is complete up to the end of its first picture. Decoders would fill missing
 * parts with grey, or trust a length of gigabytes. One pass over the bytes.
 */
final class WholeImage {

    private static final int PNG_SIGNATURE = 8;
    private static final int PNG_END = 0x49454E44;

    private static final int MARKER = 0xFF;
    private static final int END_OF_IMAGE = 0xD9;
    private static final int FIRST_RESTART = 0xD0;
    private static final int PROGRESSIVE = 0xC2;
    private static final int PROGRESSIVE_ARITHMETIC = 0xCA;

    private static final int GIF_TABLE = 0x80;
    private static final int GIF_PICTURE = 0x2C;
    private static final int GIF_EXTENSION = 0x21;

    private static final int BMP_COMPRESSION = 30;

    private final byte[] bytes;
    private int position;
    private boolean decodedAsAWhole;

    private WholeImage(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @throws EOFException if something is missing */
    static WholeImage require(ImageFormat format, byte[] bytes) throws EOFException {
        WholeImage image = new WholeImage(bytes);
        switch (format) {
            case PNG -> image.png();
            case JPEG -> image.jpeg();
            case GIF -> image.gif();
            case BMP -> image.bmp();
        }
        return image;
    }

    /** Whether a decoder keeps the whole picture, however little of it is wanted. */
    boolean isDecodedAsAWhole() {
        return decodedAsAWhole;
    }

    private void png() throws EOFException {
        skip(PNG_SIGNATURE);
        int type = 0;
        while (type != PNG_END) {
            long length = Integer.toUnsignedLong(bigEndian());
            type = bigEndian();
            skip(length + Integer.BYTES); // and the checksum
        }
    }

    private void jpeg() throws EOFException {
        int marker = 0;
        while (marker != END_OF_IMAGE) {
            marker = nextMarker();
            decodedAsAWhole |= marker == PROGRESSIVE || marker == PROGRESSIVE_ARITHMETIC;
            boolean isAlone = marker == 0x01 || (marker >= FIRST_RESTART && marker <= END_OF_IMAGE);
            if (isAlone == false) {
                int length = (next() << 8) | next();
                skip(Math.max(0, length - 2));
            }
        }
    }

    /** In scan data a marker byte followed by 0 is no marker. */
    private int nextMarker() throws EOFException {
        while (true) {
            if (next() == MARKER) {
                int marker = next();
                while (marker == MARKER) {
                    marker = next();
                }
                if (marker != 0) {
                    return marker;
                }
            }
        }
    }

    private void gif() throws EOFException {
        skip(10);
        skip(2 + colors(next()));
        while (true) {
            switch (next()) {
                case GIF_EXTENSION -> {
                    next();
                    blocks();
                }
                case GIF_PICTURE -> {
                    skip(8);
                    skip(colors(next()) + 1L);
                    blocks();
                    return;
                }
                default -> throw new EOFException("it ends before its first picture");
            }
        }
    }

    /** Size of the color table that the flags announce. */
    private static int colors(int flags) {
        return (flags & GIF_TABLE) == 0 ? 0 : 3 << ((flags & 7) + 1);
    }

    private void blocks() throws EOFException {
        for (int size = next(); size != 0; size = next()) {
            skip(size);
        }
    }

    private void bmp() throws EOFException {
        skip(BMP_COMPRESSION);
        decodedAsAWhole = next() != 0;
    }

    private int bigEndian() throws EOFException {
        return (next() << 24) | (next() << 16) | (next() << 8) | next();
    }

    private int next() throws EOFException {
        skip(1);
        return bytes[position - 1] & 0xFF;
    }

    private void skip(long length) throws EOFException {
        if (length > bytes.length - position) {
            throw new EOFException("it ends in the middle, after " + bytes.length + " bytes");
        }
        position += (int) length;
    }
}
