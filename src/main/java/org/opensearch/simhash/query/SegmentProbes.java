/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.fingerprint.SegmentLayout;

/**
 * The values of one segment around the target's, ring by ring: ring {@code r} are the values that differ in exactly
 * {@code r} bits. Reads the statistics of a ring when asked, once, and remembers where its terms are. One thread.
 */
final class SegmentProbes {

    /** A value that the leaf has. */
    record Probe(BytesRef term, TermState state, int docFreq) {}

    private final SegmentLayout layout;
    private final int segment;
    private final long value;
    private final Terms terms;
    private final long documents;
    private final List<List<Probe>> rings = new ArrayList<>();
    private final List<Long> ringPostings = new ArrayList<>();
    private TermsEnum termsEnum;

    SegmentProbes(LeafFingerprints leaf, int segment, long target) {
        this.layout = leaf.layout();
        this.segment = segment;
        this.value = layout.value(target, segment);
        this.terms = leaf.segments().get(segment);
        this.documents = leaf.documents();
    }

    /** Rings read so far. */
    int known() {
        return rings.size();
    }

    /** Number of values in a ring. */
    long values(int radius) {
        return ProbePlan.choose(layout.width(segment), radius);
    }

    /** Postings of a ring: measured when it was read, else the average of the segment. */
    double postings(int radius) {
        return radius < known()
                ? ringPostings.get(radius)
                : (double) values(radius) * documents / (1L << layout.width(segment));
    }

    /** The values of a known ring that the leaf has. */
    List<Probe> ring(int radius) {
        return rings.get(radius);
    }

    /** Reads the statistics of the next ring. */
    void readNextRing() throws IOException {
        if (termsEnum == null) {
            termsEnum = terms.iterator();
        }
        List<Probe> found = new ArrayList<>();
        long postings = 0;
        BytesRef term = new BytesRef(new byte[layout.digits(segment)]);
        term.length = layout.digits(segment);
        for (long probe : ringValues(known())) {
            HexTerms.write(probe, term);
            if (termsEnum.seekExact(term)) {
                int docFreq = termsEnum.docFreq();
                found.add(new Probe(BytesRef.deepCopyOf(term), termsEnum.termState(), docFreq));
                postings += docFreq;
            }
        }
        rings.add(found);
        ringPostings.add(postings);
    }

    /** The enumeration that the term states belong to. */
    TermsEnum termsEnum() {
        return termsEnum;
    }

    /** Ascending: neighbours in the term dictionary are found faster one after the other. */
    private long[] ringValues(int radius) {
        long[] values = new long[(int) values(radius)];
        long mask = (1L << radius) - 1;
        for (int i = 0; i < values.length; i++) {
            values[i] = value ^ mask;
            // The next larger number with as many bits (Gosper); the last one may overflow, and is not used.
            long lowest = mask & -mask;
            long ripple = mask + lowest;
            mask = radius == 0 ? 0 : ((mask ^ ripple) >>> 2) / lowest | ripple;
        }
        Arrays.sort(values);
        return values;
    }
}
