/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

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
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sample.Document;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.sketch.SketchWords;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.desk.calibrate.Readings.DocumentRows;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.FingerprintPages;
import org.opensearch.simhash.search.query.Threshold;

/** Which of the near pairs of fingerprints a job by sketches finds, where the index has both. One thread, which blocks. */
record SketchedPairs(Readings readings, CalibratedIndices indices, JobTask task, Account memory) {

    private static final int AT_ONCE = 1_000;
    private static final String FIELD = SketchKind.MINHASH.defaultObject();

    /** All sketches that a document has. */
    static final Prints SKETCHES = new Prints(BandLayout.DEFAULT_PERMUTATIONS, 1);

    /** Null if no index maps a sketch, or the share of near pairs that a distance finds is not known either. */
    Suggestion.Sketched measure(Verification verification, ComparedPairs compared, Estimates estimates) {
        if (indices.maps(FIELD + "." + FingerprintFields.SKETCH) == false) {
            return null;
        }
        double least = Threshold.Similarity.byDefault(verification, false);
        List<Sample.Pair> near =
                compared.seen().stream().filter(Sample.Pair::isNear).toList();
        Set<Sample.Pair> found = new HashSet<>();
        for (List<Sample.Pair> some : CollectionUtils.eagerPartition(near, AT_ONCE)) {
            task.ensureNotCancelled();
            try (Account kept = new Account(memory)) {
                Map<Long, Document> sketches = read(some, kept);
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

    private Map<Long, Document> read(List<Sample.Pair> pairs, Account kept) {
        long[] addresses = pairs.stream()
                .flatMapToLong(pair -> LongStream.of(first(pair), pair.other()))
                .sorted()
                .distinct()
                .toArray();
        Map<Long, Document> byAddress = new HashMap<>();
        DocumentRows rows = new DocumentRows(
                document -> {
                    kept.take((long) document.bits().length * Long.BYTES);
                    byAddress.put(document.address(), document);
                },
                task::ensureNotCancelled);
        Wanted these = Wanted.ALL.within(addresses);
        new FingerprintPages(readings.pointInTime(), FIELD, SKETCHES, List.of(), Chunks.WHOLE, these)
                .read(null, rows, read -> task.ensureNotCancelled());
        rows.end();
        return byAddress;
    }

    private static boolean areNear(long first, long other, Map<Long, Document> sketches, double least) {
        Document one = sketches.get(first);
        Document two = sketches.get(other);
        if (one == null || two == null || one.length() != two.length()) {
            return false;
        }
        for (int i = 0; i < one.strata().length; i++) {
            for (int k = 0; k < two.strata().length; k++) {
                if (one.strata()[i] == two.strata()[k]
                        && areNear(one.bits(), i * one.length(), two.bits(), k * two.length(), least)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean areNear(long[] one, int at, long[] two, int to, double least) {
        int permutations = SketchWords.permutations(one, at);
        return SketchWords.permutations(two, to) == permutations
                && SketchWords.agreeing(one, at, two, to) >= Sketch.leastAgreeing(least, permutations);
    }
}
