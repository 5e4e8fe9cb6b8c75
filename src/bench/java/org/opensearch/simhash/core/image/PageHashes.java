/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.core.memory.Account;

/**
 * How well hashes tell pages of text apart, and find copies of a page: draws 300 pages in the fonts at hand, in six kinds and
 * five alphabets, makes nine copies of each, and prints for each hash the share of copies within the largest distance at
 * which no two different pages are near, and within others. Arguments: number of pages, seed.
 */
public final class PageHashes {

    private static final int WIDTH = 860;
    private static final int HEIGHT = 1216;

    private static final List<String> ALPHABETS = List.of(
            "etaoinshrdlucmfwypvbgkjqxz",
            "enisratdhulcgmobwfkzvpüäßjöyxq",
            "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфё",
            "αοιετσνηυρπκμλςδγχθφβξζψω",
            "اليمنوتربةعدسفهكقأحجشطصخضذئءثىزغظ");

    private static final String[] FONTS = {"DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "DejaVu Sans Condensed"};

    private enum Kind {
        LETTER,
        ARTICLE,
        INVOICE,
        CHAT,
        SLIDE,
        CAPTION
    }

    private record Algorithm(PerceptualHash hash, int length) {

        @Override
        public String toString() {
            return hash + ", " + length + " bits";
        }
    }

    private static final List<Algorithm> ALGORITHMS = List.of(
            new Algorithm(PerceptualHash.PHASH, 64),
            new Algorithm(PerceptualHash.AHASH, 64),
            new Algorithm(PerceptualHash.PDQ, 256),
            new Algorithm(PerceptualHash.PHASH, 256));

    private PageHashes() {}

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        int pages = args.length > 0 ? Integer.parseInt(args[0]) : 300;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
        Map<Algorithm, Map<Kind, List<long[]>>> originals = new LinkedHashMap<>();
        Map<Algorithm, Map<String, List<Integer>>> copies = new LinkedHashMap<>();
        int[] withoutHash = new int[ALGORITHMS.size()];
        for (int page = 0; page < pages; page++) {
            Kind kind = Kind.values()[page % Kind.values().length];
            BufferedImage drawn = draw(kind, page, seed);
            LumaImage original = decoded(TestImages.write("png", drawn));
            Map<String, byte[]> changed = changed(drawn);
            Map<String, LumaImage> decoded = new LinkedHashMap<>();
            changed.forEach((name, file) -> decoded.put(name, decoded(file)));
            for (int i = 0; i < ALGORITHMS.size(); i++) {
                Algorithm algorithm = ALGORITHMS.get(i);
                long[] hash = hash(algorithm, original);
                if (hash == null) {
                    withoutHash[i]++;
                    continue;
                }
                originals
                        .computeIfAbsent(algorithm, any -> new TreeMap<>())
                        .computeIfAbsent(kind, any -> new ArrayList<>())
                        .add(hash);
                decoded.forEach((name, image) -> {
                    long[] copy = hash(algorithm, image);
                    copies.computeIfAbsent(algorithm, any -> new LinkedHashMap<>())
                            .computeIfAbsent(name, any -> new ArrayList<>())
                            .add(copy == null ? Integer.MAX_VALUE : distance(hash, copy));
                });
            }
        }
        for (int i = 0; i < ALGORITHMS.size(); i++) {
            print(ALGORITHMS.get(i), originals.get(ALGORITHMS.get(i)), copies.get(ALGORITHMS.get(i)), withoutHash[i]);
        }
    }

    private static void print(
            Algorithm algorithm, Map<Kind, List<long[]>> originals, Map<String, List<Integer>> copies, int without) {
        System.out.println(algorithm + "; pages without a hash: " + without);
        int least = algorithm.length;
        for (Map.Entry<Kind, List<long[]>> kind : originals.entrySet()) {
            List<Integer> far = new ArrayList<>();
            List<long[]> hashes = kind.getValue();
            for (int i = 0; i < hashes.size(); i++) {
                for (int j = 0; j < i; j++) {
                    far.add(distance(hashes.get(i), hashes.get(j)));
                }
            }
            far.sort(null);
            System.out.printf(
                    Locale.ROOT,
                    "  other %-8s least %3d, 1 %% %3d, median %3d%n",
                    kind.getKey(),
                    far.getFirst(),
                    far.get(far.size() / 100),
                    far.get(far.size() / 2));
            if (kind.getKey() != Kind.CAPTION) {
                least = Math.min(least, far.getFirst());
            }
        }
        int most = least - 1;
        System.out.println("  no two different pages (but captions) within " + most + " bits; within it:");
        copies.forEach((name, distances) -> {
            distances.sort(null);
            System.out.printf(
                    Locale.ROOT,
                    "  %-28s %.3f   within 12 %.3f, 20 %.3f, 24 %.3f, 28 %.3f; median %d, 98 %% %d, most %d%n",
                    name,
                    share(distances, most),
                    share(distances, 12),
                    share(distances, 20),
                    share(distances, 24),
                    share(distances, 28),
                    distances.get(distances.size() / 2),
                    distances.get(distances.size() * 98 / 100),
                    distances.getLast());
        });
    }

    private static double share(List<Integer> distances, int most) {
        return distances.stream().filter(d -> d <= most).count() / (double) distances.size();
    }

    private static LumaImage decoded(byte[] file) {
        try (Account account = new Account(bytes -> {})) {
            return ImageDecoder.decode(file, new Decoding(1024, 50_000_000, TimeValue.timeValueMinutes(1), account));
        }
    }

    private static long[] hash(Algorithm algorithm, LumaImage image) {
        try (Account account = new Account(bytes -> {})) {
            return algorithm.hash.hash(image, algorithm.length, account).words();
        }
    }

    private static int distance(long[] a, long[] b) {
        int distance = 0;
        for (int i = 0; i < a.length; i++) {
            distance += Long.bitCount(a[i] ^ b[i]);
        }
        return distance;
    }

    private static Map<String, byte[]> changed(BufferedImage page) {
        int width = page.getWidth();
        int height = page.getHeight();
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("JPEG of quality 50", TestImages.write("jpeg", page, 0.5f, false));
        files.put("half as wide", TestImages.write("png", TestImages.scaled(page, width / 2, height / 2)));
        files.put(
                "a third larger, JPEG",
                TestImages.write("jpeg", TestImages.scaled(page, width * 4 / 3, height * 4 / 3), 0.8f, false));
        files.put("grey", TestImages.write("png", TestImages.as(BufferedImage.TYPE_BYTE_GRAY, page)));
        files.put("darker paper, as scanned", TestImages.write("jpeg", TestImages.brighter(page, 0.85, 10), 0.7f, false));
        files.put("1 % cut off each side", TestImages.write("png", cut(page, 10, 10, 10, 10)));
        files.put("2 % cut off each side", TestImages.write("png", cut(page, 20, 20, 20, 20)));
        files.put("3 %, .7 %, 0, 1.5 % cut off", TestImages.write("png", cut(page, 30, 7, 0, 15)));
        BufferedImage smaller = TestImages.scaled(cut(page, 20, 20, 20, 20), width * 3 / 4, height * 3 / 4);
        files.put("2 % cut off, smaller, JPEG", TestImages.write("jpeg", smaller, 0.6f, false));
        return files;
    }

    /** In thousandths of the width and of the height. */
    private static BufferedImage cut(BufferedImage page, int left, int top, int right, int bottom) {
        int x = page.getWidth() * left / 1000;
        int y = page.getHeight() * top / 1000;
        int across = page.getWidth() - page.getWidth() * right / 1000 - x;
        int down = page.getHeight() - page.getHeight() * bottom / 1000 - y;
        return TestImages.as(BufferedImage.TYPE_INT_RGB, page.getSubimage(x, y, across, down));
    }

    private static BufferedImage draw(Kind kind, int page, long seed) {
        Random random = new Random(seed * 1_000_003 + page);
        boolean isWide = kind == Kind.CHAT || kind == Kind.SLIDE;
        BufferedImage image = new BufferedImage(
                isWide ? HEIGHT : WIDTH, isWide ? WIDTH * 4 / 5 : HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D paper = image.createGraphics();
        paper.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        paper.setColor(Color.WHITE);
        paper.fillRect(0, 0, image.getWidth(), image.getHeight());
        paper.setColor(Color.BLACK);
        Sheet sheet = new Sheet(paper, random, ALPHABETS.get(page / Kind.values().length % ALPHABETS.size()));
        String font = FONTS[page / 30 % FONTS.length];
        switch (kind) {
            case LETTER -> letter(sheet);
            case ARTICLE -> article(sheet, font);
            case INVOICE -> invoice(sheet);
            case CHAT -> chat(sheet, image);
            case SLIDE -> slide(sheet, image, font);
            case CAPTION -> caption(sheet);
        }
        paper.dispose();
        return image;
    }

    /** All of one letterhead, font, alphabet and length: only the words differ. */
    private static void letter(Sheet sheet) {
        Sheet english = new Sheet(sheet.paper, sheet.random, ALPHABETS.getFirst());
        sheet.paper.setColor(new Color(0x224488));
        sheet.paper.fillRect(80, 60, 90, 90);
        sheet.paper.setColor(Color.BLACK);
        english.line("Example & Partners", 200, 100, new Font("DejaVu Serif", Font.BOLD, 26));
        english.line("12 Long Street, Old Town", 200, 130, new Font("DejaVu Serif", Font.PLAIN, 13));
        Font font = new Font("DejaVu Serif", Font.PLAIN, 15);
        english.paragraph(80, 230, 250, 4, font);
        english.line(english.words(5), 80, 360, new Font("DejaVu Serif", Font.BOLD, 16));
        int y = english.paragraph(80, 410, 700, 12, font);
        y = english.paragraph(80, y + 20, 700, 10, font);
        y = english.paragraph(80, y + 20, 700, 8, font);
        english.line(english.words(2), 80, y + 50, font);
    }

    private static void article(Sheet sheet, String font) {
        sheet.line(sheet.words(4), 70, 110, new Font(font, Font.BOLD, 32));
        Font text = new Font(font, Font.PLAIN, 13);
        for (int column = 0; column < 2; column++) {
            int y = 180;
            while (y < HEIGHT - 120) {
                int lines = Math.min(3 + sheet.random.nextInt(14), (HEIGHT - 80 - y) / 18);
                y = sheet.paragraph(70 + column * 370, y, 340, lines, text) + 14;
            }
        }
    }

    /** One form; only words and numbers differ. */
    private static void invoice(Sheet sheet) {
        sheet.line("Invoice", 80, 110, new Font("DejaVu Sans", Font.BOLD, 34));
        Font font = new Font("DejaVu Sans", Font.PLAIN, 14);
        sheet.paragraph(80, 170, 260, 4, font);
        for (int row = 0; row < 16; row++) {
            int y = 360 + row * 36;
            sheet.paper.drawLine(80, y + 10, 780, y + 10);
            sheet.line(sheet.words(1 + sheet.random.nextInt(4)), 90, y, font);
            sheet.line("" + sheet.random.nextInt(40), 520, y, font);
            sheet.line(String.format(Locale.ROOT, "%.2f", sheet.random.nextDouble() * 5000), 660, y, font);
        }
    }

    private static void chat(Sheet sheet, BufferedImage image) {
        sheet.paper.setColor(new Color(0x30343C));
        sheet.paper.fillRect(0, 0, 260, image.getHeight());
        sheet.paper.setColor(Color.LIGHT_GRAY);
        Font font = new Font("DejaVu Sans", Font.PLAIN, 15);
        for (int i = 0; i < 12; i++) {
            sheet.line(sheet.words(2), 20, 60 + i * 50, font);
        }
        int y = 50;
        while (y < image.getHeight() - 120) {
            int lines = 1 + sheet.random.nextInt(4);
            int x = sheet.random.nextBoolean() ? 300 : 620;
            sheet.paper.setColor(new Color(x == 300 ? 0xE4E8F0 : 0xC8E6C9));
            sheet.paper.fillRoundRect(x, y, 540, lines * 22 + 22, 20, 20);
            sheet.paper.setColor(Color.BLACK);
            y = sheet.paragraph(x + 16, y + 24, 500, lines, font) + 30;
        }
    }

    private static void slide(Sheet sheet, BufferedImage image, String font) {
        sheet.paper.setColor(new Color(0x1B4F72));
        sheet.paper.fillRect(0, 0, image.getWidth(), 130);
        sheet.paper.setColor(Color.WHITE);
        sheet.line(sheet.words(4), 60, 85, new Font(font, Font.BOLD, 40));
        sheet.paper.setColor(Color.BLACK);
        for (int i = 0; i < 3 + sheet.random.nextInt(4); i++) {
            sheet.paper.fillOval(60, 190 + i * 75, 14, 14);
            sheet.line(sheet.words(3 + sheet.random.nextInt(7)), 100, 206 + i * 75, new Font(font, Font.PLAIN, 28));
        }
    }

    /** One picture for all. */
    private static void caption(Sheet sheet) {
        sheet.paper.drawImage(TestImages.draw(77, 700, 700), 80, 80, null);
        sheet.paper.setColor(Color.BLACK);
        sheet.paragraph(80, 860, 700, 2, new Font("DejaVu Sans", Font.BOLD, 26));
    }

    /** A page that is being written on. */
    private static final class Sheet {

        private final Graphics2D paper;
        private final Random random;
        private final String alphabet;

        Sheet(Graphics2D paper, Random random, String alphabet) {
            this.paper = paper;
            this.random = random;
            this.alphabet = alphabet;
        }

        String words(int count) {
            StringBuilder words = new StringBuilder();
            for (int i = 0; i < count; i++) {
                words.append(i == 0 ? "" : " ");
                for (int length = 1 + (int) Math.abs(random.nextGaussian() * 3 + 4); length > 0; length--) {
                    double common = Math.pow(random.nextDouble(), 1.7);
                    words.append(alphabet.charAt((int) (common * alphabet.length())));
                }
            }
            return words.toString();
        }

        void line(String text, int x, int y, Font font) {
            paper.setFont(font);
            paper.drawString(text, x, y);
        }

        /** Ragged lines; the last one is short. Returns where the next begins. */
        int paragraph(int x, int y, int width, int lines, Font font) {
            paper.setFont(font);
            FontMetrics metrics = paper.getFontMetrics();
            int at = y;
            for (int line = 0; line < lines; line++) {
                int room = line == lines - 1 ? width * (20 + random.nextInt(70)) / 100 : width;
                StringBuilder text = new StringBuilder(words(1));
                while (true) {
                    String next = " " + words(1);
                    if (metrics.stringWidth(text + next) > room) {
                        break;
                    }
                    text.append(next);
                }
                paper.drawString(text.toString(), x, at);
                at += metrics.getHeight() + 2;
            }
            return at;
        }
    }
}
