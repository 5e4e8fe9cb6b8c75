/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.counts.Durations;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.join.EdgeCheck;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.deduplicate.scan.StoredTexts;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.verify.PreparedText;
import org.opensearch.simhash.verify.TextComparisons;
import org.opensearch.simhash.verify.Verdict;
import org.opensearch.simhash.verify.Verification;

/**
 * Compares the texts of near documents ({@link StoredTexts}). Texts are read from the point in time, all that are expected at a time,
 * and forgotten when others are. One thread.
 */
final class VerifiedTexts implements EdgeCheck {

    private static final int MOST_AT_ONCE = 250;

    /** No more texts are expected beyond so many bytes of them, whatever their number. */
    private static final long BYTES_AT_ONCE = 32 << 20;

    private final Verification verification;
    private final StoredTexts stored;
    private final DocumentTable table;
    /** What is kept as long as the documents are expected. */
    private final Account texts;

    private final Account memory;
    private final JobTask task;
    private final Durations times;
    private final Map<Integer, PreparedText> prepared = new HashMap<>();
    /** Of those without a text there may be very many, all of them near to each other. */
    private final FixedBitSet blank;

    private boolean hasText;

    /** The document that others are compared with, and its comparisons; null where there is none. */
    private int compared;

    private TextComparisons comparisons;

    /** @param memory pays for what is read and compared; closed by who has it */
    VerifiedTexts(JobRun run, DocumentTable table, Account memory) {
        this.verification = run.options().verify();
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
                verification.field(),
                run.options().field(),
                memory,
                new Retries(task::ensureNotCancelled));
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
            from += stored.read(addresses, (address, text) -> add(table.rank(address), text));
        }
        return from;
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
     * To be asked when all are compared: no groups, because the field has another name, must not look like no near-duplicates.
     *
     * @param isMapped whether an index has such a field
     */
    void requireSome(Predicate<String> isMapped) {
        if (hasText == false && blank.cardinality() > 0 && isMapped.test(verification.field()) == false) {
            throw new IllegalArgumentException("[field] of [verify] must hold a text, got: [" + verification.field()
                    + "], which is mapped in none of the indices, and in none of the " + blank.cardinality()
                    + " documents to compare");
        }
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
            return compared(a, b);
        } finally {
            times.record(System.nanoTime() - start);
        }
    }

    private double compared(int a, int b) {
        if (comparisons == null || compared != a) {
            forgetComparisons();
            compared = a;
            comparisons = new TextComparisons(verification, prepared.get(a), memory, task::ensureNotCancelled);
        }
        Verdict verdict = comparisons.compare(prepared.get(b));
        return verdict.isSimilar() ? verdict.similarity() : -1;
    }

    private void forgetComparisons() {
        if (comparisons != null) {
            comparisons.close();
            comparisons = null;
        }
    }
}
