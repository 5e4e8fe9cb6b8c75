/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.opensearch.simhash.search.match.Print.Target;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.opensearch.simhash.benchmark.Spread;

/**
 * Microseconds per search, one thread, one Lucene leaf: the query, the plain scan of doc values that one would write without
 * it, and the query beside a filter of a thousand documents. All matches are counted.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms2g", "-Xmx2g", "--add-modules=jdk.incubator.vector"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SimHashQueryBenchmark {

    private static final int TARGETS = 256;

    @Param({"1000000", "10000000"})
    int documents;

    @Param({"UNIFORM", "SKEWED"})
    Spread distribution;

    @Param({"0", "3", "5", "7", "10", "12"})
    int distance;

    @Param({"4"})
    int segments;

    private DirectoryReader reader;
    private IndexSearcher searcher;
    private long[] targets;
    private int next;

    @Setup
    public void open() throws IOException {
        BenchmarkIndex index = new BenchmarkIndex(distribution, documents, segments);
        reader = index.open();
        searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        targets = index.targets(TARGETS, distance);
    }

    @TearDown
    public void close() throws IOException {
        reader.close();
    }

    @Benchmark
    public int simhash() throws IOException {
        return searcher.count(near());
    }

    @Benchmark
    public int scan() throws IOException {
        return searcher.count(new PlainScanQuery(BenchmarkIndex.FIELDS.bits(), target(), distance));
    }

    @Benchmark
    public int simhashFiltered() throws IOException {
        return searcher.count(new BooleanQuery.Builder()
                .add(near(), Occur.FILTER)
                .add(BenchmarkIndex.FILTER, Occur.FILTER)
                .build());
    }

    private Query near() {
        Target target = new Target(OptionalLong.of(target()), null, BenchmarkIndex.SCHEME);
        return new SimHashQuery(BenchmarkIndex.FIELDS, target, distance, effort -> {});
    }

    private long target() {
        return targets[next++ % TARGETS];
    }
}
