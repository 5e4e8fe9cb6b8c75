/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.DocIdSetBuilder;

/**
 * Finds matches among the documents that share a looked-up segment value with the target. The candidates of a range are
 * collected at once, as an array while they are few, as a bit set when they are many; they are compared batch by batch,
 * when asked for, so those beyond a bound that was tightened meanwhile cost nothing more.
 */
final class ProbedCandidates implements MatchSource {

    private final StoredFingerprints fingerprints;
    private final DocIdSetIterator candidates;
    private final LeafEffort effort;
    private final int[] docs = new int[MatchBatch.WINDOW];

    private ProbedCandidates(StoredFingerprints fingerprints, DocIdSetIterator candidates, LeafEffort effort) {
        this.fingerprints = fingerprints;
        this.candidates = candidates;
        this.effort = effort;
    }

    /** Collects the candidates of the documents {@code [from, to)}. */
    static ProbedCandidates collect(
            LeafPlanner planner, ProbePlan plan, int from, int to, StoredFingerprints fingerprints, LeafEffort effort)
            throws IOException {
        DocIdSetBuilder builder = new DocIdSetBuilder(to);
        PostingsEnum postings = null;
        for (int i = 0; i < planner.segmentCount(); i++) {
            SegmentProbes segment = planner.segment(i);
            for (int radius = 0; radius <= plan.radius(i); radius++) {
                for (SegmentProbes.Probe probe : segment.ring(radius)) {
                    TermsEnum terms = segment.termsEnum();
                    terms.seekExact(probe.term(), probe.state());
                    postings = terms.postings(postings, PostingsEnum.NONE);
                    effort.candidates += add(postings, from, to, builder.grow(probe.docFreq()));
                }
            }
        }
        DocIdSetIterator candidates = builder.build().iterator();
        candidates.nextDoc();
        return new ProbedCandidates(fingerprints, candidates, effort);
    }

    private static int add(PostingsEnum postings, int from, int to, DocIdSetBuilder.BulkAdder adder)
            throws IOException {
        int count = 0;
        for (int doc = postings.advance(from); doc < to; doc = postings.nextDoc()) {
            adder.add(doc);
            count++;
        }
        return count;
    }

    @Override
    public int fill(int from, int to, int bound, MatchBatch batch) throws IOException {
        int size = 0;
        int doc = candidates.docID() < from ? candidates.advance(from) : candidates.docID();
        for (; doc < to && size < docs.length; doc = candidates.nextDoc()) {
            docs[size++] = doc;
        }
        fingerprints.verify(docs, size, bound, batch);
        effort.verified += size;
        return Math.min(doc, to);
    }

    @Override
    public int next(int from) {
        return Math.max(from, candidates.docID());
    }
}
