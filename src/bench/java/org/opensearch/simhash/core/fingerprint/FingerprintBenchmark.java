/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.FastSimHashVersion;
import com.dynatrace.hash4j.similarity.SimilarityHasher;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.Buffers;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;

/**
 * Features per second, one thread, of documents of 200 words whose tokens are ready: shingles, hashes, counts, votes, digest.
 * Beside it hash4j's FastSimHash, which takes hashes and counts nothing: over hashes that are ready, and with the hashing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FingerprintBenchmark {

    private static final int DOCUMENTS = 64;
    private static final int WORDS = 200;
    private static final int FEATURES = DOCUMENTS * (2 * WORDS - 1);

    @Param({"TF", "LOG_TF"})
    Weighting weighting;

    @Param({"MURMUR3", "XXH3"})
    HashFunction hashFunction;

    private final char[][][] tokens = new char[DOCUMENTS][WORDS][];
    private final List<List<byte[]>> features = new ArrayList<>();
    private final List<long[]> hashes = new ArrayList<>();
    private final Buffers.OfThread buffers = new Buffers().ofThread();
    private final SimilarityHasher fastSimHash =
            SimilarityHashing.fastSimHash(Long.SIZE, FastSimHashVersion.V1).createHasher();
    private Shingles shingles;

    /** Words as in a text: few very often, most once. */
    @Setup
    public void write() {
        SplittableRandom random = new SplittableRandom(1);
        buffers.accountOn(bytes -> {});
        shingles = new Shingles(1, 2, hashFunction, new Fingerprinter.CountedFeatures(buffers.kinds, weighting == Weighting.LOG_TF), null);
        for (char[][] document : tokens) {
            for (int i = 0; i < WORDS; i++) {
                int rank = (int) (50_000 * Math.pow(random.nextDouble(), 4));
                document[i] = ("w" + Integer.toString(rank * 7919, 36)).toCharArray();
            }
            List<byte[]> ofDocument = new ArrayList<>();
            Shingles collecting = new Shingles(
                    1,
                    2,
                    hashFunction,
                    new SpelledFeatures(
                            (hash, kind, utf8, offset, length) ->
                                    ofDocument.add(Arrays.copyOfRange(utf8, offset, offset + length)),
                            bytes -> {}), null);
            for (char[] token : document) {
                collecting.token(token, 0, token.length);
            }
            collecting.endText();
            features.add(ofDocument);
            hashes.add(ofDocument.stream()
                    .mapToLong(feature -> hashFunction.hash(feature, 0, feature.length))
                    .toArray());
        }
    }

    @Benchmark
    @OperationsPerInvocation(FEATURES)
    public long fromTokens() {
        long result = 0;
        for (char[][] document : tokens) {
            buffers.clear();
            shingles.clear();
            for (char[] token : document) {
                shingles.token(token, 0, token.length);
            }
            shingles.endText();
            for (FeatureKind kind : FeatureKind.values()) {
                buffers.kinds.get(kind).vote(buffers.votes, weighting, kind.weight());
            }
            result += buffers.votes.fingerprint();
        }
        return result;
    }

    @Benchmark
    @OperationsPerInvocation(FEATURES)
    public long fastSimHashFromHashes() {
        long result = 0;
        for (long[] document : hashes) {
            result += fastSimHash.compute(ElementHashProvider.ofFunction(i -> document[i], document.length))[0];
        }
        return result;
    }

    @Benchmark
    @OperationsPerInvocation(FEATURES)
    public long fastSimHashFromFeatures() {
        long result = 0;
        for (List<byte[]> document : features) {
            result += fastSimHash.compute(ElementHashProvider.ofFunction(
                    i -> hashFunction.hash(document.get(i), 0, document.get(i).length), document.size()))[0];
        }
        return result;
    }
}
