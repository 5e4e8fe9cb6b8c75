/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.core.Rounds;

class ImageHashTests {

    /** Enough for any machine. */
    private static final TimeValue TIME = TimeValue.timeValueMinutes(1);

    private static final ImageHash PHASH =
            new ImageHash(PerceptualHash.PHASH, Long.SIZE, ImageHash.DEFAULT_BYTES, ImageHash.DEFAULT_PIXELS);

    private static final ImageHash AHASH =
            new ImageHash(PerceptualHash.AHASH, Long.SIZE, ImageHash.DEFAULT_BYTES, ImageHash.DEFAULT_PIXELS);

    private static final ImageHash PDQ =
            new ImageHash(PerceptualHash.PDQ, 256, ImageHash.DEFAULT_BYTES, ImageHash.DEFAULT_PIXELS);

    /** A hash is for ever: a change of these values is a new version of the scheme. */
    @Test
    void testGoldenValues() {
        assertEquals("phash-v1", PerceptualHash.PHASH.scheme(64));
        assertEquals("phash-256-v1", PerceptualHash.PHASH.scheme(256));
        assertEquals("ahash-v1", PerceptualHash.AHASH.scheme(64));
        assertEquals("pdq-v1", PerceptualHash.PDQ.scheme(256));
        List<String> hashes = List.of(
                golden(PerceptualHash.PHASH, 64, 64, 64),
                golden(PerceptualHash.PHASH, 64, 7, 5),
                golden(PerceptualHash.PHASH, 64, 1500, 1100),
                golden(PerceptualHash.PHASH, 256, 64, 64),
                golden(PerceptualHash.PHASH, 256, 1500, 1100),
                golden(PerceptualHash.AHASH, 64, 64, 64),
                golden(PerceptualHash.AHASH, 64, 7, 5),
                golden(PerceptualHash.AHASH, 64, 1500, 1100),
                golden(PerceptualHash.PDQ, 256, 64, 64),
                golden(PerceptualHash.PDQ, 256, 131, 67),
                golden(PerceptualHash.PDQ, 256, 1500, 1100));
        assertEquals(
                List.of(
                        "85326e53a46b5675",
                        "936d4a15aa6c55ea",
                        "85326e53a46b5675",
                        "aa7d9055cb51c07b956aca69d2555555aa556a543f4a16e5d6c59fb0a3a62c29",
                        "aa7d9055cb51c07b956aca69d2555555aa556a543f4a16e5d6c59fb0a3a62c29",
                        "01030f0f1f3e3b3f",
                        "0001070f1f1f3f3f",
                        "01030f0f1f3e3b3f",
                        "52aa951b6955da9d35aa4d4f92d564ad996a26d7c9a5264bc992a365aa8b5526",
                        "5aaa951b2955da8d34aa4d46925564afd96a66d799a5266bd992a365aa8b5526",
                        "52aa951b6955da9d35aa4d4f92d564ad996a26d7c9a5264bc992a365aa8b5526"),
                hashes);
    }

    private static String golden(PerceptualHash algorithm, int length, int width, int height) {
        return hex(words(algorithm, length, TestImages.write("png", formula(width, height))));
    }

    private static String hex(long[] words) {
        return Arrays.stream(words)
                .mapToObj(word -> String.format(Locale.ROOT, "%016x", word))
                .collect(Collectors.joining());
    }

    /** Pixels by a formula: what draws shapes may differ between releases of Java. */
    private static BufferedImage formula(int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int u = x * 64 / width;
                int v = y * 64 / height;
                image.setRGB(x, y, (u * u / 16 + v) % 256 << 16 | (u * v / 8) % 256 << 8 | (v * v / 16 + 3 * u) % 256);
            }
        }
        return image;
    }

    /** Left and upper quarters, stripes and a single bright cell: what the mean of 8 by 8 cells leaves above it. */
    @Test
    void testTheAverageHashIsWhatIsBrighterThanTheMean() {
        assertEquals("f0f0f0f0f0f0f0f0", hex(average((x, y) -> x < 4 ? 200 : 100, 8)));
        assertEquals("ffffffff00000000", hex(average((x, y) -> y < 4 ? 200 : 100, 80)));
        assertEquals("aaaaaaaaaaaaaaaa", hex(average((x, y) -> x % 2 == 0 ? 60 : 50, 56)));
        assertEquals("0000000000000001", hex(average((x, y) -> x + y == 14 ? 255 : 0, 640)));
        assertEquals("fffffffffffffffe", hex(average((x, y) -> x + y == 14 ? 0 : 255, 16)));
    }

    /** @param cell the brightness of a cell of 8 by 8 */
    private static long[] average(IntBinaryOperator cell, int side) {
        BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                image.setRGB(x, y, 0x010101 * cell.applyAsInt(x * 8 / side, y * 8 / side));
            }
        }
        return words(PerceptualHash.AHASH, Long.SIZE, TestImages.write("png", image));
    }

    /** Greatest and typical distances of what people would call the same picture, and the least of others. */
    @Test
    void testNearImagesAreNearAndOthersAreFar() {
        List<List<byte[]>> pictures = new ArrayList<>();
        for (int seed = 0; seed < Rounds.of(4, 16); seed++) {
            BufferedImage image = TestImages.draw(seed, 640, 480);
            pictures.add(List.of(
                    TestImages.write("png", image),
                    TestImages.write("jpeg", image, 0.9f, false),
                    TestImages.write("jpeg", image, 0.4f, true),
                    TestImages.write("png", TestImages.scaled(image, 320, 240)),
                    TestImages.write("png", TestImages.scaled(image, 200, 150)),
                    TestImages.write("jpeg", TestImages.scaled(image, 1280, 960), 0.7f, false),
                    TestImages.write("png", TestImages.brighter(image, 0.8, 0)),
                    TestImages.write("png", TestImages.brighter(image, 0.8, 40))));
        }
        assertNearAreNearAndOthersAreFar(PerceptualHash.PHASH, 64, pictures);
        assertNearAreNearAndOthersAreFar(PerceptualHash.PHASH, 256, pictures);
        assertNearAreNearAndOthersAreFar(PerceptualHash.PDQ, 256, pictures);
    }

    /** @param pictures an original and what was made of it */
    private static void assertNearAreNearAndOthersAreFar(
            PerceptualHash algorithm, int length, List<List<byte[]>> pictures) {
        List<Integer> near = new ArrayList<>();
        List<Integer> far = new ArrayList<>();
        List<long[]> originals = new ArrayList<>();
        for (List<byte[]> copies : pictures) {
            long[] original = words(algorithm, length, copies.getFirst());
            for (byte[] copy : copies.subList(1, copies.size())) {
                near.add(distance(original, words(algorithm, length, copy)));
            }
            originals.forEach(other -> far.add(distance(original, other)));
            originals.add(original);
        }
        Collections.sort(near);
        Collections.sort(far);
        String figures = algorithm + " " + length + ": near median " + near.get(near.size() / 2) + ", 95 % "
                + near.get(near.size() * 95 / 100) + ", most " + near.getLast() + "; far least " + far.getFirst()
                + ", median " + far.get(far.size() / 2);
        int words = length / Long.SIZE;
        assertTrue(near.get(near.size() * 95 / 100) <= 4 * words && near.getLast() <= 8 * words, figures);
        assertTrue(far.getFirst() > 10 * words && far.get(far.size() / 2) >= 28 * words, figures);
    }

    private static int distance(long[] a, long[] b) {
        return IntStream.range(0, a.length).map(i -> Long.bitCount(a[i] ^ b[i])).sum();
    }

    /** Formats, depths and colour models change nothing that people would see. */
    @Test
    void testTheSamePictureInEveryFormHasTheSameHash() {
        BufferedImage gray = TestImages.as(
                BufferedImage.TYPE_INT_RGB, TestImages.as(BufferedImage.TYPE_BYTE_GRAY, TestImages.draw(7, 300, 200)));
        BufferedImage grayRaster = new BufferedImage(300, 200, BufferedImage.TYPE_BYTE_GRAY);
        BufferedImage wideRaster = new BufferedImage(300, 200, BufferedImage.TYPE_USHORT_GRAY);
        BufferedImage alpha = new BufferedImage(300, 200, BufferedImage.TYPE_INT_ARGB);
        for (int y = 0; y < 200; y++) {
            for (int x = 0; x < 300; x++) {
                int value = gray.getRGB(x, y) & 0xFF;
                grayRaster.getRaster().setSample(x, y, 0, value);
                wideRaster.getRaster().setSample(x, y, 0, value << 8 | value);
                alpha.setRGB(x, y, value == 255 ? 0x00123456 : 0xFF000000 | gray.getRGB(x, y));
            }
        }
        long expected = hash(PerceptualHash.PHASH, TestImages.write("png", gray));
        assertEquals(expected, hash(PerceptualHash.PHASH, TestImages.write("png", grayRaster)), "gray");
        assertEquals(expected, hash(PerceptualHash.PHASH, TestImages.write("png", wideRaster)), "16 bits");
        assertEquals(expected, hash(PerceptualHash.PHASH, TestImages.write("png", alpha)), "transparent is white");
        assertEquals(expected, hash(PerceptualHash.PHASH, TestImages.write("png", gray, 1, true)), "interlaced");
        assertEquals(expected, hash(PerceptualHash.PHASH, TestImages.write("gif", grayRaster)), "gif");
        for (boolean progressive : List.of(true, false)) {
            for (BufferedImage image : List.of(gray, grayRaster)) {
                long jpeg = hash(PerceptualHash.PHASH, TestImages.write("jpeg", image, 0.95f, progressive));
                assertTrue(Long.bitCount(expected ^ jpeg) <= 2, () -> "jpeg: " + Long.bitCount(expected ^ jpeg));
            }
        }
    }

    /** Inks; what they leave of the light, as Adobe's programs write it; and the complement of its brightness and colours. */
    @Test
    void testAPictureOfFourInksHasTheHashOfItsColours() {
        BufferedImage picture = TestImages.as(BufferedImage.TYPE_INT_RGB, TestImages.draw(7, 300, 200));
        long expected = hash(PerceptualHash.PHASH, TestImages.write("png", picture));
        for (int transform : List.of(-1, 0, 2)) {
            WritableRaster inks = Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, 300, 200, 4, null);
            for (int y = 0; y < 200; y++) {
                for (int x = 0; x < 300; x++) {
                    inks.setPixel(x, y, inks(picture.getRGB(x, y), transform));
                }
            }
            byte[] jpeg = TestImages.writeRaster(inks);
            byte[] marker = {
                (byte) 0xFF, (byte) 0xEE, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, (byte) transform
            };
            byte[] marked = transform < 0 ? jpeg : new byte[jpeg.length + marker.length];
            if (transform >= 0) {
                System.arraycopy(jpeg, 0, marked, 0, 2);
                System.arraycopy(marker, 0, marked, 2, marker.length);
                System.arraycopy(jpeg, 2, marked, 2 + marker.length, jpeg.length - 2);
            }
            int distance = Long.bitCount(expected ^ hash(PerceptualHash.PHASH, marked));
            assertTrue(distance <= 2, () -> "transform " + transform + ": " + distance);
        }
    }

    private static int[] inks(int rgb, int transform) {
        int red = rgb >> 16 & 0xFF;
        int green = rgb >> 8 & 0xFF;
        int blue = rgb & 0xFF;
        int black = Math.max(1, Math.max(red, Math.max(green, blue)));
        int[] light = {red * 255 / black, green * 255 / black, blue * 255 / black, black};
        int[] inks = IntStream.of(light).map(value -> 255 - value).toArray();
        if (transform == 0) {
            return light;
        }
        if (transform < 0) {
            return inks;
        }
        double brightness = 0.299 * inks[0] + 0.587 * inks[1] + 0.114 * inks[2];
        return new int[] {
            (int) brightness,
            Math.clamp((int) (128 + (inks[2] - brightness) / 1.772), 0, 255),
            Math.clamp((int) (128 + (inks[0] - brightness) / 1.402), 0, 255),
            black
        };
    }

    @Test
    void testEveryWayToWriteBase64IsRead() {
        byte[] image = TestImages.write("png", TestImages.draw(3, 90, 70));
        long expected = hash(PerceptualHash.PHASH, image);
        String base64 = TestImages.base64(image);
        for (String text : List.of(
                "data:image/png;base64," + base64,
                "DATA:image/jpeg;name=a.jpg;BASE64," + base64,
                "data:;base64," + base64,
                Base64.getMimeEncoder().encodeToString(image),
                Base64.getUrlEncoder().encodeToString(image),
                Base64.getUrlEncoder().withoutPadding().encodeToString(image),
                " " + base64 + "\n")) {
            assertEquals(expected, PHASH.of(text, TIME, bytes -> {}).words()[0], text.substring(0, 30));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "data:image/png;base64,",
                "data:image/png,rawbytes",
                "data:image/svg+xml;utf8,<svg/>",
                "data:",
                "not base64!",
                "=",
                "a",
                "iVBORw0KGgo",
                "aGVsbG8gd29ybGQ=",
                "https://example.org/a.png",
                "\u00E4\u00F6\u00FC=",
                "PHN2Zy8+",
                "UklGRiQAAABXRUJQVlA4"
            })
    void testWhatIsNoImageIsRefused(String text) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> PHASH.of(text, TIME, bytes -> {}));
        assertTrue(e.getMessage().startsWith("must be "), e.getMessage());
    }

    @Test
    void testAnImageOfOneColourHasNoHash() {
        for (int color : List.of(0, 0xFFFFFF, 0x336699)) {
            BufferedImage image = new BufferedImage(100, 50, BufferedImage.TYPE_INT_RGB);
            for (int i = 0; i < 5000; i++) {
                image.setRGB(i % 100, i / 100, color);
            }
            for (String format : List.of("png", "jpeg", "gif")) {
                String base64 = TestImages.base64(TestImages.write(format, image));
                assertNull(PHASH.of(base64, TIME, bytes -> {}).words());
                assertNull(AHASH.of(base64, TIME, bytes -> {}).words());
                ImageHash.Hashed pdq = PDQ.of(base64, TIME, bytes -> {});
                assertNull(pdq.words());
                assertEquals(0, pdq.quality());
            }
        }
        String pixel = TestImages.base64(TestImages.write("png", TestImages.draw(1, 1, 1)));
        assertNull(PHASH.of(pixel, TIME, bytes -> {}).words());
        assertNull(AHASH.of(pixel, TIME, bytes -> {}).words());
        assertNull(PDQ.of(pixel, TIME, bytes -> {}).words());
    }

    /** What is cut off is refused at every length, but behind the end of the picture; decoders fill it up with grey. */
    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg", "gif"})
    void testATruncatedImageIsRefused(String format) {
        byte[] image = TestImages.write(format, TestImages.draw(5, 200, 150));
        for (int length = 4; length < image.length - 2; length += 1 + image.length / 200) {
            byte[] cut = Arrays.copyOf(image, length);
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class,
                    () -> PHASH.of(TestImages.base64(cut), TIME, bytes -> {}),
                    length + " of " + image.length);
            assertTrue(e.getMessage().startsWith("must be "), e.getMessage());
        }
    }

    /** Any bytes give a hash or a refusal, within seconds, and all memory is given back. */
    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg", "gif"})
    void testDamagedImagesNeverDoHarm(String format) {
        byte[] image = TestImages.write(format, TestImages.draw(9, 60, 40));
        Random random = new Random(11);
        AtomicLong taken = new AtomicLong();
        for (int i = 0; i < 500; i++) {
            byte[] damaged = image.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                int at = random.nextBoolean()
                        ? random.nextInt(Math.min(60, image.length))
                        : random.nextInt(image.length);
                damaged[at] = (byte) random.nextInt();
            }
            try {
                PHASH.of(TestImages.base64(damaged), TIME, taken::addAndGet);
            } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage().startsWith("must be "), e.getMessage());
            }
            assertEquals(0, taken.get());
        }
    }

    @Test
    void testLimitsAreCheckedBeforeAnythingIsDecoded() {
        byte[] image = TestImages.write("png", TestImages.draw(5, 200, 150));
        ImageHash few = new ImageHash(PerceptualHash.PHASH, Long.SIZE, ImageHash.DEFAULT_BYTES, 29_999);
        AtomicLong most = new AtomicLong();
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> few.of(TestImages.base64(image), TIME, bytes -> most.accumulateAndGet(bytes, Math::max)));
        assertEquals("must be an image of at most [max_pixels] 29999, got: 200 x 150", e.getMessage());
        assertTrue(most.get() < 3L * image.length, "" + most);
        // Two gigapixels in some hundred bytes.
        byte[] bomb = image.clone();
        bomb[16] = 0;
        bomb[17] = 0;
        bomb[18] = (byte) 0xB0;
        bomb[20] = 0;
        bomb[21] = 0;
        bomb[22] = (byte) 0xB0;
        e = assertThrows(IllegalArgumentException.class, () -> PHASH.of(TestImages.base64(bomb), TIME, bytes -> {}));
        assertTrue(
                e.getMessage().startsWith("must be an image of at most [max_pixels] 50000000, got: 45"),
                e.getMessage());
        ImageHash small = new ImageHash(PerceptualHash.PHASH, Long.SIZE, image.length - 1, ImageHash.DEFAULT_PIXELS);
        e = assertThrows(
                IllegalArgumentException.class,
                () -> small.of(TestImages.base64(image), TIME, bytes -> most.accumulateAndGet(bytes, Math::max)));
        assertEquals(
                "must be an image of at most [max_bytes] " + (image.length - 1) + ", got: " + image.length,
                e.getMessage());
        assertNotNull(new ImageHash(PerceptualHash.PHASH, Long.SIZE, image.length, 30_000)
                .of(TestImages.base64(image), TIME, bytes -> {})
                .words());
    }

    /** A decoder keeps whole rows, and takes some time for each; the head of a PNG is enough to refuse it. */
    @ParameterizedTest
    @ValueSource(strings = {"50000000 x 1", "1 x 50000000", "65536 x 100", "100 x 65536"})
    void testLongSidesAreRefused(String size) {
        String[] sides = size.split(" x ", -1);
        byte[] image = TestImages.write("png", TestImages.draw(5, 200, 150));
        ByteBuffer.wrap(image).putInt(16, Integer.parseInt(sides[0])).putInt(20, Integer.parseInt(sides[1]));
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> PHASH.of(TestImages.base64(image), TIME, bytes -> {}));
        assertEquals("must be an image of at most 65535 pixels along a side, got: " + size, e.getMessage());
    }

    @Test
    void testRowsAreAccounted() {
        byte[] image = TestImages.write("png", TestImages.draw(5, 65_535, 2));
        AtomicLong taken = new AtomicLong();
        AtomicLong most = new AtomicLong();
        PHASH.of(TestImages.base64(image), TIME, bytes -> most.accumulateAndGet(taken.addAndGet(bytes), Math::max));
        assertTrue(most.get() > 2 * 3 * 65_535, most + " bytes: two rows of three colours");
        assertEquals(0, taken.get());
    }

    /** What the memory refuses is told as it is, not as a broken image. */
    @Test
    void testARefusalOfMemoryIsPassedOn() {
        byte[] image = TestImages.write("jpeg", TestImages.draw(5, 400, 300), 0.9f, true);
        AtomicLong taken = new AtomicLong();
        IllegalStateException e = assertThrows(
                IllegalStateException.class,
                () -> PHASH.of(TestImages.base64(image), TIME, bytes -> {
                    if (taken.get() + bytes > 400_000) {
                        throw new IllegalStateException("too much");
                    }
                    taken.addAndGet(bytes);
                }));
        assertEquals("too much", e.getMessage());
        assertEquals(0, taken.get());
    }

    private static long hash(PerceptualHash algorithm, byte[] image) {
        return words(algorithm, Long.SIZE, image)[0];
    }

    private static long[] words(PerceptualHash algorithm, int length, byte[] image) {
        return new ImageHash(algorithm, length, ImageHash.DEFAULT_BYTES, ImageHash.DEFAULT_PIXELS)
                .of(TestImages.base64(image), TIME, bytes -> {})
                .words();
    }
}
