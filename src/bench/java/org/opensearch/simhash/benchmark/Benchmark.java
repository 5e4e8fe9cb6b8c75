/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;

/** What {@code tools/benchmark} runs. Arguments: documents, {@code uniform|skewed|both}, then what to measure, if not all. */
public final class Benchmark {

    /** Up to here the other node is filled too without being asked. */
    private static final int KNN_DOCUMENTS = 1_000_000;

    private static final Path FILE = Path.of("docs", "figures", "benchmarks-http.md");

    private final RestClient client;
    private final Report report;
    private final Set<Part> parts;

    private Benchmark(RestClient client, Report report, Set<Part> parts) {
        this.client = client;
        this.report = report;
        this.parts = parts;
    }

    private enum Part {
        VERIFY,
        SEARCH,
        MSEARCH,
        LOAD,
        CANCEL,
        COST,
        KNN
    }

    public static void main(String[] args) {
        int documents = Integer.parseInt(args[0]);
        List<Spread> spreads = Arrays.stream(Spread.values())
                .filter(spread -> List.of("both", spread.toString()).contains(args[1]))
                .toList();
        Set<Part> parts = Arrays.stream(args)
                .skip(2)
                .map(name -> Part.valueOf(name.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Part.class)));
        boolean all = parts.isEmpty() && spreads.size() == Spread.values().length;
        if (parts.isEmpty()) {
            parts.addAll(
                    documents > KNN_DOCUMENTS ? EnumSet.complementOf(EnumSet.of(Part.KNN)) : EnumSet.allOf(Part.class));
        }
        var report = new Report(documents, all ? FILE : null);
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            var benchmark = new Benchmark(cluster.client(), report, parts);
            if (parts.remove(Part.VERIFY)) {
                new VerificationCost(cluster.client(), report).run();
            }
            if (parts.isEmpty() == false) {
                spreads.forEach(spread -> benchmark.measure(Corpus.of(spread, documents)));
            }
        }
        report.end();
    }

    private void measure(Corpus corpus) {
        report.progress("indexing " + corpus.size() + " fingerprints, " + corpus.spread());
        var index = FingerprintIndex.build(client, "fingerprints-" + corpus.spread(), corpus);
        report.progress(
                String.format(Locale.ROOT, "bulk %.1f s, merge %.1f s", index.bulkSeconds(), index.mergeSeconds()));
        for (Part part : parts) {
            switch (part) {
                case SEARCH -> new DistanceComparison(client, report).run(index, corpus);
                case MSEARCH -> new SearchThroughput(client, report).run(index, corpus);
                case COST -> new IndexCost(client, report).run(index, corpus);
                case LOAD -> new ManyClients(client, report).run(index, corpus);
                case CANCEL -> new Cancellation(client, report).run(index, corpus);
                case KNN -> new KnnComparison(client, report).run(index, corpus);
                case VERIFY -> throw new AssertionError("needs no corpus");
            }
        }
        client.must("DELETE", "/" + index.name(), null);
    }
}
