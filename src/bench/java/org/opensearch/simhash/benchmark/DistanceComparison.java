/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.simhash.benchmark.Race.Entrant;
import org.opensearch.simhash.node.RestClient;

/** The query beside what a stock node offers, at several distances. */
final class DistanceComparison {

    static final int[] DISTANCES = {3, 7, 10};
    static final String[] COLUMNS = {
        "distance", "search", "searches", "took p50", "p95", "mean", "wall p50", "p95 (ms)", "recall", "wrong"
    };

    /** From here on the times on one node are promised, not only the ratios. */
    private static final int LARGE = 10_000_000;

    private final RestClient client;
    private final Report report;

    DistanceComparison(RestClient client, Report report) {
        this.client = client;
        this.report = report;
    }

    void run(FingerprintIndex index, Corpus corpus) {
        report.part("Search, " + corpus.spread());
        report.table(COLUMNS);
        var entrants = Stream.of(
                        SearchForm.NOTHING,
                        SearchForm.SIMHASH,
                        SearchForm.TOP,
                        SearchForm.RECIPE,
                        SearchForm.SCRIPT_SCAN)
                .map(form -> new Entrant(form, client, index.name()))
                .toList();
        var race = new Race(corpus, entrants);
        for (int distance : DISTANCES) {
            Map<SearchForm, Measured> measured = race.run(distance);
            rows(report, distance, measured);
            judge(corpus, distance, measured.get(SearchForm.SIMHASH), measured.get(SearchForm.RECIPE));
            judgeEach(corpus, distance, measured);
        }
    }

    static void rows(Report report, int distance, Map<SearchForm, Measured> measured) {
        measured.forEach((form, times) -> report.line("| " + distance + " | " + form + " | " + times.cells() + " |"));
    }

    private void judge(Corpus corpus, int distance, Measured ours, Measured recipe) {
        String at = at(corpus, distance);
        double wanted = distance > 3 || corpus.spread() == Spread.SKEWED ? 2 : 1;
        double wall = recipe.wallP50() / ours.wallP50();
        double took = recipe.tookMean() / ours.tookMean();
        String promise = wanted > 1 ? "at least 2x faster than the recipe" : "no slower than the recipe";
        report.bar(
                wall >= wanted,
                at + promise,
                "%.2fx by wall p50 (%.1f : %.1f ms), %.2fx by took (mean)",
                wall,
                recipe.wallP50(),
                ours.wallP50(),
                took);
    }

    private void judgeEach(Corpus corpus, int distance, Map<SearchForm, Measured> measured) {
        for (SearchForm form : List.of(SearchForm.SIMHASH, SearchForm.TOP)) {
            Measured ours = measured.get(form);
            String at = at(corpus, distance) + form + ", ";
            report.bar(ours.exact(), at + "exact", "recall %.4f, %d wrong", ours.recall(), ours.wrong());
            if (corpus.size() >= LARGE && distance != 7) {
                int limit = distance == 3 ? 5 : 25;
                report.bar(ours.tookP50() <= limit, at + "took p50 <= " + limit + " ms", "%.0f ms", ours.tookP50());
            }
        }
    }

    private static String at(Corpus corpus, int distance) {
        return String.format(Locale.ROOT, "%s, distance %d, ", corpus.spread(), distance);
    }
}
