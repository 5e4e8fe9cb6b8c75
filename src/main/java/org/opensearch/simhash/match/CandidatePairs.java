/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/** Documents of one Lucene leaf that share a term with one of many targets, each with that target, in document order. One thread. */
final class CandidatePairs {

    /** The widest segment has 32 bits, so that a value and a target fit into one number. */
    private static final int TARGET_BITS = 24;

    private long[] pairs = new long[64];
    private int size;

    private CandidatePairs() {}

    /** Those that have the digest of a target. */
    static CandidatePairs sharingDigests(Terms terms, List<Target> targets) throws IOException {
        CandidatePairs pairs = new CandidatePairs();
        if (terms != null) {
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
                    pairs.add(postings, target);
                }
            }
        }
        Arrays.sort(pairs.pairs, 0, pairs.size);
        return pairs;
    }

    /** Those that share a segment value within the plan's radius; null when there are more than {@code most}. */
    static CandidatePairs sharingSegments(LeafFingerprints leaf, ProbePlan plan, long[] targets, long most)
            throws IOException {
        CandidatePairs pairs = new CandidatePairs();
        for (int segment = 0; segment < leaf.layout().count(); segment++) {
            for (int ring = 0; ring <= plan.radius(segment); ring++) {
                if (pairs.read(leaf, segment, ring, targets, most) == false) {
                    return null;
                }
            }
        }
        Arrays.sort(pairs.pairs, 0, pairs.size);
        return pairs;
    }

    private boolean read(LeafFingerprints leaf, int segment, int ring, long[] targets, long most) throws IOException {
        TermsEnum terms = leaf.segments().get(segment).iterator();
        BytesRef term = new BytesRef(new byte[leaf.layout().digits(segment)]);
        term.length = leaf.layout().digits(segment);
        PostingsEnum postings = null;
        long last = -1;
        boolean there = false;
        for (long wanted : wanted(leaf, segment, ring, targets)) {
            long value = wanted >>> TARGET_BITS;
            if (value != last) {
                last = value;
                HexTerms.write(value, term);
                there = terms.seekExact(term);
            }
            if (there) {
                if (size + (long) terms.docFreq() > most) {
                    return false;
                }
                postings = terms.postings(postings, PostingsEnum.NONE);
                add(postings, (int) wanted & ((1 << TARGET_BITS) - 1));
            }
        }
        return true;
    }

    /** Values with targets, in the order of the term dictionary, where neighbours are found faster one after the other. */
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
            if (size == pairs.length) {
                pairs = ArrayUtil.grow(pairs);
            }
            pairs[size++] = (long) doc << Integer.SIZE | target;
        }
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
