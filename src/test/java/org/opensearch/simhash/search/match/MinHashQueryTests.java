/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.mapper.BinaryFieldMapper;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.match.Print.SketchTarget;

/** What the query finds by bands, by scan and by lead, against all sketches compared one by one. */
public class MinHashQueryTests extends LuceneTestCase {

    private static final IndexedFields FIELDS = new IndexedFields("sketch", "digest", "scheme", List.of("bands"));
    private static final BandLayout LAYOUT = BandLayout.DEFAULT;
    private static final String SCHEME = "m2-a";
    private static final int DOCUMENTS = 2000;

    /** What a document has; several sketches as nested objects that the document includes. */
    private record Sketched(List<Sketch> sketches, String digest, String scheme, boolean hasBands) {

        Document toLucene(int id) {
            Document document = new Document();
            document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
            document.add(new IntPoint("point", id));
            document.add(new StringField("scheme", scheme, Field.Store.NO));
            if (digest != null) {
                document.add(new StringField("digest", digest, Field.Store.NO));
            }
            BinaryFieldMapper.CustomBinaryDocValuesField values = null;
            for (Sketch sketch : sketches) {
                if (values == null) {
                    values = new BinaryFieldMapper.CustomBinaryDocValuesField("sketch", sketch.bytes());
                    document.add(values);
                } else {
                    values.add(sketch.bytes());
                }
                if (hasBands) {
                    for (String term : LAYOUT.terms(sketch)) {
                        document.add(new StringField("bands", term, Field.Store.NO));
                    }
                }
            }
            return document;
        }

        double similarity(SketchTarget target, boolean containment) {
            if (target.digest() != null && target.digest().equals(digest)) {
                return 1;
            }
            if (target.sketch() == null
                    || (target.scheme() != null && target.scheme().equals(scheme) == false)) {
                return -1;
            }
            return sketches.stream()
                    .mapToDouble(sketch -> {
                        double jaccard = Sketch.similarity(target.sketch().agreeing(sketch), LAYOUT.permutations());
                        return containment
                                ? Sketch.containment(jaccard, target.sketch().size(), sketch.size())
                                : jaccard;
                    })
                    .max()
                    .orElse(-1);
        }
    }

    private final List<Sketched> documents = new ArrayList<>();
    private final List<LeafEffort> efforts = new ArrayList<>();
    private long[] features;
    private Directory directory;
    private DirectoryReader reader;
    private IndexSearcher searcher;

    @Override
    public void tearDown() throws Exception {
        if (reader != null) {
            reader.close();
            directory.close();
        }
        super.tearDown();
    }

    /** Of features from one up to another. */
    private Sketch sketch(int from, int to) {
        return Sketch.of(Arrays.copyOfRange(features, from, to), to - from, LAYOUT.permutations());
    }

    private void add(Sketch sketch) {
        documents.add(new Sketched(List.of(sketch), null, SCHEME, true));
    }

    /** Every tenth document is like the target, in a share of its features that falls from all to none. */
    private SketchTarget indexRandom() throws IOException {
        return indexRandom(DOCUMENTS);
    }

    private SketchTarget indexRandom(int count) throws IOException {
        Random random = random();
        features = random.longs(200_000).toArray();
        for (int i = 0; i < count; i++) {
            int moved = i / 10 % 200;
            int other = 500 + random.nextInt(190_000);
            add(i % 10 == 0 ? sketch(moved, moved + 200) : sketch(other, other + 20 + random.nextInt(300)));
        }
        index();
        return new SketchTarget(sketch(0, 200), LAYOUT, null, SCHEME);
    }

    private void index() throws IOException {
        directory = FingerprintIndex.newDirectory();
        try (IndexWriter writer =
                new IndexWriter(directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
            for (int i = 0; i < documents.size(); i++) {
                writer.addDocument(documents.get(i).toLucene(i));
                if (i == documents.size() / 3) {
                    writer.flush();
                }
            }
            writer.commit();
        }
        reader = DirectoryReader.open(directory);
        searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
    }

    private MinHashQuery query(SketchTarget target, double minSimilarity, boolean containment) {
        return new MinHashQuery(FIELDS, target, minSimilarity, containment, efforts::add);
    }

    private Map<Integer, Float> search(Query query) throws IOException {
        Map<Integer, Float> found = new TreeMap<>();
        for (ScoreDoc hit : searcher.search(query, documents.size()).scoreDocs) {
            String id = searcher.storedFields().document(hit.doc).get("id");
            found.put(Integer.valueOf(id), hit.score);
        }
        return found;
    }

    private Map<Integer, Float> bruteForce(SketchTarget target, double minSimilarity, boolean containment) {
        Map<Integer, Float> expected = new TreeMap<>();
        for (int i = 0; i < documents.size(); i++) {
            double similarity = documents.get(i).similarity(target, containment);
            if (similarity >= minSimilarity) {
                expected.put(i, (float) similarity);
            }
        }
        return expected;
    }

    /** What shares no band is missed, and nothing else. */
    private void duel(SketchTarget target, double minSimilarity, boolean containment) throws IOException {
        MinHashQuery query = query(target, minSimilarity, containment);
        Map<Integer, Float> expected = bruteForce(target, minSimilarity, containment);
        Map<Integer, Float> found = search(query);
        for (int i = 0; i < documents.size(); i++) {
            boolean isMissed = expected.containsKey(i) && found.containsKey(i) == false;
            if (isMissed || i % 97 == 0 || (i % 7 == 0 && expected.containsKey(i))) {
                Query id = new TermQuery(new Term("id", Integer.toString(i)));
                Explanation explained = searcher.explain(query, searcher.search(id, 1).scoreDocs[0].doc);
                assertEquals(found.containsKey(i), explained.isMatch());
                if (isMissed) {
                    assertTrue(explained.toString(), explained.getDescription().contains("but missed: it shares"));
                    expected.remove(i);
                }
            }
        }
        assertEquals(expected, found);
    }

    public void testEqualsBruteForceButForWhatSharesNoBand() throws IOException {
        SketchTarget target = indexRandom();
        for (double minSimilarity : new double[] {1, 0.9, 0.8, 0.5, 0.3, 0.05, 0}) {
            duel(target, minSimilarity, false);
            duel(target, minSimilarity, true);
        }
        assertTrue(search(query(target, 0.8, false)).size() >= 15);
    }

    public void testIsAWellBehavedQuery() throws IOException {
        SketchTarget target = indexRandom(400);
        QueryUtils.check(random(), query(target, 0.8, false), searcher);
        QueryUtils.check(random(), query(target, 0.5, true), searcher);
        QueryUtils.check(random(), query(new SketchTarget(target.sketch(), null, "d", null), 0.7, false), searcher);
    }

    public void testBandsLeadToFewDocumentsAndAScanIsTakenWhereTheyLeadToMany() throws IOException {
        // A small leaf is scanned.
        SketchTarget target = indexRandom(3 * DOCUMENTS);
        search(query(target, 0.9, false));
        assertTrue(efforts.stream().allMatch(effort -> effort.plan() == LeafEffort.Plan.PROBE));
        assertTrue(efforts.stream().mapToLong(LeafEffort::compared).sum() < DOCUMENTS / 4);
        efforts.clear();
        search(query(target, 0.9, true));
        assertTrue(efforts.stream().allMatch(effort -> effort.plan() == LeafEffort.Plan.SCAN));
    }

    /** Half of the features are a footer: half of the bands say nothing. */
    public void testBandsThatManyDocumentsShareAreLeftOut() throws IOException {
        features = random().longs(200_000).toArray();
        int footer = 60;
        for (int i = 0; i < DOCUMENTS; i++) {
            long[] own = Arrays.copyOf(features, footer + 60);
            System.arraycopy(features, footer + 60 * (i % 1500), own, footer, 60);
            add(Sketch.of(own, own.length, LAYOUT.permutations()));
        }
        index();
        SketchTarget target = new SketchTarget(documents.getFirst().sketches().getFirst(), LAYOUT, null, SCHEME);
        duel(target, 0.8, false);
        long compared = efforts.stream()
                .mapToLong(effort -> effort.compared() + effort.scanned())
                .sum();
        assertTrue(compared + " compared", compared <= DOCUMENTS);
        duel(target, 0.99, false);
    }

    public void testDocumentsWithoutBandsAreFoundByAScan() throws IOException {
        features = random().longs(10_000).toArray();
        for (int i = 0; i < 300; i++) {
            documents.add(new Sketched(List.of(sketch(i, i + 200)), null, SCHEME, i != 7));
        }
        index();
        SketchTarget target = new SketchTarget(sketch(7, 207), LAYOUT, null, SCHEME);
        assertEquals(Float.valueOf(1), search(query(target, 1, false)).get(7));
    }

    public void testSchemesDigestsAndSeveralSketches() throws IOException {
        features = random().longs(10_000).toArray();
        Sketch near = sketch(0, 200);
        Sketch far = sketch(5000, 5200);
        documents.add(new Sketched(List.of(near), null, SCHEME, true));
        documents.add(new Sketched(List.of(near), null, "m2-b", true));
        documents.add(new Sketched(List.of(far), "d", "m2-b", true));
        documents.add(new Sketched(List.of(), "d", SCHEME, true));
        documents.add(new Sketched(List.of(far, near), null, SCHEME, true));
        documents.add(
                new Sketched(List.of(Sketch.of(features, 200, 64)), null, SCHEME, false)); // of other permutations
        index();
        assertEquals(Map.of(0, 1f, 4, 1f), search(query(new SketchTarget(near, LAYOUT, null, SCHEME), 0.8, false)));
        assertEquals(
                Map.of(0, 1f, 2, 1f, 3, 1f, 4, 1f),
                search(query(new SketchTarget(near, LAYOUT, "d", SCHEME), 0.8, false)));
        assertEquals(Map.of(0, 1f, 1, 1f, 4, 1f), search(query(new SketchTarget(near, null, null, null), 0.8, false)));
        assertEquals(Map.of(2, 1f, 3, 1f), search(query(new SketchTarget(null, null, "d", SCHEME), 0.8, false)));
    }

    public void testOtherClausesProposeWhatIsCompared() throws IOException {
        SketchTarget target = indexRandom();
        List<BytesRef> ids = List.of(new BytesRef("0"), new BytesRef("10"), new BytesRef("11"));
        Query led = new BooleanQuery.Builder()
                .add(query(target, 0.8, false), Occur.MUST)
                .add(new TermInSetQuery("id", ids), Occur.FILTER)
                .build();
        assertEquals(List.of(0, 10), List.copyOf(search(led).keySet()));
        assertTrue(efforts.stream().allMatch(effort -> effort.plan() == LeafEffort.Plan.LEAD));
    }

    /** The bands miss some documents of similarity .5. No plan finds what another one misses. */
    public void testAProposedDocumentMatchesOnlyIfTheBandsLeadToIt() throws IOException {
        features = random().longs(10_000).toArray();
        for (int i = 0; i < 80; i++) {
            long[] own = Arrays.copyOf(features, 200);
            for (int j = 135 + i % 10; j < own.length; j++) {
                own[j] = random().nextLong();
            }
            add(Sketch.of(own, own.length, LAYOUT.permutations()));
        }
        // Filler, so that the bands are cheaper than a scan.
        for (int i = 0; i < 12_000; i++) {
            add(sketch(3000 + i % 6000, 3050 + i % 6000));
        }
        index();
        Query query = query(new SketchTarget(sketch(0, 200), LAYOUT, null, SCHEME), 0.5, false);
        Map<Integer, Float> found = search(query);
        assertTrue(efforts.stream().anyMatch(effort -> effort.plan() == LeafEffort.Plan.PROBE));
        Map<Integer, Float> led = new TreeMap<>();
        for (int i = 0; i < 80; i++) {
            led.putAll(search(new BooleanQuery.Builder()
                    .add(query, Occur.MUST)
                    .add(new TermQuery(new Term("id", Integer.toString(i))), Occur.FILTER)
                    .build()));
        }
        assertEquals(found, led);
    }

    public void testExplainsSimilarityBandsPlanAndRecall() throws IOException {
        SketchTarget target = indexRandom();
        String explained = searcher.explain(query(target, 0.95, false), 0).toString();
        for (String part : List.of(
                "similarity 1.0 of at least 0.95, estimated, computed as boost * similarity from:",
                "same scheme " + SCHEME,
                "equal bands: 32 of 32 [00",
                "plan: probe 7 of 32 bands, which lead to ",
                "the probability that a document of similarity 0.95 shares one of these bands")) {
            assertTrue(part + " in " + explained, explained.contains(part));
        }
    }

    public void testExplainsThatContainmentScans() throws IOException {
        SketchTarget target = indexRandom();
        String explained = searcher.explain(query(target, 0.95, true), 0).toString();
        assertTrue(explained, explained.contains("containment 1.0 of at least 0.95, estimated"));
        assertTrue(explained, explained.contains(" sketches: containment has no bands"));
        assertFalse(explained, explained.contains("recall"));
    }

    public void testAScanEndsSoonAfterTheSearchIsCancelled() throws IOException {
        features = random().longs(300).toArray();
        for (int i = 0; i < 30_000; i++) {
            add(sketch(i % 100, i % 100 + 200));
        }
        index();
        long[] scanned = new long[1];
        QueryTimeout cancelled = () -> {
            scanned[0] = efforts.stream().mapToLong(LeafEffort::scanned).sum();
            return scanned[0] > 0;
        };
        IndexSearcher searching = new IndexSearcher(new ExitableDirectoryReader(reader, cancelled));
        searching.setQueryCache(null);
        SketchTarget target = new SketchTarget(sketch(0, 200), LAYOUT, null, SCHEME);
        expectThrows(
                ExitableDirectoryReader.ExitingReaderException.class, () -> searching.count(query(target, 0.5, true)));
        assertTrue("" + scanned[0], scanned[0] <= 1 << 13);
    }

    public void testMatchesNothingWhereNoDocumentHasTheFields() throws IOException {
        features = random().longs(10_000).toArray();
        documents.add(new Sketched(List.of(), null, SCHEME, true));
        index();
        Query rewritten = query(new SketchTarget(sketch(0, 50), LAYOUT, "d", SCHEME), 0.8, false)
                .rewrite(searcher);
        assertEquals(new MatchNoDocsQuery("no document has a sketch in [sketch]"), rewritten);
    }

    public void testRefusesASimilarityOutOfRangeAndATargetOfNothing() {
        SketchTarget target = new SketchTarget(null, null, "d", null);
        for (double wrong : new double[] {-0.1, 1.1, Double.NaN}) {
            assertEquals(
                    "[min_similarity] must be between 0 and 1, got: " + wrong,
                    expectThrows(IllegalArgumentException.class, () -> query(target, wrong, false))
                            .getMessage());
        }
        expectThrows(IllegalArgumentException.class, () -> new SketchTarget(null, null, null, SCHEME));
    }
}
