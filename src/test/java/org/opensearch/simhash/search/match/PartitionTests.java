/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.Bits;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.opensearch.simhash.core.fingerprint.FingerprintDistribution;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;
import org.opensearch.simhash.search.match.Print.Target;

/** Parts of a leaf add up to the leaf: however it is cut, whoever searches them, whatever the plan. */
public class PartitionTests extends LuceneTestCase {

    private static final int DOCUMENTS = 20_000;
    private static final long TARGET = 0x9f2c4d0011aa22bbL;

    private static Directory directory;
    private static FingerprintIndex index;
    private static List<FingerprintedDocument> documents;

    @BeforeClass
    public static void index() throws IOException {
        documents = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(FingerprintedDocument.of(i, FingerprintDistribution.NEAR.next(random(), TARGET), 4)
                    .withDigest("d" + i % 10)
                    .withScheme(i % 3 == 0 ? "v1-b" : "v1-a"));
        }
        directory = FingerprintIndex.newDirectory();
        index = FingerprintIndex.of(directory, documents);
    }

    @AfterClass
    public static void close() throws IOException {
        index.close();
        directory.close();
        index = null;
        directory = null;
        documents = null;
    }

    public void testWindowsOfAnySizeAddUpToTheLeaf() throws IOException {
        for (SimHashQuery query : queries()) {
            List<Integer> expected = expected(query, 0, DOCUMENTS);
            assertEquals(expected, collect(query, 0, DOCUMENTS, Integer.MAX_VALUE));
            assertEquals(expected, collect(query, 0, DOCUMENTS, 1 + random().nextInt(5000)));
            // As OpenSearch does between two looks at whether the search was cancelled.
            assertEquals(expected, collect(query, 0, DOCUMENTS, 4096));
        }
    }

    public void testAPartHasTheMatchesOfItsRange() throws IOException {
        for (SimHashQuery query : queries()) {
            int from = random().nextInt(DOCUMENTS);
            int to = from + random().nextInt(DOCUMENTS - from);
            assertEquals(expected(query, from, to), collect(query, from, to, Integer.MAX_VALUE));
            assertEquals(expected(query, from, to), collect(query, from, to, 1000));
        }
    }

    /** Windows are small at first: what they are planned for must not be what another thread searches. */
    public void testPartsOfALeafShareItsWork() throws IOException {
        // To open postings takes next to no time: a small part is worth it.
        CostModel costs = new CostModel(2000, 250, 0.01, 1, 1e12, 1, 10);
        List<LeafEffort> efforts = new ArrayList<>();
        SimHashQuery query = new SimHashQuery(FingerprintedDocument.FIELDS, Target.of(TARGET), 3, efforts::add, costs);
        assertEquals(expected(query, 0, DOCUMENTS), collect(query, 0, DOCUMENTS, 2048));
        long whole = efforts.getFirst().compared();
        assertTrue("many documents share a segment: " + whole, whole > 1000);
        assertEquals("each is compared once", whole, efforts.getFirst().candidates());
        assertEquals(expected(query, 0, DOCUMENTS / 2), collect(query, 0, DOCUMENTS / 2, 2048));
        assertEquals(expected(query, DOCUMENTS / 2, DOCUMENTS), collect(query, DOCUMENTS / 2, DOCUMENTS, 2048));
        double first = (double) efforts.get(1).compared() / whole;
        assertTrue("no more than the next window of 8192 documents: " + first, first < 0.8);
        assertEquals(0.5, (double) efforts.get(2).compared() / whole, 0.1);
        collect(query, 0, DOCUMENTS / 5, 2048);
        double fifth = (double) efforts.get(3).compared() / whole;
        assertTrue("" + fifth, fifth < 0.4);
    }

    /** Where it takes longer to open the postings than to compare what they lead to, they are opened once. */
    public void testACheapPlanIsMadeOnce() throws IOException {
        CostModel costs = new CostModel(2000, 250, 1e5, 1, 1e12, 1, 1e6);
        List<LeafEffort> efforts = new ArrayList<>();
        SimHashQuery query = new SimHashQuery(FingerprintedDocument.FIELDS, Target.of(TARGET), 3, efforts::add, costs);
        collect(query, 0, DOCUMENTS, 2048);
        collect(query, 0, 2048, 2048);
        assertEquals(efforts.get(0).compared(), efforts.get(1).compared());
    }

    public void testThreadsShareALeaf() throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            IndexSearcher searcher = new IndexSearcher(index.reader(), threads) {
                @Override
                protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
                    return slices(leaves, DOCUMENTS / 7, 1, true);
                }
            };
            assertTrue(searcher.getSlices().length > 3);
            for (SimHashQuery query : queries()) {
                assertEquals(FingerprintIndex.bruteForce(documents, query), FingerprintIndex.search(searcher, query));
            }
        } finally {
            threads.shutdown();
        }
    }

    /** Whoever has a thousand such queries open in one search has to know. */
    public void testWhatIsKeptOfALeafIsToldBeforeItIs() throws IOException {
        CostModel counting = new CostModel(1e6, 10, 10, 1e5, 1e12, 1e-3, 1e-6);
        for (CostModel costs : List.of(FingerprintIndex.PROBING, counting)) {
            List<Long> kept = new ArrayList<>();
            SimHashQuery query =
                    new SimHashQuery(FingerprintedDocument.FIELDS, Target.of(TARGET), 3, keeping(kept::add), costs);
            int matches = collect(query, 0, DOCUMENTS, Integer.MAX_VALUE).size();
            assertTrue(costs + ": " + matches + " " + kept, matches > MatchBatch.WINDOW && kept.isEmpty() == false);
            assertTrue("a bit set at least: " + kept, kept.getLast() >= DOCUMENTS / 8);
            SimHashQuery refused = new SimHashQuery(
                    FingerprintedDocument.FIELDS,
                    Target.of(TARGET),
                    3,
                    keeping(bytes -> {
                        throw new IllegalStateException("no room");
                    }),
                    costs);
            expectThrows(IllegalStateException.class, () -> collect(refused, 0, DOCUMENTS, Integer.MAX_VALUE));
        }
    }

    private static PrintQuery.Listener keeping(LongConsumer kept) {
        return new PrintQuery.Listener() {
            @Override
            public void started(LeafEffort effort) {}

            @Override
            public void keeps(long bytes) {
                kept.accept(bytes);
            }
        };
    }

    public void testDocumentsThatAreNotAcceptedAreNotCollected() throws IOException {
        Bits odd = new Bits() {
            @Override
            public boolean get(int doc) {
                return doc % 2 == 1;
            }

            @Override
            public int length() {
                return DOCUMENTS;
            }
        };
        for (SimHashQuery query : queries()) {
            List<Integer> expected = expected(query, 0, DOCUMENTS);
            expected.removeIf(doc -> doc % 2 == 0);
            Collected collected = new Collected(query);
            bulkScorer(query).score(collected, odd, 0, DOCUMENTS);
            assertEquals(expected, collected.docs);
        }
    }

    private static List<SimHashQuery> queries() {
        List<SimHashQuery> queries = new ArrayList<>();
        for (int distance : new int[] {0, 9, 64}) {
            for (CostModel costs :
                    List.of(FingerprintIndex.PROBING, FingerprintIndex.COUNTING, FingerprintIndex.SCANNING)) {
                for (Target target : List.of(
                        Target.of(TARGET),
                        new Target(OptionalLong.of(TARGET), "d3", "v1-a"),
                        new Target(OptionalLong.empty(), "d3", null))) {
                    queries.add(new SimHashQuery(FingerprintedDocument.FIELDS, target, distance, effort -> {}, costs));
                }
            }
        }
        return queries;
    }

    private static List<Integer> expected(SimHashQuery query, int from, int to) {
        List<Integer> expected = new ArrayList<>();
        for (int doc = from; doc < to; doc++) {
            if (documents.get(doc).distance(query.target()) <= query.maxDistance()) {
                expected.add(doc);
            }
        }
        return expected;
    }

    private static BulkScorer bulkScorer(SimHashQuery query) throws IOException {
        Weight weight = query.createWeight(index.searcher(), ScoreMode.COMPLETE, 1);
        return weight.bulkScorer(index.reader().leaves().get(0));
    }

    /** Goes by windows, and skips to where the scorer says that the next match may be. */
    private static List<Integer> collect(SimHashQuery query, int from, int to, int window) throws IOException {
        BulkScorer scorer = bulkScorer(query);
        Collected collected = new Collected(query);
        int doc = from;
        while (doc < to) {
            int end = (int) Math.min((long) doc + window, to);
            int next = scorer.score(collected, null, doc, end);
            assertTrue(next >= end);
            assertTrue(next < DOCUMENTS || next == DocIdSetIterator.NO_MORE_DOCS);
            doc = next;
        }
        return collected.docs;
    }

    private static final class Collected implements LeafCollector {

        private final SimHashQuery query;
        private final List<Integer> docs = new ArrayList<>();
        private Scorable scorer;

        Collected(SimHashQuery query) {
            this.query = query;
        }

        @Override
        public void setScorer(Scorable scorer) {
            this.scorer = scorer;
        }

        @Override
        public void collect(int doc) throws IOException {
            docs.add(doc);
            float expected = 1 - documents.get(doc).distance(query.target()) / 64f;
            assertEquals(expected, scorer.score(), 0);
        }
    }
}
