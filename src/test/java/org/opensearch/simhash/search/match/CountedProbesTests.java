/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.opensearch.simhash.core.fingerprint.FingerprintDistribution;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.match.CountPlanner.CountedProbes;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;

/** Whatever the radii, as long as they suffice: all matches of a range, in order, and nothing else. */
public class CountedProbesTests extends LuceneTestCase {

    private static final int DOCUMENTS = 3000;

    public void testFindsWhatBruteForceFindsWithAnyRadii() throws IOException {
        for (int round = 0; round < 5; round++) {
            int segments = TestUtil.nextInt(random(), SegmentLayout.MIN, SegmentLayout.MAX);
            long target = random().nextLong();
            List<Long> bits = new ArrayList<>();
            List<FingerprintedDocument> documents = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                bits.add(FingerprintDistribution.NEAR.next(random(), target));
                documents.add(FingerprintedDocument.of(i, bits.get(i), segments));
            }
            try (Directory directory = FingerprintIndex.newDirectory();
                    FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
                LeafReader reader = index.reader().leaves().getFirst().reader();
                for (int i = 0; i < 20; i++) {
                    assertFindsAll(reader, target, bits);
                }
            }
        }
    }

    private static void assertFindsAll(LeafReader reader, long target, List<Long> bits) throws IOException {
        LeafFingerprints leaf = LeafFingerprints.of(reader, FingerprintedDocument.FIELDS);
        int[] radii = new int[leaf.layout().count()];
        int sum = 0;
        for (int i = 0; i < radii.length; i++) {
            radii[i] = TestUtil.nextInt(random(), ProbePlan.NONE, 2);
            sum += radii[i] + 1;
        }
        if (sum < 2) {
            return;
        }
        int bound = random().nextInt(sum - 1);
        int from = random().nextInt(DOCUMENTS);
        int to = TestUtil.nextInt(random(), from + 1, DOCUMENTS);
        ProbePlan plan = new ProbePlan(radii);
        String field = FingerprintedDocument.FIELDS.bits();
        var probes = new CountedProbes(
                StoredFingerprints.of(DocValues.getSortedNumeric(reader, field), reader, field, target),
                open(leaf, target, plan),
                plan.shared(bound),
                from,
                to,
                new LeafEffort());
        List<Integer> expected = new ArrayList<>();
        for (int doc = from; doc < to; doc++) {
            if (Long.bitCount(bits.get(doc) ^ target) <= bound) {
                expected.add(doc);
            }
        }
        assertEquals(plan + " within " + bound, expected, collect(probes, from, to, bound));
    }

    private static List<List<List<PostingsEnum>>> open(LeafFingerprints leaf, long target, ProbePlan plan)
            throws IOException {
        List<List<List<PostingsEnum>>> opened = new ArrayList<>();
        for (int i = 0; i < leaf.layout().count(); i++) {
            SegmentProbes segment = new SegmentProbes(leaf, i, target);
            while (segment.known() <= plan.radius(i)) {
                segment.readNextRing(Double.POSITIVE_INFINITY);
            }
            opened.add(segment.openAll(plan.radius(i)));
        }
        return opened;
    }

    /** In steps of any size, as callers ask. */
    private static List<Integer> collect(MatchSource source, int from, int to, int bound) throws IOException {
        List<Integer> found = new ArrayList<>();
        MatchBatch batch = new MatchBatch();
        for (int doc = from; doc < to; ) {
            int limit = TestUtil.nextInt(random(), doc + 1, to);
            while (doc < limit) {
                batch.clear(source.maxAdded());
                doc = source.fill(doc, limit, bound, batch);
                for (int i = 0; i < batch.size; i++) {
                    found.add(batch.docs[i]);
                }
            }
        }
        return found;
    }
}
