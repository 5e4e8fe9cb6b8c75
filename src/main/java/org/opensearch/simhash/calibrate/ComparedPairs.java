/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.calibrate.estimate.SeenPair;
import org.opensearch.simhash.calibrate.sample.FoundPair;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.fingerprint.UnreadableTextException;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.verify.TextComparison;
import org.opensearch.simhash.verify.Verdict;
import org.opensearch.simhash.verify.Verification;

/**
 * Compares the texts of the chosen pairs, exactly: those around one drawn document after one another, so that its text is prepared
 * once. What cannot be compared counts as not near, as in a job. One thread.
 */
final class ComparedPairs {

    private static final int AT_ONCE = 50;

    private final Verification verification;
    private final double minSimilarity;
    private final long[] drawn;
    private final TextReader reader;
    private final JobTask task;
    private final Account memory;
    private final List<SeenPair> seen = new ArrayList<>();
    private final List<FoundPair> found = new ArrayList<>();
    private long notCompared;
    private long withText;

    /**
     * None yet.
     *
     * @param verification with a similarity of 0, so that each comparison tells the similarity
     * @param minSimilarity from which on two texts are near
     * @param drawn addresses of the drawn documents
     */
    ComparedPairs(
            Verification verification,
            double minSimilarity,
            long[] drawn,
            TextReader reader,
            JobTask task,
            Account memory) {
        this.verification = verification;
        this.minSimilarity = minSimilarity;
        this.drawn = drawn;
        this.reader = reader;
        this.task = task;
        this.memory = memory;
    }

    void compare(List<FoundPair> pairs) {
        List<FoundPair> byFirst = new ArrayList<>(pairs);
        byFirst.sort(Comparator.comparingInt(FoundPair::first));
        for (int from = 0; from < byFirst.size(); from += AT_ONCE) {
            List<FoundPair> some = byFirst.subList(from, Math.min(byFirst.size(), from + AT_ONCE));
            try (Account texts = new Account(memory)) {
                long[] addresses = some.stream()
                        .flatMapToLong(pair -> LongStream.of(drawn[pair.first()], pair.other()))
                        .distinct()
                        .toArray();
                compare(some, reader.read(addresses, texts));
            }
            task.step(some.size());
        }
    }

    private void compare(List<FoundPair> pairs, Map<Long, DocumentText> texts) {
        IdentityHashMap<Analyzer, TextComparison> comparisons = new IdentityHashMap<>();
        Account comparing = new Account(memory);
        int compared = -1;
        try {
            for (FoundPair pair : pairs) {
                if (pair.first() != compared) {
                    comparisons.clear();
                    comparing.close();
                    compared = pair.first();
                }
                DocumentText first = texts.get(drawn[pair.first()]);
                add(pair, similarity(first, texts.get(pair.other()), comparisons, comparing));
            }
        } finally {
            comparing.close();
        }
    }

    /** Not a number where it cannot be told. */
    private double similarity(
            DocumentText first,
            DocumentText second,
            IdentityHashMap<Analyzer, TextComparison> comparisons,
            Account comparing) {
        task.ensureNotCancelled();
        if (first == null || second == null || first.isBlank() || second.isBlank()) {
            return Double.NaN;
        }
        withText++;
        if (first.prepared().equals(second.prepared())) {
            return 1; // even where the analyzer cannot read them
        }
        try {
            // As a search does: the candidate's analyzer makes the tokens of both.
            TextComparison comparison = comparisons.computeIfAbsent(
                    second.analyzer(),
                    analyzer -> new TextComparison(
                            verification,
                            first.folding(),
                            analyzer,
                            first.prepared(),
                            comparing,
                            task::ensureNotCancelled));
            try (Account buffers = new Account(comparing)) {
                Verdict verdict = comparison.compare(second.prepared(), buffers, task::ensureNotCancelled);
                return verdict.similarity();
            }
        } catch (UnreadableTextException e) {
            return Double.NaN;
        }
    }

    private void add(FoundPair pair, double similarity) {
        boolean isKnown = Double.isNaN(similarity) == false;
        notCompared += isKnown ? 0 : 1;
        double known = isKnown ? similarity : 0;
        boolean isNear = isKnown && similarity >= minSimilarity;
        found.add(pair);
        seen.add(new SeenPair(pair.first(), pair.second(), pair.distance(), pair.size(), pair.weight(), known, isNear));
    }

    /** In the order of {@link #found()}. */
    List<SeenPair> seen() {
        return seen;
    }

    List<FoundPair> found() {
        return found;
    }

    /** Pairs of which a text is missing, or cannot be read, or is too large. */
    long notCompared() {
        return notCompared;
    }

    /** Pairs of which both have a text. */
    long withText() {
        return withText;
    }
}
