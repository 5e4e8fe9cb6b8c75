/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.simhash.search.ingest.TextProcessor;

/**
 * Documents a second that the whole processor makes fingerprints of, analysis included, on one core, by language and analyzer:
 * pieces of {@value #WORDS} words, or {@value #CHARACTERS} characters where words are not written apart, {@code html: none}.
 * By the processor time of the thread, which other work on the machine disturbs less than the clock.
 */
public final class ProcessorThroughput {

    private static final int WORDS = 200;
    private static final int CHARACTERS = 400;
    private static final int PIECES = 1_000;
    private static final long ROUND_NANOS = 1_000_000_000L;
    private static final int WARM_UP = 3;
    private static final int ROUNDS = 5;

    private static final List<Map.Entry<String, String>> CASES = List.of(
            Map.entry("en", "standard"),
            Map.entry("en", "english"),
            Map.entry("de", "standard"),
            Map.entry("de", "german"),
            Map.entry("fr", "standard"),
            Map.entry("fr", "french"),
            Map.entry("es", "standard"),
            Map.entry("es", "spanish"),
            Map.entry("ru", "standard"),
            Map.entry("ru", "russian"),
            Map.entry("zh", "standard"),
            Map.entry("zh", "smartcn"),
            Map.entry("ja", "standard"),
            Map.entry("ja", "cjk"));

    private static final Set<String> WITHOUT_SPACES = Set.of("zh", "ja");

    private ProcessorThroughput() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println("| language | analyzer | documents/s |\n|---|---|---:|");
        try (NodeProcessors node = new NodeProcessors(Path.of("target"))) {
            for (Map.Entry<String, String> entry : CASES) {
                TextProcessor processor = node.create(Map.of("analyzer", entry.getValue()));
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %s | %,.0f |%n",
                        entry.getKey(),
                        entry.getValue(),
                        rate(processor, pieces(entry.getKey())));
            }
        }
    }

    private static double rate(TextProcessor processor, List<String> pieces) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double[] rates = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            long start = threads.getCurrentThreadCpuTime();
            long end = start;
            long documents = 0;
            for (; end - start < ROUND_NANOS; end = threads.getCurrentThreadCpuTime()) {
                for (String piece : pieces) {
                    Map<String, Object> source = new HashMap<>(Map.of(NodeProcessors.TEXT, piece));
                    processor.execute(new IngestDocument("docs", "1", null, null, VersionType.INTERNAL, source));
                }
                documents += pieces.size();
            }
            if (round >= 0) {
                rates[round] = documents * 1e9 / (end - start);
            }
        }
        Arrays.sort(rates);
        return rates[ROUNDS / 2];
    }

    private static List<String> pieces(String language) {
        List<String> texts = new SampleIndex()
                .documents().values().stream()
                        .filter(document -> language.equals(document.get("language")))
                        .map(document -> (String) document.get("content"))
                        .toList();
        if (texts.isEmpty()) {
            throw new IllegalStateException("the sample has no texts in " + language);
        }
        String all = String.join("\n", texts);
        boolean spaces = WITHOUT_SPACES.contains(language) == false;
        String[] words = all.split("\\s+", -1);
        Random random = new Random(1);
        List<String> pieces = new ArrayList<>();
        while (pieces.size() < PIECES) {
            if (spaces) {
                int start = random.nextInt(words.length - WORDS);
                pieces.add(String.join(" ", Arrays.asList(words).subList(start, start + WORDS)));
            } else {
                int start = random.nextInt(all.length() - CHARACTERS);
                pieces.add(all.substring(start, start + CHARACTERS));
            }
        }
        return pieces;
    }
}
