/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOConsumer;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.search.match.Print.Target;

/**
 * Pairs of a document in one leaf and a target with a common term. They are handed on in buffers, since a term may have
 * millions of documents; each buffer is in document order. A pair comes once for each common term. One thread.
 */
final class CandidatePairs {

    /** A megabyte, which stays in the processor's cache while it is sorted. */
    private static final int BUFFER = 1 << 17;

    private static final int FIRST_BUFFER = 64;

    /** The widest segment has 32 bits, so a value and a target fit into one long. */
    private static final int TARGET_BITS = 24;

    private static final int LOOKUPS_PER_CHECK = 1 << 10;

    private final IOConsumer<CandidatePairs> consumer;
    private final Cancellation cancellation;
    private final int buffer;
    private long[] pairs = new long[FIRST_BUFFER];
    private int size;
    private long handedOn;

    /** @param consumer reads the pairs before it returns */
    CandidatePairs(IOConsumer<CandidatePairs> consumer, Cancellation cancellation) {
        this(consumer, cancellation, BUFFER);
    }

    /** The buffer size changes only how the pairs are divided. */
    CandidatePairs(IOConsumer<CandidatePairs> consumer, Cancellation cancellation, int buffer) {
        this.consumer = consumer;
        this.cancellation = cancellation;
        this.buffer = buffer;
    }

    void sharingDigests(Terms terms, List<Target> targets) throws IOException {
        if (terms == null) {
            return;
        }
        int[] sorted = IntStream.range(0, targets.size())
                .filter(i -> targets.get(i).digest() != null)
                .boxed()
                .sorted((a, b) ->
                        targets.get(a).digest().compareTo(targets.get(b).digest()))
                .mapToInt(i -> i)
                .toArray();
        TermsEnum termsEnum = terms.iterator();
        PostingsEnum postings = null;
        for (int target : sorted) {
            if (termsEnum.seekExact(new BytesRef(targets.get(target).digest()))) {
                postings = termsEnum.postings(postings, PostingsEnum.NONE);
                add(postings, target);
            }
        }
        handOn();
    }

    /**
     * Hands on the documents that share a segment value within the plan's radius.
     *
     * @return false if there are more than {@code limit} pairs; then some are missing
     */
    boolean sharingSegments(LeafFingerprints leaf, ProbePlan plan, long[] targets, long limit) throws IOException {
        for (int segment = 0; segment < leaf.layout().count(); segment++) {
            for (int ring = 0; ring <= plan.radius(segment); ring++) {
                if (read(leaf, segment, ring, targets, limit) == false) {
                    return false;
                }
            }
        }
        handOn();
        return true;
    }

    private boolean read(LeafFingerprints leaf, int segment, int ring, long[] targets, long limit) throws IOException {
        TermsEnum terms = leaf.segments().get(segment).iterator();
        BytesRef term = new BytesRef(new byte[leaf.layout().digits(segment)]);
        term.length = leaf.layout().digits(segment);
        PostingsEnum postings = null;
        long last = -1;
        boolean there = false;
        int lookups = 0;
        for (long wanted : wanted(leaf, segment, ring, targets)) {
            if (++lookups % LOOKUPS_PER_CHECK == 0) {
                cancellation.check();
            }
            long value = wanted >>> TARGET_BITS;
            if (value != last) {
                last = value;
                SegmentProbes.write(value, term);
                there = terms.seekExact(term);
            }
            if (there) {
                if (handedOn + size + terms.docFreq() > limit) {
                    return false;
                }
                postings = terms.postings(postings, PostingsEnum.NONE);
                add(postings, (int) wanted & ((1 << TARGET_BITS) - 1));
            }
        }
        return true;
    }

    /** Values with targets, in term order, which makes seeking faster. */
    private static long[] wanted(LeafFingerprints leaf, int segment, int ring, long[] targets) {
        long[] masks = SegmentProbes.masks(leaf.layout().width(segment), ring);
        long[] wanted = new long[masks.length * targets.length];
        for (int target = 0; target < targets.length; target++) {
            long value = leaf.layout().value(targets[target], segment);
            for (int i = 0; i < masks.length; i++) {
                wanted[target * masks.length + i] = (value ^ masks[i]) << TARGET_BITS | target;
            }
        }
        Arrays.sort(wanted);
        return wanted;
    }

    private void add(PostingsEnum postings, int target) throws IOException {
        for (int doc = postings.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = postings.nextDoc()) {
            if (size == buffer) {
                handOn();
            }
            if (size == pairs.length) {
                pairs = Arrays.copyOf(pairs, 2 * size);
            }
            pairs[size++] = (long) doc << Integer.SIZE | target;
        }
    }

    private void handOn() throws IOException {
        cancellation.check();
        Arrays.sort(pairs, 0, size);
        consumer.accept(this);
        handedOn += size;
        size = 0;
    }

    int size() {
        return size;
    }

    int doc(int i) {
        return (int) (pairs[i] >>> Integer.SIZE);
    }

    int target(int i) {
        return (int) pairs[i];
    }
}
