/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.search.query.HitPrints;

/**
 * Decides from the best hit down which hits stay. A hit is hidden if it is within the distance of a hit that stays, or shares its digest,
 * and the {@link PairTest} passes; the best such hit hides it. A hidden hit hides nothing, so each hidden hit is a near-duplicate of the
 * hit that lists it. Decisions depend on better hits only: a larger window adds to the result and changes nothing.
 *
 * <p>Exact: each hit is compared with all better hits that stay. At most n²/2 comparisons of 64 bits for n
 * fingerprints: 50 million (some hundredths of a second) for the default maximum of 10,000 hits, 5 billion (some
 * seconds) for {@value #MAX_FINGERPRINTS}, the most allowed. Of 256 bits, each takes eight times as long. One thread, one use.
 */
final class GreedyCollapse {

    /** Exceeded only if hits have many fingerprints each. */
    static final int MAX_FINGERPRINTS = 100_000;

    /** The hit is not hidden. */
    static final int KEPT = -1;

    private static final int NONE = Integer.MAX_VALUE;
    private static final String NO_SCHEME = "";

    private final int maxDistance;
    private final PairTest test;
    private final List<HitPrints> ranked;
    private final int[] hiddenBy;
    private final Map<String, List<Integer>> keptDigests = new HashMap<>();
    private final Map<String, KeptBits> keptBits = new HashMap<>();

    /** What else a near hit needs to hide another. */
    @FunctionalInterface
    interface PairTest {

        PairTest ANY = (by, hit) -> true;

        /**
         * @param by rank of a hit that stays
         * @param hit rank of a near hit below it
         */
        boolean mayHide(int by, int hit);
    }

    private GreedyCollapse(List<HitPrints> ranked, int maxDistance, PairTest test) {
        this.ranked = ranked;
        this.maxDistance = maxDistance;
        this.test = test;
        this.hiddenBy = new int[ranked.size()];
    }

    /** More prints than are compared in some seconds. */
    static final class TooManyPrintsException extends OpenSearchStatusException {

        private static final long serialVersionUID = 1;

        final String most;

        TooManyPrintsException(String most, long count) {
            super(
                    "[" + CollapseOptions.TYPE
                            + "] [oversample] times the hits up to the end of the page must have at most " + most
                            + ", got: " + count,
                    RestStatus.BAD_REQUEST);
            this.most = most;
        }
    }

    static void requireAtMost(int most, String prints, List<HitPrints> ranked) {
        long count = ranked.stream().mapToLong(HitPrints::size).sum();
        if (count > most) {
            throw new TooManyPrintsException(most + " " + prints, count);
        }
    }

    /** For each hit the rank of the hit that hides it, or {@link #KEPT}. */
    static int[] of(List<HitPrints> ranked, int maxDistance, PairTest test) {
        requireAtMost(MAX_FINGERPRINTS, "fingerprints", ranked);
        var collapse = new GreedyCollapse(ranked, maxDistance, test);
        for (int rank = 0; rank < ranked.size(); rank++) {
            collapse.decide(rank);
        }
        return collapse.hiddenBy;
    }

    /**
     * The same of other prints, pair by pair.
     *
     * @param comparable the hits that stay, and that a hit is compared with; it is added if it stays, too
     */
    static int[] of(int hits, IntFunction<List<Integer>> comparable, PairTest near) {
        int[] hiddenBy = new int[hits];
        for (int rank = 0; rank < hits; rank++) {
            int hit = rank;
            List<Integer> kept = comparable.apply(rank);
            hiddenBy[rank] = kept.stream()
                    .filter(by -> near.mayHide(by, hit))
                    .findFirst()
                    .orElse(KEPT);
            if (hiddenBy[rank] == KEPT) {
                kept.add(rank);
            }
        }
        return hiddenBy;
    }

    /** Distance of two hits: 0 for equal digests, else that of their nearest fingerprints. */
    static int distance(HitPrints a, HitPrints b) {
        if (Collections.disjoint(a.digests(), new HashSet<>(b.digests())) == false) {
            return 0;
        }
        int nearest = Long.SIZE;
        for (Object one : a.values()) {
            for (Object other : b.values()) {
                if (one instanceof Long bits && other instanceof Long others) {
                    nearest = Math.min(nearest, Fingerprint.distance(bits, others));
                } else if (one instanceof LongHash hash && other instanceof LongHash others) {
                    nearest = Math.min(nearest, hash.distance(others));
                }
            }
        }
        return nearest;
    }

    private void decide(int rank) {
        HitPrints hit = ranked.get(rank);
        int by = NONE;
        for (String digest : hit.digests()) {
            for (int kept : keptDigests.getOrDefault(digest, List.of())) {
                if (kept < by && test.mayHide(kept, rank)) {
                    by = kept;
                }
            }
        }
        for (String scheme : schemes(hit)) {
            KeptBits kept = keptBits.get(scheme);
            if (kept != null) {
                for (Object value : hit.values()) {
                    by = Math.min(by, firstNear(kept, rank, value, by));
                }
            }
        }
        hiddenBy[rank] = by == NONE ? KEPT : by;
        if (by == NONE) {
            keep(rank, hit);
        }
    }

    /** The best rank before another one with a fingerprint within the distance of a value. */
    private int firstNear(KeptBits kept, int rank, Object value, int before) {
        if (value instanceof LongHash hash) {
            for (int i = 0; i < kept.hashCount && kept.hashRanks[i] < before; i++) {
                boolean isNear = hash.distance(kept.hashes, i * LongHash.MOST_BITS / Byte.SIZE) <= maxDistance;
                if (isNear && test.mayHide(kept.hashRanks[i], rank)) {
                    return kept.hashRanks[i];
                }
            }
            return NONE;
        }
        long bits = (Long) value;
        for (int i = 0; i < kept.size && kept.ranks[i] < before; i++) {
            if (Fingerprint.distance(kept.bits[i], bits) <= maxDistance && test.mayHide(kept.ranks[i], rank)) {
                return kept.ranks[i];
            }
        }
        return NONE;
    }

    private void keep(int rank, HitPrints hit) {
        for (String digest : hit.digests()) {
            keptDigests.computeIfAbsent(digest, unused -> new ArrayList<>()).add(rank);
        }
        for (String scheme : schemes(hit)) {
            KeptBits kept = keptBits.computeIfAbsent(scheme, unused -> new KeptBits());
            hit.values().forEach(value -> kept.add(value, rank));
        }
    }

    /** Fingerprints without scheme, from other systems, are comparable with each other. */
    private static List<String> schemes(HitPrints hit) {
        return hit.schemes().isEmpty() ? List.of(NO_SCHEME) : hit.schemes();
    }

    /** The fingerprints of one scheme that stay, best first. */
    private static final class KeptBits {

        private long[] bits = new long[16];
        private int[] ranks = new int[16];
        private int size;

        private byte[] hashes = {};
        private int[] hashRanks = {};
        private int hashCount;

        void add(Object value, int rank) {
            if (value instanceof LongHash hash) {
                byte[] bytes = hash.toBytes();
                hashes = ArrayUtil.grow(hashes, (hashCount + 1) * bytes.length);
                System.arraycopy(bytes, 0, hashes, hashCount * bytes.length, bytes.length);
                hashRanks = ArrayUtil.grow(hashRanks, hashCount + 1);
                hashRanks[hashCount++] = rank;
                return;
            }
            if (size == bits.length) {
                bits = Arrays.copyOf(bits, 2 * size);
                ranks = Arrays.copyOf(ranks, 2 * size);
            }
            bits[size] = (Long) value;
            ranks[size++] = rank;
        }
    }
}
