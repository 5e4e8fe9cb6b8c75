/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;

/** What people decided holds at ingest: on two nodes, refreshed or not, in one bulk or in another index. */
public class KeptApartClusterTests extends NearDuplicateClusterTestCase {

    private static final String ALL = "'groups': 'all'";
    private static final long A = 0;
    private static final long B = 0b111;
    /** One bit from B, two from A. */
    private static final long COPY = 0b011;

    private static final String REBUILT = "rebuilt";

    /** A and B, near, with stories of their own, as a job leaves them after people rejected the pair. */
    private void decided(boolean refreshed) {
        index(DOCS, 2);
        assertIndexed(bulk(0, DOCS, "a", said(A, "story-a", null, "b"), "b", said(B, "story-b", null, "a")));
        if (refreshed) {
            refresh(DOCS);
        }
    }

    private static Map<String, Object> said(long bits, String group, String original, String... apart) {
        Map<String, Object> parts = new HashMap<>();
        ((Map<?, ?>) print(bits).get("simhash")).forEach((name, value) -> parts.put(name.toString(), value));
        if (group != null) {
            parts.put("group", group);
        }
        if (original != null) {
            parts.put("duplicate_of", original);
        }
        parts.put("apart", List.of(apart));
        return Map.of("simhash", parts);
    }

    private static BulkResponse bulk(int node, String index, Object... idsAndSources) {
        BulkRequestBuilder bulk =
                internalCluster().client(internalCluster().getNodeNames()[node]).prepareBulk();
        ordered(idsAndSources)
                .forEach((id, source) ->
                        bulk.add(new IndexRequest(index).id(id).source(source).setPipeline(PIPELINE)));
        return bulk.get(PATIENCE);
    }

    private Object of(String index, String id, String part) {
        return XContentMapValues.extractValue("simhash." + part, stored(index).get(id));
    }

    private long count() {
        return internalCluster()
                .getInstance(NearDuplicates.class, internalCluster().getNodeNames()[0])
                .counts()
                .get(DuplicateCount.KEPT_APART);
    }

    public void testARewriteKeepsItsStoryAndItsDecisions() {
        for (boolean refreshed : List.of(false, true)) {
            pipeline("");
            decided(refreshed);
            pipeline(ALL);
            long before = count();
            // As the source of truth has it, and as a client read it before people decided.
            for (Map<String, Object> source : List.of(print(B), said(B, "story-a", "a"))) {
                assertIndexed(bulk(0, DOCS, "b", source));
                assertEquals("story-b", of(DOCS, "b", "group"));
                assertNull(of(DOCS, "b", "duplicate_of"));
                assertEquals(List.of("a"), of(DOCS, "b", "apart"));
                assertNull(tags(DOCS).get("b"));
            }
            assertEquals(before + 2, count());
            // A copy joins the nearer story, and so does another one on the other node.
            assertIndexed(bulk(0, DOCS, "copy", print(COPY)));
            assertIndexed(bulk(1, DOCS, "copy-2", print(COPY)));
            assertEquals(
                    List.of("story-b", "story-b"), List.of(of(DOCS, "copy", "group"), of(DOCS, "copy-2", "group")));
            // A rewrite of A does not follow the copies of B.
            assertIndexed(bulk(1, DOCS, "a", print(A)));
            assertEquals("story-a", of(DOCS, "a", "group"));
            assertNull(tags(DOCS).get("a"));
            // A text that has changed has lost its decisions.
            assertIndexed(bulk(0, DOCS, "b", print(0b101)));
            assertNull(of(DOCS, "b", "apart"));
            assertNotNull(tags(DOCS).get("b"));
            client().admin().indices().prepareDelete(DOCS).get();
        }
    }

    public void testWithoutGroupsNothingIsTaggedWithWhatItIsKeptApartFrom() {
        for (boolean refreshed : List.of(false, true)) {
            pipeline("");
            decided(refreshed);
            assertIndexed(bulk(0, DOCS, "b", print(B)));
            assertEquals(List.of("a"), of(DOCS, "b", "apart"));
            assertEquals("story-b", of(DOCS, "b", "group"));
            assertNull(tags(DOCS).get("b"));
            assertIndexed(bulk(0, DOCS, "c", print(B)));
            assertEquals("b:0", tags(DOCS).get("c"));
            // A search does not hide one of a third story for either, so it is no duplicate of them here.
            assertIndexed(bulk(0, DOCS, "d", said(B, "story-d", null)));
            assertEquals("c:0", tags(DOCS).get("d"));
            client().admin().indices().prepareDelete(DOCS).get();
        }
    }

    /** Neither is stored in the new index when the other one comes. */
    public void testNothingEndsInARebuiltIndexForWhatItIsKeptApartFrom() {
        for (boolean inOneBulk : List.of(true, false)) {
            for (boolean isMutual : List.of(true, false)) {
                pipeline("'action': 'drop'");
                index(REBUILT, 1);
                Map<String, Object> a = said(A, "story-a", null, "b");
                Map<String, Object> b = isMutual ? said(B, "story-b", null, "a") : said(B, "story-b", null);
                if (inOneBulk) {
                    assertIndexed(bulk(0, REBUILT, "a", a, "b", b));
                } else {
                    assertIndexed(bulk(0, REBUILT, "a", a));
                    assertIndexed(bulk(1, REBUILT, "b", b));
                }
                // In one bulk an original is pending, and nothing ends for it.
                Set<String> ids = stored(REBUILT).keySet();
                assertEquals(isMutual || inOneBulk ? Set.of("a", "b") : Set.of("a"), ids);
                if (isMutual) {
                    assertNull(tags(REBUILT).get("b"));
                    assertEquals(List.of("a"), of(REBUILT, "b", "apart"));
                    assertEquals("story-b", of(REBUILT, "b", "group"));
                }
                client().admin().indices().prepareDelete(REBUILT).get();
            }
        }
    }

    /** A survivor comes after its duplicates, and a story without its survivor. */
    public void testARebuiltIndexHasTheStoriesOfTheOldOne() {
        pipeline(ALL);
        index(REBUILT, 2);
        assertIndexed(bulk(
                0,
                REBUILT,
                "1",
                said(0b1, "story", "9"),
                "2",
                said(0b11, "story", "9"),
                "9",
                said(A, "story", null),
                "x",
                said(-1L << 20, "other", "gone")));
        Map<String, String> originals = new HashMap<>();
        stored(REBUILT)
                .keySet()
                .forEach(id -> originals.put(id, of(REBUILT, id, "group") + "/" + of(REBUILT, id, "duplicate_of")));
        assertEquals(Map.of("1", "story/9", "2", "story/9", "9", "story/null", "x", "other/gone"), originals);
    }
}
