/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import java.io.Closeable;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.opensearch.telemetry.metrics.Counter;
import org.opensearch.telemetry.metrics.Histogram;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.TaggedMeasurement;
import org.opensearch.telemetry.metrics.tags.Tags;

/** A registry that keeps gauges, and knows nothing else. */
final class RecordedGauges implements MetricsRegistry {

    private final Map<String, Supplier<Double>> gauges = new TreeMap<>();
    private int closed;

    @Override
    public Closeable createGauge(String name, String description, String unit, Supplier<Double> value, Tags tags) {
        gauges.put(name + tags.getTagsMap(), value);
        return () -> closed++;
    }

    /** By name and tags. */
    Map<String, Supplier<Double>> gauges() {
        return gauges;
    }

    int closed() {
        return closed;
    }

    @Override
    public Closeable createGauge(
            String name, String description, String unit, Supplier<TaggedMeasurement> measurement) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Counter createCounter(String name, String description, String unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Counter createUpDownCounter(String name, String description, String unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Histogram createHistogram(String name, String description, String unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
