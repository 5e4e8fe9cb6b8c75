/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.search.counts.Durations;

/**
 * A metric and its samples, which one thread adds. The type of a name never changes between releases.
 *
 * @param name ends with the unit, if any, without a counter's {@code _total}
 * @param help one sentence
 * @param samples by label
 */
public record Metric(String name, Type type, String help, List<Sample> samples) implements Writeable {

    /** How values behave. */
    public enum Type {
        /** Only grow, from the start of the node. */
        COUNTER,
        /** Grow and fall. */
        GAUGE,
        HISTOGRAM
    }

    /**
     * One value.
     *
     * @param labels by name
     * @param value of a counter or gauge
     * @param histogram of a histogram, else null
     */
    public record Sample(Map<String, String> labels, double value, Durations.Histogram histogram) implements Writeable {

        public Sample {
            labels = Map.copyOf(labels);
        }

        Sample(StreamInput in) throws IOException {
            this(
                    in.readMap(StreamInput::readString, StreamInput::readString),
                    in.readDouble(),
                    in.readOptionalWriteable(Durations.Histogram::new));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeMap(labels, StreamOutput::writeString, StreamOutput::writeString);
            out.writeDouble(value);
            out.writeOptionalWriteable(histogram);
        }
    }

    Metric(StreamInput in) throws IOException {
        this(in.readString(), in.readEnum(Type.class), in.readString(), in.readList(Sample::new));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(name);
        out.writeEnum(type);
        out.writeString(help);
        out.writeList(samples);
    }

    static Metric counter(String name, String help) {
        return new Metric(NodeMetrics.PREFIX + name, Type.COUNTER, help, new ArrayList<>());
    }

    static Metric gauge(String name, String help) {
        return new Metric(NodeMetrics.PREFIX + name, Type.GAUGE, help, new ArrayList<>());
    }

    static Metric histogram(String name, String help) {
        return new Metric(NodeMetrics.PREFIX + name, Type.HISTOGRAM, help, new ArrayList<>());
    }

    Metric add(Number value) {
        return add(Map.of(), value);
    }

    Metric add(String label, String labelValue, Number value) {
        return add(Map.of(label, labelValue), value);
    }

    Metric add(Map<String, String> labels, Number value) {
        samples.add(new Sample(labels, value.doubleValue(), null));
        return this;
    }

    /** Adds one sample per count; the name is the label's value. */
    Metric addAll(String label, Map<String, Long> counts) {
        counts.forEach((labelValue, count) -> add(label, labelValue, count));
        return this;
    }

    Metric add(Map<String, String> labels, Durations.Histogram histogram) {
        samples.add(new Sample(labels, 0, histogram));
        return this;
    }

    Metric addSamples(List<Sample> more) {
        samples.addAll(more);
        return this;
    }
}
