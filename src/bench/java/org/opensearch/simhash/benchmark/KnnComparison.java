/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.benchmark.Race.Entrant;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;

/**
 * The query beside the k-NN plugin, on a node of its own: the newest release whose k-NN zip is on Maven Central, with its
 * script and its Lucene graph. No faiss: the zip has no native libraries, and a node that needs them dies.
 */
final class KnnComparison {

    /** The graph is built of this many documents: more take minutes to hours. */
    private static final int GRAPH = 100_000;

    private static final double WANTED = 10;

    private final RestClient simhash;
    private final Report report;

    KnnComparison(RestClient simhash, Report report) {
        this.simhash = simhash;
        this.report = report;
    }

    void run(FingerprintIndex index, Corpus corpus) {
        String version = System.getProperty("knn.version");
        Distribution ours = Distribution.ofTheBuild();
        Path parts = ours.stock().resolveSibling("opensearch-" + version);
        var distribution =
                new Distribution(parts, parts.resolveSibling("opensearch-knn-" + version + ".0.zip"), ours.work());
        report.part("Beside k-NN " + version + ", " + corpus.spread());
        try (var node = RealCluster.start(distribution, NodeOptions.production(1, "2g"))) {
            script(node.client(), index, corpus);
            graph(node.client(), corpus.first(GRAPH));
        }
    }

    private void script(RestClient knn, FingerprintIndex index, Corpus corpus) {
        var bits = FingerprintIndex.build(
                knn,
                "bits",
                Map.of(),
                mapping("simhash.bits", Map.of("type", "long")),
                corpus.size(),
                i -> "{\"simhash\":{\"bits\":" + corpus.fingerprint(i) + "}}");
        var race = new Race(
                corpus,
                List.of(
                        new Entrant(SearchForm.SIMHASH, simhash, index.name()),
                        new Entrant(SearchForm.KNN_SCRIPT, knn, bits.name())));
        Map<SearchForm, List<String>> rows = new EnumMap<>(SearchForm.class);
        for (int distance : DistanceComparison.DISTANCES) {
            Map<SearchForm, Measured> measured = race.run(distance);
            DistanceComparison.add(rows, measured);
            Measured ours = measured.get(SearchForm.SIMHASH);
            Measured theirs = measured.get(SearchForm.KNN_SCRIPT);
            report.bar(
                    theirs.wallP50() >= WANTED * ours.wallP50(),
                    corpus.spread() + ", distance " + distance + ", at least 10x faster than k-NN's script",
                    "%.1fx by wall p50 (%.1f : %.1f ms), %.1fx by took (mean)",
                    theirs.wallP50() / ours.wallP50(),
                    theirs.wallP50(),
                    ours.wallP50(),
                    theirs.tookMean() / ours.tookMean());
        }
        DistanceComparison.table(report, rows);
        knn.must("DELETE", "/" + bits.name(), null);
    }

    private void graph(RestClient knn, Corpus corpus) {
        Map<String, Object> method = Map.of("name", "hnsw", "space_type", "l2", "engine", "lucene");
        Map<String, Object> vector =
                Map.of("type", "knn_vector", "dimension", Long.SIZE, "data_type", "byte", "method", method);
        var graph = FingerprintIndex.build(
                knn,
                "graph",
                Map.of("knn", true),
                mapping("vector", vector),
                corpus.size(),
                i -> "{\"vector\":" + SearchForm.vector(corpus.fingerprint(i)) + "}");
        report.line("");
        report.line(
                "The graph, over %,d of the documents: built in %.1f s (bulk %.1f, merge %.1f), %d bytes.",
                corpus.size(),
                graph.bulkSeconds() + graph.mergeSeconds(),
                graph.bulkSeconds(),
                graph.mergeSeconds(),
                graph.bytes());
        report.line("");
        var race = new Race(corpus, List.of(new Entrant(SearchForm.KNN_GRAPH, knn, graph.name())));
        Map<SearchForm, List<String>> rows = new EnumMap<>(SearchForm.class);
        for (int distance : DistanceComparison.DISTANCES) {
            DistanceComparison.add(rows, race.run(distance));
        }
        DistanceComparison.table(report, rows);
        knn.must("DELETE", "/" + graph.name(), null);
    }

    private static Map<String, Object> mapping(String field, Map<String, Object> type) {
        return Map.of("properties", Map.of(field, type));
    }
}
