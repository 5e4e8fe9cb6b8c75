/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/**
 * The documents of one Lucene leaf that share a looked-up segment value with one of many targets, in document order, each
 * with that target. One thread.
 */
final class JointProbes {

    /** Widest segment 32 bits, so that value and target fit into one number. */
    private static final int TARGET_BITS = 24;

    private long[] pairs = new long[64];
    private int size;

    private JointProbes() {}

    /** Null when there are more than {@code most}. */
    static JointProbes read(LeafFingerprints leaf, ProbePlan plan, long[] targets, long most) throws IOException {
        JointProbes probes = new JointProbes();
        for (int segment = 0; segment < leaf.layout().count(); segment++) {
            if (plan.radius(segment) > ProbePlan.NONE
                    && probes.read(leaf, segment, plan.radius(segment), targets, most) == false) {
                return null;
            }
        }
        Arrays.sort(probes.pairs, 0, probes.size);
        return probes;
    }

    private boolean read(LeafFingerprints leaf, int segment, int radius, long[] targets, long most) throws IOException {
        TermsEnum terms = leaf.segments().get(segment).iterator();
        BytesRef term = new BytesRef(new byte[leaf.layout().digits(segment)]);
        term.length = leaf.layout().digits(segment);
        PostingsEnum postings = null;
        for (int ring = 0; ring <= radius; ring++) {
            long[] masks = SegmentProbes.masks(leaf.layout().width(segment), ring);
            // The value before the target: in the order of the dictionary neighbours are found faster.
            long[] values = new long[masks.length * targets.length];
            for (int i = 0; i < values.length; i++) {
                int target = i / masks.length;
                long value = leaf.layout().value(targets[target], segment) ^ masks[i % masks.length];
                values[i] = value << TARGET_BITS | target;
            }
            Arrays.sort(values);
            long last = -1;
            boolean there = false;
            for (long packed : values) {
                long value = packed >>> TARGET_BITS;
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
                    add(postings, (int) packed & ((1 << TARGET_BITS) - 1));
                }
            }
        }
        return true;
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
