/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.core.join.PairSearch.Plan;
import org.opensearch.simhash.core.join.Values.Slice;
import org.opensearch.simhash.core.memory.Account;

/**
 * Finds all links on several threads: those of fingerprints exactly, by blocks that fit the statistics of each stratum
 * ({@link RadiusPlan}); those of sketches by bands ({@link BandSearch}). It compares equal ones once.
 *
 * <p>Cost: as {@link JoinCost} estimates. Memory: at most {@value Prints#JOIN_BYTES} bytes per row with two threads, and 12 to 16 more per
 * further thread; the allowance limits the number of threads. Nine bytes per link of different fingerprints, and at the end nine more.
 *
 * @param distance greatest number of differing bits
 * @param executor runs {@code threads} tasks at a time; the caller waits
 * @param allowance bytes for the rows and all threads but two
 * @param progress is told the number of compared pairs
 */
public record NearJoin(int distance, Executor executor, int threads, long allowance, LongConsumer progress) {

    private static final int FEWER = 4;

    /**
     * @param cliques without links if those were too many
     * @param pairs of different documents with near fingerprints or equal digests, also those that were too many
     * @param tooMany whether there were more links than wanted: they were counted, not kept
     */
    public record Joined(Cliques cliques, long pairs, boolean tooMany) {}

    /** Finds the links. The rows are used up. */
    public Joined join(FingerprintRows rows, Chunks chunks, Wanted wanted) {
        Cliques.Builder cliques = new Cliques.Builder(rows.account());
        long equalTexts = rows.equalTexts(chunks, cliques, progress);
        progress.accept(0);
        Fingerprints fingerprints = rows.fingerprints(progress);
        progress.accept(0);
        List<Search> searches = searches(rows.prints(), fingerprints);
        LinkCollector links = links(rows, fingerprints, searches, chunks, wanted);
        return collect(fingerprints, links, cliques, equalTexts, chunks);
    }

    /** The searches that find all links, one after the other. */
    private List<Search> searches(Prints prints, Fingerprints fingerprints) {
        if (prints.areSketches()) {
            return List.of(new BandSearch(fingerprints, prints.minSimilarity()));
        }
        if (distance == 0) {
            return List.of();
        }
        if (prints.haveWords()) {
            return new HashSearches(fingerprints, distance).searches(() -> progress.accept(0));
        }
        List<Plan> plans = new ArrayList<>();
        for (Slice slice : fingerprints.slices()) {
            progress.accept(0);
            if (slice.size() > 1) {
                var priced = JoinCost.cheapest(fingerprints::value, slice.from(), slice.to(), distance);
                plans.add(new Plan(slice, priced.plan()));
            }
        }
        return List.of(PairSearch.of(fingerprints, distance, plans));
    }

    /** Retries with fewer threads: where most are near one another, a thread may take more memory than its plan says. */
    private LinkCollector links(
            FingerprintRows rows, Fingerprints fingerprints, List<Search> searches, Chunks chunks, Wanted wanted) {
        Account memory = rows.account();
        for (int maxThreads = threads; ; maxThreads = Math.max(1, maxThreads / FEWER)) {
            Account linking = new Account(memory);
            try {
                LinkCollector links = new LinkCollector(fingerprints, chunks, wanted, linking, progress);
                LongConsumer reported = pairs -> {
                    progress.accept(pairs);
                    requireFew(rows, links);
                };
                for (Search search : searches) {
                    long room = allowance - memory.taken() + linking.taken();
                    search.run(links, new Search.Limits(executor, maxThreads, room, reported, linking, rows.folder()));
                }
                requireFew(rows, links);
                return links;
            } catch (CircuitBreakingException e) {
                linking.close();
                if (maxThreads == 1) {
                    throw e;
                }
            }
        }
    }

    private void requireFew(FingerprintRows rows, LinkCollector links) {
        if (links.tooMany()) {
            rows.prints().refuseTooMany(distance);
        }
    }

    /** The cliques that have a link or several rows. */
    private static Joined collect(
            Fingerprints fingerprints, LinkCollector links, Cliques.Builder cliques, long equalTexts, Chunks chunks) {
        int size = fingerprints.size();
        try (Account collecting = new Account(fingerprints.rows().account())) {
            collecting.take(RankedSet.bytes(size));
            RankedSet kept = new RankedSet(size);
            long documents = 0;
            for (int number = 0; number < size; number++) {
                links.step(number);
                if (links.isLinked(number) || isOwned(fingerprints, number, chunks)) {
                    kept.add(number);
                    documents += fingerprints.rows(number);
                }
            }
            int first = cliques.size();
            cliques.expect(kept.rank(), Math.toIntExact(documents));
            long pairs = links.pairs() + equalTexts;
            for (Slice slice : fingerprints.slices()) {
                for (int number = slice.from(); number < slice.to(); number++) {
                    links.step(number);
                    if (kept.contains(number)) {
                        long members = add(fingerprints, number, slice.stratum(), cliques);
                        pairs += isOwned(fingerprints, number, chunks) ? fingerprints.equalPairs(number, members) : 0;
                    }
                }
            }
            links.forEach((a, b, distance) -> cliques.link(first + kept.rankOf(a), first + kept.rankOf(b), distance));
            return new Joined(cliques.build(), pairs, links.tooMany());
        }
    }

    /** Whether this pass owns the pairs of an equal fingerprint, and there are any. */
    private static boolean isOwned(Fingerprints fingerprints, int number, Chunks chunks) {
        int rows = fingerprints.rows(number);
        return rows > 1 && chunks.owns(fingerprints.value(number)) && fingerprints.equalPairs(number, rows) > 0;
    }

    private static int add(Fingerprints fingerprints, int number, long stratum, Cliques.Builder cliques) {
        long[] addresses = fingerprints.addresses(number);
        long[] documents = fingerprints.rows().hasSeveral() ? Cliques.distinct(addresses) : addresses;
        boolean haveWords = fingerprints.rows().prints().haveWords();
        cliques.add(documents, fingerprints.value(number), stratum, haveWords);
        return documents.length;
    }

    /**
     * Merges the results of several passes, one after the other. It keeps the wanted number of links; of a forest, only
     * links that connect. Not thread-safe.
     */
    public static final class MergedJoins {

        /** Entry, key and value of the map. */
        private static final int KNOWN_BYTES = 112;

        /** A document with several schemes may be the first of several cliques. */
        private record Key(long first, long bits, long stratum, int size, int members) {}

        private final Wanted wanted;
        private final Account memory;
        private final Account searching;
        private final Cliques.Builder merged;
        private final Map<Key, Integer> known = new HashMap<>();
        private final DisjointSets connected = new DisjointSets(0);
        private long pairs;
        private boolean tooMany;

        public MergedJoins(Wanted wanted, Account memory) {
            this.wanted = wanted;
            this.memory = memory;
            this.searching = new Account(memory);
            this.merged = new Cliques.Builder(memory);
        }

        public void add(NearJoin.Joined found) {
            Cliques cliques = found.cliques();
            try (Account arrived = new Account(memory)) {
                arrived.take(cliques.bytes() + (long) cliques.size() * Integer.BYTES);
                pairs += found.pairs();
                int[] positions = positions(cliques);
                tooMany |= found.tooMany()
                        || (wanted.forest() == false && cliques.links().size() > room());
                if (tooMany) {
                    merged.forgetLinks();
                } else {
                    link(cliques.links(), positions);
                }
            }
        }

        private int[] positions(Cliques cliques) {
            int[] positions = new int[cliques.size()];
            for (int i = 0; i < positions.length; i++) {
                if (cliques.equalTexts()[i] && cliques.bits()[i] == 0) {
                    // A digest in three chunks is in several passes, each with a part of the documents.
                    positions[i] = merged.addEqualTexts(cliques.members(i));
                    continue;
                }
                long[] members = cliques.members(i);
                Key key = new Key(
                        members[0], cliques.bits()[i], cliques.strata()[i], members.length, Arrays.hashCode(members));
                Integer position = known.get(key);
                if (position == null) {
                    searching.take(KNOWN_BYTES);
                    position = merged.add(members, cliques.bits()[i], cliques.strata()[i], cliques.equalTexts()[i]);
                    known.put(key, position);
                }
                positions[i] = position;
            }
            return positions;
        }

        private void link(LinkList links, int[] positions) {
            if (wanted.forest()) {
                searching.take((long) (merged.size() - connected.size()) * DisjointSets.BYTES);
                connected.grow(merged.size());
            }
            links.forEach((a, b, distance) -> {
                if (wanted.forest() == false || connected.unite(positions[a], positions[b])) {
                    merged.link(positions[a], positions[b], distance);
                }
            });
        }

        /** How many more links may come. */
        public long room() {
            return tooMany ? 0 : wanted.mostLinks() - merged.links();
        }

        /** The result. Nothing is added after it. */
        public NearJoin.Joined build() {
            searching.close();
            return new NearJoin.Joined(merged.build(), pairs, tooMany);
        }
    }

    /** A set of numbers from 0 on that knows the rank of each: 0.2 bytes per possible number. */
    public static final class RankedSet {

        private final long[] words;

        /** Numbers in the words before. */
        private final int[] before;

        /** @param size greatest possible number + 1 */
        public RankedSet(int size) {
            this.words = new long[(int) (((long) size + Long.SIZE - 1) / Long.SIZE)];
            this.before = new int[words.length];
        }

        public static long bytes(int size) {
            return ((long) size / Long.SIZE + 1) * (Long.BYTES + Integer.BYTES);
        }

        public void add(int number) {
            words[number >>> 6] |= 1L << number;
        }

        public boolean contains(int number) {
            return (words[number >>> 6] >>> number & 1) != 0;
        }

        /** Call it when all numbers are in. Returns how many. */
        public int rank() {
            int sum = 0;
            for (int i = 0; i < words.length; i++) {
                before[i] = sum;
                sum += Long.bitCount(words[i]);
            }
            return sum;
        }

        /** How many numbers of the set are smaller. */
        public int rankOf(int number) {
            return before[number >>> 6] + Long.bitCount(words[number >>> 6] & ((1L << number) - 1));
        }
    }
}
