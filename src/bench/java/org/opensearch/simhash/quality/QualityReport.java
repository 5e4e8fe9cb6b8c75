/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.opensearch.simhash.quality.DataSet.Kind;
import org.opensearch.simhash.quality.variants.ShortStories;

/**
 * How well the processor tells near-duplicates from other documents, on all data sets there are: prints whether the bars are
 * kept, and writes {@code target/quality.md} and its plots. With {@code -Dquality.update=true} the committed copy in
 * {@code docs/} is brought up to date as well.
 *
 * <p>Run by {@code tools/quality}. Deterministic; a few minutes.
 */
public final class QualityReport {

    /** In the committed copy the result goes behind this line, what stands before it is written by hand. */
    private static final String RESULT = "<!-- Below this line: the output of tools/quality -->\n";

    private static final Set<String> WITH_BOILERPLATE = Set.of("html_kafka_versions", "zh_laws", "de_laws");

    private final DataSets data;
    private final Path target;
    private final StringBuilder report = new StringBuilder();

    private QualityReport(DataSets data, Path target) {
        this.data = data;
        this.target = target;
    }

    public static void main(String[] arguments) throws IOException {
        Path project = Path.of(System.getProperty("project.basedir", "."));
        DataSets data = DataSets.configured();
        TextSets texts = new TextSets(data);
        List<DataSet> sets = texts.read();
        if (sets.isEmpty()) {
            System.out.println(
                    "Nothing measured: no data sets in [" + data.folder() + "], set -Dsimhash.data=<folder>");
            return;
        }
        Path target = project.resolve("target");
        QualityReport report = new QualityReport(data, target);
        report.missing(texts.missing());
        report.measure(sets);
        Files.writeString(target.resolve("quality.md"), report.report);
        System.out.println("Report: " + target.resolve("quality.md"));
        if (Boolean.getBoolean("quality.update")) {
            update(target, project.resolve("docs/figures"));
        }
    }

    private void measure(List<DataSet> sets) throws IOException {
        try (NodeProcessors node = new NodeProcessors(target)) {
            List<Measured> all = new ArrayList<>();
            for (DataSet set : sets) {
                long start = System.nanoTime();
                all.add(Measured.of(set, node));
                progress(set.title(), start);
            }
            List<ShortTexts> shortTexts = List.of(
                    ShortTexts.of(sets, node.create(Recipes.DEFAULT)),
                    ShortTexts.of(sets, node.create(Recipes.BY_LANGUAGE)));
            long start = System.nanoTime();
            Draws draws = Draws.of(DrawnSets.of(longTexts(all), node), Draws.SEEDS);
            progress("seeds of the hash", start);
            bars(Bars.of(all, shortTexts, draws));
            result(all);
            section("The default recipe by " + Draws.SEEDS + " seeds of the hash, set by set", draws.bySet());
            section("Both sketches side by side", SketchQuality.report(sets, node));
            section("HTML", HtmlQuality.report(data) + "\n");
            section("HTML: short stories", ShortStories.table());
            study(all, node);
            new Plots(target).draw(ofKind(all, Kind.DOCUMENTS));
        }
    }

    private void missing(List<String> missing) {
        if (missing.isEmpty() == false) {
            String sentence =
                    "Not measured, for they are not in [" + data.folder() + "]: " + String.join(", ", missing);
            System.out.println(sentence);
            report.append(sentence).append(".\n\n");
        }
    }

    private void bars(List<Bar> bars) {
        report.append("## Bars\n\n");
        for (Bar bar : bars) {
            System.out.println(bar);
            report.append("- ").append(bar).append('\n');
        }
        report.append('\n');
    }

    private void result(List<Measured> all) {
        section("Sets", Sections.sets(all));
        report.append("![recall and precision](").append(Plots.RECALL_PRECISION).append(")\n\n");
        report.append("![distances](").append(Plots.DISTANCES).append(")\n\n");
        section("Within 11 bits, then verified", Sections.verified(all));
        section("Unrelated pairs within 11 bits, per 10,000", Sections.random(all));
        section("Best F1 of plain distance, graded labels", Sections.bestF1(all));
    }

    private void study(List<Measured> all, NodeProcessors node) {
        long start = System.nanoTime();
        List<Measured> documents = ofKind(all, Kind.DOCUMENTS);
        Study study = new Study(node, documents);
        section("Recipes, document sets", study.summary());
        progress("recipes", start);
        section("Texts of few features, without min_features", FewFeatures.table(node, all));
        section(
                "Boilerplate: feature_weights as proposed",
                Boilerplate.table(
                        node,
                        documents.stream()
                                .filter(set ->
                                        WITH_BOILERPLATE.contains(set.set().name()))
                                .toList()));
        progress("few features, boilerplate", start);
    }

    private void section(String title, String text) {
        report.append("## ").append(title).append("\n\n").append(text);
    }

    private static List<Measured> ofKind(List<Measured> all, Kind kind) {
        return all.stream().filter(set -> set.set().kind() == kind).toList();
    }

    private static List<Measured> longTexts(List<Measured> all) {
        return all.stream().filter(set -> set.set().kind() != Kind.SHORT).toList();
    }

    private static void progress(String what, long start) {
        System.out.printf(
                Locale.ROOT,
                "measured %s in %.1f s%n",
                what,
                (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1));
    }

    private static void update(Path target, Path docs) throws IOException {
        Path committed = docs.resolve("quality.md");
        String byHand = Files.exists(committed) ? Files.readString(committed).split(RESULT, 2)[0] : "# Quality\n\n";
        Files.createDirectories(docs);
        Files.writeString(committed, byHand + RESULT + "\n" + Files.readString(target.resolve("quality.md")));
        for (String plot : List.of(Plots.RECALL_PRECISION, Plots.DISTANCES)) {
            Files.copy(target.resolve(plot), docs.resolve(plot), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
