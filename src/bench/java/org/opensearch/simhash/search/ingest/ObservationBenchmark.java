/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.simhash.search.ingest.FingerprintCounts.BulkTally;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * What it costs to count a document and its time, in nanoseconds, two threads at once: as a processor does it, and with a sum of
 * times in place of a histogram and without a tally.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Threads(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ObservationBenchmark {

    private final ThreadContext context = new ThreadContext(Settings.EMPTY);
    private final FingerprintCounts counts = new FingerprintCounts(() -> context);
    private final LongAdder documents = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    /** As each thread has it that runs a pipeline for a bulk. */
    @State(Scope.Thread)
    public static class OfThread {

        @Setup
        public void begin(ObservationBenchmark benchmark) {
            benchmark.context.putTransient(BulkTally.KEY, new BulkTally(bytes -> {}));
        }
    }

    @Benchmark
    public void histogramAndTally(OfThread thread) {
        long start = System.nanoTime();
        counts.made(false, false);
        counts.times().record(System.nanoTime() - start);
    }

    @Benchmark
    public void sums(OfThread thread) {
        long start = System.nanoTime();
        documents.increment();
        nanos.add(System.nanoTime() - start);
    }
}
