/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.opensearch.core.common.util.CollectionUtils;
import org.opensearch.simhash.core.estimate.Estimates;
import org.opensearch.simhash.core.estimate.Interval;
import org.opensearch.simhash.core.estimate.Sample;
import org.opensearch.simhash.core.estimate.Suggestion;
import org.opensearch.simhash.core.fingerprint.SketchFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.jobs.scan.SketchScan;
import org.opensearch.simhash.search.query.Threshold;

/**
 * Which of the near pairs of fingerprints a job by sketches finds, where the index has both: the sketches of these pairs are read and
 * compared. One thread, which blocks.
 */
record SketchedPairs(Readings readings, CalibratedIndices indices, JobTask task, Account memory) {

    private static final int AT_ONCE = 1_000;
    private static final String FIELD = SketchKind.MINHASH.defaultObject();

    private record Stored(Sketch sketch, int stratum) {}

    /** Null if no index maps a sketch, or the share of near pairs that a distance finds is not known either. */
    Suggestion.Sketched measure(Verification verification, ComparedPairs compared, Estimates estimates) {
        if (indices.maps(FIELD + "." + SketchFields.SKETCH) == false) {
            return null;
        }
        double least = Threshold.Similarity.byDefault(verification, false);
        List<Sample.Pair> near =
                compared.seen().stream().filter(Sample.Pair::isNear).toList();
        Set<Sample.Pair> found = new HashSet<>();
        for (List<Sample.Pair> some : CollectionUtils.eagerPartition(near, AT_ONCE)) {
            task.ensureNotCancelled();
            try (Account kept = new Account(memory)) {
                Map<Long, List<Stored>> sketches = read(some, kept);
                some.stream()
                        .filter(pair -> areNear(first(pair), pair.other(), sketches, least))
                        .forEach(found::add);
            }
        }
        Interval recall = estimates.recall(found::contains);
        return recall.estimate() == null ? null : new Suggestion.Sketched(least, recall);
    }

    private long first(Sample.Pair pair) {
        return readings.draw().documents().get(pair.first()).address();
    }

    private Map<Long, List<Stored>> read(List<Sample.Pair> pairs, Account kept) {
        long[] addresses = pairs.stream()
                .flatMapToLong(pair -> LongStream.of(first(pair), pair.other()))
                .distinct()
                .toArray();
        Map<Long, List<Stored>> sketches = new HashMap<>();
        SketchScan scan = new SketchScan(
                readings.pointInTime(), FIELD + "." + SketchFields.SKETCH, FIELD + "." + SketchFields.SCHEME);
        scan.read(addresses, new ReadSlices(memory, task.retries()), (address, value, stratum) -> {
            Sketch sketch = Sketch.fromBase64(value);
            kept.take(sketch.bytes().length);
            sketches.computeIfAbsent(address, any -> new ArrayList<>()).add(new Stored(sketch, stratum));
        });
        return sketches;
    }

    private static boolean areNear(long first, long other, Map<Long, List<Stored>> sketches, double least) {
        return sketches.getOrDefault(first, List.of()).stream()
                .anyMatch(one -> sketches.getOrDefault(other, List.of()).stream()
                        .anyMatch(two -> one.stratum == two.stratum && areNear(one.sketch, two.sketch, least)));
    }

    private static boolean areNear(Sketch one, Sketch two, double least) {
        int permutations = one.permutations();
        return two.permutations() == permutations && one.agreeing(two) >= Sketch.leastAgreeing(least, permutations);
    }
}
