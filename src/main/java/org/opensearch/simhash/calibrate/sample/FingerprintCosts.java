/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.opensearch.simhash.deduplicate.join.JoinCost;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.match.ProbePlan;

/** The costs of fingerprints. */
public final class FingerprintCosts implements SearchCosts {

    private final SegmentSharing sharing;
    private final FingerprintSample some;

    /** @param documents the expected number */
    public FingerprintCosts(SegmentLayout layout, Draw draw, long documents, long seed) {
        this.sharing = new SegmentSharing(layout, draw, documents);
        this.some = new FingerprintSample(seed);
    }

    @Override
    public void add(Document document) {
        sharing.add(document);
        some.add(document);
    }

    @Override
    public double candidates(int step) {
        return sharing.candidates(step);
    }

    @Override
    public double joinNanos(int step) {
        return some.joinNanos(step);
    }

    /**
     * Estimates the candidates of a search that probes segments ({@link ProbePlan}). Compares the drawn documents with some of all
     * documents, segment by segment: about 20 million comparisons. One thread.
     */
    static final class SegmentSharing {

        private static final long COMPARISONS = 20_000_000;

        /** Nanoseconds of a search: to look up a term, to compare a candidate, to compare a fingerprint in a scan. */
        private static final double SEEK = 250;

        private static final double CANDIDATE = 14;
        private static final double SCAN = 1;

        private final SegmentLayout layout;
        private final long[] drawn;
        private final long[] addresses;
        private final double[] weights;
        private final long documents;
        private final int step;
        private final double[][] sharing;
        private int next;
        private double compared;

        /** @param documents the expected number */
        public SegmentSharing(SegmentLayout layout, Draw draw, long documents) {
            this.layout = layout;
            this.drawn = draw.documents().stream()
                    .mapToLong(document -> document.bits()[0])
                    .toArray();
            this.addresses =
                    draw.documents().stream().mapToLong(Document::address).toArray();
            this.weights = draw.bands().weights();
            this.documents = documents;
            this.step = (int) Math.max(1, documents * drawn.length / COMPARISONS);
            this.sharing = new double[layout.count()][layout.width(0) + 1];
        }

        public void add(Document document) {
            if (next++ % step == 0) {
                for (int i = 0; i < drawn.length; i++) {
                    if (addresses[i] != document.address()) {
                        compare(document.bits()[0] ^ drawn[i], weights[i]);
                    }
                }
            }
        }

        private void compare(long difference, double weight) {
            for (int segment = 0; segment < sharing.length; segment++) {
                sharing[segment][Long.bitCount(layout.value(difference, segment))] += weight;
            }
            compared += weight;
        }

        /** The candidates of a search within a distance; all documents if it scans. */
        public double candidates(int distance) {
            if (compared == 0) {
                return 0;
            }
            double all = documents * SCAN;
            ProbePlan plan = ProbePlan.cheapest(
                    layout,
                    distance,
                    (segment, radius) -> radius == ProbePlan.NONE
                            ? 0
                            : SEEK * values(segment, radius) + CANDIDATE * shared(segment, radius),
                    all);
            if (plan == null) {
                return documents;
            }
            return Math.min((double) documents, led(plan));
        }

        private double led(ProbePlan plan) {
            double candidates = 0;
            for (int segment = 0; segment < layout.count(); segment++) {
                if (plan.radius(segment) >= 0) {
                    candidates += shared(segment, plan.radius(segment));
                }
            }
            return candidates;
        }

        private double values(int segment, int radius) {
            double values = 0;
            for (int ring = 0; ring <= radius; ring++) {
                values += ProbePlan.choose(layout.width(segment), ring);
            }
            return values;
        }

        private double shared(int segment, int radius) {
            double sum = 0;
            for (int ring = 0; ring <= radius; ring++) {
                sum += sharing[segment][ring];
            }
            return documents * sum / compared;
        }
    }

    /**
     * A uniform sample of all fingerprints, by reservoir sampling (Vitter, "Random Sampling with a Reservoir", 1985). Estimates the
     * cost of a join. One thread.
     */
    static final class FingerprintSample {

        static final int SIZE = 2_048;

        private final SplittableRandom random;
        private final long[] bits = new long[SIZE];
        private final int[] strata = new int[SIZE];
        private long count;

        /** @param seed the same seed chooses the same fingerprints */
        public FingerprintSample(long seed) {
            this.random = new SplittableRandom(seed);
        }

        public void add(Document document) {
            for (int k = 0; k < document.bits().length; k++) {
                long place = count < SIZE ? count : random.nextLong(count + 1);
                if (place < SIZE) {
                    bits[(int) place] = document.bits()[k];
                    strata[(int) place] = document.strata()[k];
                }
                count++;
            }
        }

        /** Nanoseconds for one thread to find all pairs within a distance. */
        public double joinNanos(int distance) {
            int size = (int) Math.min(SIZE, count);
            double nanos = 0;
            for (int stratum : Arrays.stream(strata, 0, size).distinct().toArray()) {
                long[] some = new long[size];
                int found = 0;
                for (int i = 0; i < size; i++) {
                    if (strata[i] == stratum) {
                        some[found++] = bits[i];
                    }
                }
                long all = Math.round((double) count * found / size);
                nanos += JoinCost.nanos(Arrays.copyOf(some, found), all, distance);
            }
            return nanos;
        }
    }
}
