/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.opensearch.simhash.memory.Account;

/**
 * Makes perceptual hashes of images that are texts in Base64. Immutable.
 *
 * <p>Cost: the decoding of the picture, some 10 ms for each million of pixels. Memory: the bytes, up to 9 bytes for each of a million
 * pixels, and 6 for each pixel of the image, which only some formats take.
 *
 * @param algorithm what makes the bits
 * @param maxBytes of the image, 1 to {@value #MOST_BYTES}
 * @param maxPixels of its first picture, 1 to {@value #MOST_PIXELS}
 */
public record ImageHash(PerceptualHash algorithm, int maxBytes, int maxPixels) {

    public static final int DEFAULT_BYTES = 20_000_000;
    public static final int DEFAULT_PIXELS = 50_000_000;

    static final int MOST_BYTES = 100_000_000;
    static final int MOST_PIXELS = 200_000_000;

    /** @throws IllegalArgumentException naming the option, the rule and the value */
    public ImageHash {
        requireRange("max_bytes", maxBytes, MOST_BYTES);
        requireRange("max_pixels", maxPixels, MOST_PIXELS);
    }

    /**
     * The hash of an image; empty for one of a single colour.
     *
     * @param base64 with or without the head of a data URI
     * @param memory is told the bytes before they are taken, and may refuse them with an exception; all are given back before this
     *     returns or fails
     * @throws IllegalArgumentException with a rule and what was found instead, for a field's name to be put before it
     */
    public OptionalLong of(String base64, LongConsumer memory) {
        try (Account account = new Account(memory)) {
            byte[] image = Base64Image.bytes(base64, maxBytes, account);
            return algorithm.hash(new ImageDecoder(maxPixels, account).decode(image));
        }
    }

    private static void requireRange(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("[" + option + "] must be between 1 and " + most + ", got: " + value);
        }
    }
}
