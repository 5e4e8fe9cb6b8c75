/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.quality.Table;

/** Prints the tables of docs/figures/scale.md, and draws its plots. Argument: the folder of the plots. Some seconds. */
public final class ScaleReport {

    private static final int SAMPLE = 4_096;
    private static final int SEED = 1;
    private static final int[] DISTANCES = {3, 7, 11};
    private static final long[] SIZES = {1_000_000, 10_000_000, 100_000_000, 1_000_000_000};
    private static final int NODES = 10;
    private static final int STEPS = 12;

    /** A report on a real node of two cores, by docs/figures/benchmarks-deduplicate.md. */
    private record Measured(
            long documents, int distance, double linkedShare, double scan, double join, double read, double group) {
        double seconds() {
            return scan + join + read + group;
        }
    }

    private static final List<Measured> MEASURED = List.of(
            new Measured(1_000_000, 3, 0.101, 0.34, 0.39, 0.36, 0.11),
            new Measured(1_000_000, 7, 0.179, 0.26, 0.60, 0.10, 0.09),
            new Measured(1_000_000, 11, 0.217, 0.24, 1.97, 0.13, 0.10),
            new Measured(10_000_000, 3, 0.100, 2.48, 3.87, 1.00, 0.79),
            new Measured(10_000_000, 7, 0.179, 2.12, 8.18, 0.98, 1.57),
            new Measured(10_000_000, 11, 0.445, 2.29, 37.9, 2.33, 6.66));

    private final long[] uniform = sample(new SplittableRandom(SEED)::nextLong);

    private ScaleReport() {}

    public static void main(String[] args) throws IOException {
        ScaleReport report = new ScaleReport();
        System.out.println(report.check());
        System.out.println(report.growth());
        System.out.println(skew());
        System.out.println(chance());
        System.out.println(segments());
        System.out.println(report.billion());
        Path folder = Files.createDirectories(Path.of(args[0]));
        report.drawSeconds(folder);
        drawPairs(folder);
    }

    private static long[] sample(LongSupplier fingerprints) {
        return LongStream.generate(fingerprints).limit(SAMPLE).toArray();
    }

    /** As the measured corpora: one of ten is an earlier one with none to seven bits flipped. */
    private static double linkedShare(int distance) {
        return distance < 7 ? 0.1 : distance < 11 ? 0.179 : 0.217;
    }

    private ScaleModel model(long documents, int distance) {
        return new ScaleModel(documents, distance, uniform, linkedShare(distance));
    }

    /** What the model says of each measured job, as a share of its time. */
    private String check() {
        List<String> shares = new ArrayList<>();
        for (Measured job : MEASURED) {
            double model = new ScaleModel(job.documents, job.distance, uniform, job.linkedShare).seconds();
            shares.add(String.format(Locale.ROOT, "%.2f", model / job.seconds()));
        }
        return "Model / measured: " + String.join(", ", shares) + "\n";
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 10 ? "%.1f" : "%,.0f", seconds);
    }

    private Table growth() {
        Table table = new Table("documents", "heap", "in files: heap", "disk", "at 3: s", "at 7: s", "at 11: s");
        for (long documents : SIZES) {
            table.row(
                    ScaleModel.number((double) documents),
                    gigabytes(ScaleModel.heap(documents)),
                    gigabytes(ScaleModel.heapOfFiles(documents)),
                    gigabytes(ScaleModel.disk(documents)),
                    seconds(model(documents, 3).seconds()),
                    seconds(model(documents, 7).seconds()),
                    seconds(model(documents, 11).seconds()));
        }
        return table;
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f GB", bytes / 1e9);
    }

    /** The join of skewed fingerprints beside that of uniform ones. */
    private static Table skew() {
        long[] zipf = sample(new ZipfFingerprints(SEED));
        long[] even = sample(new SplittableRandom(SEED)::nextLong);
        Table table = new Table("join of", "uniform, at 3: s", "skewed, at 3: s", "skewed, at 7: s");
        for (long documents : new long[] {700_000, 1_000_000, 10_000_000}) {
            table.row(
                    ScaleModel.number((double) documents),
                    seconds(new ScaleModel(documents, 3, even, 0).join(documents, ScaleModel.MEASURED_CORES)),
                    seconds(new ScaleModel(documents, 3, zipf, 0).join(documents, ScaleModel.MEASURED_CORES)),
                    seconds(new ScaleModel(documents, 7, zipf, 0).join(documents, ScaleModel.MEASURED_CORES)));
        }
        return table;
    }

    private static Table chance() {
        Table table = new Table(
                "documents", "pairs by chance: at 3", "at 7", "at 11", "candidates of a search: at 3", "at 7", "at 11");
        for (long documents : SIZES) {
            table.row(
                    ScaleModel.number((double) documents),
                    ScaleModel.number(ScaleModel.chancePairs((double) documents, 3)),
                    ScaleModel.number(ScaleModel.chancePairs((double) documents, 7)),
                    ScaleModel.number(ScaleModel.chancePairs((double) documents, 11)),
                    ScaleModel.number(ScaleModel.candidates((double) documents, 3, 4)),
                    ScaleModel.number(ScaleModel.candidates((double) documents, 7, 4)),
                    ScaleModel.number(ScaleModel.candidates((double) documents, 11, 4)));
        }
        return table;
    }

    /** Values that a search looks up, and documents that have one of them, of ten million. */
    private static Table segments() {
        Table table = new Table("segments", "at 3", "at 7", "at 11");
        for (int segments : new int[] {2, 4, 8}) {
            List<String> cells = new ArrayList<>();
            for (int distance : DISTANCES) {
                cells.add(ScaleModel.number(ScaleModel.probes(distance, segments)) + " / "
                        + ScaleModel.number(ScaleModel.candidates(1e7, distance, segments)));
            }
            table.row(Integer.toString(segments), cells.toArray());
        }
        return table;
    }

    /** A billion documents on ten nodes. */
    private Table billion() {
        long documents = SIZES[SIZES.length - 1];
        Table table = new Table(
                "cores of a node, a pass has room for",
                "passes",
                "disk or heap of a node",
                "job at 3: min",
                "job at 7: min");
        for (int cores : new int[] {2, 16}) {
            for (long rows : new long[] {1L << 30, 100_000_000}) {
                int chunks = model(documents, 3).chunks(rows, NODES);
                long rowsOfPass = 2 * documents / chunks;
                table.row(
                        cores + ", " + ScaleModel.number((double) rows),
                        Chunks.passes(chunks),
                        gigabytes(ScaleModel.disk(rowsOfPass)) + " or " + gigabytes(ScaleModel.heap(rowsOfPass)),
                        minutes(job(3, cores, chunks)),
                        minutes(job(7, cores, chunks)));
            }
        }
        return table;
    }

    private double passes(int distance, int cores, int chunks) {
        ScaleModel model = model(SIZES[SIZES.length - 1], distance);
        long rows = 2 * model.documents() / chunks;
        double scan = ScaleModel.scan(model.documents() / NODES);
        return new PassSimulation(NODES, cores).seconds(Chunks.passes(chunks), scan, model.join(rows, 1));
    }

    private double job(int distance, int cores, int chunks) {
        ScaleModel model = model(SIZES[SIZES.length - 1], distance);
        return passes(distance, cores, chunks) + model.read(NODES) + model.group();
    }

    private static String minutes(double seconds) {
        return String.format(Locale.ROOT, "%,.0f", seconds / 60);
    }

    private void drawSeconds(Path folder) throws IOException {
        XYChart chart = chart("A report on one node of two cores", "documents", "seconds");
        for (int distance : DISTANCES) {
            double[] sizes = sizes();
            double[] seconds = new double[sizes.length];
            for (int i = 0; i < sizes.length; i++) {
                seconds[i] = model((long) sizes[i], distance).seconds();
            }
            chart.addSeries("model at " + distance, sizes, seconds).setMarker(SeriesMarkers.NONE);
            List<Measured> jobs =
                    MEASURED.stream().filter(job -> job.distance == distance).toList();
            chart.addSeries(
                            "measured at " + distance,
                            jobs.stream().mapToDouble(Measured::documents).toArray(),
                            jobs.stream().mapToDouble(Measured::seconds).toArray())
                    .setMarker(SeriesMarkers.CIRCLE)
                    .setLineColor(new Color(0, 0, 0, 0));
        }
        save(chart, folder.resolve("scale-seconds.png"));
    }

    private static void drawPairs(Path folder) throws IOException {
        XYChart chart = chart("Pairs of unrelated documents, uniform fingerprints", "documents", "pairs");
        for (int distance : DISTANCES) {
            double[] sizes = sizes();
            double[] pairs = new double[sizes.length];
            for (int i = 0; i < sizes.length; i++) {
                // A logarithm has no place for less than one.
                pairs[i] = Math.max(1, ScaleModel.chancePairs(sizes[i], distance));
            }
            chart.addSeries("distance " + distance, sizes, pairs).setMarker(SeriesMarkers.NONE);
        }
        save(chart, folder.resolve("scale-pairs.png"));
    }

    private static double[] sizes() {
        double[] sizes = new double[STEPS + 1];
        for (int i = 0; i <= STEPS; i++) {
            sizes[i] = SIZES[0] * Math.pow((double) SIZES[SIZES.length - 1] / SIZES[0], (double) i / STEPS);
        }
        return sizes;
    }

    private static XYChart chart(String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(760)
                .height(420)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        chart.getStyler()
                .setXAxisLogarithmic(true)
                .setYAxisLogarithmic(true)
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Horizontal)
                .setChartBackgroundColor(Color.WHITE);
        return chart;
    }

    @SuppressWarnings("deprecation") // the form that takes a path and a format
    private static void save(XYChart chart, Path file) throws IOException {
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
    }
}
