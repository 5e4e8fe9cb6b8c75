/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.common.util.io.IOUtils;
import org.opensearch.simhash.desk.metrics.Metric.Sample;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.tags.Tags;

/**
 * Registers the counters and gauges of a node in OpenSearch's telemetry, which reads them when it collects. Free
 * without telemetry. Thread-safe; close it with the node.
 */
public final class RegisteredMetrics implements Closeable {

    private final NodeMetrics metrics;
    private final List<Closeable> gauges = new ArrayList<>();

    public RegisteredMetrics(NodeMetrics metrics, MetricsRegistry registry) {
        this.metrics = metrics;
        for (Metric metric : metrics.lasting()) {
            for (Sample sample : metric.samples()) {
                gauges.add(registry.createGauge(
                        metric.name(), metric.help(), unit(metric.name()), () -> value(metric, sample), tags(sample)));
            }
        }
    }

    private static Tags tags(Sample sample) {
        Tags tags = Tags.create();
        for (Map.Entry<String, String> label : sample.labels().entrySet()) {
            tags = tags.addTag(label.getKey(), label.getValue());
        }
        return tags;
    }

    /** The current value of a sample. */
    private double value(Metric known, Sample place) {
        return metrics.lasting().stream()
                .filter(metric -> metric.name().equals(known.name()))
                .flatMap(metric -> metric.samples().stream())
                .filter(sample -> sample.labels().equals(place.labels()))
                .mapToDouble(Sample::value)
                .findFirst()
                .orElseThrow();
    }

    /** In OpenTelemetry's notation. */
    private static String unit(String name) {
        if (name.endsWith("_bytes")) {
            return "By";
        }
        return name.endsWith("_seconds") ? "s" : "1";
    }

    @Override
    public void close() throws IOException {
        IOUtils.close(gauges);
    }
}
