/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.simhash.desk.metrics.Metric.Sample;
import org.opensearch.simhash.search.counts.Durations;

/** The metrics of one or several nodes as text; each name once, with the samples of all nodes. One thread. */
final class MetricsText {

    private static final String NODE = "node";

    /** By suffix. */
    private static final Map<String, Unit> UNITS =
            Map.of("_seconds", Unit.SECONDS, "_bytes", Unit.BYTES, "_ratio", Unit.RATIO);

    /** By name. */
    private final Map<String, Metric> metrics = new LinkedHashMap<>();

    /** @param node value of the label, or null for none */
    void add(String node, List<Metric> ofNode) {
        for (Metric metric : ofNode) {
            metrics.computeIfAbsent(
                            metric.name(), name -> new Metric(name, metric.type(), metric.help(), new ArrayList<>()))
                    .addSamples(metric.samples().stream()
                            .map(sample -> labelled(sample, node))
                            .toList());
        }
    }

    private static Sample labelled(Sample sample, String node) {
        Map<String, String> labels = new HashMap<>(sample.labels());
        if (node != null) {
            labels.put(NODE, node);
        }
        return new Sample(labels, sample.value(), sample.histogram());
    }

    private static Labels labels(Sample sample) {
        Map<String, String> labels = new TreeMap<>(sample.labels());
        return Labels.of(labels.keySet().toArray(String[]::new), labels.values().toArray(String[]::new));
    }

    void write(OutputStream out, MetricsFormat format) throws IOException {
        MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
        metrics.values().stream()
                .filter(metric -> metric.samples().isEmpty() == false)
                .forEach(metric -> snapshots.metricSnapshot(snapshot(metric)));
        format.writer().write(out, snapshots.build());
    }

    private MetricSnapshot snapshot(Metric metric) {
        MetricMetadata metadata = new MetricMetadata(metric.name(), metric.help(), unit(metric.name()));
        List<Sample> all = metric.samples();
        return switch (metric.type()) {
            case COUNTER ->
                new CounterSnapshot(
                        metadata,
                        all.stream()
                                .map(sample -> new CounterDataPointSnapshot(sample.value(), labels(sample), null, 0))
                                .toList());
            case GAUGE ->
                new GaugeSnapshot(
                        metadata,
                        all.stream()
                                .map(sample -> new GaugeDataPointSnapshot(sample.value(), labels(sample), null))
                                .toList());
            case HISTOGRAM ->
                new HistogramSnapshot(
                        metadata, all.stream().map(MetricsText::histogram).toList());
        };
    }

    private static HistogramDataPointSnapshot histogram(Sample sample) {
        Durations.Histogram histogram = sample.histogram();
        List<Double> bounds = new ArrayList<>(histogram.bounds());
        bounds.add(Double.POSITIVE_INFINITY);
        return HistogramDataPointSnapshot.builder()
                .labels(labels(sample))
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, histogram.counts()))
                .sum(histogram.sum())
                .build();
    }

    private static Unit unit(String name) {
        return UNITS.entrySet().stream()
                .filter(unit -> name.endsWith(unit.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** The output formats of metrics. */
    enum MetricsFormat {
        /** Prometheus text, version 0.0.4. */
        PROMETHEUS,
        /** OpenMetrics 1.0. */
        OPENMETRICS;

        /**
         * The format of a request.
         *
         * @param name null to use the header
         * @param accept the header, or null
         * @throws IllegalArgumentException naming the known formats
         */
        static MetricsFormat of(String name, String accept) {
            if (name == null) {
                return OPENMETRICS.writer().accepts(accept) ? OPENMETRICS : PROMETHEUS;
            }
            return Arrays.stream(values())
                    .filter(format -> format.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "[format] must be of " + Arrays.toString(values()) + ", got: " + name));
        }

        ExpositionFormatWriter writer() {
            return switch (this) {
                case PROMETHEUS -> PrometheusTextFormatWriter.create();
                case OPENMETRICS -> OpenMetricsTextFormatWriter.create();
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
