/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.opensearch.simhash.quality.DataSet.Kind;

/**
 * Which sketch finds real texts again with the errors of a scanner: one text of each group of the sets of documents, beside
 * copies in which 1 or 2 % of the letters are replaced, left out or followed by another one. By words, and by characters as
 * {@code "features": "characters"} and with other runs. The last column counts pairs of different texts that are as near.
 * {@code target/java -Dsimhash.data=FOLDER org.opensearch.simhash.quality.OcrNoise}; four minutes. With some languages behind it
 * ({@code ja zh}) for their sets alone, each also in a table of its own.
 */
public final class OcrNoise {

    private static final int SHORTEST = 600;
    private static final int LONGEST = 6_000;
    private static final int FEWEST_TEXTS = 10;
    private static final double[] ERRORS = {0.01, 0.02};
    /** Of each text: sets have as few as 25. */
    private static final int COPIES = 3;

    private static final Map<String, Object> CHARACTERS = Map.of("features", "characters");

    private final NodeProcessors node;
    private final Map<String, Figures> figures = new LinkedHashMap<>();

    /** A sketch with its options and its limit. */
    private interface Sketching {
        Near of(DataSet set);
    }

    /** Whether two documents are found. */
    private interface Near {
        boolean of(int a, int b);
    }

    /** The mean and the worst of some sets: recall at each rate of errors, and near pairs of different texts. */
    private static final class Figures {

        private final double[] sums = new double[ERRORS.length + 1];
        private final double[] worst = {1, 1, 0};
        private int sets;

        void add(double[] ofSet) {
            sets++;
            for (int i = 0; i < sums.length; i++) {
                sums[i] += ofSet[i];
                worst[i] = i < ERRORS.length ? Math.min(worst[i], ofSet[i]) : Math.max(worst[i], ofSet[i]);
            }
        }

        void print(Table table, String title) {
            table.row(
                    title,
                    cell(Table.share(sums[0] / sets), Table.share(worst[0])),
                    cell(Table.share(sums[1] / sets), Table.share(worst[1])),
                    cell(Table.perTenThousand(sums[2] / sets), Table.perTenThousand(worst[2])));
        }

        private String cell(String mean, String ofWorst) {
            return sets == 1 ? mean : mean + " (" + ofWorst + ")";
        }
    }

    private OcrNoise(NodeProcessors node) {
        this.node = node;
    }

    public static void main(String[] languages) throws IOException {
        try (NodeProcessors node = new NodeProcessors(Path.of("target"))) {
            OcrNoise noise = new OcrNoise(node);
            int texts = 0;
            int sets = 0;
            for (DataSet set : new TextSets(DataSets.configured()).read()) {
                List<String> ofSet = texts(set);
                boolean isAsked =
                        languages.length == 0 || Set.of(languages).contains(set.language().substring(0, 2));
                if (set.kind() == Kind.DOCUMENTS && isAsked && ofSet.size() >= FEWEST_TEXTS) {
                    noise.measure(set, ofSet, languages.length > 0);
                    texts += ofSet.size();
                    sets++;
                }
            }
            System.out.println(texts + " texts of " + sets + " sets, the mean and the worst of these\n");
            System.out.println(table(noise.figures));
        }
    }

    private static Table table(Map<String, Figures> figures) {
        Table table = new Table("sketch", "recall at 1 %", "at 2 %", "near, of 10,000");
        figures.forEach((title, of) -> of.print(table, title));
        return table;
    }

    private void measure(DataSet set, List<String> texts, boolean prints) {
        Map<String, Figures> ofSet = new LinkedHashMap<>();
        DataSet[] noisy = new DataSet[ERRORS.length];
        for (int i = 0; i < ERRORS.length; i++) {
            noisy[i] = noisy(set.language(), texts, ERRORS[i]);
        }
        sketchings().forEach((title, sketching) -> {
            double[] row = new double[ERRORS.length + 1];
            for (int i = 0; i < ERRORS.length; i++) {
                Near near = sketching.of(noisy[i]);
                row[i] = recall(near, texts.size());
                row[ERRORS.length] = others(near, texts.size());
            }
            figures.computeIfAbsent(title, unused -> new Figures()).add(row);
            ofSet.computeIfAbsent(title, unused -> new Figures()).add(row);
        });
        if (prints) {
            System.out.println(set.title() + ", " + texts.size() + " texts\n\n" + table(ofSet));
        }
    }

    private Map<String, Sketching> sketchings() {
        Map<String, Sketching> all = new LinkedHashMap<>();
        all.put("`simhash` of words, within 11 bits", bits(Recipes.DEFAULT));
        all.put("of runs of three letters", bits(runs(1)));
        all.put("of four", bits(CHARACTERS));
        all.put("of five", bits(runs(3)));
        all.put("`minhash` of words, from 0.69", sketches(Recipes.DEFAULT, 0.69));
        all.put("from 0.3", sketches(Recipes.DEFAULT, 0.3));
        all.put("of runs of five letters, from 0.69", sketches(CHARACTERS, 0.69));
        return all;
    }

    /** Runs of letters that are {@code size} tokens of three letters long. */
    private static Map<String, Object> runs(int size) {
        return Map.of("features", "characters", "min_shingle_size", size, "max_shingle_size", size);
    }

    private Sketching bits(Map<String, Object> recipe) {
        return set -> {
            Fingerprints bits = Fingerprints.of(set, node.create(recipe));
            return (a, b) -> bits.of(a, b) <= Verified.MAX_DISTANCE;
        };
    }

    private Sketching sketches(Map<String, Object> recipe, double similarity) {
        return set -> {
            Sketches sketches = Sketches.of(set, node.create(recipe).fingerprinter().sketching());
            int distance = sketches.distance(similarity);
            return (a, b) -> sketches.of(a, b) <= distance && sketches.share(a, b);
        };
    }

    /** One of each group that is long enough. */
    private static List<String> texts(DataSet set) {
        List<String> texts = new ArrayList<>();
        Set<String> groups = new HashSet<>();
        for (DataSet.Document document : set.documents()) {
            if (document.text().length() >= SHORTEST && groups.add(document.group())) {
                texts.add(document.text().substring(0, Math.min(LONGEST, document.text().length())));
            }
        }
        return texts;
    }

    /** The texts, and behind them the copies of each. */
    private static DataSet noisy(String language, List<String> texts, double errors) {
        Random random = new Random(54);
        int[] letters = texts.stream()
                .flatMapToInt(text -> text.codePoints().filter(Character::isLetter))
                .toArray();
        DataSetBuilder builder = new DataSetBuilder("noise", language, Kind.DOCUMENTS);
        for (int i = 0; i < texts.size(); i++) {
            builder.document("text " + i, "group " + i, texts.get(i));
        }
        for (int i = 0; i < texts.size(); i++) {
            for (int copy = 0; copy < COPIES; copy++) {
                builder.document(i + " copy " + copy, "group " + i, scanned(texts.get(i), errors, letters, random));
            }
        }
        return builder.build();
    }

    private static String scanned(String text, double errors, int[] letters, Random random) {
        StringBuilder scanned = new StringBuilder();
        text.codePoints().forEach(character -> {
            if (Character.isLetter(character) == false || random.nextDouble() >= errors) {
                scanned.appendCodePoint(character);
                return;
            }
            int other = letters[random.nextInt(letters.length)];
            switch (random.nextInt(3)) {
                case 0 -> scanned.appendCodePoint(other);
                case 1 -> scanned.appendCodePoint(character).appendCodePoint(other);
                default -> {} // left out
            }
        });
        return scanned.toString();
    }

    private static double recall(Near near, int texts) {
        int found = 0;
        for (int i = 0; i < texts * COPIES; i++) {
            found += near.of(i / COPIES, texts + i) ? 1 : 0;
        }
        return found / (double) (texts * COPIES);
    }

    /** Pairs of different texts. Some are truly alike. */
    private static double others(Near near, int texts) {
        long found = 0;
        for (int b = 0; b < texts; b++) {
            for (int a = 0; a < b; a++) {
                found += near.of(a, b) ? 1 : 0;
            }
        }
        return found / (texts * (texts - 1) / 2.0);
    }
}
