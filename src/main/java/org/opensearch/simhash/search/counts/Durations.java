/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.counts;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.telemetry.tracing.Span;
import org.opensearch.telemetry.tracing.SpanContext;
import org.opensearch.telemetry.tracing.SpanCreationContext;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.telemetry.tracing.noop.NoopSpan;
import org.opensearch.telemetry.tracing.noop.NoopTracer;

/** A histogram of durations with fixed bounds, and their sum. Monotonic. Thread-safe; recording takes nanoseconds under contention. */
public final class Durations {

    private static final long SECOND = 1_000_000_000;

    /** In microseconds. */
    private static final long[] OF_TEXTS = {
        5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000, 1_000_000
    };

    /** In units of 50 microseconds. */
    private static final long[] OF_SEARCHES = {
        2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 600_000
    };

    /** In milliseconds. */
    private static final long[] OF_JOBS = {10, 100, 1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000};

    private final long[] bounds;
    private final LongAdder[] counts;
    private final LongAdder nanos = new LongAdder();

    private Durations(long[] bounds, long nanosEach) {
        this.bounds = Arrays.stream(bounds).map(bound -> bound * nanosEach).toArray();
        this.counts = new LongAdder[bounds.length + 1];
        Arrays.setAll(counts, any -> new LongAdder());
    }

    /** For one text: 5 µs to 1 s. */
    public static Durations ofTexts() {
        return new Durations(OF_TEXTS, 1_000);
    }

    /** For searches: 100 µs to 30 s. */
    public static Durations ofSearches() {
        return new Durations(OF_SEARCHES, 50_000);
    }

    /** For work on whole indices: 10 ms to an hour. */
    public static Durations ofJobs() {
        return new Durations(OF_JOBS, 1_000_000);
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
        return nanos / (double) SECOND;
    }

    /**
     * A snapshot of {@link Durations}. Immutable.
     *
     * @param bounds in seconds, ascending
     * @param counts durations in each range up to a bound, the bound included; last, durations above all bounds
     * @param sum in seconds
     */
    public record Histogram(List<Double> bounds, List<Long> counts, double sum) {

        public Histogram {
            bounds = List.copyOf(bounds);
            counts = List.copyOf(counts);
            if (counts.size() != bounds.size() + 1) {
                throw new IllegalArgumentException(
                        "[counts] must be one more than [bounds], got: " + counts.size() + " and " + bounds.size());
            }
        }
    }

    /**
     * Makes spans of OpenSearch's telemetry for work that goes from thread to thread: none is ever the current span of a thread, and any
     * thread may end it. Without a tracer that records, a span costs a volatile read and does nothing. Thread-safe.
     */
    public static final class Spans {

        private volatile Tracer tracer = NoopTracer.INSTANCE;

        public void startWith(Tracer ofNode) {
            tracer = ofNode;
        }

        /** A child of the current span of the thread. Whoever starts it ends it. */
        public Span start(String name) {
            return tracer.isRecording()
                    ? tracer.startSpan(SpanCreationContext.internal().name(name))
                    : NoopSpan.INSTANCE;
        }

        /** A child of another span; does nothing if that one does nothing. */
        public Span start(String name, Span parent) {
            return parent instanceof NoopSpan
                    ? parent
                    : tracer.startSpan(SpanCreationContext.internal().name(name).parent(new SpanContext(parent)));
        }
    }
}
