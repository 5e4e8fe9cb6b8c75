/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.fingerprint.FeatureList;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.Vocabulary;
import org.opensearch.simhash.core.fingerprint.Weights;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.quality.DataSet.Kind;

/**
 * Which sketch finds rows of one line, log lines and texts with the errors of a scanner, and how near unrelated texts come as
 * they grow. All texts are made here, with fixed seeds: {@code target/java org.opensearch.simhash.quality.OtherTexts}; a minute.
 */
public final class OtherTexts {

    private static final int TEXTS = 400;
    private static final int WORDS = 8000;

    private final NodeProcessors node;
    private final Random random = new Random(54);
    private final String[] vocabulary = vocabulary();
    private final double[] zipf = zipf();

    private OtherTexts(NodeProcessors node) {
        this.node = node;
    }

    public static void main(String[] args) throws IOException {
        try (NodeProcessors node = new NodeProcessors(Path.of("target"))) {
            OtherTexts texts = new OtherTexts(node);
            System.out.println(texts.sketches());
            System.out.println(texts.lengths());
        }
    }

    private String sketches() {
        Table table = new Table(
                "texts",
                "`simhash` within 11",
                "`minhash` from 0.69",
                "from 0.5",
                "from 0.3",
                "runs of four letters within 11",
                "of three",
                "unrelated of three, of 10,000");
        for (int words : new int[] {8, 12, 16, 24}) {
            row(table, "rows of " + words + " words, one replaced", i -> words(words), this::replaceWord);
        }
        row(table, "log lines, other time and number", i -> log(), this::otherTime);
        for (double errors : new double[] {0.005, 0.01, 0.02}) {
            row(table, "300 words, " + 100 * errors + " % of the letters wrong", i -> words(300), text -> scan(text, errors));
        }
        return table.toString();
    }

    private void row(Table table, String title, IntFunction<String> text, UnaryOperator<String> edit) {
        DataSetBuilder builder = new DataSetBuilder("other", "en", Kind.DOCUMENTS);
        for (int i = 0; i < TEXTS; i++) {
            String one = text.apply(i);
            builder.pair(
                    builder.document("a" + i, "g" + i, one),
                    builder.document("b" + i, "g" + i, edit.apply(one)),
                    true,
                    1);
        }
        DataSet set = builder.build();
        var standard = node.create(Recipes.DEFAULT);
        Fingerprints bits = Fingerprints.of(set, standard);
        Sketches sketches = Sketches.of(set, standard.fingerprinter().sketching());
        Fingerprints ofFour = Fingerprints.of(set, node.create(letters(4)));
        Fingerprints ofThree = Fingerprints.of(set, node.create(letters(3)));
        table.row(
                title,
                Table.share(found(set, bits)),
                Table.share(found(set, sketches, 0.69)),
                Table.share(found(set, sketches, 0.5)),
                Table.share(found(set, sketches, 0.3)),
                Table.share(found(set, ofFour)),
                Table.share(found(set, ofThree)),
                Table.perTenThousand(unrelated(set, ofThree)));
    }

    private static Map<String, Object> letters(int run) {
        return Map.of(
                "analyzer",
                Map.of(
                        "tokenizer",
                        Map.of("type", "ngram", "min_gram", run, "max_gram", run),
                        "filter",
                        List.of("lowercase")),
                "max_shingle_size",
                1);
    }

    private static double found(DataSet set, Distances distances) {
        return set.pairs().stream()
                        .filter(pair -> distances.of(pair.a(), pair.b()) <= Verified.MAX_DISTANCE)
                        .count()
                / (double) set.pairs().size();
    }

    private static double found(DataSet set, Sketches sketches, double similarity) {
        return set.pairs().stream()
                        .filter(pair -> sketches.share(pair.a(), pair.b())
                                && sketches.of(pair.a(), pair.b()) <= sketches.distance(similarity))
                        .count()
                / (double) set.pairs().size();
    }

    private static double unrelated(DataSet set, Distances distances) {
        long all = 0;
        long near = 0;
        for (int b = 0; b < set.documents().size(); b++) {
            for (int a = 0; a < b; a++) {
                if (set.documents().get(a).group().equals(set.documents().get(b).group()) == false) {
                    all++;
                    near += distances.of(a, b) <= Verified.MAX_DISTANCE ? 1 : 0;
                }
            }
        }
        return near / (double) all;
    }

    /** Unrelated texts of one language: how near they come, by what a feature weighs that occurs often. */
    private String lengths() {
        Map<String, Weights> candidates = new LinkedHashMap<>();
        candidates.put("1 + ln(count)", Weights.DEFAULT);
        candidates.put("at most 1 + ln(16)", Weights.DEFAULT.atMost(16));
        candidates.put("at most 1 + ln(8)", Weights.DEFAULT.atMost(8));
        candidates.put("at most 1 + ln(4)", Weights.DEFAULT.atMost(4));
        candidates.put("1 + 0.5 ln(count)", Weights.DEFAULT.slope(0.5));
        candidates.put("1", Weights.DEFAULT.atMost(1));
        List<String> header = new ArrayList<>(List.of("words", "texts"));
        header.addAll(candidates.keySet());
        Table table = new Table(header);
        var fingerprinter = node.create(Recipes.DEFAULT).fingerprinter();
        for (int length : new int[] {100, 300, 1000, 3000, 10_000, 30_000, 100_000}) {
            int texts = Math.clamp(6_000_000 / length, 60, 400);
            Vocabulary numbers = new Vocabulary();
            List<FeatureList> features = IntStream.range(0, texts)
                    .mapToObj(i -> FeatureList.of(SourceTexts.of(subject(length)), fingerprinter, numbers))
                    .toList();
            long[] hashes = numbers.hashes(Hashing.xxh3_64(HashFunction.SEED));
            List<String> cells = new ArrayList<>(List.of(String.valueOf(length), String.valueOf(texts)));
            for (Weights weights : candidates.values()) {
                double[] factors = numbers.figures(weights.tokens());
                cells.add(distances(features.stream()
                        .mapToLong(list -> list.bits(hashes, factors, weights.byCount()))
                        .toArray()));
            }
            table.row(cells.getFirst(), cells.subList(1, cells.size()).toArray());
        }
        return "Median distance of unrelated texts / pairs within 11 and within 7 bits, of 10,000\n\n" + table;
    }

    private static String distances(long[] bits) {
        int[] distances = IntStream.range(0, bits.length)
                .flatMap(b -> IntStream.range(0, b).map(a -> Fingerprint.distance(bits[a], bits[b])))
                .sorted()
                .toArray();
        return distances[distances.length / 2] + " / " + within(distances, 11) + ", " + within(distances, 7);
    }

    private static String within(int[] distances, int most) {
        return Table.perTenThousand(
                Arrays.stream(distances).filter(distance -> distance <= most).count() / (double) distances.length);
    }

    /** Of four words one is of the subject of the text, three are of the language. */
    private String subject(int length) {
        int shift = random.nextInt(WORDS);
        return IntStream.range(0, length)
                .mapToObj(i -> vocabulary[random.nextInt(4) > 0 ? rank() : WORDS + (rank() * 7 + shift) % WORDS])
                .collect(Collectors.joining(" "));
    }

    private String words(int length) {
        return IntStream.range(0, length).mapToObj(i -> vocabulary[rank()]).collect(Collectors.joining(" "));
    }

    private String log() {
        return "2026-11-27 10:" + two(60) + ":" + two(60) + " ERROR [" + vocabulary[random.nextInt(WORDS)] + "-"
                + random.nextInt(20) + "] " + words(10) + " after " + random.nextInt(5000) + " ms";
    }

    private String otherTime(String line) {
        return line.replaceFirst("10:\\d\\d:\\d\\d", "11:" + two(60) + ":" + two(60))
                .replaceFirst("after \\d+", "after " + random.nextInt(5000));
    }

    private String two(int below) {
        int number = random.nextInt(below);
        return (number < 10 ? "0" : "") + number;
    }

    private String replaceWord(String text) {
        String[] words = text.split(" ", -1);
        words[random.nextInt(words.length)] = vocabulary[random.nextInt(WORDS)];
        return String.join(" ", words);
    }

    private String scan(String text, double errors) {
        StringBuilder scanned = new StringBuilder(text);
        for (int i = 0; i < scanned.length(); i++) {
            if (Character.isLetter(scanned.charAt(i)) && random.nextDouble() < errors) {
                scanned.setCharAt(i, (char) ('a' + random.nextInt(26)));
            }
        }
        return scanned.toString();
    }

    private int rank() {
        int at = Arrays.binarySearch(zipf, random.nextDouble());
        return Math.min(WORDS - 1, at < 0 ? -at - 1 : at);
    }

    private String[] vocabulary() {
        TreeMap<String, Boolean> words = new TreeMap<>();
        while (words.size() < 2 * WORDS) {
            StringBuilder word = new StringBuilder();
            for (int i = 1 + random.nextInt(3); i >= 0; i--) {
                word.append("bcdfghklmnprstvw".charAt(random.nextInt(16))).append("aeiou".charAt(random.nextInt(5)));
            }
            words.put(word.append("nrst".charAt(random.nextInt(4))).toString(), true);
        }
        List<String> mixed = new ArrayList<>(words.keySet());
        Collections.shuffle(mixed, random);
        return mixed.toArray(String[]::new);
    }

    private static double[] zipf() {
        double[] sums = new double[WORDS];
        double sum = 0;
        for (int i = 0; i < WORDS; i++) {
            sum += 1 / Math.pow(i + 1, 1.1);
            sums[i] = sum;
        }
        double all = sum;
        return Arrays.stream(sums).map(part -> part / all).toArray();
    }
}
