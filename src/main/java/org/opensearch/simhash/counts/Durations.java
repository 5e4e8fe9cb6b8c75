/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.counts;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * A histogram of durations with fixed bounds, and their sum. Monotonic. Thread-safe; recording takes nanoseconds under
 * contention.
 */
public final class Durations {

    private static final long MICROS = 1_000;
    private static final long MILLIS = 1_000 * MICROS;
    private static final long SECONDS = 1_000 * MILLIS;

    private final long[] bounds;
    private final LongAdder[] counts;
    private final LongAdder nanos = new LongAdder();

    private Durations(long... bounds) {
        this.bounds = bounds;
        this.counts = new LongAdder[bounds.length + 1];
        Arrays.setAll(counts, any -> new LongAdder());
    }

    /** For one text: 5 µs to 1 s. */
    public static Durations ofTexts() {
        return new Durations(
                5 * MICROS,
                10 * MICROS,
                25 * MICROS,
                50 * MICROS,
                100 * MICROS,
                250 * MICROS,
                500 * MICROS,
                MILLIS,
                2_500 * MICROS,
                5 * MILLIS,
                10 * MILLIS,
                50 * MILLIS,
                250 * MILLIS,
                SECONDS);
    }

    /** For searches: 100 µs to 30 s. */
    public static Durations ofSearches() {
        return new Durations(
                100 * MICROS,
                250 * MICROS,
                500 * MICROS,
                MILLIS,
                2_500 * MICROS,
                5 * MILLIS,
                10 * MILLIS,
                25 * MILLIS,
                50 * MILLIS,
                100 * MILLIS,
                250 * MILLIS,
                500 * MILLIS,
                SECONDS,
                2_500 * MILLIS,
                5 * SECONDS,
                10 * SECONDS,
                30 * SECONDS);
    }

    /** For work on whole indices: 10 ms to an hour. */
    public static Durations ofJobs() {
        return new Durations(
                10 * MILLIS,
                100 * MILLIS,
                SECONDS,
                5 * SECONDS,
                10 * SECONDS,
                30 * SECONDS,
                60 * SECONDS,
                300 * SECONDS,
                900 * SECONDS,
                3_600 * SECONDS);
    }

    /** Records one duration. A duration equal to a bound is below it. */
    public void record(long durationInNanos) {
        int bucket = 0;
        while (bucket < bounds.length && durationInNanos > bounds[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        nanos.add(durationInNanos);
    }

    /** The sum in nanoseconds. */
    public long total() {
        return nanos.sum();
    }

    public Histogram histogram() {
        return new Histogram(
                Arrays.stream(bounds).mapToObj(Durations::seconds).toList(),
                Arrays.stream(counts).map(LongAdder::sum).toList(),
                seconds(total()));
    }

    private static double seconds(long nanos) {
        return nanos / (double) SECONDS;
    }

    /**
     * A snapshot of {@link Durations}. Immutable.
     *
     * @param bounds in seconds, ascending
     * @param counts durations in each range up to a bound, the bound included; last, durations above all bounds
     * @param sum in seconds
     */
    public record Histogram(List<Double> bounds, List<Long> counts, double sum) implements Writeable {

        public Histogram {
            bounds = List.copyOf(bounds);
            counts = List.copyOf(counts);
            if (counts.size() != bounds.size() + 1) {
                throw new IllegalArgumentException(
                        "[counts] must be one more than [bounds], got: " + counts.size() + " and " + bounds.size());
            }
        }

        public Histogram(StreamInput in) throws IOException {
            this(in.readList(StreamInput::readDouble), in.readList(StreamInput::readVLong), in.readDouble());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeCollection(bounds, StreamOutput::writeDouble);
            out.writeCollection(counts, StreamOutput::writeVLong);
            out.writeDouble(sum);
        }
    }
}
