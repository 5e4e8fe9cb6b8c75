/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import java.io.IOException;

/**
 * Decodes the first picture of an image file, only as fine as needed. Ignores colour profiles, gamma and orientation;
 * transparent pixels are white. PNG and GIF are read here; of a JPEG only a checked part comes to Java's decoder.
 */
final class ImageDecoder {

    private ImageDecoder() {}

    /**
     * The brightness of the picture.
     *
     * @param file is changed
     * @throws IllegalArgumentException with the rule and the value
     */
    static LumaImage decode(byte[] file, Decoding limits) {
        ImageFormat format = ImageFormat.of(file);
        try {
            return switch (format) {
                case PNG -> PngDecoder.decode(file, limits);
                case JPEG -> JpegDecoder.decode(file, limits);
                case GIF -> GifDecoder.decode(file, limits);
                case BMP -> throw new IllegalArgumentException("must be an image in PNG, JPEG or GIF, got a BMP");
                case UNKNOWN ->
                    throw new IllegalArgumentException(
                            "must be an image in PNG, JPEG or GIF, got " + file.length + " bytes of something else");
            };
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "must be a whole image that can be decoded, got a " + format + " that cannot: " + e.getMessage(),
                    e);
        }
    }

    /** The luma of a pixel on white paper. */
    static int onWhite(int luma, int alpha) {
        return (luma * alpha + 0xFF * (0xFF - alpha)) / 0xFF;
    }
}
