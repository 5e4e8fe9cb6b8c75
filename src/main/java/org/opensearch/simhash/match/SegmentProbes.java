/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOConsumer;
import org.opensearch.simhash.fingerprint.SegmentLayout;

/**
 * The values of one segment around the target's, ring by ring: ring {@code r} are the values that differ in exactly
 * {@code r} bits. Reads the statistics of a ring when asked, once, and remembers where its terms are. One thread.
 *
 * <p>Values are sought one by one, in order. To walk all terms instead would pay from about every tenth term on: rings that
 * large lead to more documents than a scan compares.
 */
final class SegmentProbes {

    /** Larger rings are never looked up. */
    private static final int LARGEST_RING = 1 << 16;

    /** After so many values of a ring, and twice as many, and so on, it is looked at what the whole ring will amount to. */
    private static final int SAMPLE = 32;

    /** A value that documents have. */
    private record Probe(long value, TermState state) {}

    /** Bits of a value. */
    private final int width;

    private final long value;
    private final Terms terms;
    private final long documents;
    private final List<List<Probe>> rings = new ArrayList<>();
    /** Postings by ring: of those read, and an estimate of the next where it was given up. */
    private final double[] postings;

    private final BytesRef term;
    private TermsEnum termsEnum;

    SegmentProbes(LeafFingerprints leaf, int segment, long target) {
        SegmentLayout layout = leaf.layout();
        this.width = layout.width(segment);
        this.value = layout.value(target, segment);
        this.terms = leaf.segments().get(segment);
        this.documents = leaf.documents();
        this.postings = new double[width + 1];
        this.term = new BytesRef(new byte[layout.digits(segment)], 0, layout.digits(segment));
    }

    /** The first of the segments whose statistics a plan lacks, -1 when it lacks none. */
    static int unread(SegmentProbes[] segments, ProbePlan plan) {
        for (int i = 0; i < segments.length; i++) {
            if (plan.radius(i) >= segments[i].known()) {
                return i;
            }
        }
        return -1;
    }

    /** Rings read so far. */
    int known() {
        return rings.size();
    }

    /** Number of values in a ring. */
    long values(int radius) {
        return ProbePlan.choose(width, radius);
    }

    /**
     * Postings of a ring: counted when it was read, else estimated. What crowds around the target does not end at the last
     * ring that was read: up to half the bits, the next has as many.
     */
    double postings(int radius) {
        boolean crowded = radius > 0 && radius >= known() && 2 * radius <= width;
        return crowded ? Math.max(hopedPostings(radius), postings(radius - 1)) : hopedPostings(radius);
    }

    /** Postings of a ring: counted when it was read, else as many as its values have on average, or as far as counted. */
    double hopedPostings(int radius) {
        double average = (double) values(radius) * documents / (1L << width);
        return radius < known() ? postings[radius] : Math.max(average, postings[radius]);
    }

    /** What it costs to read all documents within a radius, by what is known so far; more than {@code limit} is as good as infinite. */
    double[] costs(int largest, CostModel model, double share, double limit) {
        double[] costs = new double[largest + 2];
        for (int radius = 0; radius <= largest; radius++) {
            double ring = cost(radius, model, share);
            boolean tooMuch = costs[radius] + ring >= limit || values(radius) > LARGEST_RING;
            costs[radius + 1] = tooMuch ? Double.POSITIVE_INFINITY : costs[radius] + ring;
        }
        return costs;
    }

    /** What it costs to read the documents of a ring, by what is known so far. */
    double cost(int radius, CostModel model, double share) {
        return reading(radius, model) + share * postings(radius) * model.candidate();
    }

    /** What it costs to come to the postings of a ring: those of its values that documents have, as far as that is known. */
    double reading(int radius, CostModel model) {
        return radius < known()
                ? rings.get(radius).size() * model.open()
                : values(radius) * (model.seek() + model.open());
    }

    /**
     * Reads the statistics of the next ring, or gives up when it is going to have more than {@code most} postings: then only
     * the estimate is corrected.
     *
     * @return values looked up
     */
    int readNextRing(double most) throws IOException {
        if (termsEnum == null) {
            termsEnum = terms.iterator();
        }
        long[] values = ringValues(known());
        List<Probe> found = new ArrayList<>(Math.min(values.length, SAMPLE));
        long sum = 0;
        for (int i = 0; i < values.length; i++) {
            if (i >= SAMPLE && Integer.bitCount(i) == 1 && sum / (double) i * values.length > 2 * most) {
                postings[known()] = sum / (double) i * values.length;
                return i;
            }
            HexTerms.write(values[i], term);
            if (termsEnum.seekExact(term)) {
                found.add(new Probe(values[i], termsEnum.termState()));
                sum += termsEnum.docFreq();
            }
        }
        postings[known()] = sum;
        rings.add(found);
        return values.length;
    }

    /** Values within a radius, which were read before, that documents have. */
    long found(int radius) {
        return rings.subList(0, radius + 1).stream().mapToLong(List::size).sum();
    }

    /** Opens the postings of the values within a radius, which were read before, one term after the other. */
    PostingsEnum open(int radius, PostingsEnum reuse, IOConsumer<PostingsEnum> consumer) throws IOException {
        PostingsEnum opened = reuse;
        for (int ring = 0; ring <= radius; ring++) {
            for (Probe probe : rings.get(ring)) {
                opened = open(probe, opened);
                consumer.accept(opened);
            }
        }
        return opened;
    }

    /** Opens the postings of the values of each ring within a radius, all at once. */
    List<List<PostingsEnum>> openAll(int radius) throws IOException {
        List<List<PostingsEnum>> opened = new ArrayList<>();
        for (int ring = 0; ring <= radius; ring++) {
            List<PostingsEnum> postings = new ArrayList<>();
            for (Probe probe : rings.get(ring)) {
                postings.add(open(probe, null));
            }
            opened.add(postings);
        }
        return opened;
    }

    private PostingsEnum open(Probe probe, PostingsEnum reuse) throws IOException {
        HexTerms.write(probe.value(), term);
        termsEnum.seekExact(term, probe.state());
        return termsEnum.postings(reuse, PostingsEnum.NONE);
    }

    /** Ascending: neighbours in the term dictionary are found faster one after the other. */
    private long[] ringValues(int radius) {
        long[] values = masks(width, radius);
        for (int i = 0; i < values.length; i++) {
            values[i] ^= value;
        }
        Arrays.sort(values);
        return values;
    }

    /** All numbers of so many bits, {@code radius} of them set. */
    static long[] masks(int width, int radius) {
        long[] masks = new long[(int) ProbePlan.choose(width, radius)];
        long mask = (1L << radius) - 1;
        for (int i = 0; i < masks.length; i++) {
            masks[i] = mask;
            // The next larger number with as many bits (Gosper); the last one may overflow, and is not used.
            long lowest = mask & -mask;
            long ripple = mask + lowest;
            mask = radius == 0 ? 0 : (((mask ^ ripple) >>> 2) / lowest) | ripple;
        }
        return masks;
    }
}
