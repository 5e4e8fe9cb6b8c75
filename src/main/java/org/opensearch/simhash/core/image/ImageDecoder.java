/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.io.IOException;
import java.util.stream.Stream;

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
     */
    static LumaImage decode(byte[] file, Decoding limits) {
        ImageFormat format = ImageFormat.of(file);
        try {
            return switch (format) {
                case PNG -> PngDecoder.decode(file, limits);
                case JPEG -> JpegDecoder.decode(file, limits);
                case GIF -> GifDecoder.decode(file, limits);
                case WEBP, BMP ->
                    throw new IllegalArgumentException("must be an image in PNG, JPEG or GIF, got a " + format);
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

    /** Image formats, recognised by their first bytes only. */
    @SuppressWarnings("ImmutableEnumChecker") // The bytes do not change.
    private enum ImageFormat {
        PNG("\u0089PNG\r\n\u001A\n"),
        JPEG("\u00FF\u00D8\u00FF"),
        GIF("GIF8"),
        /** Not read: a file may contain another one, of any size. */
        BMP("BM"),
        /** Not read. */
        WEBP("RIFF????WEBP"),
        UNKNOWN("");

        private final String signature;

        /** @param signature one byte per character; any for a question mark */
        ImageFormat(String signature) {
            this.signature = signature;
        }

        static ImageFormat of(byte[] image) {
            return Stream.of(values())
                    .filter(format -> format.begins(image))
                    .findFirst()
                    .orElse(UNKNOWN);
        }

        private boolean begins(byte[] image) {
            boolean begins = image.length >= signature.length();
            for (int i = 0; i < signature.length() && begins; i++) {
                begins = signature.charAt(i) == '?' || (image[i] & 0xFF) == signature.charAt(i);
            }
            return begins;
        }
    }
}
