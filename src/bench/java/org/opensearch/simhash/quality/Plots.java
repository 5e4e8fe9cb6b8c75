/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Pictures of all document sets together, as PNG files in a folder. */
record Plots(Path folder) {

    static final String RECALL_PRECISION = "quality-recall-precision.png";
    static final String DISTANCES = "quality-distances.png";

    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LARGEST_PLOTTED = 40;

    /** Draws all. */
    void draw(List<Measured> documents) throws IOException {
        recallAndPrecision(
                documents.stream().filter(set -> set.set().labelled()).toList());
        distances(documents);
    }

    private void recallAndPrecision(List<Measured> documents) throws IOException {
        XYChart chart =
                chart("Near-duplicates of all document sets: by distance, and by MinHash", "recall", "precision");
        chart.getStyler().setXAxisMin(0.0).setXAxisMax(1.0).setYAxisMin(0.0).setYAxisMax(1.0);
        line(chart, "SimHash, default recipe", sum(documents, Measured::byDefault, Evaluation::graded, Long.SIZE), 20);
        line(chart, "SimHash, FNV-1a words", sum(documents, Measured::fnv, Evaluation::graded, Long.SIZE), 20);
        line(
                chart,
                "MinHash, 128 permutations",
                sum(documents, Measured::minHash, Evaluation::graded, MinHashes.PERMUTATIONS - 1),
                MinHashes.PERMUTATIONS - 1);
        save(chart, RECALL_PRECISION);
    }

    private void distances(List<Measured> documents) throws IOException {
        XYChart chart = chart("Distances of pairs, all document sets", "distance in bits", "share of the pairs");
        histogram(
                chart,
                "near, default recipe",
                sum(documents, Measured::byDefault, Evaluation::near, Long.SIZE)::rightAt);
        histogram(
                chart,
                "unrelated, default recipe",
                sum(documents, Measured::byDefault, Evaluation::unrelated, Long.SIZE)::wrongAt);
        histogram(
                chart,
                "unrelated, FNV-1a words",
                sum(documents, Measured::fnv, Evaluation::unrelated, Long.SIZE)::wrongAt);
        save(chart, DISTANCES);
    }

    private static XYChart chart(String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        chart.getStyler()
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Horizontal)
                .setChartBackgroundColor(Color.WHITE);
        return chart;
    }

    private static void line(XYChart chart, String name, Curve curve, int largest) {
        double[] recalls =
                IntStream.rangeClosed(0, largest).mapToDouble(curve::recall).toArray();
        double[] precisions =
                IntStream.rangeClosed(0, largest).mapToDouble(curve::precision).toArray();
        chart.addSeries(name, recalls, precisions)
                .setMarker(largest > Long.SIZE ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
    }

    private static void histogram(XYChart chart, String name, Function<Integer, Long> counts) {
        double all =
                IntStream.rangeClosed(0, Long.SIZE).mapToLong(counts::apply).sum();
        double[] distances =
                IntStream.rangeClosed(0, LARGEST_PLOTTED).asDoubleStream().toArray();
        double[] shares = IntStream.rangeClosed(0, LARGEST_PLOTTED)
                .mapToDouble(distance -> counts.apply(distance) / Math.max(1, all))
                .toArray();
        chart.addSeries(name, distances, shares).setMarker(SeriesMarkers.NONE);
    }

    private static Curve sum(
            List<Measured> documents,
            Function<Measured, Evaluation> method,
            Function<Evaluation, Curve> curve,
            int largestDistance) {
        Curve sum = new Curve(largestDistance);
        documents.forEach(set -> sum.add(curve.apply(method.apply(set))));
        return sum;
    }

    @SuppressWarnings("deprecation") // the form that takes a path and a format
    private void save(XYChart chart, String file) throws IOException {
        BitmapEncoder.saveBitmap(chart, folder.resolve(file).toString(), BitmapEncoder.BitmapFormat.PNG);
    }
}
