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
 * All pairs of fingerprints within a distance, exactly, with all threads that it is given. Equal fingerprints are collapsed first;
 * each stratum is joined by blocks that its own statistics propose.
 *
 * <p>Cost: for uniform fingerprints a few sorts; for any others what {@link BlockChoice} finds cheapest. Memory: at most
 * {@value FingerprintRows#JOIN_BYTES} bytes per row with two threads, 12 to 16 more for each further thread, of which there are as
 * many as fit into the allowance; nine per pair of different fingerprints found.
 */
public final class NearJoin {

    /** Smaller strata are compared pair by pair. */
    static final int SMALL = 512;

    private static final int FEWER = 4;

    private static final int SAMPLE = 4_096;

    /** A join that costs less than such a part of all comparisons is worth it, however many links there are. */
    private static final int CHEAP = 8;

    /** Too many for sure, where a sample tells. */
    private static final int HALF = 2;

    private final int distance;
    private final Executor executor;
    private final int threads;
    private final long allowance;
    private final LongConsumer progress;

    /**
     * A join.
     *
     * @param distance greatest number of differing bits
     * @param executor runs {@code threads} tasks at a time; the caller waits for them
     * @param allowance bytes that all threads but two are to fit into, together with the rows
     * @param progress is told of pairs as they are compared, and may throw to end the join
     */
    public NearJoin(int distance, Executor executor, int threads, long allowance, LongConsumer progress) {
        this.distance = distance;
        this.executor = executor;
        this.threads = threads;
        this.allowance = allowance;
        this.progress = progress;
    }

    /**
     * What was found.
     *
     * @param cliques without their links when those were too many
     * @param pairs of equal or near fingerprints, and of equal digests, of different documents
     * @param links what became of the links
     */
    public record Found(Cliques cliques, long pairs, Links links) {

        /** Whether there were more links than wanted. */
        public boolean tooMany() {
            return links != Links.KEPT;
        }
    }

    /** What a join did with the links. */
    public enum Links {
        /** They are there. */
        KEPT,
        /** They were counted, and forgotten because there were too many. */
        TOO_MANY,
        /**
         * Nobody looked for them, since a sample says that there are too many: all fingerprints are in the answer, and its pairs are
         * those of equal fingerprints and digests alone. A {@link CrowdScan} finds the rest.
         */
        CROWD
    }

    /**
     * Finds the pairs. The rows are used up.
     *
     * @throws RuntimeException what the progress or the memory threw
     */
    public Found join(JoinRows rows, Chunks chunks, Wanted wanted) {
        Cliques.Builder cliques = new Cliques.Builder(rows.account());
        long equalTexts = rows.equalTexts(chunks, cliques, progress);
        progress.accept(0);
        Fingerprints fingerprints = rows.fingerprints(progress);
        progress.accept(0);
        List<Plan> plans = plans(fingerprints);
        if (wanted.crowd() && chunks.count() == 1 && isCrowd(fingerprints, plans, wanted.mostLinks() / HALF)) {
            return crowd(fingerprints, cliques, equalTexts);
        }
        LinkCollector links = links(rows, fingerprints, plans, chunks, wanted);
        return collect(fingerprints, links, cliques, equalTexts, chunks, rows.account());
    }

    /** Where most fingerprints are crowded together, each thread takes more than anybody can know before: then with fewer of them. */
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
            if (slice.size() <= SMALL) {
                if (slice.size() > 1) {
                    plans.add(
                            new Plan(slice, BlockPlan.quadratic(distance), BlockChoice.COMPARE * pairs(slice.size())));
                }
                continue;
            }
            long[] sample = fingerprints.sample(slice, SAMPLE);
            BlockChoice.Priced plan =
                    BlockChoice.cheapest(sample, slice.size(), -1L, distance, BlockChoice.MOST_COMBINATIONS);
            plans.add(new Plan(slice, plan.plan(), plan.nanos()));
        }
        return plans;
    }

    private static double pairs(double count) {
        return count * (count - 1) / 2;
    }

    /** Whether a join compares a good part of all pairs, only to find that there are too many links. */
    private boolean isCrowd(Fingerprints fingerprints, List<Plan> plans, long most) {
        double all =
                plans.stream().mapToDouble(plan -> pairs(plan.slice().size())).sum();
        double nanos = plans.stream().mapToDouble(Plan::nanos).sum();
        if (all <= most || nanos * CHEAP < all * BlockChoice.COMPARE) {
            return false;
        }
        double links = 0;
        for (Plan plan : plans) {
            Slice slice = plan.slice();
            LinkSample sample = LinkSample.of(fingerprints, slice, distance);
            progress.accept(sample.compared());
            links += sample.share() * pairs(slice.size());
            if (links > most) {
                return true;
            }
        }
        return false;
    }

    /** All of them. */
    private static Found crowd(Fingerprints fingerprints, Cliques.Builder cliques, long equalTexts) {
        long pairs = equalTexts;
        for (Slice slice : fingerprints.slices()) {
            for (int number = fingerprints.next(slice.from());
                    number < slice.to();
                    number = fingerprints.next(number + 1)) {
                long documents = add(fingerprints, number, slice.stratum(), cliques);
                pairs += documents * (documents - 1) / 2;
            }
        }
        return new Found(cliques.build(), pairs, Links.CROWD);
    }

    /** The cliques that have a link or several rows. */
    private static Found collect(
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
            return new Found(cliques.build(), pairs, links.tooMany() ? Links.TOO_MANY : Links.KEPT);
        }
    }

    /** Whether the pairs of equal fingerprints are looked for here, and there are any. */
    private static boolean isOwned(Fingerprints fingerprints, int number, Chunks chunks) {
        return fingerprints.rows(number) > 1 && chunks.owns(fingerprints.value(number));
    }

    /** Adds the documents of a value; returns how many they are. */
    private static int add(Fingerprints fingerprints, int number, long stratum, Cliques.Builder cliques) {
        long[] addresses = fingerprints.addresses(number);
        long[] documents = fingerprints.hasSeveral() ? Cliques.distinct(addresses) : addresses;
        cliques.add(documents, fingerprints.value(number), stratum);
        return documents.length;
    }
}
