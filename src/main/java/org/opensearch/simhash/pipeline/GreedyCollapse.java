/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.query.HitFingerprint;

/**
 * Decides, from the best-ranked hit down, which hits stay: a hit is hidden when it is within a distance of a hit that stays,
 * or has a digest of it. The best-ranked such hit hides it. A hidden hit hides nothing itself, so that each hidden hit is a
 * near-duplicate of the hit that it is listed at. What is decided of a hit depends on those above it only: a larger window
 * adds to the list, and changes nothing in it.
 *
 * <p>Exact: each hit is compared with all that stay above it. At most n²/2 comparisons of 64 bits for n fingerprints: 50
 * million (some hundredths of a second) for the 10,000 hits that an index allows by default, 5 billion (some seconds) for the most
 * that are compared, {@value #MAX_FINGERPRINTS}. One thread, used once.
 */
final class GreedyCollapse {

    /** Only hits with many fingerprints each can have more. */
    static final int MAX_FINGERPRINTS = 100_000;

    /** Hides no other hit's rank. */
    static final int KEPT = -1;

    private static final int NONE = Integer.MAX_VALUE;
    private static final String NO_SCHEME = "";

    private final int maxDistance;
    private final List<HitFingerprint> ranked;
    private final int[] hiddenBy;
    private final Map<String, Integer> keptDigests = new HashMap<>();
    private final Map<String, KeptBits> keptBits = new HashMap<>();

    private GreedyCollapse(List<HitFingerprint> ranked, int maxDistance) {
        this.ranked = ranked;
        this.maxDistance = maxDistance;
        this.hiddenBy = new int[ranked.size()];
    }

    /**
     * For each hit the rank of the hit that hides it, {@link #KEPT} for those that stay.
     *
     * @throws org.opensearch.OpenSearchStatusException when they have too many fingerprints
     */
    static int[] of(List<HitFingerprint> ranked, int maxDistance) {
        long fingerprints = ranked.stream().mapToLong(HitFingerprint::size).sum();
        if (fingerprints > MAX_FINGERPRINTS) {
            throw CollapseOptions.refusal("[oversample] times the hits up to the end of the page must have at most "
                    + MAX_FINGERPRINTS + " fingerprints, got: " + fingerprints);
        }
        var collapse = new GreedyCollapse(ranked, maxDistance);
        for (int rank = 0; rank < ranked.size(); rank++) {
            collapse.decide(rank);
        }
        return collapse.hiddenBy;
    }

    /** Distance of two hits of which one hides the other: 0 for equal digests, else that of their nearest fingerprints. */
    static int distance(HitFingerprint a, HitFingerprint b) {
        if (Collections.disjoint(a.digests(), new HashSet<>(b.digests())) == false) {
            return 0;
        }
        int nearest = Long.SIZE;
        for (long bits : a.bits()) {
            for (long others : b.bits()) {
                nearest = Math.min(nearest, Fingerprint.distance(bits, others));
            }
        }
        return nearest;
    }

    private void decide(int rank) {
        HitFingerprint hit = ranked.get(rank);
        int by = NONE;
        for (String digest : hit.digests()) {
            by = Math.min(by, keptDigests.getOrDefault(digest, NONE));
        }
        for (String scheme : schemes(hit)) {
            KeptBits kept = keptBits.get(scheme);
            if (kept != null) {
                by = Math.min(by, kept.firstNear(hit.bits(), maxDistance));
            }
        }
        hiddenBy[rank] = by == NONE ? KEPT : by;
        if (by == NONE) {
            keep(rank, hit);
        }
    }

    private void keep(int rank, HitFingerprint hit) {
        for (String digest : hit.digests()) {
            keptDigests.putIfAbsent(digest, rank);
        }
        for (String scheme : schemes(hit)) {
            KeptBits kept = keptBits.computeIfAbsent(scheme, unused -> new KeptBits());
            for (long bits : hit.bits()) {
                kept.add(bits, rank);
            }
        }
    }

    /** Those without a scheme, which other systems wrote, are comparable with one another. */
    private static List<String> schemes(HitFingerprint hit) {
        return hit.schemes().isEmpty() ? List.of(NO_SCHEME) : hit.schemes();
    }

    /** The fingerprints of one scheme that stay, best-ranked first. */
    private static final class KeptBits {

        private long[] bits = new long[16];
        private int[] ranks = new int[16];
        private int size;

        void add(long value, int rank) {
            if (size == bits.length) {
                bits = Arrays.copyOf(bits, 2 * size);
                ranks = Arrays.copyOf(ranks, 2 * size);
            }
            bits[size] = value;
            ranks[size++] = rank;
        }

        /** The best rank that has a fingerprint within the distance of one of {@code values}. */
        int firstNear(List<Long> values, int maxDistance) {
            int first = size;
            for (long value : values) {
                for (int i = 0; i < first; i++) {
                    if (Fingerprint.distance(bits[i], value) <= maxDistance) {
                        first = i;
                    }
                }
            }
            return first == size ? NONE : ranks[first];
        }
    }
}
