/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.util.function.LongConsumer;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.memory.Account;

/**
 * Makes perceptual hashes of Base64 images, of at most {@value #MOST_BYTES} bytes and {@value #MOST_PIXELS} pixels. Immutable.
 *
 * <p>Cost: about 10 ms per million pixels. Memory: the bytes, 4 bytes for each of a million pixels (12 of four million for 256 bits),
 * and for a progressive JPEG 6 bytes for each pixel.
 */
public record ImageHash(PerceptualHash algorithm, int length, int maxBytes, int maxPixels) {

    /** Name of the setting of the most time of a processor that one image may take. */
    public static final String MAX_TIME = "plugins.simhash.image_hash.max_time";

    public static final int DEFAULT_BYTES = 20_000_000;
    public static final int DEFAULT_PIXELS = 50_000_000;

    private static final int NANOSECONDS_A_PIXEL = 10;

    /** Of a photograph whose size stands far behind its beginning. */
    private static final int PIXELS_A_CHARACTER = 4;

    static final int MOST_BYTES = 100_000_000;
    static final int MOST_PIXELS = 200_000_000;

    public ImageHash {
        algorithm.requireLength(length);
        TypedNumber.requireBetween("max_bytes", 1, MOST_BYTES, maxBytes);
        TypedNumber.requireBetween("max_pixels", 1, MOST_PIXELS, maxPixels);
    }

    /** What became of an image: the words, the most significant first, null if it says too little, and its quality, 0 to 100. */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    public record Hashed(long[] words, int quality) {}

    /** Only hashes of one scheme are comparable. */
    public String scheme() {
        return algorithm.scheme(length);
    }

    /** The hash of an image, with or without the head of a data URI. All memory is given back; the caller prepends the field's name to errors. */
    public Hashed of(String base64, TimeValue maxTime, LongConsumer memory) {
        try (Account account = new Account(memory)) {
            byte[] image = Base64Image.bytes(base64, maxBytes, account);
            LumaImage picture = ImageDecoder.decode(
                    image, new Decoding(PerceptualHash.fineEnough(length), maxPixels, maxTime, account));
            return algorithm.hash(picture, length, account);
        }
    }

    /** The time of a processor that the hash of an image takes, about, as the beginning of the file tells. Takes some microseconds. */
    public long nanoseconds(String base64) {
        Decoding ended = new Decoding(1, maxPixels, TimeValue.MINUS_ONE, new Account(bytes -> {}));
        try {
            ImageDecoder.decode(Base64Image.beginning(base64), ended);
        } catch (IllegalArgumentException e) {
            // Its time is over as soon as the size is known.
        }
        long pixels = ended.pixels() > 0 ? ended.pixels() : (long) PIXELS_A_CHARACTER * base64.length();
        return NANOSECONDS_A_PIXEL * pixels + base64.length();
    }

    /** Nanoseconds that a processor has worked for this thread. */
    public static long processorTime() {
        return Decoding.now();
    }
}
