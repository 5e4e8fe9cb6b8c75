/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.core.join.Linkage.LinkCheck;
import org.opensearch.simhash.core.join.ParallelUnits;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.verify.PreparedText;
import org.opensearch.simhash.core.verify.ShingleSet;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.job.DeduplicateThreads;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.scan.StoredTexts;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.match.PassageRule.PreparedComparisons;
import org.opensearch.threadpool.ThreadPool;

/**
 * Compares the texts of linked documents ({@link StoredTexts}), their passages, or both. It reads the expected texts together, in
 * the order of the index and on several threads, and keeps them while there is room. So a text is analysed once, however many
 * others it is compared with, unless a group is larger than the room. Not thread-safe.
 */
final class VerifiedTexts implements LinkCheck {

    /** Documents that one thread reads before it takes others. */
    private static final int UNIT = 250;

    private static final int MOST_AT_ONCE = 8_000;

    /** Else tens of thousands of texts that share a footer, and no more, would all be compared with one another. */
    private static final int PATIENCE = 256;

    /** Beyond so many bytes no more texts are expected. */
    private static final long BYTES_AT_ONCE = 32 << 20;

    /**
     * A text of the window.
     *
     * @param shingles null where the text itself must be compared
     */
    private record Ready(PreparedText text, ShingleSet shingles) {

        long bytes() {
            return text.bytes() + (shingles == null ? 0 : shingles.bytes());
        }
    }

    /** Null if only passages are compared. */
    private final Verification verification;

    /** One for each thread. */
    private final List<StoredTexts> readers;

    private final Executor threads;
    private final DocumentTable table;
    private final Account texts;

    private final Account memory;
    private final JobTask task;
    private final Durations times;
    /** By rank. Also those without a text, as null. Guarded by itself. */
    private final Map<Integer, Ready> window = new HashMap<>();

    /** Documents without text, or with the fingerprint of another one. There may be many, all with links to each other. */
    private final FixedBitSet blank;

    /** Whether shingles are all that is compared. */
    private final boolean usesSets;

    /** Whether fingerprints are compared with their texts, because a document may end. */
    private final boolean judges;

    private final DeduplicateOptions options;
    private final EndRule ending;

    private boolean hasText;

    /** Of a text, on average. */
    private long bytesEach = BYTES_AT_ONCE / UNIT;

    /** The present document and its comparisons; null without one. */
    private int compared = -1;

    private PreparedComparisons comparisons;
    private long pairs;
    private long similarPairs;
    private long givenUp;

    VerifiedTexts(JobRun run, DocumentTable table, Account memory) {
        this.options = run.options();
        this.verification = options.verify();
        this.ending = options.ending();
        this.usesSets = options.passages() == null && ShingleSet.suffice(verification);
        this.judges = options.action() == DeduplicateOptions.Action.DELETE;
        this.table = table;
        memory.take(table.size() / Byte.SIZE);
        this.blank = new FixedBitSet(table.size());
        this.texts = new Account(memory);
        this.memory = memory;
        this.task = run.task();
        this.times = run.services().searches().comparisons();
        ThreadPool pools = run.client().threadPool();
        this.threads = DeduplicateThreads.joiners(pools);
        String field = verification == null ? null : verification.field();
        this.readers = Stream.generate(() -> run.texts(field, options.passages() != null, memory))
                .limit(DeduplicateThreads.joining(pools))
                .toList();
    }

    @Override
    public int expect(int[] documents) {
        forgetComparisons();
        makeRoom(documents);
        int read = 0;
        int from = 0;
        while (from < documents.length && (hasRoom() || window.containsKey(documents[from]))) {
            int to = Math.min(
                    documents.length, from + Math.clamp((BYTES_AT_ONCE - texts.taken()) / bytesEach, 2, MOST_AT_ONCE));
            read(Arrays.copyOfRange(documents, from, to));
            from = to;
            bytesEach = 1 + texts.taken() / window.size();
            while (read < to && window.containsKey(documents[read])) {
                read++;
            }
        }
        // Two can always be compared.
        for (; read < Math.min(2, documents.length); read++) {
            if (window.containsKey(documents[read]) == false) {
                read(readers.getFirst(), new long[] {table.address(documents[read])});
            }
        }
        return read;
    }

    /** Drops texts that are not expected, if the others need their room, and then half of the expected ones, the least urgent. */
    private void makeRoom(int[] expected) {
        long missing = Arrays.stream(expected)
                .filter(document -> window.containsKey(document) == false)
                .count();
        if (expected.length > 0 && texts.taken() + missing * bytesEach <= BYTES_AT_ONCE) {
            return;
        }
        Set<Integer> kept = Arrays.stream(expected).boxed().collect(Collectors.toSet());
        window.keySet().stream()
                .filter(document -> kept.contains(document) == false)
                .toList()
                .forEach(this::drop);
        for (int last = expected.length; missing > 0 && texts.taken() > BYTES_AT_ONCE / 2; ) {
            drop(expected[--last]);
        }
    }

    private void drop(int document) {
        Ready text = window.remove(document);
        texts.give(text == null ? 0 : text.bytes());
    }

    private boolean hasRoom() {
        return texts.taken() < BYTES_AT_ONCE;
    }

    private void read(int[] documents) {
        task.ensureNotCancelled();
        // Neighbours of the index are stored together.
        long[] addresses = Arrays.stream(documents)
                .filter(document -> window.containsKey(document) == false)
                .mapToLong(table::address)
                .sorted()
                .toArray();
        var units = new ParallelUnits((addresses.length + UNIT - 1) / UNIT);
        for (StoredTexts reader : readers) {
            units.addRunner(unit -> {
                if (hasRoom()) {
                    int from = unit * UNIT;
                    read(reader, Arrays.copyOfRange(addresses, from, Math.min(addresses.length, from + UNIT)));
                }
            });
        }
        units.await(threads, task::ensureNotCancelled);
    }

    private void read(StoredTexts reader, long[] addresses) {
        for (int from = 0; from < addresses.length && (from == 0 || hasRoom()); ) {
            task.ensureNotCancelled();
            long[] rest = Arrays.copyOfRange(addresses, from, addresses.length);
            from += judges
                    ? reader.readJudged(options.kind(), rest, (address, text) -> add(table.rank(address), text))
                    : reader.read(rest, (address, text) -> add(table.rank(address), text));
        }
    }

    private void add(int rank, StoredTexts.Judged judged) {
        Freshness.State state = judged.freshness().state();
        synchronized (window) {
            table.judged(rank, state);
        }
        add(rank, ending.mayLink(state) ? judged.text() : null);
    }

    /** @param text null if it may not be compared */
    private void add(int rank, PreparedText text) {
        Ready ready = null;
        if (text != null && text.isBlank() == false) {
            PreparedText compared = verification == null ? text.withoutText() : text;
            texts.take(compared.bytes());
            ready = new Ready(
                    compared, usesSets ? ShingleSet.of(verification, compared, texts, task::ensureNotCancelled) : null);
        }
        synchronized (window) {
            hasText |= ready != null;
            if (ready == null) {
                blank.set(rank);
            }
            window.put(rank, ready);
        }
    }

    /** Fails if no text was found, because a misspelled field must not look like an index without duplicates. Call it at the end. */
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
                .filter(rank -> judges == false || ending.mayLink(table.state(rank)))
                .count();
    }

    @Override
    public boolean isComparable(int document) {
        return blank.get(document) == false;
    }

    @Override
    public int patience() {
        return options.passages() == null ? Integer.MAX_VALUE : PATIENCE;
    }

    @Override
    public boolean areCliquesEqual() {
        return options.passages() == null && options.candidates() == null;
    }

    @Override
    public void gaveUp() {
        givenUp++;
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
        Verdict verdict = verdict(window.get(a), window.get(b));
        return verdict.isSimilar() ? verdict.similarity() : -1;
    }

    private Verdict verdict(Ready a, Ready b) {
        if (a.shingles() != null && b.shingles() != null && a.text().isAnalysedLike(b.text())) {
            return a.shingles().compare(b.shingles(), verification);
        }
        if (comparisons == null) {
            comparisons = new PreparedComparisons(
                    options.passages(), verification, a.text(), memory, task::ensureNotCancelled);
        }
        return comparisons.compare(b.text());
    }

    long pairs() {
        return pairs;
    }

    long similarPairs() {
        return similarPairs;
    }

    /** Says whether documents were not compared with all that share a term with them. */
    Optional<String> warning() {
        return givenUp == 0
                ? Optional.empty()
                : Optional.of(givenUp + " documents were compared with " + PATIENCE + " others in vain, those with the"
                        + " most terms in common first, and not with all that share a term with them");
    }

    private void forgetComparisons() {
        if (comparisons != null) {
            comparisons.close();
            comparisons = null;
        }
    }
}
