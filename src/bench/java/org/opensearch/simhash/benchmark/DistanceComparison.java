/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.simhash.benchmark.Race.Entrant;
import org.opensearch.simhash.node.RestClient;

/** The query beside what a stock node offers, at several distances. */
final class DistanceComparison {

    static final int[] DISTANCES = {3, 7, 10};
    private static final String COLUMN = "took p50, p95, mean; wall p50 (ms); recall: ";

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
        var entrants = Stream.of(
                        SearchForm.NOTHING,
                        SearchForm.SIMHASH,
                        SearchForm.TOP,
                        SearchForm.RECIPE,
                        SearchForm.SCRIPT_SCAN)
                .map(form -> new Entrant(form, client, index.name()))
                .toList();
        var race = new Race(corpus, entrants);
        Map<SearchForm, List<String>> rows = new EnumMap<>(SearchForm.class);
        for (int distance : DISTANCES) {
            Map<SearchForm, Measured> measured = race.run(distance);
            add(rows, measured);
            judge(corpus, distance, measured.get(SearchForm.SIMHASH), measured.get(SearchForm.RECIPE));
            judgeEach(corpus, distance, measured);
        }
        table(report, rows);
    }

    /** Adds what was measured at one more distance to the row of each form. */
    static void add(Map<SearchForm, List<String>> rows, Map<SearchForm, Measured> measured) {
        measured.forEach((form, times) ->
                rows.computeIfAbsent(form, row -> new ArrayList<>()).add(times.cell()));
    }

    /** A row for each form, with a cell for each of {@link #DISTANCES}. */
    static void table(Report report, Map<SearchForm, List<String>> rows) {
        List<String> columns = new ArrayList<>(List.of("search"));
        for (int distance : DISTANCES) {
            columns.add((columns.size() == 1 ? COLUMN : "") + "distance " + distance);
        }
        report.table(columns.toArray(String[]::new));
        rows.forEach((form, cells) -> report.line("| " + form + " | " + String.join(" | ", cells) + " |"));
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
        Measured ours = measured.get(SearchForm.SIMHASH);
        Measured top = measured.get(SearchForm.TOP);
        report.bar(
                ours.exact() && top.exact(),
                at(corpus, distance) + "exact, also without a total",
                "recall %.4f and %.4f, %d wrong",
                ours.recall(),
                top.recall(),
                ours.wrong() + top.wrong());
        if (corpus.size() >= LARGE && distance != 7) {
            int limit = distance == 3 ? 5 : 25;
            for (SearchForm form : List.of(SearchForm.SIMHASH, SearchForm.TOP)) {
                double took = measured.get(form).tookP50();
                report.bar(took <= limit, at(corpus, distance) + form + ", took p50 <= " + limit + " ms", "%.0f ms", took);
            }
        }
    }

    private static String at(Corpus corpus, int distance) {
        return String.format(Locale.ROOT, "%s, distance %d, ", corpus.spread(), distance);
    }
}
