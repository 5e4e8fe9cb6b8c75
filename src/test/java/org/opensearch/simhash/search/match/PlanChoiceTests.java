/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import static org.apache.lucene.search.DocIdSetIterator.NO_MORE_DOCS;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.opensearch.simhash.core.fingerprint.FingerprintDistribution;
import org.opensearch.simhash.search.match.LeafEffort.Plan;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.Print.Target;

/** Which plan is chosen, and that it does no more than it promises. */
public class PlanChoiceTests extends LuceneTestCase {

    private static final IndexedFields FIELDS = FingerprintedDocument.FIELDS;
    private static final int MANY = 10_000;

    private static final long TARGET = 0x9f2c4d0011aa22bbL;

    private static Directory uniformDirectory;
    private static Directory crowdedDirectory;
    private static FingerprintIndex uniform;
    private static FingerprintIndex crowded;

    private final List<LeafEffort> efforts = new ArrayList<>();

    @BeforeClass
    public static void index() throws IOException {
        uniformDirectory = FingerprintIndex.newDirectory();
        crowdedDirectory = FingerprintIndex.newDirectory();
        uniform = FingerprintIndex.of(uniformDirectory, documents(FingerprintDistribution.UNIFORM, 0));
        crowded = FingerprintIndex.of(crowdedDirectory, documents(FingerprintDistribution.REPEATED, 0));
    }

    @AfterClass
    public static void close() throws IOException {
        IOUtils.close(uniform, crowded, uniformDirectory, crowdedDirectory);
        uniform = null;
        crowded = null;
        uniformDirectory = null;
        crowdedDirectory = null;
    }

    public void testProbesWhereFewDocumentsShareASegment() throws IOException {
        assertEquals(Plan.PROBE, search(uniform, query(3)).plan());
        LeafEffort effort = efforts.get(0);
        assertEquals("four values, one of each segment", 4, effort.probes());
        assertTrue("candidates: " + effort.candidates(), effort.candidates() < 20);
        assertEquals(effort.candidates(), effort.compared());
        assertEquals(0, effort.scanned());
        assertEquals(1, effort.matches());
    }

    public void testScansWhereManyDocumentsShareEverySegment() throws IOException {
        LeafEffort effort = search(crowded, query(3));
        assertEquals(Plan.SCAN, effort.plan());
        assertEquals(MANY, effort.scanned());
        assertEquals("one of the target's own values tells", 1, effort.probes());
        assertEquals(0, effort.compared());
    }

    public void testCountsWhereManyDocumentsShareASegmentAndFewShareTwo() throws IOException {
        List<FingerprintedDocument> documents = documents(FingerprintDistribution.UNIFORM, 0);
        for (int i = 1; i < MANY; i++) {
            // One segment in sixteen is the target's.
            long bits = random().nextLong();
            for (long segment = 0xffffL; segment != 0; segment <<= 16) {
                bits = random().nextInt(16) == 0 ? (bits & ~segment) | (TARGET & segment) : bits;
            }
            documents.set(i, FingerprintedDocument.of(i, bits, 4));
        }
        // As if there were so many documents that look-ups cost nothing beside them.
        CostModel costs = new CostModel(5, 1, 1, 30, 20, 1, 0.01);
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            LeafEffort effort = search(index, new SimHashQuery(FIELDS, Target.of(TARGET), 3, efforts::add, costs));
            assertEquals(Plan.PROBE, effort.plan());
            assertEquals(0, effort.scanned());
            assertTrue("candidates: " + effort.candidates(), effort.candidates() > 2 * effort.compared());
            assertTrue("few share two segments: " + effort.compared(), effort.compared() < MANY / 8);
            assertTrue(effort.matches() >= 1);
        }
    }

    public void testScansWhereLookUpsCostMoreThanTheScan() throws IOException {
        for (int distance : new int[] {16, 20, 32, 64}) {
            LeafEffort effort = search(uniform, query(distance));
            assertEquals(Plan.SCAN, effort.plan());
            assertTrue("the stake is small: " + effort.probes(), effort.probes() <= 4);
        }
    }

    public void testGivesARingUpOnceItsPostingsAreTooMany() throws IOException {
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            // No document has a segment of the target, all are one bit away in each.
            documents.add(FingerprintedDocument.of(i, TARGET ^ (0x0001_0001_0001_0001L << random().nextInt(16)), 4));
        }
        try (Directory oneBitAway = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(oneBitAway, documents)) {
            LeafEffort effort = search(index, query(7));
            assertEquals(Plan.SCAN, effort.plan());
            assertEquals(MANY, effort.matches());
            assertTrue("not all rings are read: " + effort.probes(), effort.probes() < 4 + 4 * 16);
        }
    }

    public void testEachLeafHasItsOwnPlan() throws IOException {
        try (Directory several = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(
                        several,
                        documents(FingerprintDistribution.UNIFORM, 0),
                        documents(FingerprintDistribution.REPEATED, MANY),
                        List.of(FingerprintedDocument.of(2 * MANY, TARGET, 4).withBits()))) {
            search(index, query(3));
            assertEquals(2, efforts.size());
            assertEquals(Plan.PROBE, efforts.get(0).plan());
            assertEquals(Plan.SCAN, efforts.get(1).plan());
        }
    }

    public void testWithoutFingerprintOnlyTheDigestIsLookedFor() throws IOException {
        List<FingerprintedDocument> documents = documents(FingerprintDistribution.UNIFORM, 0);
        documents.set(5, documents.get(5).withDigest("d"));
        documents.add(FingerprintedDocument.of(MANY, 0, 4).withBits().withDigest("d"));
        try (Directory digests = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(digests, documents)) {
            Target shortText = new Target(OptionalLong.empty(), "d", null);
            LeafEffort effort = search(index, new SimHashQuery(FIELDS, shortText, 3, efforts::add));
            assertEquals(Plan.DIGEST, effort.plan());
            assertEquals(2, effort.matches());
        }
    }

    public void testAFewProposedDocumentsAreVerifiedAndNothingIsSearched() throws IOException {
        for (int distance : new int[] {0, 3, 20, 64}) {
            for (FingerprintIndex index : List.of(uniform, crowded)) {
                List<BytesRef> ids = List.of(new BytesRef("3"), new BytesRef("471"), new BytesRef("4000"));
                LeafEffort effort = search(index, and(query(distance), new TermInSetQuery("id", ids)));
                if (effort.plan() == Plan.LEAD) {
                    assertEquals(3, effort.compared());
                    assertEquals(0, effort.candidates());
                    assertEquals(0, effort.scanned());
                } else {
                    assertEquals("fingerprints are as rare as the filter", uniform, index);
                    assertTrue(distance <= 3);
                    assertTrue("compared: " + effort.compared(), effort.compared() < 20);
                }
            }
        }
    }

    public void testProposedDocumentsThatMatchAreFound() throws IOException {
        Query filter = new TermQuery(new Term("id", "0"));
        for (FingerprintIndex index : List.of(uniform, crowded)) {
            IndexSearcher searcher = index.searcher();
            assertEquals(1, searcher.count(and(query(0), filter)));
            assertEquals(0, searcher.count(and(query(64), new TermQuery(new Term("id", "-1")))));
        }
    }

    /** A rescorer proposes documents to an iterator, as do named queries: what they do not match must not be a scan. */
    public void testWhoIteratesGetsWhatIsProposedAndSearchesForTheRest() throws IOException {
        SimHashQuery query = query(22);
        Weight weight = uniform.searcher().createWeight(query, ScoreMode.COMPLETE, 1);
        LeafReaderContext leaf = uniform.searcher().getIndexReader().leaves().getFirst();
        Map<Integer, Float> expected = new TreeMap<>();
        Scorer all = weight.scorerSupplier(leaf).get(Long.MAX_VALUE);
        for (int doc = all.iterator().nextDoc();
                doc < NO_MORE_DOCS;
                doc = all.iterator().nextDoc()) {
            expected.put(doc, all.score());
        }
        assertTrue("" + expected.size(), expected.size() > 20);
        efforts.clear();
        Scorer scorer = weight.scorerSupplier(leaf).get(0);
        assertEquals(Plan.LEAD, efforts.getFirst().plan());
        int proposed = 0;
        for (int doc = random().nextInt(50); doc < MANY; doc += 1 + random().nextInt(200)) {
            if (scorer.docID() < doc) {
                assertEquals(next(expected, doc), scorer.iterator().advance(doc));
                proposed++;
            }
            if (scorer.docID() < NO_MORE_DOCS) {
                assertEquals(expected.get(scorer.docID()), scorer.score(), 0);
            }
        }
        assertTrue(
                "compared: " + efforts.getFirst().compared(), efforts.getFirst().compared() <= proposed);
        scorer = weight.scorerSupplier(leaf).get(0);
        for (int match : expected.keySet()) {
            assertEquals(match, scorer.iterator().nextDoc());
        }
        assertEquals(NO_MORE_DOCS, scorer.iterator().nextDoc());
    }

    private static int next(Map<Integer, Float> expected, int from) {
        return expected.keySet().stream()
                .filter(match -> match >= from)
                .findFirst()
                .orElse(NO_MORE_DOCS);
    }

    private LeafEffort search(FingerprintIndex index, Query query) throws IOException {
        efforts.clear();
        index.searcher().count(query);
        return efforts.get(0);
    }

    private SimHashQuery query(int distance) {
        return new SimHashQuery(FIELDS, Target.of(TARGET), distance, efforts::add);
    }

    private static Query and(Query query, Query filter) {
        return new BooleanQuery.Builder()
                .add(query, Occur.MUST)
                .add(filter, Occur.FILTER)
                .build();
    }

    /** The first of them has the target's fingerprint. */
    private static List<FingerprintedDocument> documents(FingerprintDistribution distribution, int firstId) {
        List<FingerprintedDocument> documents = new ArrayList<>();
        documents.add(FingerprintedDocument.of(firstId, TARGET, 4));
        for (int i = 1; i < MANY; i++) {
            documents.add(FingerprintedDocument.of(firstId + i, distribution.next(random(), TARGET), 4));
        }
        return documents;
    }
}
