/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.counts.Durations;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.join.Linkage.LinkCheck;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.options.EndRules;
import org.opensearch.simhash.deduplicate.scan.StoredTexts;
import org.opensearch.simhash.ingest.Freshness;
import org.opensearch.simhash.match.PreparedComparisons;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.verify.PreparedText;
import org.opensearch.simhash.verify.Verdict;
import org.opensearch.simhash.verify.Verification;

/**
 * Compares the texts of linked documents ({@link StoredTexts}), their passages, or both. It reads the expected texts together, and
 * drops them when others are expected. Not thread-safe.
 */
final class VerifiedTexts implements LinkCheck {

    private static final int MOST_AT_ONCE = 250;

    /** Beyond so many bytes no more texts are expected. */
    private static final long BYTES_AT_ONCE = 32 << 20;

    /** Null if only passages are compared. */
    private final Verification verification;

    private final StoredTexts stored;
    private final DocumentTable table;
    /** Accounts for the expected texts. */
    private final Account texts;

    private final Account memory;
    private final JobTask task;
    private final Durations times;
    private final Map<Integer, PreparedText> prepared = new HashMap<>();
    /** Documents without text, or with the fingerprint of another one. There may be many, all with links to each other. */
    private final FixedBitSet blank;

    /** Whether fingerprints are compared with their texts, because a document may end. */
    private final boolean judges;

    private final DeduplicateOptions options;

    private boolean hasText;

    /** The present document and its comparisons; null without one. */
    private int compared = -1;

    private PreparedComparisons comparisons;
    private long pairs;
    private long similarPairs;

    /** @param memory pays for texts and comparisons; its owner closes it */
    VerifiedTexts(JobRun run, DocumentTable table, Account memory) {
        this.options = run.options();
        this.verification = options.verify();
        this.judges = options.action() == DeduplicateOptions.Action.DELETE;
        this.table = table;
        memory.take(table.size() / Byte.SIZE);
        this.blank = new FixedBitSet(table.size());
        this.texts = new Account(memory);
        this.memory = memory;
        this.task = run.task();
        this.times = run.services().searches().comparisons();
        this.stored = new StoredTexts(
                run.pointInTime(),
                run.services().recipes(run.options().kind()),
                verification == null ? null : verification.field(),
                run.options().field(),
                options.passages() != null,
                memory,
                task.retries());
    }

    @Override
    public int expect(int[] documents) {
        forgetComparisons();
        prepared.clear();
        texts.close();
        int from = 0;
        while (from < documents.length && (from < 2 || texts.taken() < BYTES_AT_ONCE)) {
            task.ensureNotCancelled();
            int to = Math.min(documents.length, from + MOST_AT_ONCE);
            long[] addresses =
                    Arrays.stream(documents, from, to).mapToLong(table::address).toArray();
            from += judges
                    ? stored.readJudged(options.kind(), addresses, (address, text) -> add(table.rank(address), text))
                    : stored.read(addresses, (address, text) -> add(table.rank(address), text));
        }
        return from;
    }

    private void add(int rank, StoredTexts.Judged judged) {
        Freshness.State state = judged.freshness().state();
        table.judged(rank, state);
        if (EndRules.mayEnd(state, options)) {
            add(rank, judged.text());
        } else {
            blank.set(rank);
        }
    }

    private void add(int rank, PreparedText text) {
        if (text.isBlank()) {
            blank.set(rank);
            return;
        }
        hasText = true;
        texts.take(text.bytes());
        prepared.put(rank, text);
    }

    /**
     * Fails if no text was found, because a misspelled field must not look like an index without duplicates. Call it at
     * the end.
     *
     * @param isMapped whether an index maps the field
     */
    void requireSome(Predicate<String> isMapped) {
        if (verification != null
                && verification.field() != null
                && hasText == false
                && blank.cardinality() > 0
                && isMapped.test(verification.field()) == false) {
            throw new IllegalArgumentException("[field] of [verify] must hold a text, got: [" + verification.field()
                    + "], which is mapped in none of the indices, and in none of the " + blank.cardinality()
                    + " documents to compare");
        }
    }

    /** How many documents have no text; those that are left out for another reason are judged in the table. */
    long blank() {
        return IntStream.range(0, table.size())
                .filter(blank::get)
                .filter(rank -> judges == false || EndRules.mayEnd(table.state(rank), options))
                .count();
    }

    @Override
    public boolean isComparable(int document) {
        return blank.get(document) == false;
    }

    @Override
    public double similarity(int a, int b) {
        task.ensureNotCancelled();
        long start = System.nanoTime();
        try {
            double similarity = compared(a, b);
            pairs++;
            similarPairs += similarity < 0 ? 0 : 1;
            return similarity;
        } finally {
            times.record(System.nanoTime() - start);
        }
    }

    private double compared(int a, int b) {
        if (compared != a) {
            forgetComparisons();
            compared = a;
        }
        if (comparisons == null) {
            comparisons = new PreparedComparisons(
                    options.passages(), verification, prepared.get(a), memory, task::ensureNotCancelled);
        }
        Verdict verdict = comparisons.compare(prepared.get(b));
        return verdict.isSimilar() ? verdict.similarity() : -1;
    }

    /** Compared so far. */
    long pairs() {
        return pairs;
    }

    /** Of these, pairs that are similar enough. */
    long similarPairs() {
        return similarPairs;
    }

    private void forgetComparisons() {
        if (comparisons != null) {
            comparisons.close();
            comparisons = null;
        }
    }
}
