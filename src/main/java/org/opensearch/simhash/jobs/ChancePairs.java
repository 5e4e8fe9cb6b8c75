/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobRun.JobQueries;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.search.query.IndexMapping;

/**
 * Whether most pairs within a distance are near by chance, told from random fingerprints before any are joined.
 *
 * <p>Pairs of unrelated texts grow with each bit, by a factor of two to five. Near-duplicates lie at all distances. So pairs by chance
 * prevail where at least half of the pairs within a distance differ in its last two bits. Their number grows with the square of the
 * documents: a distance that is right for a thousand documents may be wrong for ten million.
 */
final class ChancePairs {

    /** Unrelated texts are as near as that too rarely to look for them. */
    private static final int LEAST_DISTANCE = 6;

    /** Fingerprints, each compared with each: about a fifth of a second, of a job that takes ten. */
    private static final int SAMPLE = 10_000;

    private static final int LEAST_SAMPLE = 2_000;

    /** One fingerprint is drawn for so many. */
    private static final int PART = 200;

    /** Random numbers of one search: each shard gets those of all. */
    private static final int MOST_NUMBERS = 100_000;

    /** Of fewer pairs the last two bits tell nothing. */
    private static final int FEW = 20;

    /** Ten million real texts: 1.4 million pairs in 145 seconds (docs/figures/scale.md). */
    private static final double NANOS_A_PAIR = 1e5;

    private final int distance;
    /** Fingerprints of one scheme are compared with each other only. */
    private final Map<Object, long[]> samples = new HashMap<>();

    private final Map<Object, Integer> sizes = new HashMap<>();
    private final long[] pairs = new long[Long.SIZE + 1];
    private int drawn;

    /** @param distance of the job */
    ChancePairs(int distance) {
        this.distance = distance;
    }

    /**
     * What a job should say before it joins; empty if near-duplicates prevail, or if its conditions on a pair leave out an unknown part
     * of the pairs. Blocks for one search.
     */
    static Optional<String> warning(JobRun run) {
        PointInTime pointInTime = run.pointInTime();
        JobQueries queries = run.queries();
        DeduplicateOptions options = run.options();
        if (options.comparesFingerprints() == false
                || run.fields().areLongHashes()
                || options.conditions().isEmpty() == false
                || queries.newSince() != null
                || options.maxDistance() < LEAST_DISTANCE) {
            return Optional.empty();
        }
        String field = options.field();
        long fingerprinted = pointInTime.count(queries.withBits(field));
        int sample = Math.clamp(fingerprinted / PART, LEAST_SAMPLE, SAMPLE);
        int sampleSize = Math.min(sample, pointInTime.mostHits());
        QueryBuilder some = drawn(run, queries.withBits(field), fingerprinted, sampleSize);
        String scheme = field + "." + FingerprintFields.SCHEME;
        // Dynamic mapping made a text of the scheme, with a keyword below.
        for (String ofDocValues : List.of(scheme, scheme + IndexMapping.SUB_FIELD)) {
            try {
                return read(pointInTime, options, some, sampleSize, ofDocValues)
                        .sentence(fingerprinted, options.verify() != null);
            } catch (SearchPhaseExecutionException | IllegalArgumentException e) {
                // Without doc values. A warning never fails a job.
            }
        }
        return Optional.empty();
    }

    /** Selects about {@code size} of so many documents; all if they are not more, or too few of the index. The same for the same job. */
    static QueryBuilder drawn(JobRun run, QueryBuilder which, long documents, int size) {
        PointInTime pointInTime = run.pointInTime();
        long all = documents <= size ? 0 : pointInTime.count(new MatchAllQueryBuilder());
        // As many numbers as hit the sample, if shards are alike and the documents lie evenly among the others.
        long numbers = size * all / Math.max(1, documents);
        if (numbers == 0 || numbers > MOST_NUMBERS) {
            return which;
        }
        long below = Math.max(1, all / pointInTime.shards().size());
        return new BoolQueryBuilder()
                .filter(which)
                .filter(pointInTime.drawn(new SplittableRandom(run.task().getId()), below, (int) numbers));
    }

    /** @param scheme a field with doc values */
    private static ChancePairs read(
            PointInTime pointInTime, DeduplicateOptions options, QueryBuilder some, int sampleSize, String scheme) {
        String bits = options.field() + "." + FingerprintFields.BITS;
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(some)
                .size(sampleSize)
                .trackTotalHits(false)
                .fetchSource(false)
                .docValueField(bits)
                .docValueField(scheme);
        var chance = new ChancePairs(options.maxDistance());
        for (SearchHit hit : pointInTime.search(source).getHits()) {
            DocumentField ofScheme = hit.field(scheme);
            DocumentField ofBits = hit.field(bits);
            for (Object value : ofBits == null ? List.of() : ofBits.getValues()) {
                if (value instanceof Number number) {
                    chance.add(number.longValue(), ofScheme == null ? "" : ofScheme.getValue());
                }
            }
        }
        return chance;
    }

    /** Compares a fingerprint with all that were added before. */
    void add(long bits, Object scheme) {
        if (drawn == SAMPLE) {
            return; // Documents may have several.
        }
        int size = sizes.merge(scheme, 1, Integer::sum) - 1;
        long[] sample = ArrayUtil.grow(samples.getOrDefault(scheme, new long[0]), size + 1);
        samples.put(scheme, sample);
        for (int i = 0; i < size; i++) {
            pairs[Long.bitCount(sample[i] ^ bits)]++;
        }
        sample[size] = bits;
        drawn++;
    }

    /** @param fingerprinted documents of the job */
    Optional<String> sentence(long fingerprinted, boolean isVerified) {
        if (atEnd() < FEW || 2 * atEnd() < within()) {
            return Optional.empty();
        }
        double share = within() / (drawn * (drawn - 1) / 2.0);
        long expected = Math.round(share * fingerprinted * (fingerprinted - 1) / 2);
        return Optional.of("within " + distance + " bits most pairs are near by chance: in a sample of " + drawn
                + " fingerprints, " + atEnd() + " of " + within() + " pairs differ in "
                + (distance - 1) + " or " + distance + " bits, so about " + expected + " pairs are to be expected. "
                + (isVerified
                        ? "The texts of most are compared in vain, for some "
                                + Math.max(1, Math.round(expected * NANOS_A_PAIR / 1e9))
                                + " seconds: [sketch] minhash compares fewer"
                        : "Most groups would be wrong: compare the texts ([verify])"));
    }

    private long atEnd() {
        return pairs[distance] + pairs[distance - 1];
    }

    private long within() {
        return Arrays.stream(pairs, 0, distance + 1).sum();
    }
}
