/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

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
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;

/**
 * The values of one segment around the target's. Ring {@code r} holds the values that differ in exactly {@code r} bits.
 * Statistics of a ring are read on demand, once, and term positions are kept. One thread.
 *
 * <p>Values are sought one by one. Walking all terms would pay from every tenth term on, but rings of that size cost more than a scan.
 */
final class SegmentProbes {

    /** Larger rings are never looked up. */
    private static final int LARGEST_RING = 1 << 16;

    /** Extrapolates a ring's total after this many values, then after each doubling. */
    private static final int SAMPLE = 32;

    /** Of terms: lowercase hex, zero-padded. */
    private static final byte[] DIGITS = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };

    /** A value that documents have. */
    private record SegmentValue(long value, TermState state) {}

    private final int width;

    private final long value;
    private final Terms terms;
    private final long documents;
    private final List<List<SegmentValue>> rings = new ArrayList<>();
    /** Postings by ring. After an abandoned ring: an estimate. */
    private final double[] postings;

    private final BytesRef term;
    private TermsEnum termsEnum;

    SegmentProbes(LeafFingerprints leaf, int segment, long word) {
        SegmentLayout layout = leaf.layout();
        this.width = layout.width(segment);
        this.value = layout.value(word, segment);
        this.terms = leaf.segments().get(segment);
        this.documents = leaf.documents();
        this.postings = new double[width + 1];
        this.term = new BytesRef(new byte[layout.digits(segment)], 0, layout.digits(segment));
    }

    /** The first segment whose statistics a plan lacks; -1 if none. */
    static int unread(SegmentProbes[] segments, ProbePlan plan) {
        for (int i = 0; i < segments.length; i++) {
            if (plan.radius(i) >= segments[i].known()) {
                return i;
            }
        }
        return -1;
    }

    int known() {
        return rings.size();
    }

    long values(int radius) {
        return ProbePlan.choose(width, radius);
    }

    /** Postings of a ring, counted or estimated. An unread ring, up to half the bits, is estimated to have as many as the last read one. */
    double postings(int radius) {
        boolean crowded = radius > 0 && radius >= known() && 2 * radius <= width;
        return crowded ? Math.max(hopedPostings(radius), postings(radius - 1)) : hopedPostings(radius);
    }

    /** Postings of a ring: counted, or the larger of the average and the count so far. */
    double hopedPostings(int radius) {
        double average = (double) values(radius) * documents / (1L << width);
        return radius < known() ? postings[radius] : Math.max(average, postings[radius]);
    }

    /** Known cost of all documents within each radius. Infinite above {@code limit}. */
    double[] costs(int largest, CostModel model, double share, double limit) {
        double[] costs = new double[largest + 2];
        for (int radius = 0; radius <= largest; radius++) {
            double ring = cost(radius, model, share);
            boolean tooMuch = costs[radius] + ring >= limit || values(radius) > LARGEST_RING;
            costs[radius + 1] = tooMuch ? Double.POSITIVE_INFINITY : costs[radius] + ring;
        }
        return costs;
    }

    double cost(int radius, CostModel model, double share) {
        return reading(radius, model) + share * postings(radius) * model.candidate();
    }

    /** Known cost of reaching the postings of a ring. */
    double reading(int radius, CostModel model) {
        return radius < known()
                ? rings.get(radius).size() * model.open()
                : values(radius) * (model.seek() + model.open());
    }

    /**
     * Reads the next ring, or abandons it when it will have more than {@code maxPostings} postings; then only the estimate changes.
     *
     * @return values looked up
     */
    int readNextRing(double maxPostings) throws IOException {
        if (termsEnum == null) {
            termsEnum = terms.iterator();
        }
        long[] values = ringValues(known());
        List<SegmentValue> found = new ArrayList<>(Math.min(values.length, SAMPLE));
        long sum = 0;
        for (int i = 0; i < values.length; i++) {
            if (i >= SAMPLE && Integer.bitCount(i) == 1 && sum / (double) i * values.length > 2 * maxPostings) {
                postings[known()] = sum / (double) i * values.length;
                return i;
            }
            write(values[i], term);
            if (termsEnum.seekExact(term)) {
                found.add(new SegmentValue(values[i], termsEnum.termState()));
                sum += termsEnum.docFreq();
            }
        }
        postings[known()] = sum;
        rings.add(found);
        return values.length;
    }

    long found(int radius) {
        return rings.subList(0, radius + 1).stream().mapToLong(List::size).sum();
    }

    /** Opens the postings within a read radius, one term after the other. */
    PostingsEnum open(int radius, PostingsEnum reuse, IOConsumer<PostingsEnum> consumer) throws IOException {
        PostingsEnum opened = reuse;
        for (int ring = 0; ring <= radius; ring++) {
            for (SegmentValue probe : rings.get(ring)) {
                opened = open(probe, opened);
                consumer.accept(opened);
            }
        }
        return opened;
    }

    /** Opens the postings of each ring within a radius, all at once. */
    List<List<PostingsEnum>> openAll(int radius) throws IOException {
        List<List<PostingsEnum>> opened = new ArrayList<>();
        for (int ring = 0; ring <= radius; ring++) {
            List<PostingsEnum> postings = new ArrayList<>();
            for (SegmentValue probe : rings.get(ring)) {
                postings.add(open(probe, null));
            }
            opened.add(postings);
        }
        return opened;
    }

    private PostingsEnum open(SegmentValue probe, PostingsEnum reuse) throws IOException {
        write(probe.value(), term);
        termsEnum.seekExact(term, probe.state());
        return termsEnum.postings(reuse, PostingsEnum.NONE);
    }

    /** Ascending, which makes seeking faster. */
    private long[] ringValues(int radius) {
        long[] values = masks(width, radius);
        for (int i = 0; i < values.length; i++) {
            values[i] ^= value;
        }
        Arrays.sort(values);
        return values;
    }

    /** All numbers of {@code width} bits with {@code radius} bits set. */
    static long[] masks(int width, int radius) {
        long[] masks = new long[(int) ProbePlan.choose(width, radius)];
        long mask = (1L << radius) - 1;
        for (int i = 0; i < masks.length; i++) {
            masks[i] = mask;
            // The next larger number with as many bits (Gosper). The last one may overflow and is unused.
            long lowest = mask & -mask;
            long ripple = mask + lowest;
            mask = radius == 0 ? 0 : (((mask ^ ripple) >>> 2) / lowest) | ripple;
        }
        return masks;
    }

    /** Writes a value in as many digits as {@code term} has. */
    static void write(long value, BytesRef term) {
        long rest = value;
        for (int i = term.offset + term.length - 1; i >= term.offset; i--) {
            term.bytes[i] = DIGITS[(int) rest & 0xf];
            rest >>>= 4;
        }
    }

    /** The value of a term of at most 15 digits; -1 if it is invalid. */
    static long parse(BytesRef term) {
        if (term.length == 0 || term.length > 15) {
            return -1;
        }
        long value = 0;
        for (int i = term.offset; i < term.offset + term.length; i++) {
            int digit = digit(term.bytes[i]);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static int digit(byte letter) {
        if (letter >= '0' && letter <= '9') {
            return letter - '0';
        }
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }
}
