/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Decodes the brightness of a key frame of VP8 (RFC 6386), the lossy kind of WebP. Colours are passed over, and so is the filter
 * that smooths the edges of blocks: nothing in the frame is predicted from what it makes. Keeps 17 rows. Not thread-safe.
 */
final class Vp8Decoder {

    /** Modes of a block, in the order of the tables. */
    private static final int MEAN = 0;

    private static final int TRUE_MOTION = 1;
    private static final int VERTICAL = 2;
    private static final int HORIZONTAL = 3;
    private static final int DOWN_LEFT = 4;
    private static final int DOWN_RIGHT = 5;
    private static final int VERTICAL_RIGHT = 6;
    private static final int VERTICAL_LEFT = 7;
    private static final int HORIZONTAL_DOWN = 8;
    private static final int MODES = 10;

    /** What stands in place of samples above the first row, and left of the first column. */
    private static final int ABOVE = 127;

    private static final int BESIDE = 129;

    private static final int MACRO = 16;
    private static final int HEAD = 10;
    private static final int MOST_PARTS = 8;
    private static final int SEGMENTS = 4;

    private static final int[] ZIGZAG = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
    private static final int[] BANDS = {0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0};

    /** The probabilities of the bits of large values, by their size. */
    private static final int[][] LARGE = {
        {173, 148, 140},
        {176, 155, 140, 135},
        {180, 157, 141, 134, 130},
        {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129}
    };

    /** Types of tokens. */
    private static final int AFTER_MEAN = 0;

    private static final int MEANS = 1;
    private static final int COLOUR = 2;
    private static final int WHOLE = 3;

    private final byte[] bytes;
    private final int width;
    private final int height;
    private final Decoding limits;
    private final BoolReader head;
    private final BoolReader[] parts = new BoolReader[MOST_PARTS];
    private int partCount;

    private boolean hasSegments;
    private boolean hasMap;
    private final int[] segmentTree = {255, 255, 255};
    private final int[] segmentSteps = new int[SEGMENTS];

    /** By segment: of means and others of a block, and of means of means. */
    private final int[][] steps = new int[SEGMENTS][4];

    private final int[] tokens = Vp8Tables.COEFFICIENTS.clone();
    private int skipping = -1;

    private final int across;
    private final int stride;

    /** The rows of macroblocks under way, one sample right of the left edge, below the last row of those above. */
    private final byte[] rows;

    private final byte[] topModes;
    private final byte[] leftModes = new byte[4];

    /** Whether blocks above, and to the left, have coefficients: 4 of brightness, 2 and 2 of colour, and their means. */
    private final byte[] topFilled;

    private final byte[] leftFilled = new byte[9];
    private final int[] coefficients = new int[MACRO * MACRO];
    private final int[] means = new int[MACRO];
    private final int[] turned = new int[MACRO];
    private final int[] edge = new int[13];

    /**
     * @param start of the frame
     * @param end of its bytes
     */
    Vp8Decoder(byte[] bytes, int start, int end, Decoding limits) throws IOException {
        this.bytes = bytes;
        this.limits = limits;
        if (end - start < HEAD) {
            throw new EOFException("its picture ends in its head");
        }
        int tag = littleEndian(start, 3);
        int signature = littleEndian(start + 3, 3);
        if ((tag & 1) != 0 || (tag >> 1 & 7) > 3 || signature != 0x2A_01_9D) {
            throw new IOException("its picture is no key frame of VP8");
        }
        width = littleEndian(start + 6, 2) & 0x3FFF;
        height = littleEndian(start + 8, 2) & 0x3FFF;
        if (width < 1 || height < 1) {
            throw new IOException("it has " + width + " x " + height + " pixels");
        }
        limits.requireSize(width, height);
        int partition = tag >> 5;
        if (partition > end - start - HEAD) {
            throw new EOFException("its first partition ends in the middle");
        }
        across = (width + MACRO - 1) / MACRO;
        stride = across * MACRO + 1;
        limits.take((MACRO + 1L) * stride + 13L * across + 16L * tokens.length);
        rows = new byte[(MACRO + 1) * stride];
        topModes = new byte[4 * across];
        topFilled = new byte[9 * across];
        head = new BoolReader(bytes, start + HEAD, start + HEAD + partition);
        readHead(start + HEAD + partition, end);
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    private int littleEndian(int at, int count) {
        int value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = (value << Byte.SIZE) | (bytes[at + i] & 0xFF);
        }
        return value;
    }

    private void readHead(int start, int end) throws IOException {
        head.literal(2); // colour space, clamping
        hasSegments = head.flag();
        boolean isAbsolute = hasSegments && readSegments();
        head.literal(1 + 6 + 3); // kind, level and sharpness of the filter
        boolean isPresent = head.flag();
        if (isPresent && head.flag()) {
            for (int i = 0; i < 8; i++) {
                head.optional(6);
            }
        }
        readParts(1 << head.literal(2), start, end);
        int base = head.literal(7);
        int firstMean = head.optional(4);
        int meanOfMeans = head.optional(4);
        int restOfMeans = head.optional(4);
        head.optional(4);
        head.optional(4);
        for (int i = 0; i < SEGMENTS; i++) {
            int step = hasSegments ? segmentSteps[i] + (isAbsolute ? 0 : base) : base;
            steps[i][0] = Vp8Tables.DC[Math.clamp(step + firstMean, 0, 127)];
            steps[i][1] = Vp8Tables.AC[Math.clamp(step, 0, 127)];
            steps[i][2] = 2 * Vp8Tables.DC[Math.clamp(step + meanOfMeans, 0, 127)];
            steps[i][3] = Math.max(8, Vp8Tables.AC[Math.clamp(step + restOfMeans, 0, 127)] * 155 / 100);
        }
        head.flag(); // for later frames
        for (int i = 0; i < tokens.length; i++) {
            if (head.bit(Vp8Tables.UPDATES[i]) != 0) {
                tokens[i] = head.literal(8);
            }
        }
        skipping = head.flag() ? head.literal(8) : -1;
    }

    /** Whether steps are absolute. */
    private boolean readSegments() throws IOException {
        hasMap = head.flag();
        boolean isAbsolute = false;
        if (head.flag()) {
            isAbsolute = head.flag();
            for (int i = 0; i < SEGMENTS; i++) {
                segmentSteps[i] = head.optional(7);
            }
            for (int i = 0; i < SEGMENTS; i++) {
                head.optional(6);
            }
        }
        for (int i = 0; i < segmentTree.length && hasMap; i++) {
            segmentTree[i] = head.flag() ? head.literal(8) : 255;
        }
        return isAbsolute;
    }

    private void readParts(int count, int start, int end) throws IOException {
        partCount = count;
        int from = start + 3 * (count - 1);
        for (int i = 0; i < count; i++) {
            int length = i == count - 1 || from > end ? end - from : littleEndian(start + 3 * i, 3);
            if (length < 0 || length > end - from) {
                throw new EOFException("its data ends before its last partition");
            }
            parts[i] = new BoolReader(bytes, from, from + length);
            from += length;
        }
    }

    /** Tells a row of brightness, 0 to 255. */
    interface Rows {
        void row(int y, byte[] samples, int start);
    }

    /** Goes through the picture once. */
    void decode(Rows out) throws IOException {
        Arrays.fill(rows, (byte) ABOVE);
        for (int y = 0; y * MACRO < height; y++) {
            limits.requireTime();
            Arrays.fill(leftModes, (byte) MEAN);
            Arrays.fill(leftFilled, (byte) 0);
            for (int i = y == 0 ? 1 : 0; i <= MACRO; i++) {
                rows[i * stride] = (byte) BESIDE;
            }
            for (int x = 0; x < across; x++) {
                macroblock(x, y);
            }
            for (int i = 0; i < MACRO && y * MACRO + i < height; i++) {
                out.row(y * MACRO + i, rows, (i + 1) * stride + 1);
            }
            System.arraycopy(rows, MACRO * stride, rows, 0, stride);
        }
    }

    private void macroblock(int x, int y) throws IOException {
        int segment =
                hasMap ? head.bit(segmentTree[0]) == 0 ? head.bit(segmentTree[1]) : 2 + head.bit(segmentTree[2]) : 0;
        boolean isSkipped = skipping >= 0 && head.bit(skipping) != 0;
        boolean isWhole = head.bit(145) != 0;
        int[] modes = isWhole ? wholeMode(x) : blockModes(x);
        if (head.bit(142) != 0 && head.bit(114) != 0) {
            head.bit(183); // how colours are predicted
        }
        Arrays.fill(coefficients, 0);
        if (isSkipped) {
            // The means of a macroblock without them are left as they are.
            int kept = isWhole ? 9 : 8;
            Arrays.fill(leftFilled, 0, kept, (byte) 0);
            Arrays.fill(topFilled, 9 * x, 9 * x + kept, (byte) 0);
        } else {
            residue(parts[y & partCount - 1], x, steps[segment], isWhole);
        }
        int at = stride + 1 + x * MACRO;
        if (isWhole) {
            predictWhole(at, modes[0], x, y);
        }
        int[] right = isWhole ? null : aboveRight(at, x);
        for (int block = 0; block < MACRO; block++) {
            int of = at + block / 4 * 4 * stride + block % 4 * 4;
            if (isWhole == false) {
                predict(of, modes[block], block % 4 == 3 ? right : null);
            }
            add(of, block * MACRO);
        }
    }

    private int[] wholeMode(int x) throws IOException {
        int mode = head.bit(156) == 0
                ? head.bit(163) == 0 ? MEAN : VERTICAL
                : head.bit(128) == 0 ? HORIZONTAL : TRUE_MOTION;
        Arrays.fill(leftModes, (byte) mode);
        Arrays.fill(topModes, 4 * x, 4 * x + 4, (byte) mode);
        return new int[] {mode};
    }

    private int[] blockModes(int x) throws IOException {
        int[] modes = new int[MACRO];
        for (int i = 0; i < MACRO; i++) {
            int column = 4 * x + i % 4;
            int mode = mode(9 * (topModes[column] * MODES + leftModes[i / 4]));
            topModes[column] = (byte) mode;
            leftModes[i / 4] = (byte) mode;
            modes[i] = mode;
        }
        return modes;
    }

    private int mode(int at) throws IOException {
        int[] of = Vp8Tables.MODES;
        if (head.bit(of[at]) == 0) {
            return MEAN;
        }
        if (head.bit(of[at + 1]) == 0) {
            return TRUE_MOTION;
        }
        if (head.bit(of[at + 2]) == 0) {
            return VERTICAL;
        }
        if (head.bit(of[at + 3]) == 0) {
            return head.bit(of[at + 4]) == 0 ? HORIZONTAL : head.bit(of[at + 5]) == 0 ? DOWN_RIGHT : VERTICAL_RIGHT;
        }
        return head.bit(of[at + 6]) == 0
                ? DOWN_LEFT
                : head.bit(of[at + 7]) == 0 ? VERTICAL_LEFT : HORIZONTAL_DOWN + head.bit(of[at + 8]);
    }

    /** The coefficients of a macroblock. */
    private void residue(BoolReader in, int x, int[] step, boolean isWhole) throws IOException {
        int top = 9 * x;
        int first = 0;
        int type = WHOLE;
        if (isWhole) {
            Arrays.fill(means, 0);
            int end = tokens(in, MEANS, topFilled[top + 8] + leftFilled[8], 0, step[2], step[3], means, 0);
            topFilled[top + 8] = leftFilled[8] = (byte) (end > 0 ? 1 : 0);
            spreadMeans();
            first = 1;
            type = AFTER_MEAN;
        }
        for (int block = 0; block < MACRO; block++) {
            int above = top + block % 4;
            int beside = block / 4;
            int context = topFilled[above] + leftFilled[beside];
            int end = tokens(in, type, context, first, step[0], step[1], coefficients, block * MACRO);
            topFilled[above] = leftFilled[beside] = (byte) (end > first ? 1 : 0);
        }
        for (int block = 0; block < 8; block++) {
            int above = top + 4 + block / 4 * 2 + block % 2;
            int beside = 4 + block / 4 * 2 + block % 4 / 2;
            int end = tokens(in, COLOUR, topFilled[above] + leftFilled[beside], 0, 0, 0, means, 0);
            topFilled[above] = leftFilled[beside] = (byte) (end > 0 ? 1 : 0);
        }
    }

    /** Reads the coefficients of a block from {@code first} on. Returns the end of them. */
    private int tokens(BoolReader in, int type, int context, int first, int mean, int others, int[] to, int at)
            throws IOException {
        int of = index(type, BANDS[first], context);
        for (int i = first; i < MACRO; i++) {
            if (in.bit(tokens[of]) == 0) {
                return i;
            }
            while (in.bit(tokens[of + 1]) == 0) {
                if (++i == MACRO) {
                    return MACRO;
                }
                of = index(type, BANDS[i], 0);
            }
            int value = 1;
            int next = 1;
            if (in.bit(tokens[of + 2]) != 0) {
                value = large(in, of);
                next = 2;
            }
            of = index(type, BANDS[i + 1], next);
            int signed = in.bit(128) != 0 ? -value : value;
            to[at + ZIGZAG[i]] = signed * (i == 0 ? mean : others);
        }
        return MACRO;
    }

    private static int index(int type, int band, int context) {
        return ((type * Vp8Tables.BANDS + band) * Vp8Tables.CONTEXTS + context) * Vp8Tables.TOKENS;
    }

    private int large(BoolReader in, int of) throws IOException {
        if (in.bit(tokens[of + 3]) == 0) {
            return in.bit(tokens[of + 4]) == 0 ? 2 : 3 + in.bit(tokens[of + 5]);
        }
        if (in.bit(tokens[of + 6]) == 0) {
            return in.bit(tokens[of + 7]) == 0 ? 5 + in.bit(159) : 7 + 2 * in.bit(165) + in.bit(145);
        }
        int high = in.bit(tokens[of + 8]);
        int size = 2 * high + in.bit(tokens[of + 9 + high]);
        int value = 0;
        for (int probability : LARGE[size]) {
            value = 2 * value + in.bit(probability);
        }
        return value + 3 + (8 << size);
    }

    /** The means of a macroblock's blocks, by the Walsh-Hadamard transform. */
    private void spreadMeans() {
        for (int i = 0; i < 4; i++) {
            int a = means[i] + means[12 + i];
            int b = means[4 + i] + means[8 + i];
            int c = means[4 + i] - means[8 + i];
            int d = means[i] - means[12 + i];
            turned[i] = a + b;
            turned[4 + i] = d + c;
            turned[8 + i] = a - b;
            turned[12 + i] = d - c;
        }
        for (int i = 0; i < 4; i++) {
            int a = turned[4 * i] + 3 + turned[4 * i + 3];
            int b = turned[4 * i + 1] + turned[4 * i + 2];
            int c = turned[4 * i + 1] - turned[4 * i + 2];
            int d = turned[4 * i] + 3 - turned[4 * i + 3];
            coefficients[64 * i] = (a + b) >> 3;
            coefficients[64 * i + 16] = (d + c) >> 3;
            coefficients[64 * i + 32] = (a - b) >> 3;
            coefficients[64 * i + 48] = (d - c) >> 3;
        }
    }

    private int sample(int at) {
        return rows[at] & 0xFF;
    }

    private void predictWhole(int at, int mode, int x, int y) {
        int mean = mode == MEAN ? mean(at, x > 0, y > 0) : 0;
        int corner = sample(at - stride - 1);
        for (int row = 0; row < MACRO; row++) {
            int start = at + row * stride;
            int left = sample(start - 1);
            for (int i = 0; i < MACRO; i++) {
                int value = switch (mode) {
                    case MEAN -> mean;
                    case VERTICAL -> sample(at - stride + i);
                    case HORIZONTAL -> left;
                    default -> Math.clamp(left + sample(at - stride + i) - corner, 0, 255);
                };
                rows[start + i] = (byte) value;
            }
        }
    }

    private int mean(int at, boolean hasLeft, boolean hasTop) {
        int sum = 0;
        for (int i = 0; i < MACRO; i++) {
            sum += hasLeft ? sample(at + i * stride - 1) : 0;
            sum += hasTop ? sample(at - stride + i) : 0;
        }
        return hasLeft && hasTop ? (sum + 16) >> 5 : hasLeft || hasTop ? (sum + 8) >> 4 : 128;
    }

    /** The four samples above and right of a macroblock: for all blocks of its last column. */
    private int[] aboveRight(int at, int x) {
        int[] right = new int[4];
        for (int i = 0; i < 4; i++) {
            right[i] = sample(at - stride + (x == across - 1 ? MACRO - 1 : MACRO + i));
        }
        return right;
    }

    /** @param right in place of the samples above and to the right; null if these are there */
    private void predict(int at, int mode, int[] right) {
        // From the lower left over the corner to the upper right.
        int[] e = edge;
        for (int i = 0; i < 4; i++) {
            e[3 - i] = sample(at + i * stride - 1);
            e[5 + i] = sample(at - stride + i);
            e[9 + i] = right == null ? sample(at - stride + 4 + i) : right[i];
        }
        e[4] = sample(at - stride - 1);
        int mean = 4;
        for (int i = 0; i < 4; i++) {
            mean += e[i] + e[5 + i];
        }
        for (int y = 0; y < 4; y++) {
            for (int x = 0; x < 4; x++) {
                int value = switch (mode) {
                    case MEAN -> mean >> 3;
                    case TRUE_MOTION -> Math.clamp(e[3 - y] + e[5 + x] - e[4], 0, 255);
                    case VERTICAL -> smooth(4 + x, 5 + x, 6 + x);
                    case HORIZONTAL -> smooth(4 - y, 3 - y, Math.max(0, 2 - y));
                    case DOWN_LEFT -> smooth(5 + x + y, 6 + x + y, Math.min(12, 7 + x + y));
                    case DOWN_RIGHT -> smooth(3 + x - y, 4 + x - y, 5 + x - y);
                    case VERTICAL_RIGHT -> verticalRight(x, y);
                    case VERTICAL_LEFT -> verticalLeft(x, y);
                    case HORIZONTAL_DOWN -> horizontalDown(x, y);
                    default -> horizontalUp(x + 2 * y);
                };
                rows[at + y * stride + x] = (byte) value;
            }
        }
    }

    private int verticalRight(int x, int y) {
        if (x == 0 && y > 1) {
            return smooth(4 - y, 5 - y, 6 - y);
        }
        int at = 4 + x - y / 2;
        return y % 2 == 0 ? middle(at, at + 1) : smooth(at - 1, at, at + 1);
    }

    private int verticalLeft(int x, int y) {
        if (x == 3 && y > 1) {
            return smooth(7 + y, 8 + y, 9 + y);
        }
        int at = 5 + x + y / 2;
        return y % 2 == 0 ? middle(at, at + 1) : smooth(at, at + 1, at + 2);
    }

    private int horizontalDown(int x, int y) {
        if (y == 0 && x > 1) {
            return smooth(2 + x, 3 + x, 4 + x);
        }
        int at = 3 - y + x / 2;
        return x % 2 == 0 ? middle(at, at + 1) : smooth(at, at + 1, at + 2);
    }

    private int horizontalUp(int from) {
        int at = 3 - from / 2;
        return from > 5
                ? edge[0]
                : from == 5 ? smooth(1, 0, 0) : from % 2 == 0 ? middle(at, at - 1) : smooth(at, at - 1, at - 2);
    }

    private int middle(int a, int b) {
        return (edge[a] + edge[b] + 1) >> 1;
    }

    private int smooth(int a, int b, int c) {
        return (edge[a] + 2 * edge[b] + edge[c] + 2) >> 2;
    }

    /** Adds what a block differs by from its prediction: the inverse of the cosine transform. */
    private void add(int at, int block) {
        int[] in = coefficients;
        boolean isEmpty = true;
        for (int i = 0; i < MACRO && isEmpty; i++) {
            isEmpty = in[block + i] == 0;
        }
        if (isEmpty) {
            return;
        }
        for (int i = 0; i < 4; i++) {
            int of = block + i;
            int a = in[of] + in[of + 8];
            int b = in[of] - in[of + 8];
            int c = sine(in[of + 4]) - cosine(in[of + 12]);
            int d = cosine(in[of + 4]) + sine(in[of + 12]);
            turned[4 * i] = a + d;
            turned[4 * i + 1] = b + c;
            turned[4 * i + 2] = b - c;
            turned[4 * i + 3] = a - d;
        }
        for (int y = 0; y < 4; y++) {
            int a = turned[y] + 4 + turned[8 + y];
            int b = turned[y] + 4 - turned[8 + y];
            int c = sine(turned[4 + y]) - cosine(turned[12 + y]);
            int d = cosine(turned[4 + y]) + sine(turned[12 + y]);
            int start = at + y * stride;
            rows[start] = sum(start, a + d);
            rows[start + 1] = sum(start + 1, b + c);
            rows[start + 2] = sum(start + 2, b - c);
            rows[start + 3] = sum(start + 3, a - d);
        }
    }

    private byte sum(int at, int eighths) {
        return (byte) Math.clamp(sample(at) + (eighths >> 3), 0, 255);
    }

    /** Times the square root of 2, and the cosine of an eighth of half a turn. */
    private static int cosine(int value) {
        return value + ((value * 20091) >> 16);
    }

    private static int sine(int value) {
        return (value * 35468) >> 16;
    }

    /** Reads bits of known probability (section 7). */
    private static final class BoolReader {

        private final byte[] bytes;
        private final int end;
        private int at;
        private int range = 255;
        private long value;

        /** Bits of the value that are there already; it needs 8 more. */
        private int bits = -8;

        BoolReader(byte[] bytes, int start, int end) {
            this.bytes = bytes;
            this.at = start;
            this.end = end;
        }

        /** @param probability of 0, in parts of 256 */
        int bit(int probability) throws EOFException {
            while (bits < 0) {
                load();
            }
            int split = 1 + (((range - 1) * probability) >> 8);
            long high = (long) split << bits;
            int bit = 0;
            if (value >= high) {
                value -= high;
                range -= split;
                bit = 1;
            } else {
                range = split;
            }
            int shift = Integer.numberOfLeadingZeros(range) - 24;
            range <<= shift;
            bits -= shift;
            return bit;
        }

        private void load() throws EOFException {
            if (at >= end) {
                throw new EOFException("its data ends before its last row");
            }
            do {
                value = (value << Byte.SIZE) | (bytes[at++] & 0xFF);
                bits += Byte.SIZE;
            } while (bits < 40 && at < end);
        }

        boolean flag() throws EOFException {
            return bit(128) != 0;
        }

        int literal(int count) throws EOFException {
            int literal = 0;
            for (int i = 0; i < count; i++) {
                literal = 2 * literal + bit(128);
            }
            return literal;
        }

        /** A signed number, or 0 if there is none. */
        int optional(int count) throws EOFException {
            if (flag() == false) {
                return 0;
            }
            int literal = literal(count);
            return flag() ? -literal : literal;
        }
    }
}
