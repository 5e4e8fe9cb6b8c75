/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.io.IOException;
import java.util.Arrays;

/**
 * A JPEG (ITU-T T.81), baseline or progressive, of 8 bits and one or three components, with only what its pixels need:
 * frame, tables, scans, and what tells the colour space. All else, such as colour profiles, EXIF and thumbnails, is
 * taken out, in place. Everything is checked on the way: one pass over the bytes.
 */
final class JpegFile {

    private static final int MARKER = 0xFF;
    private static final int BASELINE = 0xC0;
    private static final int EXTENDED = 0xC1;
    private static final int PROGRESSIVE = 0xC2;
    private static final int HUFFMAN_TABLES = 0xC4;
    private static final int FIRST_RESTART = 0xD0;
    private static final int LAST_RESTART = 0xD7;
    private static final int START_OF_IMAGE = 0xD8;
    private static final int END_OF_IMAGE = 0xD9;
    private static final int SCAN = 0xDA;
    private static final int QUANTIZATION_TABLES = 0xDB;
    private static final int RESTART_INTERVAL = 0xDD;
    private static final int HIERARCHICAL = 0xDE;
    private static final int EXPANSION = 0xDF;
    private static final int JFIF = 0xE0;
    private static final int EXIF = 0xE1;
    private static final int ADOBE = 0xEE;
    private static final int ALONE = 0x01;

    /** Bytes of their segments that count, with the marker. */
    private static final int JFIF_BYTES = 18;

    private static final int EXIF_BYTES = 10;
    private static final int ADOBE_BYTES = 16;

    /** What the last of these bytes says of four components. */
    private static final int YCCK = 2;

    private static final int NO_ADOBE = -1;

    private static final int BLOCK = 8;
    private static final int COEFFICIENTS = BLOCK * BLOCK;
    private static final int MOST_SHIFTED = 13;
    private static final int MOST_BLOCKS_TOGETHER = 10;

    /** There are four of each of three kinds. Some files repeat them. */
    private static final int MOST_TABLES_OF_A_SCAN = 64;

    /**
     * So many times the largest picture may all scans go over together. The usual ten scans go over a picture five
     * times, or 14 if its colours are not reduced.
     */
    private static final int MOST_SCANNED = 16;

    private static final class Component {

        private final int id;
        private final int across;
        private final int down;

        /** The lowest bit of each coefficient that the scans so far told; -1: none. */
        private final byte[] lowest = new byte[COEFFICIENTS];

        Component(int id, int across, int down) {
            this.id = id;
            this.across = across;
            this.down = down;
            Arrays.fill(lowest, (byte) -1);
        }
    }

    private final byte[] bytes;
    private final FileBytes in;
    private final Decoding limits;
    private int length;

    private boolean isProgressive;
    private int width;
    private int height;
    private Component[] components;
    private int mostAcross = 1;
    private int mostDown = 1;

    private boolean hasSeveralScans;
    private long scannedBlocks;
    private int tables;
    private int restartInterval;

    /** The bits of the segments that are kept by name. */
    private int named;

    private int transform = NO_ADOBE;

    private JpegFile(byte[] bytes, Decoding limits) {
        this.bytes = bytes;
        this.in = new FileBytes(bytes);
        this.limits = limits;
    }

    /** Checks a file and takes out what is not needed. */
    static JpegFile reduce(byte[] bytes, Decoding limits) throws IOException {
        JpegFile file = new JpegFile(bytes, limits);
        file.read();
        return file;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /** Bytes from the beginning of the array. */
    int length() {
        return length;
    }

    /** Whether it has four components: inks, or the light that they leave. */
    boolean isOfInks() {
        return components.length == 4;
    }

    /**
     * The brightness of four components, as the decoder leaves them: by Adobe's programs the light that inks leave, or the
     * complement of its brightness and colours; else inks.
     */
    int luma(int first, int second, int third, int black) {
        if (transform == NO_ADOBE) {
            return LumaImage.luma(0xFF - first, 0xFF - second, 0xFF - third) * (0xFF - black) / 0xFF;
        }
        int luma = transform == YCCK ? 0xFF - first : LumaImage.luma(first, second, third);
        return luma * black / 0xFF;
    }

    /** Bytes of the coefficients, if a decoder keeps all of them; else 0. */
    long keptBytes() {
        long bytesKept = 0;
        for (Component component : components) {
            bytesKept += 2L * COEFFICIENTS * blocks(component, false);
        }
        return isProgressive || hasSeveralScans ? bytesKept : 0;
    }

    private void read() throws IOException {
        in.skip(2);
        length = 2;
        for (int marker = nextMarker(); marker != END_OF_IMAGE; marker = nextMarker()) {
            if (marker == ALONE || (marker >= FIRST_RESTART && marker <= LAST_RESTART)) {
                continue;
            }
            if (marker == START_OF_IMAGE) {
                throw new IOException("it begins twice");
            }
            int start = in.position() - 2;
            int size = in.bigEndian16();
            if (size < 2) {
                throw new IOException("it has a segment of " + size + " bytes");
            }
            in.skip(size - 2L);
            int end = in.position();
            in.seek(start + 4);
            switch (marker) {
                case BASELINE, EXTENDED, PROGRESSIVE -> frame(marker, end);
                case HUFFMAN_TABLES -> huffmanTables(end);
                case QUANTIZATION_TABLES -> quantizationTables(end);
                case RESTART_INTERVAL -> {
                    requireEnd(start + 6, end);
                    restartInterval = in.bigEndian16();
                }
                case SCAN -> end = scan(end);
                default -> requireKnown(marker);
            }
            in.seek(end);
            keep(start, marker, end);
        }
        if (components == null || Arrays.stream(components).anyMatch(component -> component.lowest[0] < 0)) {
            throw new IOException("it ends before its picture");
        }
        bytes[length++] = (byte) MARKER;
        bytes[length++] = (byte) END_OF_IMAGE;
    }

    /** Bytes between two segments are stepped over. */
    private int nextMarker() throws IOException {
        while (true) {
            if (in.next() == MARKER) {
                int marker = in.next();
                while (marker == MARKER) {
                    marker = in.next();
                }
                if (marker != 0) {
                    return marker;
                }
            }
        }
    }

    private static void requireKnown(int marker) throws IOException {
        boolean isFrame = marker > PROGRESSIVE && marker < FIRST_RESTART;
        if (isFrame || marker == HIERARCHICAL || marker == EXPANSION) {
            throw new IOException(
                    "it is lossless, hierarchical or in arithmetic code; baseline and progressive ones" + " are read");
        }
    }

    private static void requireEnd(int expected, int end) throws IOException {
        if (expected != end) {
            throw new IOException("it has a segment of a wrong length");
        }
    }

    /** Of three segments only the name and the colour space count, and only once. */
    private void keep(int start, int marker, int end) {
        int kept = switch (marker) {
            case BASELINE, EXTENDED, PROGRESSIVE, HUFFMAN_TABLES, QUANTIZATION_TABLES, RESTART_INTERVAL, SCAN ->
                end - start;
            case JFIF -> isFirst(marker, start, end, "JFIF\0", JFIF_BYTES) ? JFIF_BYTES : 0;
            case EXIF -> isFirst(marker, start, end, "Exif\0\0", EXIF_BYTES) ? EXIF_BYTES : 0;
            case ADOBE -> {
                boolean isRead = isFirst(marker, start, end, "Adobe", ADOBE_BYTES);
                transform = isRead ? bytes[start + ADOBE_BYTES - 1] : transform;
                yield isRead ? ADOBE_BYTES : 0;
            }
            default -> 0;
        };
        System.arraycopy(bytes, start, bytes, length, kept);
        if (kept > 0 && marker >= JFIF) {
            bytes[length + 2] = 0;
            bytes[length + 3] = (byte) (kept - 2);
            if (marker == JFIF) {
                // The size of the thumbnail.
                bytes[length + JFIF_BYTES - 2] = 0;
                bytes[length + JFIF_BYTES - 1] = 0;
            }
        }
        length += kept;
    }

    private boolean isFirst(int marker, int start, int end, String name, int least) {
        int bit = 1 << (marker - JFIF);
        boolean isFirst = end - start >= least && components == null && (named & bit) == 0;
        for (int i = 0; i < name.length() && isFirst; i++) {
            isFirst = bytes[start + 4 + i] == name.charAt(i);
        }
        named |= isFirst ? bit : 0;
        return isFirst;
    }

    private void frame(int marker, int end) throws IOException {
        if (components != null) {
            throw new IOException("it has two frames");
        }
        isProgressive = marker == PROGRESSIVE;
        int precision = in.next();
        if (precision != Byte.SIZE) {
            throw new IOException("it has " + precision + " bits a sample; 8 are read");
        }
        height = in.bigEndian16();
        width = in.bigEndian16();
        if (width < 1 || height < 1) {
            throw new IOException("it has " + width + " x " + height + " pixels");
        }
        limits.requireSize(width, height);
        int count = in.next();
        if (count != 1 && count != 3 && count != 4) {
            throw new IOException("it has " + count + " components; one, three and four are read");
        }
        requireEnd(in.position() + 3 * count, end);
        components = new Component[count];
        for (int i = 0; i < count; i++) {
            int id = in.next();
            int factors = in.next();
            int across = factors >> 4;
            int down = factors & 0xF;
            if (Math.min(across, down) < 1 || Math.max(across, down) > 4 || in.next() > 3) {
                throw new IOException("it has a component of unknown form");
            }
            for (int j = 0; j < i; j++) {
                if (components[j].id == id) {
                    throw new IOException("it has two components of one name");
                }
            }
            components[i] = new Component(id, across, down);
            mostAcross = Math.max(mostAcross, across);
            mostDown = Math.max(mostDown, down);
        }
    }

    private void huffmanTables(int end) throws IOException {
        countTable();
        while (in.position() < end) {
            int name = in.next();
            int symbols = 0;
            int room = 1 << 16;
            for (int bits = 1; bits <= 16 && in.position() < end; bits++) {
                int count = in.next();
                symbols += count;
                room -= count << (16 - bits);
            }
            if ((name & 0xEC) != 0 || symbols > 256 || room < 0 || symbols > end - in.position()) {
                throw new IOException("it has an impossible table of codes");
            }
            in.skip(symbols);
        }
    }

    private void quantizationTables(int end) throws IOException {
        countTable();
        while (in.position() < end) {
            int name = in.next();
            int size = COEFFICIENTS << (name >> 4);
            if ((name & 0xEC) != 0 || size > end - in.position()) {
                throw new IOException("it has an impossible table of steps");
            }
            in.skip(size);
        }
    }

    private void countTable() throws IOException {
        if (++tables > MOST_TABLES_OF_A_SCAN) {
            throw new IOException("it has more than " + MOST_TABLES_OF_A_SCAN + " tables before a scan");
        }
    }

    /** Returns where the scan's data ends. */
    private int scan(int headEnd) throws IOException {
        if (components == null) {
            throw new IOException("it has a scan before its frame");
        }
        tables = 0;
        int count = in.next();
        if (count < 1 || count > components.length) {
            throw new IOException("it has a scan of " + count + " components");
        }
        requireEnd(in.position() + 2 * count + 3, headEnd);
        Component[] scanned = new Component[count];
        long blocks = 0;
        int together = 0;
        for (int i = 0; i < count; i++) {
            Component component = component(in.next());
            if (Arrays.asList(scanned).contains(component) || (in.next() & 0xCC) != 0) {
                throw new IOException("it has a scan of unknown form");
            }
            scanned[i] = component;
            blocks += blocks(component, count == 1);
            together += component.across * component.down;
        }
        if (count > 1 && together > MOST_BLOCKS_TOGETHER) {
            throw new IOException("it has a scan of too many blocks together");
        }
        hasSeveralScans |= count < components.length;
        int from = in.next();
        int to = in.next();
        int bits = in.next();
        int leastBits = 2;
        if (isProgressive) {
            requireProgress(scanned, from, to, bits >> 4, bits & 0xF);
            leastBits = from == 0 ? 1 : 0;
        } else {
            // Each component is in one scan, so these are few.
            requireProgress(scanned, 0, 0, 0, 0);
        }
        scannedBlocks += blocks;
        if (scannedBlocks * COEFFICIENTS > (long) MOST_SCANNED * Math.max(COEFFICIENTS * 64, limits.maxPixels())) {
            throw new IOException("its scans go over more than " + MOST_SCANNED + " times [max_pixels] "
                    + limits.maxPixels() + " pixels");
        }
        in.seek(headEnd);
        long groups = count == 1 ? blocks : groups(width, mostAcross) * groups(height, mostDown);
        int end = dataEnd(restartInterval == 0 ? 0 : (groups - 1) / restartInterval);
        if ((long) (end - headEnd) * Byte.SIZE < leastBits * blocks) {
            throw new IOException(
                    "it has " + (end - headEnd) + " bytes in a scan of " + width + " x " + height + " pixels");
        }
        return end;
    }

    private Component component(int id) throws IOException {
        for (Component component : components) {
            if (component.id == id) {
                return component;
            }
        }
        throw new IOException("it has a scan of a component that the frame lacks");
    }

    /** Each scan tells coefficients for the first time, or their next bit: none is repeated without end. */
    private static void requireProgress(Component[] scanned, int from, int to, int higher, int lowest)
            throws IOException {
        boolean isInRange = from == 0 ? to == 0 : scanned.length == 1 && from <= to && to < COEFFICIENTS;
        boolean isOrdered = isInRange && lowest <= MOST_SHIFTED && (higher == 0 || lowest == higher - 1);
        for (Component component : scanned) {
            isOrdered = isOrdered && (from == 0 || component.lowest[0] >= 0);
            for (int i = from; i <= to && isOrdered; i++) {
                isOrdered = component.lowest[i] < 0 ? higher == 0 : higher > 0 && component.lowest[i] == higher;
                component.lowest[i] = (byte) lowest;
            }
        }
        if (isOrdered == false) {
            throw new IOException("it has a scan that does not follow from those before it");
        }
    }

    /** Ends before the next marker that is no restart. A decoder would fill up with grey what too few restarts leave out. */
    private int dataEnd(long restarts) throws IOException {
        long found = 0;
        while (true) {
            if (in.next() == MARKER) {
                int at = in.position() - 1;
                int marker = in.next();
                if (marker == MARKER) {
                    in.seek(at + 1);
                } else if (marker >= FIRST_RESTART && marker <= LAST_RESTART) {
                    found += marker - FIRST_RESTART == found % 8 ? 1 : 0;
                } else if (marker != 0) {
                    if (found < restarts) {
                        throw new IOException("it has " + found + " restarts in a scan that needs " + restarts);
                    }
                    in.seek(at);
                    return at;
                }
            }
        }
    }

    /** Blocks of a component; a scan of several has whole groups of them. */
    private long blocks(Component component, boolean isAlone) {
        long blocksAcross = groups(width, mostAcross) * component.across;
        long blocksDown = groups(height, mostDown) * component.down;
        if (isAlone) {
            blocksAcross = Math.ceilDiv((long) width * component.across, (long) mostAcross * BLOCK);
            blocksDown = Math.ceilDiv((long) height * component.down, (long) mostDown * BLOCK);
        }
        return blocksAcross * blocksDown;
    }

    private static long groups(int side, int factor) {
        return Math.ceilDiv(side, factor * BLOCK);
    }
}
