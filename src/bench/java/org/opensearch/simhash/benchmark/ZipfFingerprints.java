/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Fingerprints of synthetic texts: {@value #WORDS} words each, drawn by Zipf's law from {@value #VOCABULARY}, every
 * occurrence a vote for each bit of the word's hash. Raw counts of single words, as most code on the web does it and as this
 * plugin's defaults do not: the hard case for an index. About a microsecond each.
 */
public final class ZipfFingerprints implements LongSupplier {

    private static final int WORDS = 200;
    private static final int VOCABULARY = 50_000;
    /** Draws are looked up: the rarest word has to own an entry or so. */
    private static final int DRAWS = 1 << 20;
    /** Eight counters of eight bits in a long, bit {@code 8 * i + lane} of the hash in byte {@code i} of lane {@code lane}. */
    private static final int LANES = 8;

    private static final long ONES = 0x0101_0101_0101_0101L;

    private final SplittableRandom random;
    private final int[] draws = new int[DRAWS];
    private final long[] votes = new long[VOCABULARY * LANES];

    public ZipfFingerprints(long seed) {
        random = new SplittableRandom(seed);
        double total = 0;
        for (int rank = 1; rank <= VOCABULARY; rank++) {
            total += 1.0 / rank;
        }
        double sum = 0;
        int entry = 0;
        for (int word = 0; word < VOCABULARY; word++) {
            sum += 1.0 / (word + 1);
            while (entry < DRAWS && entry < sum / total * DRAWS) {
                draws[entry++] = word;
            }
            long hash = Corpus.mix(word);
            for (int lane = 0; lane < LANES; lane++) {
                votes[word * LANES + lane] = (hash >>> lane) & ONES;
            }
        }
    }

    @Override
    public long getAsLong() {
        long[] counts = new long[LANES];
        for (int i = 0; i < WORDS; i++) {
            int word = draws[random.nextInt(DRAWS)] * LANES;
            for (int lane = 0; lane < LANES; lane++) {
                counts[lane] += votes[word + lane];
            }
        }
        long fingerprint = 0;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            if (((counts[bit % LANES] >>> (bit / LANES * 8)) & 0xFF) > WORDS / 2) {
                fingerprint |= 1L << bit;
            }
        }
        return fingerprint;
    }
}
