/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.core.fingerprint.FingerprintDistribution;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.Print.Target;

/** A page of the nearest is the same whether all matches are counted or only the page is wanted; the latter is less work. */
public class TopHitsTests extends LuceneTestCase {

    private static final IndexedFields FIELDS = FingerprintedDocument.FIELDS;

    private final List<LeafEffort> efforts = new ArrayList<>();

    public void testThePageIsTheSameWhetherAllMatchesAreCountedOrNot() throws IOException {
        for (FingerprintDistribution distribution : FingerprintDistribution.values()) {
            long centre = random().nextLong();
            try (Directory directory = FingerprintIndex.newDirectory();
                    FingerprintIndex index = FingerprintIndex.of(
                            directory, documents(distribution, centre, 2000), documents(distribution, centre, 500))) {
                IndexSearcher searcher = index.searcher();
                for (int distance : new int[] {0, 7, 20, 64}) {
                    for (CostModel costs : List.of(
                            CostModel.MEASURED,
                            FingerprintIndex.PROBING,
                            FingerprintIndex.COUNTING,
                            FingerprintIndex.SCANNING)) {
                        Target target = new Target(OptionalLong.of(centre), "d7", "v1-a");
                        Query query = new SimHashQuery(FIELDS, target, distance, effort -> {}, costs);
                        assertSamePages(searcher, query);
                        assertSamePages(searcher, and(query, new TermInSetQuery("digest", digests())));
                        assertSamePages(searcher, or(query, new TermQuery(new Term("simhash.digest", "d3"))));
                    }
                }
            }
        }
    }

    public void testDocumentsTooFarForThePageAreNotVisited() throws IOException {
        long centre = random().nextLong();
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            // Near ones all over the index, far ones between them.
            long bits = FingerprintDistribution.flip(random(), centre, i % 1000 == 0 ? 1 : 24);
            documents.add(FingerprintedDocument.of(i, bits, 4));
        }
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            SimHashQuery query = new SimHashQuery(FIELDS, Target.of(centre), 64, efforts::add);
            ScoreDoc[] page = search(index.searcher(), query, 3, 1);
            assertEquals(List.of(0, 1000, 2000), docs(page));
            LeafEffort effort = efforts.get(0);
            assertEquals("what is left is looked up", LeafEffort.Plan.PROBE, effort.plan());
            assertTrue("scanned: " + effort.scanned(), effort.scanned() < 4000);
            assertTrue("compared: " + effort.compared(), effort.compared() < 100);

            efforts.clear();
            search(index.searcher(), query, 3, Integer.MAX_VALUE);
            assertEquals(20_000, efforts.get(0).matches());
        }
    }

    public void testALeafIsSearchedWithTheBoundThatEarlierLeavesLeft() throws IOException {
        long centre = random().nextLong();
        for (int nearest = 0; nearest <= 1; nearest++) {
            List<FingerprintedDocument> first = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                first.add(FingerprintedDocument.of(i, FingerprintDistribution.flip(random(), centre, nearest), 4));
            }
            try (Directory directory = FingerprintIndex.newDirectory();
                    FingerprintIndex index = FingerprintIndex.of(
                            directory, first, documents(FingerprintDistribution.UNIFORM, centre, 20_000))) {
                efforts.clear();
                search(index.searcher(), new SimHashQuery(FIELDS, Target.of(centre), 20, efforts::add), 5, 1);
                LeafEffort second = efforts.get(1);
                if (nearest == 0) {
                    assertEquals("nothing can compete", LeafEffort.Plan.NONE, second.plan());
                } else {
                    assertEquals("only distance 0 can compete", LeafEffort.Plan.PROBE, second.plan());
                    assertEquals("one exact value suffices", 1, second.probes());
                }
            }
        }
    }

    private static void assertSamePages(IndexSearcher searcher, Query query) throws IOException {
        for (int size : new int[] {1, 30}) {
            ScoreDoc[] counted = search(searcher, query, size, Integer.MAX_VALUE);
            ScoreDoc[] page = search(searcher, query, size, 1);
            assertEquals(query.toString(), docs(counted), docs(page));
            for (int i = 0; i < page.length; i++) {
                assertEquals(query.toString(), counted[i].score, page[i].score, 0);
            }
        }
    }

    private static ScoreDoc[] search(IndexSearcher searcher, Query query, int size, int threshold) throws IOException {
        return searcher.search(query, new TopScoreDocCollectorManager(size, null, threshold)).scoreDocs;
    }

    private static List<Integer> docs(ScoreDoc[] hits) {
        return Arrays.stream(hits).map(hit -> hit.doc).toList();
    }

    private static List<BytesRef> digests() {
        return List.of(new BytesRef("d1"), new BytesRef("d2"));
    }

    private static Query and(Query query, Query other) {
        return new BooleanQuery.Builder()
                .add(query, Occur.MUST)
                .add(other, Occur.SHOULD)
                .add(MatchAllDocsQuery.INSTANCE, Occur.FILTER)
                .build();
    }

    private static Query or(Query query, Query other) {
        return new BooleanQuery.Builder()
                .add(query, Occur.SHOULD)
                .add(other, Occur.SHOULD)
                .build();
    }

    private static List<FingerprintedDocument> documents(FingerprintDistribution distribution, long centre, int count) {
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            documents.add(FingerprintedDocument.of(i, distribution.next(random(), centre), 4)
                    .withDigest("d" + random().nextInt(40))
                    .withScheme(random().nextInt(5) == 0 ? "v1-b" : "v1-a"));
        }
        return documents;
    }
}
