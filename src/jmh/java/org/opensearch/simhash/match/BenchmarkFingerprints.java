/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.util.SplittableRandom;

/** Sources of fingerprints for the benchmark indexes, reproducible by their seed. */
public enum BenchmarkFingerprints {
    /** Every bit by chance: the best case of any bucket scheme. */
    UNIFORM {
        @Override
        Source source(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            return random::nextLong;
        }
    },
    /**
     * The SimHash, by raw counts of single words, of texts of 100 to 300 words drawn by Zipf's law: the commonest words vote
     * every bit, so that a few segment values hold a large part of all documents. The worst case that real indexes have.
     */
    SKEWED {
        @Override
        Source source(long seed) {
            return new ZipfTexts(seed)::next;
        }
    };

    /** An endless sequence of fingerprints. */
    @FunctionalInterface
    interface Source {
        long next();
    }

    abstract Source source(long seed);

    /** Texts as bags of words; only their fingerprints are ever made. */
    private static final class ZipfTexts {

        private static final int WORDS = 1 << 16;
        private static final int SHORTEST = 100;
        private static final int LONGEST = 255; // counts must fit a byte

        /** Spreads 8 bits over 8 bytes, one each. */
        private static final long[] SPREAD = new long[256];

        static {
            for (int bits = 0; bits < SPREAD.length; bits++) {
                for (int i = 0; i < Byte.SIZE; i++) {
                    SPREAD[bits] |= (bits >>> i & 1L) << (i * Byte.SIZE);
                }
            }
        }

        private final SplittableRandom random;
        /** Hash of the word that a uniform number stands for: Zipf's law by a table of 2^20 equal shares. */
        private final long[] drawn = new long[1 << 20];

        ZipfTexts(long seed) {
            random = new SplittableRandom(seed);
            double norm = 0;
            for (int rank = 1; rank <= WORDS; rank++) {
                norm += 1.0 / rank;
            }
            double sum = 0;
            int filled = 0;
            for (int rank = 1; rank <= WORDS; rank++) {
                sum += 1.0 / rank / norm;
                long hash = random.nextLong();
                for (; filled < Math.min(drawn.length, Math.round(sum * drawn.length)); filled++) {
                    drawn[filled] = hash;
                }
            }
        }

        /** Votes of eight bits in the bytes of one long, for eight longs. */
        long next() {
            int words = SHORTEST + random.nextInt(LONGEST - SHORTEST);
            long v0 = 0;
            long v1 = 0;
            long v2 = 0;
            long v3 = 0;
            long v4 = 0;
            long v5 = 0;
            long v6 = 0;
            long v7 = 0;
            long supply = 0;
            for (int i = 0; i < words; i++) {
                supply = i % 3 == 0 ? random.nextLong() : supply >>> 20;
                long hash = drawn[(int) supply & drawn.length - 1];
                v0 += SPREAD[(int) hash & 0xff];
                v1 += SPREAD[(int) (hash >>> 8) & 0xff];
                v2 += SPREAD[(int) (hash >>> 16) & 0xff];
                v3 += SPREAD[(int) (hash >>> 24) & 0xff];
                v4 += SPREAD[(int) (hash >>> 32) & 0xff];
                v5 += SPREAD[(int) (hash >>> 40) & 0xff];
                v6 += SPREAD[(int) (hash >>> 48) & 0xff];
                v7 += SPREAD[(int) (hash >>> 56) & 0xff];
            }
            int half = words / 2;
            return majority(v0, half)
                    | majority(v1, half) << 8
                    | majority(v2, half) << 16
                    | majority(v3, half) << 24
                    | majority(v4, half) << 32
                    | majority(v5, half) << 40
                    | majority(v6, half) << 48
                    | majority(v7, half) << 56;
        }

        private static long majority(long votes, int half) {
            long bits = 0;
            for (int i = 0; i < Byte.SIZE; i++) {
                if ((votes >>> (i * Byte.SIZE) & 0xff) > half) {
                    bits |= 1L << i;
                }
            }
            return bits;
        }
    }
}
