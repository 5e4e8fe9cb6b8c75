/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.core.memory.Account;

/**
 * Small files that the format's own encoder (cwebp, img2webp 1.2.4) made of pictures drawn for them. Frozen when the brightness of
 * the lossless ones was equal to that of its decoder, and the samples of the lossy ones were equal before its filter.
 */
class WebpDecoderTests {

    /** All files. */
    static final List<String> NAMES = List.of(
            "animated",
            "animated-lossy",
            "lossless",
            "lossless-1x1",
            "lossless-2-colours",
            "lossless-9-colours",
            "lossless-40-colours",
            "lossless-alpha",
            "lossless-noise",
            "lossy",
            "lossy-alpha",
            "lossy-odd",
            "lossy-plain-alpha",
            "lossy-segments",
            "lossy-whole-blocks",
            "drawn");

    static byte[] file(String name) {
        try (InputStream in = WebpDecoderTests.class.getResourceAsStream(name + ".webp")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static LumaImage decode(byte[] file, TimeValue time) {
        return ImageDecoder.decode(file, new Decoding(1 << 20, 50_000_000, time, new Account(bytes -> {})));
    }

    @ParameterizedTest
    @CsvSource({
        "animated, 200, 131, 79231458",
        "animated-lossy, 64, 48, e013d965",
        "lossless, 200, 131, e2032115",
        "lossless-1x1, 1, 1, b1048354",
        "lossless-2-colours, 64, 48, 7d720002",
        "lossless-9-colours, 64, 48, 58e302ce",
        "lossless-40-colours, 64, 48, 25b36841",
        "lossless-alpha, 64, 48, dba4277f",
        "lossless-noise, 17, 33, 243811b9",
        "lossy, 200, 131, 751f293c",
        "lossy-alpha, 64, 48, e2363f80",
        "lossy-odd, 17, 33, 9b8478e1",
        "lossy-plain-alpha, 17, 33, 8d7f3fc2",
        "lossy-segments, 64, 48, c45678ef",
        "lossy-whole-blocks, 200, 131, 206af375"
    })
    void testPictures(String name, int width, int height, String expected) {
        LumaImage picture = decode(file(name), TimeValue.timeValueMinutes(1));
        assertEquals(width, picture.width());
        assertEquals(height, picture.height());
        CRC32 crc = new CRC32();
        for (float luma : picture.floats()) {
            crc.update((int) luma);
        }
        assertEquals(expected, Long.toHexString(crc.getValue()));
    }

    @Test
    void testHasTheHashOfTheSamePictureInOtherFormats() {
        byte[] png = TestImages.write("png", TestImages.draw(2, 320, 240));
        for (int length : new int[] {64, 128, 256}) {
            ImageHash hash = new ImageHash(
                    PerceptualHash.PHASH, length, false, ImageHash.DEFAULT_BYTES, ImageHash.DEFAULT_PIXELS);
            long[] expected = words(hash, png);
            long[] found = words(hash, file("drawn"));
            int distance = 0;
            for (int i = 0; i < found.length; i++) {
                distance += Long.bitCount(found[i] ^ expected[i]);
            }
            assertTrue(distance <= length / 32, length + " bits differ in " + distance);
        }
    }

    private static long[] words(ImageHash hash, byte[] file) {
        return hash.of(TestImages.base64(file), TimeValue.timeValueMinutes(1), bytes -> {})
                .words();
    }

    /** Neither kind has anything to read here, and both go on for many rows. */
    @Test
    void testTimeIsLimited() {
        for (byte[] file : List.of(CraftedImages.blankLossless(7000, 7000), CraftedImages.blankLossy(8000, 6000))) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> decode(file, TimeValue.timeValueMillis(10)));
            assertTrue(e.getMessage().startsWith("must be an image that is decoded in at most"), e.getMessage());
        }
    }
}
