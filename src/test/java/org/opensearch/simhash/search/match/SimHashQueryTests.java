/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.Print.Target;

public class SimHashQueryTests extends LuceneTestCase {

    private static final IndexedFields FIELDS = FingerprintedDocument.FIELDS;
    private static final long TARGET = 0x9f2c4d0011aa22bbL;

    private Directory directory;
    private FingerprintIndex index;
    private IndexSearcher searcher;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        directory = FingerprintIndex.newDirectory();
        index = FingerprintIndex.of(
                directory,
                List.of(
                        FingerprintedDocument.of(0, TARGET, 4)
                                .withScheme("v1-a")
                                .withDigest("d0"),
                        FingerprintedDocument.of(1, TARGET ^ 0b101, 4).withScheme("v1-a"),
                        FingerprintedDocument.of(2, TARGET, 4).withScheme("v1-b"),
                        FingerprintedDocument.of(3, ~TARGET, 4)
                                .withScheme("v1-b")
                                .withDigest("d0"),
                        FingerprintedDocument.of(4, 0, 4)
                                .withBits()
                                .withScheme("v1-a")
                                .withDigest("d0"),
                        FingerprintedDocument.of(5, 0, 4)
                                .withBits(~TARGET, TARGET ^ 1)
                                .withScheme("v1-a")));
        searcher = index.searcher();
    }

    @Override
    public void tearDown() throws Exception {
        index.close();
        directory.close();
        super.tearDown();
    }

    public void testScoresByDistanceToTheNearestFingerprintOfTheSchemeOrByAnEqualDigest() throws IOException {
        assertEquals(Map.of("0", 1f, "1", 1 - 2 / 64f, "2", 1f, "5", 1 - 1 / 64f), found(Target.of(TARGET), 3));
        assertEquals(
                Map.of("0", 1f, "1", 1 - 2 / 64f, "3", 1f, "4", 1f, "5", 1 - 1 / 64f),
                found(new Target(OptionalLong.of(TARGET), "d0", "v1-a"), 3));
        assertEquals(Map.of("0", 1f, "3", 1f, "4", 1f), found(new Target(OptionalLong.empty(), "d0", "v1-a"), 3));
        assertEquals(Map.of(), found(new Target(OptionalLong.of(TARGET), "d1", "v1-c"), 64));
        assertEquals(Map.of("0", 0f, "1", 2 / 64f, "2", 0f, "3", 1f, "5", 1f), found(Target.of(~TARGET), 64));
    }

    public void testBoostMultipliesTheScore() throws IOException {
        Query boosted = new BoostQuery(new SimHashQuery(FIELDS, Target.of(TARGET), 2, effort -> {}), 3);
        assertEquals(
                3 * (1 - 2 / 64f), FingerprintIndex.search(searcher, boosted).get("1"), 0);
    }

    public void testExplainsDistanceDifferingBitsSegmentsPlanAndScheme() throws IOException {
        SimHashQuery query =
                new SimHashQuery(FIELDS, new Target(OptionalLong.of(TARGET), null, "v1-a"), 3, effort -> {});
        Explanation match = searcher.explain(query, 1);
        assertTrue(match.isMatch());
        assertEquals(1 - 2 / 64f, match.getValue().floatValue(), 0);
        assertEquals("""
                0.96875 = distance 2 of at most 3, computed as boost * (1 - distance / 64) from:
                  1 = same scheme v1-a
                  1 = fingerprint 9f2c4d0011aa22be
                  1 = differing bits, 0 the least significant: [0, 2]
                  1 = plan: scan of 6 documents, which do not share one segment layout
                """, match.toString());
        Explanation otherScheme = searcher.explain(query, 2);
        assertFalse(otherScheme.isMatch());
        assertTrue(otherScheme.toString(), otherScheme.toString().contains("distance 0 of at most 3, but of another"));
        assertTrue(otherScheme.toString(), otherScheme.toString().contains("not of the scheme v1-a"));
        assertTrue(searcher.explain(query, 4).toString().contains("no fingerprint to compare, and no equal digest"));
    }

    public void testExplainsTheProbesWhereTheLeafHasALayout() throws IOException {
        try (Directory uniform = FingerprintIndex.newDirectory();
                FingerprintIndex one = FingerprintIndex.of(
                        uniform,
                        List.of(FingerprintedDocument.of(0, TARGET ^ 1, 4).withDigest("d")))) {
            SimHashQuery query = new SimHashQuery(
                    FIELDS,
                    new Target(OptionalLong.of(TARGET), "d", null),
                    3,
                    effort -> {},
                    new CostModel(1e6, 1, 1, 1, 1, 1, 1));
            assertEquals("""
                    1.0 = equal digest d, computed as boost * (1 - distance / 64) from:
                      1 = scheme of the target unknown: compared with every scheme
                      1 = fingerprint 9f2c4d0011aa22ba
                      1 = differing bits, 0 the least significant: [0]
                      1 = segments that hit: [0, 1, 2] of 4
                      1 = plan: probe 4 segment values, radii [0, 0, 0, 0], of 1 documents
                    """, one.searcher().explain(query, 0).toString());
        }
    }

    public void testExplainsWhichSegmentsThePlanHitsThoughTheyDiffer() throws IOException {
        long differing = 0x0003_0007_0003_0007L;
        try (Directory uniform = FingerprintIndex.newDirectory();
                FingerprintIndex one =
                        FingerprintIndex.of(uniform, List.of(FingerprintedDocument.of(0, TARGET ^ differing, 4)))) {
            SimHashQuery probed = new SimHashQuery(
                    FIELDS, Target.of(TARGET), 10, effort -> {}, new CostModel(1e6, 1, 1, 1, 1, 1, 1e9));
            String explanation = one.searcher().explain(probed, 0).toString();
            assertTrue(explanation, explanation.contains("segments that hit: [0, 2] of 4\n"));
            assertTrue(explanation, explanation.contains("plan: probe 428 segment values, radii [2, 2, 2, 1], of 1"));
            SimHashQuery scanned =
                    new SimHashQuery(FIELDS, Target.of(TARGET), 10, effort -> {}, FingerprintIndex.SCANNING);
            explanation = one.searcher().explain(scanned, 0).toString();
            assertTrue(explanation, explanation.contains("equal segments: [] of 4\n"));
        }
    }

    public void testMatchesNothingWhereNoDocumentHasTheFields() throws IOException {
        IndexedFields other = FingerprintedDocument.fields("other");
        Target target = new Target(OptionalLong.of(TARGET), "d0", null);
        Query rewritten = searcher.rewrite(new SimHashQuery(other, target, 3, effort -> {}));
        assertTrue(rewritten instanceof MatchNoDocsQuery);
        SimHashQuery query = new SimHashQuery(FIELDS, target, 3, effort -> {});
        assertSame(query, searcher.rewrite(query));
    }

    public void testALeafThatCannotMatchHasNoScorer() throws IOException {
        LeafReaderContext leaf = index.reader().leaves().get(0);
        for (Target target : List.of(
                new Target(OptionalLong.of(TARGET), null, "v1-c"), new Target(OptionalLong.empty(), "d7", null))) {
            Weight weight =
                    new SimHashQuery(FIELDS, target, 64, effort -> {}).createWeight(searcher, ScoreMode.COMPLETE, 1);
            assertNull(weight.scorerSupplier(leaf));
        }
    }

    public void testIsEqualByFieldsTargetAndDistanceWhoeverListens() {
        Target target = new Target(OptionalLong.of(TARGET), "d", "v1-a");
        SimHashQuery query = new SimHashQuery(FIELDS, target, 3, effort -> {});
        QueryUtils.checkEqual(query, new SimHashQuery(FIELDS, target, 3, new ArrayList<LeafEffort>()::add));
        QueryUtils.checkUnequal(
                query, new SimHashQuery(FingerprintedDocument.fields("other"), target, 3, effort -> {}));
        QueryUtils.checkUnequal(query, new SimHashQuery(FIELDS, target, 4, effort -> {}));
        QueryUtils.checkUnequal(query, new SimHashQuery(FIELDS, Target.of(TARGET), 3, effort -> {}));
        QueryUtils.checkUnequal(
                query, new SimHashQuery(FIELDS, new Target(OptionalLong.of(TARGET), "d", "v1-b"), 3, effort -> {}));
        QueryUtils.checkUnequal(
                query, new SimHashQuery(FIELDS, new Target(OptionalLong.of(TARGET), "e", "v1-a"), 3, effort -> {}));
        QueryUtils.checkUnequal(
                query, new SimHashQuery(FIELDS, new Target(OptionalLong.of(TARGET + 1), "d", "v1-a"), 3, effort -> {}));
    }

    public void testReadsAsItIsMeant() {
        Target target = new Target(OptionalLong.of(TARGET), "d", "v1-a");
        assertEquals(
                "simhash(simhash.bits near 9f2c4d0011aa22bb max_distance 3 digest d scheme v1-a)",
                new SimHashQuery(FIELDS, target, 3, effort -> {}).toString());
    }

    public void testRefusesADistanceOutOfRangeAndATargetOfNothing() {
        for (int distance : new int[] {-1, 65}) {
            IllegalArgumentException e = expectThrows(
                    IllegalArgumentException.class,
                    () -> new SimHashQuery(FIELDS, Target.of(TARGET), distance, effort -> {}));
            assertEquals("[max_distance] must be between 0 and 64, got: " + distance, e.getMessage());
        }
        expectThrows(IllegalArgumentException.class, () -> new Target(OptionalLong.empty(), null, "v1-a"));
    }

    public void testVisitorsSeeTheFieldThatIsCompared() {
        Set<String> fields = new HashSet<>();
        List<Query> leaves = new ArrayList<>();
        SimHashQuery query = new SimHashQuery(FIELDS, Target.of(TARGET), 3, effort -> {});
        query.visit(new QueryVisitor() {
            @Override
            public boolean acceptField(String field) {
                fields.add(field);
                return true;
            }

            @Override
            public void visitLeaf(Query leaf) {
                leaves.add(leaf);
            }
        });
        assertEquals(Set.of("simhash.bits"), fields);
        assertEquals(List.of(query), leaves);
    }

    private Map<String, Float> found(Target target, int distance) throws IOException {
        return FingerprintIndex.search(searcher, new SimHashQuery(FIELDS, target, distance, effort -> {}));
    }
}
