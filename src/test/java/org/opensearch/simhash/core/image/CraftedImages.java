/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Image files that nobody's program writes: small ones that promise much, and files that break a rule of their format. */
final class CraftedImages {

    /** @param refusal part of the error; null if the file is read */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Crafted(String name, byte[] bytes, String refusal) {}

    private static final int MARKER = 0xFF;
    private static final String WHOLE = "must be a whole image that can be decoded, got a ";
    private static final String PIXELS = "must be an image of at most [max_pixels] 50000000";
    private static final String SIDE = "must be an image of at most 65535 pixels along a side";

    private final List<Crafted> all = new ArrayList<>();

    private CraftedImages() {}

    static List<Crafted> all() {
        CraftedImages images = new CraftedImages();
        images.pngs();
        images.jpegs();
        images.gifs();
        images.others();
        return images.all;
    }

    private void read(String name, byte[] bytes) {
        all.add(new Crafted(name, bytes, null));
    }

    private void refused(String name, String why, byte[] bytes) {
        all.add(new Crafted(name, bytes, why));
    }

    // PNG

    private void pngs() {
        byte[] pixels = idat(rows(64, 64, 64));
        read("png", png(header(64, 64, 8, 0, 0), pixels));
        refused(
                "png of 50 million pixels and 20 bytes",
                "bytes for 7071 x 7071 pixels",
                png(header(7071, 7071, 8, 6, 0), idat(new byte[9])));
        refused("png without data", "bytes for 64 x 64 pixels", png(header(64, 64, 8, 0, 0)));
        refused("png with too few rows", "ends before its last row", png(header(64, 65, 8, 0, 0), pixels));
        read(
                "png with 50 MB behind its last row",
                png(header(64, 64, 8, 0, 0), idat(Arrays.copyOf(rows(64, 64, 64), 50_000_000))));
        read("png of 50 million pixels of one bit", png(header(7071, 7071, 1, 0, 0), idat(rows(7071, 7071, 884))));
        read("png of 8 million pixels of 64 bits", png(header(4000, 2000, 16, 6, 0), idat(rows(4000, 2000, 32_000))));
        read("png of 5 million interlaced pixels", png(header(2500, 2000, 8, 0, 1), idat(interlaced(2500, 2000))));
        refused("png of height -1", "it has 64 x 4294967295 pixels", png(header(64, -1, 8, 0, 0), pixels));
        refused("png of width 0", "it has 0 x 64 pixels", png(header(0, 64, 8, 0, 0), pixels));
        refused("png of the greatest width", PIXELS, png(header(Integer.MAX_VALUE, 1, 16, 6, 0), pixels));
        refused("png of 4 billion pixels", PIXELS, png(header(65_535, 65_535, 16, 6, 1), pixels));
        refused("png of a long side", SIDE, png(header(1, 70_000, 16, 6, 1), pixels));
        read("png of one column", png(header(1, 65_535, 16, 6, 1), idat(interlaced(1, 65_535, 8))));
        read("png of one row", png(header(65_535, 1, 16, 6, 1), idat(interlaced(65_535, 1, 8))));
        for (int length : new int[] {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1_000_000}) {
            byte[] chunk = chunk("IDAT", new byte[20]);
            ByteBuffer.wrap(chunk).putInt(0, length);
            refused("png with a chunk of " + length, "it ends in the middle", png(header(64, 64, 8, 0, 0), chunk));
        }
        byte[] bomb = deflated(new byte[50_000_000]);
        read("png with a bomb in zTXt", png(header(64, 64, 8, 0, 0), chunk("zTXt", bytes("k\0\0"), bomb), pixels));
        read(
                "png with a bomb in iTXt",
                png(header(64, 64, 8, 0, 0), chunk("iTXt", bytes("k\0\1\0\0\0"), bomb), pixels));
        read("png with a bomb in iCCP", png(header(64, 64, 8, 0, 0), chunk("iCCP", bytes("k\0\0"), bomb), pixels));
        read(
                "png with 200,000 empty chunks of data",
                png(header(64, 64, 8, 0, 0), repeated(chunk("IDAT"), 200_000), pixels));
        read("png with 200,000 chunks of text", png(header(64, 64, 8, 0, 0), repeated(chunk("tEXt"), 200_000), pixels));
        read(
                "png with 200,000 suggested palettes",
                png(header(64, 64, 8, 2, 0), repeated(chunk("PLTE", new byte[3]), 200_000), idat(rows(64, 64, 192))));
        refused(
                "png with a palette of nothing",
                "a palette of 0 bytes",
                png(header(64, 64, 8, 3, 0), chunk("PLTE"), pixels));
        refused(
                "png with a palette of 257",
                "a palette of 771 bytes",
                png(header(64, 64, 8, 3, 0), chunk("PLTE", new byte[771]), pixels));
        refused("png without its palette", "it has no palette", png(header(64, 64, 8, 3, 0), pixels));
        refused(
                "png with two palettes",
                "it has two palettes",
                png(header(64, 64, 8, 3, 0), chunk("PLTE", new byte[3]), chunk("PLTE", new byte[3]), pixels));
        read(
                "png with colours that its palette lacks",
                png(header(64, 64, 8, 3, 0), chunk("PLTE", bytes("abcxyz")), chunk("tRNS", new byte[1000]), pixels));
        read(
                "png with transparency of a wrong length",
                png(header(64, 64, 8, 0, 0), chunk("tRNS", new byte[100_000]), pixels));
        refused(
                "png with a second header behind a chunk without a type",
                "it has a wrong header",
                png(
                        header(64, 64, 8, 0, 0),
                        chunk("tRNS", new byte[2]),
                        chunk("\0\0\0\0", new byte[0]),
                        header(64, 64, 8, 2, 0),
                        pixels));
        refused(
                "png of another system",
                "it does not begin with its header",
                png(chunk("CgBI", new byte[4]), header(64, 64, 8, 0, 0), pixels));
        read(
                "png with two billion frames",
                png(
                        header(64, 64, 8, 0, 0),
                        chunk("acTL", new byte[] {127, -1, -1, -1, 0, 0, 0, 0}),
                        pixels,
                        repeated(chunk("fdAT", new byte[4]), 10_000)));
        refused(
                "png with a dictionary",
                "ends before its last row",
                png(header(64, 64, 8, 0, 0), chunk("IDAT", new byte[] {0x78, (byte) 0xBB, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6
                })));
        byte[] filters = rows(64, 64, 64);
        filters[65] = 77;
        refused("png with an unknown filter", "the unknown row filter 77", png(header(64, 64, 8, 0, 0), idat(filters)));
        refused("png of three bits", "the unknown colour type 0 with 3 bits", png(header(64, 64, 3, 0, 0), pixels));
        refused("png of colour type 5", "the unknown colour type 5", png(header(64, 64, 8, 5, 0), pixels));
        refused(
                "png of palette and 16 bits",
                "the unknown colour type 3 with 16 bits",
                png(header(64, 64, 16, 3, 0), pixels));
        refused("png with interlacing 2", "an unknown compression", png(header(64, 64, 8, 0, 2), pixels));
        refused(
                "png with two headers",
                "it has a wrong header",
                png(header(64, 64, 8, 0, 0), header(9000, 9000, 16, 6, 0), pixels));
        refused("png with a long header", "it has a wrong header", png(chunk("IHDR", new byte[14]), pixels));
        refused(
                "png with data in two places",
                "its data is in two places",
                png(header(64, 64, 8, 0, 0), pixels, chunk("tEXt"), pixels));
        byte[] damaged = pixels.clone();
        damaged[damaged.length - 6]++;
        refused("png with a wrong checksum", "its data is damaged", png(header(64, 64, 8, 0, 0), damaged));
        refused("png of a signature only", "it ends in the middle", bytes("\u0089PNG\r\n\u001A\n"));
    }

    static byte[] png(byte[]... chunks) {
        return joined(bytes("\u0089PNG\r\n\u001A\n"), joined(chunks), chunk("IEND"));
    }

    static byte[] header(int width, int height, int depth, int color, int interlacing) {
        return chunk(
                "IHDR",
                ByteBuffer.allocate(13)
                        .putInt(width)
                        .putInt(height)
                        .put((byte) depth)
                        .put((byte) color)
                        .put((byte) 0)
                        .put((byte) 0)
                        .put((byte) interlacing)
                        .array());
    }

    static byte[] chunk(String type, byte[]... parts) {
        byte[] data = joined(parts);
        byte[] named = joined(bytes(type), data);
        CRC32 checksum = new CRC32();
        checksum.update(named);
        return joined(number(data.length), named, number((int) checksum.getValue()));
    }

    static byte[] idat(byte[] rows) {
        return chunk("IDAT", deflated(rows));
    }

    private static byte[] deflated(byte[] bytes) {
        Deflater deflater = new Deflater();
        deflater.setInput(bytes);
        deflater.finish();
        byte[] target = new byte[bytes.length + 100];
        int length = deflater.deflate(target);
        deflater.end();
        return Arrays.copyOf(target, length);
    }

    /** Rows without a filter, half of them bright. */
    private static byte[] rows(int width, int height, int bytesOfRow) {
        byte[] rows = new byte[(1 + bytesOfRow) * height];
        for (int y = height / 2; y < height && width > 0; y++) {
            Arrays.fill(rows, y * (1 + bytesOfRow) + 1, (y + 1) * (1 + bytesOfRow), (byte) 0xFF);
        }
        return rows;
    }

    private static byte[] interlaced(int width, int height) {
        return interlaced(width, height, 1);
    }

    private static byte[] interlaced(int width, int height, int bytesOfPixel) {
        int[][] passes = {
            {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}
        };
        byte[][] rows = new byte[passes.length][];
        for (int i = 0; i < passes.length; i++) {
            int across = (width - passes[i][0] + passes[i][2] - 1) / passes[i][2];
            int down = (height - passes[i][1] + passes[i][3] - 1) / passes[i][3];
            rows[i] = across <= 0 || down <= 0 ? new byte[0] : rows(across, down, across * bytesOfPixel);
        }
        return joined(rows);
    }

    // JPEG

    private void jpegs() {
        byte[] good = jpeg(64, 64);
        read("jpeg", good);
        read("jpeg of 30 honest scans", progressive(64, 64, 14));
        refused(
                "jpeg of 150 equal scans",
                "does not follow from those before it",
                withScans(4000, 4000, acScan(blocks(4000, 4000), 1, 63, 0, 0), 150));
        refused(
                "jpeg of 150 equal refining scans",
                "does not follow from those before it",
                joined(
                        headOf(withScans(4000, 4000, acScan(blocks(4000, 4000), 1, 63, 0, 1), 1)),
                        repeated(acScan(blocks(4000, 4000), 1, 63, 1, 0), 150),
                        end()));
        refused(
                "jpeg of 800 honest scans",
                "its scans go over more than 16 times [max_pixels]",
                progressive(5000, 5000, 14));
        read(
                "jpeg of 49 million pixels in two scans",
                withScans(7000, 7000, acScan(blocks(7000, 7000), 1, 63, 0, 0), 1));
        all.add(new Crafted("jpeg of 49 million pixels in 15 scans", progressive(7000, 7000, 0), ""));
        refused(
                "jpeg of 50 million pixels and few bytes",
                "bytes in a scan of 7000 x 7000 pixels",
                sized(good, 7000, 7000));
        refused("jpeg of the greatest size", PIXELS, sized(good, 65_535, 65_535));
        refused("jpeg without a height", "it has 64 x 0 pixels", sized(good, 64, 0));
        refused("jpeg without a width", "it has 0 x 64 pixels", sized(good, 0, 64));
        for (int marker : new int[] {0xE1, 0xE2, 0xE0, 0xEE, 0xFE}) {
            read(
                    "jpeg with 100,000 segments " + Integer.toHexString(marker),
                    inserted(good, repeated(segment(marker), 100_000)));
        }
        read("jpeg with 50,000 heads of EXIF", inserted(good, repeated(segment(0xE1, bytes("Exif\0\0")), 50_000)));
        read(
                "jpeg with 255 parts of a profile",
                inserted(good, repeated(segment(0xE2, bytes("ICC_PROFILE\0\1\u00FF"), new byte[60_000]), 255)));
        read(
                "jpeg with a thumbnail that is not there",
                inserted(good, segment(0xE0, bytes("JFIF\0\1\1\0\0\1\0\1\u00FF\u00FF"))));
        refused(
                "jpeg with 100,000 tables of codes",
                "more than 64 tables before a scan",
                inserted(good, repeated(dht(0, 2, 0, 5), 100_000)));
        refused(
                "jpeg with 100,000 tables of steps",
                "more than 64 tables before a scan",
                inserted(good, repeated(dqt(), 100_000)));
        refused(
                "jpeg with codes that do not fit",
                "an impossible table of codes",
                inserted(good, segment(0xC4, new byte[] {0, 3}, new byte[15], new byte[3])));
        refused(
                "jpeg with 300 codes",
                "an impossible table of codes",
                inserted(
                        good,
                        segment(
                                0xC4,
                                new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 200, 100},
                                new byte[300])));
        refused(
                "jpeg with a table of name 9",
                "an impossible table of codes",
                inserted(good, segment(0xC4, new byte[] {9}, new byte[16])));
        refused(
                "jpeg with table of steps of name 9",
                "an impossible table of steps",
                inserted(good, segment(0xDB, new byte[] {9}, new byte[64])));
        refused(
                "jpeg with half a table of steps",
                "an impossible table of steps",
                inserted(good, segment(0xDB, new byte[] {16}, new byte[64])));
        read("jpeg with a table of no codes", inserted(good, segment(0xC4, new byte[17])));
        refused("jpeg with a segment of 0 bytes", "a segment of 0 bytes", inserted(good, new byte[] {
            (byte) MARKER, (byte) 0xE5, 0, 0
        }));
        refused("jpeg with a segment of 1 byte", "a segment of 1 bytes", inserted(good, new byte[] {
            (byte) MARKER, (byte) 0xE5, 0, 1
        }));
        refused("jpeg with a segment beyond its end", "it ends in the middle", inserted(good, new byte[] {
            (byte) MARKER, (byte) 0xE5, -1, -1
        }));
        refused("jpeg of 12 bits", "it has 12 bits a sample", framed(0xC1, 12, 64, 64, 1));
        for (int frame :
                new int[] {0xC3, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xDE, 0xDF}) {
            refused(
                    "jpeg of frame " + Integer.toHexString(frame),
                    "it is lossless, hierarchical or in arithmetic code",
                    framed(frame, 8, 64, 64, 1));
        }
        for (int count : new int[] {0, 2, 5, 255}) {
            refused(
                    "jpeg of " + count + " components",
                    "it has " + count + " components",
                    framed(0xC0, 8, 64, 64, count));
        }
        byte[] four = framed(0xC0, 8, 64, 64, 4);
        read("jpeg of 4 components", four);
        for (String transform : List.of("\0", "\1", "\2", "\377")) {
            byte[] marked = inserted(four, segment(0xEE, bytes("Adobe\0\144\0\0\0\0" + transform)));
            read("jpeg of 4 components by Adobe, transform " + (int) transform.charAt(0), marked);
        }
        byte[] three = framed(0xC0, 8, 64, 64, 3);
        int at = indexOf(three, 0xC0) + 12;
        refused("jpeg of three components of one name", "two components of one name", changed(three, at, 1));
        refused("jpeg of sampling 0", "a component of unknown form", changed(three, at - 2, 0));
        refused("jpeg of sampling 15", "a component of unknown form", changed(three, at - 2, 0xFF));
        refused("jpeg of table 200", "a component of unknown form", changed(three, at - 1, 200));
        refused("jpeg of three quarters", WHOLE + "JPEG", changed(changed(three, at - 2, 0x41), at + 1, 0x31));
        refused(
                "jpeg with a scan of what it lacks",
                "a component that the frame lacks",
                changed(good, indexOf(good, 0xDA) + 4, 99));
        refused("jpeg with a scan of nothing", "a scan of 0 components", changed(good, indexOf(good, 0xDA) + 3, 0));
        refused("jpeg that begins twice", "it begins twice", joined(new byte[] {(byte) MARKER, (byte) 0xD8}, good));
        refused("jpeg with two frames", "it has two frames", inserted(good, slice(good, indexOf(good, 0xC0) - 1, 13)));
        refused(
                "jpeg with a scan before its frame",
                "a scan before its frame",
                inserted(good, segment(0xDA, new byte[] {1, 1, 0, 0, 63, 0})));
        refused("jpeg of an end only", "it ends before its picture", new byte[] {-1, (byte) 0xD8, -1, (byte) 0xD9});
        refused(
                "jpeg of a frame only",
                "it ends before its picture",
                joined(slice(good, 0, indexOf(good, 0xDA) - 1), end()));
        refused(
                "jpeg with details before the picture",
                "does not follow from those before it",
                joined(progressiveHead(64, 64), acScan(64, 1, 63, 0, 0), dcScan(64), end()));
        refused(
                "jpeg with a scan from 63 to 1",
                "does not follow from those before it",
                joined(progressiveHead(64, 64), dcScan(64), acScan(64, 63, 1, 0, 0), end()));
        refused(
                "jpeg with a scan to 255",
                "does not follow from those before it",
                joined(progressiveHead(64, 64), dcScan(64), acScan(64, 1, 255, 0, 0), end()));
        refused(
                "jpeg with a restart in each block",
                "it has 0 restarts in a scan that needs 63",
                inserted(good, segment(0xDD, new byte[] {0, 1})));
        refused("jpeg with a long interval", "a segment of a wrong length", inserted(good, segment(0xDD, new byte[] {
            0, 1, 2
        })));
        read(
                "jpeg with a height at its end",
                joined(slice(good, 0, good.length - 2), segment(0xDC, new byte[] {0, 64}), end()));
        read("jpeg with 5 MB of fill bytes", inserted(good, filled(5_000_000, 0xFF)));
        read(
                "jpeg with 5 MB between two segments",
                joined(
                        slice(good, 0, indexOf(good, 0xC0) - 1),
                        filled(5_000_000, 0x11),
                        slice(good, indexOf(good, 0xC0) - 1, good.length - indexOf(good, 0xC0) + 1)));
        read(
                "jpeg with 5 MB behind its last scan",
                joined(slice(good, 0, good.length - 2), repeated(new byte[] {-1, (byte) 0xD3}, 2_500_000), end()));
        refused("jpeg of 12 MB of progressive noise", "", noise());
    }

    private static byte[] jpeg(int width, int height) {
        Bits data = new Bits();
        int count = blocks(width, height);
        for (int i = 0; i < count; i++) {
            if (i == count / 2) {
                data.put(2, 2);
                data.put(31, 5);
            } else {
                data.put(0, 1);
            }
            data.put(0, 1); // no details
        }
        return joined(
                start(),
                dqt(),
                sof(0xC0, 8, width, height, 1),
                dht(0, 2, 0, 5),
                dht(0x10, 1, 0),
                segment(0xDA, new byte[] {1, 1, 0, 0, 63, 0}),
                data.done(),
                end());
    }

    /** As many honest scans as there are: each coefficient by itself, from the given bit down to the lowest. */
    private static byte[] progressive(int width, int height, int bits) {
        List<byte[]> parts = new ArrayList<>(List.of(progressiveHead(width, height), dcScan(blocks(width, height))));
        int blocks = blocks(width, height);
        int coefficients = bits == 0 ? 14 : width > 1000 ? 63 : 2;
        for (int i = 1; i <= coefficients; i++) {
            int highest = Math.max(0, bits - 1);
            parts.add(acScan(blocks, i, i, 0, highest));
            for (int bit = highest; bit > 0; bit--) {
                parts.add(acScan(blocks, i, i, bit, bit - 1));
            }
        }
        parts.add(end());
        return joined(parts.toArray(new byte[0][]));
    }

    private static byte[] withScans(int width, int height, byte[] scan, int count) {
        return joined(progressiveHead(width, height), dcScan(blocks(width, height)), repeated(scan, count), end());
    }

    private static byte[] headOf(byte[] jpeg) {
        return slice(jpeg, 0, jpeg.length - 2);
    }

    private static int blocks(int width, int height) {
        return (width + 7) / 8 * ((height + 7) / 8);
    }

    /** Codes 0 to 14 of four bits are runs of blocks without details. */
    private static byte[] progressiveHead(int width, int height) {
        byte[] runs = new byte[15];
        for (int i = 0; i < runs.length; i++) {
            runs[i] = (byte) (i << 4);
        }
        return joined(
                start(),
                dqt(),
                sof(0xC2, 8, width, height, 1),
                dht(0, 2, 0, 5),
                segment(0xC4, new byte[] {0x10, 0, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, runs));
    }

    private static byte[] dcScan(int blocks) {
        Bits data = new Bits();
        for (int i = 0; i < blocks; i++) {
            if (i == blocks / 2) {
                data.put(2, 2);
                data.put(31, 5);
            } else {
                data.put(0, 1);
            }
        }
        return joined(segment(0xDA, new byte[] {1, 1, 0, 0, 0, 0}), data.done());
    }

    private static byte[] acScan(int blocks, int from, int to, int high, int low) {
        Bits data = new Bits();
        for (int left = blocks; left > 0; ) {
            int run = Math.min(left, 32_767);
            int bits = 31 - Integer.numberOfLeadingZeros(run);
            data.put(bits, 4);
            data.put(run - (1 << bits), bits);
            left -= run;
        }
        return joined(
                segment(0xDA, new byte[] {1, 1, 0, (byte) from, (byte) to, (byte) (high << 4 | low)}), data.done());
    }

    /** A real picture that takes seconds. */
    private static byte[] noise() {
        BufferedImage image = new BufferedImage(6000, 5000, BufferedImage.TYPE_BYTE_GRAY);
        new Random(1).nextBytes(((DataBufferByte) image.getRaster().getDataBuffer()).getData());
        return TestImages.write("jpeg", image, 0.75f, true);
    }

    private static byte[] start() {
        return new byte[] {(byte) MARKER, (byte) 0xD8};
    }

    private static byte[] end() {
        return new byte[] {(byte) MARKER, (byte) 0xD9};
    }

    private static byte[] dqt() {
        return segment(0xDB, new byte[] {0}, filled(64, 16));
    }

    /** A table of one code of one bit, and another of two bits if it has two symbols. */
    private static byte[] dht(int name, int symbols, int... values) {
        byte[] counts = new byte[16];
        counts[0] = 1;
        counts[1] = (byte) (symbols - 1);
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return segment(0xC4, new byte[] {(byte) name}, counts, bytes);
    }

    private static byte[] sof(int marker, int precision, int width, int height, int count) {
        byte[] components = new byte[3 * count];
        for (int i = 0; i < count; i++) {
            components[3 * i] = (byte) (i + 1);
            components[3 * i + 1] = 0x11;
        }
        return segment(
                marker,
                new byte[] {
                    (byte) precision,
                    (byte) (height >> 8),
                    (byte) height,
                    (byte) (width >> 8),
                    (byte) width,
                    (byte) count
                },
                components);
    }

    /** A file of a frame of any kind, with one scan of all components. */
    private static byte[] framed(int marker, int precision, int width, int height, int count) {
        int named = Math.min(count, 4);
        byte[] scan = new byte[1 + 2 * named + 3];
        scan[0] = (byte) named;
        for (int i = 0; i < named; i++) {
            scan[1 + 2 * i] = (byte) (i + 1);
        }
        scan[scan.length - 2] = 63;
        return joined(
                start(),
                dqt(),
                sof(marker, precision, width, height, count),
                dht(0, 2, 0, 5),
                dht(0x10, 1, 0),
                segment(0xDA, scan),
                new byte[1000],
                end());
    }

    private static byte[] sized(byte[] jpeg, int width, int height) {
        byte[] sized = jpeg.clone();
        ByteBuffer.wrap(sized)
                .putShort(indexOf(jpeg, 0xC0) + 4, (short) height)
                .putShort(indexOf(jpeg, 0xC0) + 6, (short) width);
        return sized;
    }

    private static byte[] segment(int marker, byte[]... parts) {
        byte[] data = joined(parts);
        int length = data.length + 2;
        return joined(new byte[] {(byte) MARKER, (byte) marker, (byte) (length >> 8), (byte) length}, data);
    }

    /** Behind the first marker. */
    private static byte[] inserted(byte[] jpeg, byte[] part) {
        return joined(slice(jpeg, 0, 2), part, slice(jpeg, 2, jpeg.length - 2));
    }

    /** Where the first marker of the name is; its data begins three bytes later. */
    private static int indexOf(byte[] jpeg, int marker) {
        int at = 0;
        while ((jpeg[at] & 0xFF) != MARKER || (jpeg[at + 1] & 0xFF) != marker) {
            at++;
        }
        return at + 1;
    }

    /** Writes bits as the data of a scan. */
    private static final class Bits {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int value;
        private int count;

        void put(int bits, int length) {
            for (int i = length - 1; i >= 0; i--) {
                value = value << 1 | (bits >> i & 1);
                if (++count == Byte.SIZE) {
                    bytes.write(value);
                    if (value == MARKER) {
                        bytes.write(0);
                    }
                    value = 0;
                    count = 0;
                }
            }
        }

        byte[] done() {
            while (count > 0) {
                put(1, 1);
            }
            return bytes.toByteArray();
        }
    }

    // GIF

    private void gifs() {
        read("gif", gif(64, 64, 0, 8, codes(64 * 64)));
        read("gif of 50 million pixels", gif(7071, 7071, 0, 8, strings(7071 * 7071)));
        read("gif with a thousand times its pixels", gif(2, 2, 0, 8, strings(50_000_000)));
        refused(
                "gif of 50 million pixels and few bytes",
                "ends before its last row",
                gif(65_535, 762, 0, 8, codes(100)));
        refused("gif of the greatest size", PIXELS, gif(65_535, 65_535, 0, 8, codes(100)));
        refused("gif of no width", "it has 0 x 64 pixels", gif(0, 64, 0, 8, codes(100)));
        refused("gif of no height", "it has 64 x 0 pixels", gif(64, 0, 0, 8, codes(100)));
        for (int bits : new int[] {0, 9, 12, 255}) {
            refused(
                    "gif with codes of " + bits + " bits",
                    "it has codes of " + bits + " bits",
                    gif(64, 64, 0, bits, codes(64 * 64)));
        }
        byte[] good = gif(64, 64, 0, 8, codes(64 * 64));
        refused(
                "gif without colours",
                "it has no table of colours",
                joined(slice(good, 0, 10), new byte[] {0, 0, 0}, slice(good, 13 + 768, good.length - 13 - 768)));
        refused("gif with a code not known yet", "a code that is not known yet", gif(64, 64, 0, 8, packed(new int[] {
            256, 300, 300, 300
        })));
        refused("gif with a last code first", "a code that is not known yet", gif(64, 64, 0, 8, packed(new int[] {
            258, 258
        })));
        int[] clear = new int[4_000_000];
        Arrays.fill(clear, 256);
        refused("gif of clear codes", "ends before its last row", gif(64, 64, 0, 8, packed(clear)));
        read(
                "gif with 65,535 frames",
                joined(
                        slice(good, 0, good.length - 1),
                        repeated(slice(good, 13 + 768, good.length - 13 - 768 - 1), 2_000),
                        bytes(";")));
        read(
                "gif with a million extensions",
                joined(
                        slice(good, 0, 13 + 768),
                        repeated(new byte[] {0x21, (byte) 0xFE, 0}, 1_000_000),
                        slice(good, 13 + 768, good.length - 13 - 768)));
        refused(
                "gif with extensions only",
                "it ends in the middle",
                joined(slice(good, 0, 13 + 768), repeated(new byte[] {0x21, (byte) 0xFE, 1, 1, 0}, 100_000)));
        read(
                "gif with 255 as its transparent colour",
                joined(
                        slice(good, 0, 13 + 768),
                        new byte[] {0x21, (byte) 0xF9, 4, 1, 0, 0, -1, 0},
                        slice(good, 13 + 768, good.length - 13 - 768)));
        read("gif of one interlaced row", gif(64, 1, 0x40, 8, codes(64)));
        read("gif of nine interlaced rows", gif(64, 9, 0x40, 8, codes(64 * 9)));
        refused(
                "gif with an unknown block",
                "it ends before its first picture",
                joined(slice(good, 0, 13 + 768), bytes("x"), good));
        refused("gif of a signature", "it ends in the middle", bytes("GIF89a"));
    }

    private static byte[] gif(int width, int height, int flags, int bits, byte[] codes) {
        byte[] colors = new byte[768];
        for (int i = 0; i < colors.length; i++) {
            colors[i] = (byte) (i / 3);
        }
        ByteBuffer head = ByteBuffer.allocate(13)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes("GIF89a"))
                .putShort((short) 1)
                .putShort((short) 1)
                .put((byte) 0xF7);
        ByteBuffer picture = ByteBuffer.allocate(11)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0x2C)
                .putInt(-1)
                .putShort((short) width)
                .putShort((short) height)
                .put((byte) flags)
                .put((byte) bits);
        return joined(head.array(), colors, picture.array(), blocks(codes), bytes("\0;"));
    }

    private static byte[] blocks(byte[] data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < data.length; at += 255) {
            int length = Math.min(255, data.length - at);
            out.write(length);
            out.write(data, at, length);
        }
        return out.toByteArray();
    }

    /** One code for each pixel; cleared before they grow. */
    private static byte[] codes(int pixels) {
        int[] codes = new int[pixels + pixels / 200 + 1];
        int count = 0;
        for (int i = 0; i < pixels; i++) {
            if (i % 200 == 0) {
                codes[count++] = 256;
            }
            codes[count++] = i * 256 / pixels;
        }
        return packed(Arrays.copyOf(codes, count));
    }

    /** Each code stands for one pixel more than the one before. */
    private static byte[] strings(int pixels) {
        int[] codes = new int[4_000_000];
        int count = 0;
        int next = 4096;
        int length = 0;
        for (int made = 0; made < pixels; made += length) {
            if (next == 4096) {
                codes[count++] = 256;
                codes[count++] = made > pixels / 2 ? 200 : 0;
                next = 257;
                length = 1;
            } else {
                codes[count++] = next;
                length++;
            }
            next++;
        }
        return packed(Arrays.copyOf(codes, count));
    }

    /** Codes of nine bits and more, as long as a decoder expects them. */
    private static byte[] packed(int[] codes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long bits = 0;
        int count = 0;
        int length = 9;
        int next = 257;
        for (int code : codes) {
            bits |= (long) code << count;
            count += length;
            while (count >= 8) {
                out.write((int) bits);
                bits >>>= 8;
                count -= 8;
            }
            next = code == 256 ? 257 : Math.min(4096, next + 1);
            length = code == 256 ? 9 : next >= 1 << length && length < 12 ? length + 1 : length;
        }
        out.write((int) bits);
        return out.toByteArray();
    }

    // Others

    private void others() {
        byte[] jpeg = jpeg(64, 64);
        for (int compression = 0; compression <= 6; compression++) {
            for (int height : new int[] {64, -64, Integer.MIN_VALUE}) {
                ByteBuffer bmp = ByteBuffer.allocate(54 + jpeg.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(bytes("BM"))
                        .putInt(54 + jpeg.length)
                        .putInt(0)
                        .putInt(54)
                        .putInt(40)
                        .putInt(64)
                        .putInt(height)
                        .putShort((short) 1)
                        .putShort((short) 24)
                        .putInt(compression)
                        .putInt(Integer.MAX_VALUE)
                        .putLong(0)
                        .putLong(0)
                        .put(jpeg);
                refused(
                        "bmp of compression " + compression + " and height " + height,
                        "must be an image in PNG, JPEG or GIF, got a BMP",
                        bmp.array());
            }
        }
        refused(
                "webp",
                "must be an image in PNG, JPEG or GIF, got a WEBP",
                joined(bytes("RIFF\1\2\3\4WEBPVP8 "), new byte[100]));
        for (String start : List.of(
                "II*\0",
                "MM\0*",
                "8BPS",
                "\0\0\1\0",
                "P6 9 9 9\n",
                "<svg/>",
                "\0\0\0\14jP  ",
                "\u0089JNG\r\n\u001A\n",
                "x")) {
            refused("other file " + start.strip(), "bytes of something else", joined(bytes(start), new byte[100]));
        }
    }

    // Bytes

    static byte[] joined(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    private static byte[] repeated(byte[] part, int times) {
        byte[] all = new byte[part.length * times];
        for (int i = 0; i < times; i++) {
            System.arraycopy(part, 0, all, i * part.length, part.length);
        }
        return all;
    }

    private static byte[] filled(int length, int value) {
        byte[] all = new byte[length];
        Arrays.fill(all, (byte) value);
        return all;
    }

    private static byte[] slice(byte[] all, int from, int length) {
        return Arrays.copyOfRange(all, from, from + length);
    }

    private static byte[] changed(byte[] all, int at, int value) {
        byte[] changed = all.clone();
        changed[at] = (byte) value;
        return changed;
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
