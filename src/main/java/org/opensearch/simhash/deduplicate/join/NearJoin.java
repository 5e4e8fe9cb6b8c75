/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.deduplicate.join.Fingerprints.Slice;
import org.opensearch.simhash.deduplicate.join.PairSearch.Plan;
import org.opensearch.simhash.memory.Account;

/**
 * Finds all links, exactly, on several threads. It compares equal fingerprints once, and joins each stratum by blocks
 * that fit its own statistics ({@link RadiusPlan}).
 *
 * <p>Cost: as {@link JoinCost} estimates. Memory: at most
 * {@value FingerprintRows#JOIN_BYTES} bytes per row with two threads, and 12 to 16 more per further thread; the
 * allowance limits the number of threads. Nine bytes per link of different fingerprints.
 */
public final class NearJoin {

    private static final int FEWER = 4;

    private static final int SAMPLE = 4_096;

    private final int distance;
    private final Executor executor;
    private final int threads;
    private final long allowance;
    private final LongConsumer progress;

    /**
     * @param distance greatest number of differing bits
     * @param executor runs {@code threads} tasks at a time; the caller waits
     * @param allowance bytes for the rows and all threads but two
     * @param progress is told the number of compared pairs
     */
    public NearJoin(int distance, Executor executor, int threads, long allowance, LongConsumer progress) {
        this.distance = distance;
        this.executor = executor;
        this.threads = threads;
        this.allowance = allowance;
        this.progress = progress;
    }

    /**
     * @param cliques without links if those were too many
     * @param pairs of different documents with near fingerprints or equal digests, also those that were too many
     * @param tooMany whether there were more links than wanted: they were counted, not kept
     */
    public record Joined(Cliques cliques, long pairs, boolean tooMany) {}

    /**
     * Finds the links. The rows are used up.
     *
     * @throws RuntimeException from {@code progress} or the memory
     */
    public Joined join(JoinRows rows, Chunks chunks, Wanted wanted) {
        Cliques.Builder cliques = new Cliques.Builder(rows.account());
        long equalTexts = rows.equalTexts(chunks, cliques, progress);
        progress.accept(0);
        Fingerprints fingerprints = rows.fingerprints(progress);
        progress.accept(0);
        List<Plan> plans = plans(fingerprints);
        LinkCollector links = links(rows, fingerprints, plans, chunks, wanted);
        return collect(fingerprints, links, cliques, equalTexts, chunks, rows.account());
    }

    /** Retries with fewer threads: where most are near one another, a thread may take more memory than its plan says. */
    private LinkCollector links(
            JoinRows rows, Fingerprints fingerprints, List<Plan> plans, Chunks chunks, Wanted wanted) {
        Account memory = rows.account();
        for (int most = threads; ; most = Math.max(1, most / FEWER)) {
            Account linking = new Account(memory);
            try {
                LinkCollector links = new LinkCollector(fingerprints, chunks, wanted, linking);
                if (distance > 0) {
                    new PairSearch(fingerprints, distance, executor, progress, linking)
                            .run(rows, plans, links, most, allowance - memory.taken() + linking.taken());
                }
                return links;
            } catch (CircuitBreakingException e) {
                linking.close();
                if (most == 1) {
                    throw e;
                }
            }
        }
    }

    private List<Plan> plans(Fingerprints fingerprints) {
        List<Plan> plans = new ArrayList<>();
        for (Slice slice : fingerprints.slices()) {
            progress.accept(0);
            if (slice.size() > 1) {
                JoinCost.Priced plan = slice.size() <= JoinCost.SMALL
                        ? JoinCost.whole(slice.size(), distance)
                        : JoinCost.cheapest(fingerprints.sample(slice, SAMPLE), slice.size(), distance);
                plans.add(new Plan(slice, plan.plan(), plan.nanos()));
            }
        }
        return plans;
    }

    /** The cliques that have a link or several rows. */
    private static Joined collect(
            Fingerprints fingerprints,
            LinkCollector links,
            Cliques.Builder cliques,
            long equalTexts,
            Chunks chunks,
            Account memory) {
        int size = fingerprints.size();
        try (Account collecting = new Account(memory)) {
            collecting.take(RankedSet.bytes(size));
            RankedSet kept = new RankedSet(size);
            long documents = 0;
            for (int number = fingerprints.next(0); number < size; number = fingerprints.next(number + 1)) {
                if (links.isLinked(number) || isOwned(fingerprints, number, chunks)) {
                    kept.add(number);
                    documents += fingerprints.rows(number);
                }
            }
            int first = cliques.size();
            cliques.expect(kept.rank(), Math.toIntExact(documents));
            long pairs = links.pairs() + equalTexts;
            for (Slice slice : fingerprints.slices()) {
                for (int number = fingerprints.next(slice.from());
                        number < slice.to();
                        number = fingerprints.next(number + 1)) {
                    if (kept.contains(number)) {
                        long members = add(fingerprints, number, slice.stratum(), cliques);
                        pairs += isOwned(fingerprints, number, chunks) ? members * (members - 1) / 2 : 0;
                    }
                }
            }
            links.forEach((a, b, distance) -> cliques.link(first + kept.rankOf(a), first + kept.rankOf(b), distance));
            return new Joined(cliques.build(), pairs, links.tooMany());
        }
    }

    /** Whether this pass owns the pairs of an equal fingerprint, and there are any. */
    private static boolean isOwned(Fingerprints fingerprints, int number, Chunks chunks) {
        return fingerprints.rows(number) > 1 && chunks.owns(fingerprints.value(number));
    }

    /** Returns the number of documents with a value. */
    private static int add(Fingerprints fingerprints, int number, long stratum, Cliques.Builder cliques) {
        long[] addresses = fingerprints.addresses(number);
        long[] documents = fingerprints.hasSeveral() ? Cliques.distinct(addresses) : addresses;
        cliques.add(documents, fingerprints.value(number), stratum);
        return documents.length;
    }
}
