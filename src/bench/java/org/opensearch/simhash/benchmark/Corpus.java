/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** The fingerprints of an index, document {@code i} having the id {@code i}, and what a search has to find in them. */
final class Corpus {

    private static final long DOCUMENTS_SEED = 1;

    private final Spread spread;
    private final long[] fingerprints;

    private Corpus(Spread spread, long[] fingerprints) {
        this.spread = spread;
        this.fingerprints = fingerprints;
    }

    static Corpus of(Spread spread, int documents) {
        LongSupplier next = spread.fingerprints(DOCUMENTS_SEED);
        long[] fingerprints = new long[documents];
        Arrays.setAll(fingerprints, i -> next.getAsLong());
        return new Corpus(spread, fingerprints);
    }

    Spread spread() {
        return spread;
    }

    long fingerprint(int document) {
        return fingerprints[document];
    }

    int size() {
        return fingerprints.length;
    }

    Corpus first(int documents) {
        return new Corpus(spread, Arrays.copyOf(fingerprints, Math.min(documents, size())));
    }

    /** Fingerprints to search: half of them new, half 0 to {@code distance} bits beside one that is indexed. */
    long[] queries(int count, int distance, long seed) {
        // No seed of a query may be that of the documents.
        LongSupplier fresh = spread.fingerprints(DOCUMENTS_SEED + 1 + seed);
        var random = new SplittableRandom(seed);
        long[] queries = new long[count];
        for (int i = 0; i < count; i++) {
            queries[i] = i % 2 == 0
                    ? fresh.getAsLong()
                    : flip(fingerprints[random.nextInt(size())], random.nextInt(distance + 1), random);
        }
        return queries;
    }

    /** By comparing with each document: how many are at each distance from {@code query}. */
    int[] distances(long query) {
        int[] counts = new int[Long.SIZE + 1];
        for (long fingerprint : fingerprints) {
            counts[Long.bitCount(fingerprint ^ query)]++;
        }
        return counts;
    }

    int distance(String id, long query) {
        return Long.bitCount(fingerprints[Integer.parseInt(id)] ^ query);
    }

    /** Well mixed bits of a number (the finalizer of SplitMix64). */
    static long mix(long number) {
        long mixed = (number + 1) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 31);
    }

    private static long flip(long fingerprint, int bits, SplittableRandom random) {
        long differing = 0;
        while (Long.bitCount(differing) < bits) {
            differing |= 1L << random.nextInt(Long.SIZE);
        }
        return fingerprint ^ differing;
    }
}
