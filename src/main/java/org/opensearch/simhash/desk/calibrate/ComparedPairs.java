/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.opensearch.simhash.core.estimate.Sample;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sample.Surroundings;
import org.opensearch.simhash.core.verify.PreparedText;
import org.opensearch.simhash.core.verify.TextComparisons;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.StoredTexts;

/** Compares the texts of chosen pairs exactly. A pair that cannot be compared is not near, as in a job. One thread. */
final class ComparedPairs {

    private static final int AT_ONCE = 50;

    private static final long BYTES_AT_ONCE = 32 << 20;

    private final Verification verification;
    private final double minSimilarity;
    private final long[] drawn;
    private final StoredTexts texts;
    private final JobTask task;
    private final Account memory;
    private final Judging judging;
    private final List<Sample.Pair> seen = new ArrayList<>();
    private long notCompared;
    private long withText;

    /** @param judging what people say of pairs comes first */
    ComparedPairs(
            Verification verification, long[] drawn, StoredTexts texts, JobTask task, Account memory, Judging judging) {
        this.verification = verification.withMinSimilarity(0); // Each comparison tells the similarity.
        this.minSimilarity = verification.minSimilarity();
        this.drawn = drawn;
        this.texts = texts;
        this.task = task;
        this.memory = memory;
        this.judging = judging;
    }

    void compare(List<Surroundings.FoundPair> pairs) {
        List<Surroundings.FoundPair> byFirst = new ArrayList<>(pairs);
        byFirst.sort(Comparator.comparingInt(Surroundings.FoundPair::first));
        for (int from = 0; from < byFirst.size(); ) {
            try (Account kept = new Account(memory)) {
                int count = compareSome(byFirst.subList(from, Math.min(byFirst.size(), from + AT_ONCE)), kept);
                if (count == 0) {
                    throw new IllegalStateException("a document of the point in time is not there");
                }
                task.step(count);
                from += count;
            }
        }
    }

    /** Compares as many of the first pairs as there is room for, and returns their number. */
    private int compareSome(List<Surroundings.FoundPair> pairs, Account kept) {
        long[] addresses = pairs.stream()
                .flatMapToLong(pair -> LongStream.of(drawn[pair.first()], pair.other()))
                .distinct()
                .toArray();
        Map<Long, PreparedText> read = new HashMap<>();
        for (int from = 0; from < addresses.length && (from < 2 || kept.taken() < BYTES_AT_ONCE); ) {
            task.ensureNotCancelled();
            from += texts.read(Arrays.copyOfRange(addresses, from, addresses.length), (address, text) -> {
                kept.take(text.bytes());
                read.put(address, text);
            });
        }
        int compared = 0;
        while (compared < pairs.size() && isRead(pairs.get(compared), read)) {
            int first = pairs.get(compared).first();
            int to = compared + 1;
            while (to < pairs.size() && pairs.get(to).first() == first && isRead(pairs.get(to), read)) {
                to++;
            }
            compareAround(read.get(drawn[first]), pairs.subList(compared, to), read);
            compared = to;
        }
        return compared;
    }

    private boolean isRead(Surroundings.FoundPair pair, Map<Long, PreparedText> read) {
        return read.containsKey(drawn[pair.first()]) && read.containsKey(pair.other());
    }

    private void compareAround(PreparedText first, List<Surroundings.FoundPair> pairs, Map<Long, PreparedText> read) {
        try (TextComparisons comparisons = new TextComparisons(verification, first, memory, task::ensureNotCancelled)) {
            for (Surroundings.FoundPair pair : pairs) {
                task.ensureNotCancelled();
                PreparedText second = read.get(pair.other());
                boolean haveText = first.isBlank() == false && second.isBlank() == false;
                withText += haveText ? 1 : 0;
                add(pair, haveText ? comparisons.compare(second) : Verdict.NO_TEXT);
            }
        }
    }

    private void add(Surroundings.FoundPair pair, Verdict verdict) {
        boolean isKnown = Double.isNaN(verdict.similarity()) == false;
        notCompared += isKnown ? 0 : 1;
        double known = isKnown ? verdict.similarity() : 0;
        boolean isNear = judging.areNear(
                Set.of(drawn[pair.first()], pair.other()), verdict.isSimilar() && known >= minSimilarity);
        seen.add(new Sample.Pair(
                pair.first(), pair.second(), pair.other(), pair.distance(), pair.size(), pair.weight(), known, isNear));
    }

    List<Sample.Pair> seen() {
        return seen;
    }

    double minSimilarity() {
        return minSimilarity;
    }

    Judging judging() {
        return judging;
    }

    Set<Long> addresses(Sample.Pair pair) {
        return Set.of(drawn[pair.first()], pair.other());
    }

    /** Pairs with a text that is missing, unreadable or too large. */
    long notCompared() {
        return notCompared;
    }

    long withText() {
        return withText;
    }
}
