/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.Buffers;
import org.opensearch.simhash.core.fingerprint.RecipeBuilder;
import org.opensearch.simhash.core.fingerprint.StandardWordAnalyzer;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.node.SampleIndex;

/**
 * Documents of 200 words a second on one core: with a fingerprint, with a sketch, with both as in one pipeline, and with passages. Medians of rounds in turn: {@code
 * target/java org.opensearch.simhash.quality.SketchThroughput}.
 */
public final class SketchThroughput {

    private static final int WORDS = 200;
    private static final int ROUNDS = 25;
    private static final int REPEATED = 20;

    /** Others may run on the machine. */
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private SketchThroughput() {}

    public static void main(String[] args) {
        List<String> words = new SampleIndex().words("en", "de", "fr");
        List<SourceTexts> documents = IntStream.range(0, words.size() / WORDS)
                .mapToObj(i -> SourceTexts.of(String.join(" ", words.subList(i * WORDS, (i + 1) * WORDS))))
                .toList();
        LanguageAnalyzers analyzers = new LanguageAnalyzers(new StandardWordAnalyzer(), Map.of(), null);
        Buffers buffers = new Buffers();
        Fingerprinter simhash = new Fingerprinter(new RecipeBuilder().build(), analyzers, buffers);
        Fingerprinter minhash = simhash.sketching();
        Fingerprinter passages =
                new Fingerprinter(new RecipeBuilder().passages(PassageLayout.DEFAULT).build(), analyzers, buffers);
        List<Consumer<SourceTexts>> ways = List.of(
                text -> simhash.fingerprint(text, bytes -> {}),
                text -> minhash.sketch(text, bytes -> {}),
                text -> {
                    simhash.fingerprint(text, bytes -> {});
                    minhash.sketch(text, bytes -> {});
                },
                text -> {
                    simhash.fingerprint(text, bytes -> {});
                    passages.passageTerms(text, bytes -> {});
                });
        double[][] perSecond = new double[ways.size()][ROUNDS];
        for (int round = -5; round < ROUNDS; round++) {
            for (int way = 0; way < ways.size(); way++) {
                long start = CPU.getCurrentThreadCpuTime();
                for (int i = 0; i < REPEATED; i++) {
                    documents.forEach(ways.get(way));
                }
                if (round >= 0) {
                    perSecond[way][round] = 1e9 * REPEATED * documents.size() / (CPU.getCurrentThreadCpuTime() - start);
                }
            }
        }
        double[] medians = new double[ways.size()];
        for (int way = 0; way < medians.length; way++) {
            Arrays.sort(perSecond[way]);
            medians[way] = perSecond[way][ROUNDS / 2];
        }
        System.out.printf(
                Locale.ROOT,
                "%d documents: simhash %,.0f/s, minhash %,.0f/s, both %,.0f/s: %.2f of simhash alone; simhash and passages %,.0f/s: %.2f%n",
                documents.size(),
                medians[0],
                medians[1],
                medians[2],
                medians[2] / medians[0],
                medians[3],
                medians[3] / medians[0]);
    }
}
