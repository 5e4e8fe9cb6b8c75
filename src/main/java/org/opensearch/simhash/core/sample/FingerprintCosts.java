/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.join.JoinCost;

/**
 * The costs of fingerprints. One thread.
 *
 * <p>Candidates of a search that probes segments ({@link ProbePlan}): compares the drawn documents with some of all documents, segment
 * by segment, about 20 million comparisons. A join: of a uniform sample of all fingerprints, by reservoir sampling (Vitter, "Random
 * Sampling with a Reservoir", 1985).
 */
public final class FingerprintCosts implements SearchCosts {

    private static final long COMPARISONS = 20_000_000;

    /** Nanoseconds of a search: to look up a term, to compare a candidate, to compare a fingerprint in a scan. */
    private static final double SEEK = 250;

    private static final double CANDIDATE = 14;
    private static final double SCAN = 1;

    /** Of the sample. */
    private static final int SIZE = 2_048;

    private final SegmentLayout layout;
    private final long[] drawn;
    private final long[] addresses;
    private final double[] weights;
    private final long documents;
    private final int step;
    private final double[][] sharing;
    private int next;
    private double compared;

    private final SplittableRandom random;
    private final long[] bits = new long[SIZE];
    private final int[] strata = new int[SIZE];
    private long count;

    /**
     * @param documents the expected number
     * @param seed the same seed chooses the same fingerprints
     */
    public FingerprintCosts(SegmentLayout layout, Draw draw, long documents, long seed) {
        this.layout = layout;
        this.drawn = draw.documents().stream()
                .mapToLong(document -> document.bits()[0])
                .toArray();
        this.addresses = draw.documents().stream().mapToLong(Document::address).toArray();
        this.weights = draw.bands().weights();
        this.documents = documents;
        this.step = (int) Math.max(1, documents * drawn.length / COMPARISONS);
        this.sharing = new double[layout.count()][layout.width(0) + 1];
        this.random = new SplittableRandom(seed);
    }

    @Override
    public void add(Document document) {
        if (next++ % step == 0) {
            for (int i = 0; i < drawn.length; i++) {
                if (addresses[i] != document.address()) {
                    compare(document.bits()[0] ^ drawn[i], weights[i]);
                }
            }
        }
        for (int k = 0; k < document.bits().length; k++) {
            long place = count < SIZE ? count : random.nextLong(count + 1);
            if (place < SIZE) {
                bits[(int) place] = document.bits()[k];
                strata[(int) place] = document.strata()[k];
            }
            count++;
        }
    }

    private void compare(long difference, double weight) {
        for (int segment = 0; segment < sharing.length; segment++) {
            sharing[segment][Long.bitCount(layout.value(difference, segment))] += weight;
        }
        compared += weight;
    }

    /** All documents if a search scans. */
    @Override
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

    @Override
    public double joinNanos(int distance) {
        int size = (int) Math.min(SIZE, count);
        double nanos = 0;
        for (int stratum : Arrays.stream(strata, 0, size).distinct().toArray()) {
            long[] some = IntStream.range(0, size)
                    .filter(i -> strata[i] == stratum)
                    .mapToLong(i -> bits[i])
                    .toArray();
            long all = Math.round((double) count * some.length / size);
            nanos += JoinCost.nanos(some, all, distance);
        }
        return nanos;
    }
}
