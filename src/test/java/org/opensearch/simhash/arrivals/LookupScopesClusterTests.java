/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.window.Windows;

/** The documents to compare with. Tenants of a shared index see only their own parts. */
public class LookupScopesClusterTests extends NearDuplicateClusterTestCase {

    private static final String SHARED = "shared";

    private static final Settings NOWHERE = Settings.builder()
            .put("index.routing.allocation.require._name", "nobody")
            .build();

    private void tenants(int count) {
        index(SHARED, 1);
        for (int i = 1; i <= count; i++) {
            assertAcked(client().admin()
                    .indices()
                    .prepareAliases()
                    .addAlias(SHARED, "tenant" + i, QueryBuilders.termQuery("tenant", "t" + i)));
        }
        assertAcked(client().admin().indices().prepareAliases().addAlias(SHARED, "all"));
    }

    private static Map<String, Object> of(int tenant, long bits) {
        Map<String, Object> source = new HashMap<>(print(bits));
        source.put("tenant", "t" + tenant);
        return source;
    }

    private static Result sent(String index, String id, Map<String, Object> source) {
        return send(index, id, source).getResponse().getResult();
    }

    public void testATenantKnowsItsOwnDocumentsOfTheLastMoments() {
        tenants(2);
        pipeline("'action': 'drop'");
        assertEquals(Result.CREATED, sent("tenant1", "1", of(1, 0b1)));
        assertEquals(Result.CREATED, sent("tenant2", "2", of(2, 0b1)));
        assertEquals(Result.NOOP, sent("tenant2", "3", of(2, 0b11)));
        assertEquals(Result.NOOP, sent(SHARED, "4", of(2, 0b11)));
        assertEquals(Result.NOOP, sent("all", "5", of(2, 0b11)));
        assertEquals(expected("1", null, "2", null), tags(SHARED));
        assertEquals(Result.NOOP, sent("tenant2", "6", of(2, 0b11)));
        assertEquals(Result.CREATED, sent("tenant2", "7", of(2, ~0L)));
        assertEquals(expected("1", null, "2", null, "7", null), tags(SHARED));
    }

    /** The original now belongs to another tenant. A dropped text would be lost for its sender. */
    public void testNothingIsDroppedForWhatTheAliasMayNotShowAnyMore() {
        tenants(1);
        pipeline("'action': 'drop'");
        client().prepareIndex(SHARED).setId("1").setSource(of(1, 0b1)).get();
        client().prepareIndex(SHARED).setId("2").setSource(of(1, ~0L)).get();
        refresh(SHARED);
        client().prepareIndex(SHARED).setId("1").setSource(of(2, 0b1)).get();
        assertEquals(Result.CREATED, sent("tenant1", "3", of(1, 0b1)));
        assertEquals("it is unchanged", Result.NOOP, sent("tenant1", "4", of(1, ~0L)));
        assertEquals("all is shown", Result.NOOP, sent(SHARED, "5", of(1, 0b1)));
    }

    public void testCheckedAgainstAPartOfAnotherIndex() {
        tenants(2);
        pipeline("'index': ['tenant1']");
        assertEquals(Result.CREATED, sent("tenant1", "1", of(1, 0b1)));
        assertEquals(Result.CREATED, sent("tenant2", "2", of(2, 0b1111)));
        assertIndexed(send(DOCS, ordered("3", print(0b11), "4", print(0b1111111))));
        assertEquals(expected("3", "1:1", "4", null), tags(DOCS));
    }

    private static void assertRefused(BulkItemResponse item, String original) {
        assertEquals(item.getFailureMessage(), RestStatus.CONFLICT, item.status());
        assertTrue(item.getFailureMessage(), item.getFailureMessage().contains("near-duplicate of " + original));
    }

    /** As in a template for all indices of a pattern. The first index must be created. */
    public void testAPatternOfWhichNothingIsThereYet() {
        pipeline("'index': 'logs-*', 'action': 'fail'");
        assertIndexed(send("logs-1", "1", print(0b1)));
        assertRefused(send("logs-1", "2", print(0b1)), "[1] in index [logs-1]");
        BulkRequestBuilder bulk = node().prepareBulk();
        for (String index : List.of("logs-2", "logs-3", "logs-1")) {
            bulk.add(
                    new IndexRequest(index).id("of-" + index).source(print(~0L)).setPipeline(PIPELINE));
        }
        assertIndexed(bulk.get(PATIENCE));
        // OpenSearch passes documents on index by index, in any order.
        long untagged = Stream.of("logs-2", "logs-3", "logs-1")
                .filter(index -> tags(index).get("of-" + index) == null)
                .count();
        assertEquals(1, untagged);
        Windows.forget(window(), "logs-1"); // a search must find it
        assertRefused(send("logs-4", "3", print(0b11)), "[1] in index [logs-1]");
    }

    public void testAPatternThatLeavesOutTheNewIndex() {
        pipeline("'index': ['logs-*', '-logs-2'], 'action': 'fail'");
        assertIndexed(send("logs-2", ordered("1", print(0b1), "2", print(0b1))));
    }

    public void testAListWithTheNewIndex() {
        pipeline("'index': ['logs', 'archive'], 'action': 'fail'");
        BulkItemResponse item = send("logs", "1", print(0b1));
        assertTrue(item.getFailureMessage(), item.getFailureMessage().contains("no such index [archive]"));
        index("archive", 1);
        client().prepareIndex("archive")
                .setId("1")
                .setSource(print(~0L))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        assertIndexed(send("logs", "2", print(0b1)));
        BulkItemResponse[] items =
                send("logs", ordered("3", print(0b1), "4", print(~1L))).getItems();
        assertRefused(items[0], "[2] in index [logs]");
        assertRefused(items[1], "[1] in index [archive]");
    }

    private static void routed(String index, String alias, String routing) {
        assertAcked(client().admin()
                .indices()
                .prepareAliases()
                .addAliasAction(AliasActions.add().index(index).alias(alias).indexRouting(routing)));
    }

    public void testOriginalsAreGotByTheRoutingOfTheAlias() {
        index(DOCS, 5);
        routed(DOCS, "routed", "r");
        pipeline("'action': 'drop'");
        for (int i = 0; i < 5; i++) {
            assertEquals(Result.CREATED, sent("routed", "" + i, print(0b111L << (6 * i))));
            assertEquals(Result.NOOP, sent("routed", "copy-" + i, print(0b111L << (6 * i))));
        }
    }

    public void testARoutingThatTheAliasDoesNotAllowIsAnErrorOfTheDocument() {
        index(DOCS, 1);
        routed(DOCS, "routed", "r");
        pipeline("");
        BulkRequestBuilder bulk = node().prepareBulk();
        bulk.add(new IndexRequest("routed")
                .id("1")
                .routing("other")
                .source(print(0b1))
                .setPipeline(PIPELINE));
        bulk.add(new IndexRequest("routed").id("2").source(print(~0L)).setPipeline(PIPELINE));
        BulkItemResponse[] items = bulk.get().getItems();
        assertTrue(items[0].getFailureMessage(), items[0].getFailureMessage().contains("rejecting operation"));
        assertIndexed(items[1]);
    }

    public void testATenantsDuplicatesAreFoundBehindThoseOfOthers() {
        tenants(9);
        pipeline("");
        for (int tenant = 1; tenant <= 9; tenant++) {
            client().prepareIndex(SHARED)
                    .setId("" + tenant)
                    .setSource(of(tenant, 0b1))
                    .get();
        }
        refresh(SHARED);
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        documents.put("a", of(9, 0b1));
        documents.put("b", of(9, ~0L));
        assertIndexed(send("tenant9", documents));
        assertEquals("9:0", tags(SHARED).get("a"));
        assertNull(tags(SHARED).get("b"));
    }

    public void testAnIndexThatAllowsFewHits() {
        pipeline("");
        for (int most : new int[] {70, 100, 1_000}) {
            assertAcked(client().admin()
                    .indices()
                    .prepareCreate("few-" + most)
                    .setSettings(Settings.builder().put("index.max_result_window", most)));
            Random random = new Random(randomLong());
            Map<String, Map<String, Object>> originals = new LinkedHashMap<>();
            Map<String, Map<String, Object>> copies = new LinkedHashMap<>();
            for (int i = 0; i < 150; i++) {
                long bits = random.nextLong();
                originals.put("" + i, print(bits));
                copies.put("copy-" + i, print(Arrivals.flipped(bits, 2, random)));
            }
            assertIndexed(send("few-" + most, originals));
            refresh("few-" + most);
            assertIndexed(send("few-" + most, copies));
            assertAcked(client().admin()
                    .indices()
                    .prepareUpdateSettings("few-" + most)
                    .setSettings(Settings.builder().putNull("index.max_result_window")));
            Map<String, String> tags = tags("few-" + most);
            for (int i = 0; i < 150; i++) {
                assertEquals(i + ":2", tags.get("copy-" + i));
            }
        }
    }

    /** Far from each other, of two tenants. */
    private static Map<String, Map<String, Object>> documents(String prefix) {
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        for (int i = 0; i < 20; i++) {
            documents.put(prefix + i, of(i % 2, 0b111L << (3 * i)));
        }
        return documents;
    }

    /**
     * Documents in all shards of an alias' first index. The second index is new, and not all of its shards are started.
     */
    private void rolledOver(QueryBuilder filter, Settings.Builder second) {
        index("logs-1", 3);
        pipeline("'action': 'fail'");
        assertIndexed(send("logs-1", documents("")));
        refresh("logs-1");
        assertAcked(client().admin()
                .indices()
                .prepareCreate("logs-2")
                .setWaitForActiveShards(ActiveShardCount.NONE)
                .setSettings(second.put("index.number_of_replicas", 0)));
        for (int i = 1; i <= 2; i++) {
            assertAcked(client().admin()
                    .indices()
                    .prepareAliases()
                    .addAliasAction(AliasActions.add()
                            .index("logs-" + i)
                            .alias("logs")
                            .filter(filter)
                            .writeIndex(i == 2)));
        }
        Windows.forget(window(), "logs-1"); // searches must find it
    }

    private static BulkItemResponse[] sentToNewIndex(Map<String, Map<String, Object>> documents) {
        BulkRequestBuilder bulk = node().prepareBulk().setTimeout("100ms");
        documents.forEach((id, source) ->
                bulk.add(new IndexRequest("logs").id(id).source(source).setPipeline(PIPELINE)));
        return bulk.get().getItems();
    }

    private static void assertRefusedAsCopies(BulkItemResponse[] items) {
        for (BulkItemResponse item : items) {
            String original = item.getId().replace("copy-", "");
            assertTrue(
                    item.getFailureMessage(),
                    item.getFailureMessage().contains("is a near-duplicate of [" + original + "] in index [logs-1]"));
        }
    }

    public void testRightAfterARollover() {
        rolledOver(null, Settings.builder().put(NOWHERE));
        assertRefusedAsCopies(sentToNewIndex(documents("copy-")));
        BulkItemResponse alone = sentToNewIndex(ordered("alone", print(~0L)))[0];
        // As without the pipeline, OpenSearch waits for the shard as long as the request says.
        assertTrue(alone.getFailureMessage(), alone.getFailureMessage().contains("primary shard is not active"));
    }

    public void testARolloverOfWhichHalfIsThere() {
        rolledOver(
                null,
                Settings.builder()
                        .put("index.number_of_shards", 2)
                        .put("index.routing.allocation.total_shards_per_node", 1)
                        .put(
                                "index.routing.allocation.require._name",
                                internalCluster().getNodeNames()[0]));
        assertFalse(client().admin()
                .cluster()
                .prepareHealth("logs-2")
                .setWaitForActiveShards(1)
                .get()
                .isTimedOut());
        assertRefusedAsCopies(sentToNewIndex(documents("copy-")));
    }

    public void testAFilterHoldsRightAfterARollover() {
        rolledOver(QueryBuilders.termQuery("tenant", "t1"), Settings.builder().put(NOWHERE));
        assertRefusedAsCopies(sentToNewIndex(ordered("copy-1", of(1, 0b111L << 3), "copy-3", of(1, 0b111L << 9))));
        BulkItemResponse hidden = sentToNewIndex(ordered("2", of(1, 0b111L << 6)))[0];
        assertTrue(hidden.getFailureMessage(), hidden.getFailureMessage().contains("primary shard is not active"));
    }

    /** An archive of a job, which a template for its name gives fingerprints. It has one document. */
    private void archive(String name, Map<String, Object> source) {
        index(name, 1);
        Map<String, Object> copy = new HashMap<>(source);
        copy.put("simhash_archive", Map.of("run", "r", "index", DOCS, "id", "1"));
        client().prepareIndex(name)
                .setId("1")
                .setSource(copy)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    /** Without a template: the copies have fingerprints, and the mapping leaves them aside. */
    private void archiveAsJobsMakeIt(String name) {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(name)
                .setMapping("{\"dynamic\":\"false\",\"properties\":{\"simhash_archive\":{\"properties\":"
                        + "{\"run\":{\"type\":\"keyword\"}}}}}"));
        Map<String, Object> copy = new HashMap<>(of(1, ~0L));
        copy.put("simhash_archive", Map.of("run", "r", "index", DOCS, "id", "1"));
        client().prepareIndex(name)
                .setSource(copy)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    public void testCopiesOfDeletedDocumentsAreNoOriginals() {
        archive("docs-removed", of(1, 0b1));
        index(DOCS, 1);
        client().prepareIndex(DOCS)
                .setId("there")
                .setSource(of(1, ~0L))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        assertAcked(client().admin().indices().prepareAliases().addAlias(DOCS, "both", true));
        assertAcked(client().admin().indices().prepareAliases().addAlias("docs-removed", "both"));
        int id = 0;
        for (String names :
                List.of("'docs*'", "['docs', 'docs-removed']", "['docs-removed', 'docs']", "'both'", "'*'")) {
            for (String more :
                    List.of("", ", 'max_distance': 3, 'verify': {'field': 'tenant', 'min_similarity': 0.5}")) {
                pipeline("'index': " + names + more);
                String near = "a" + id;
                // Two bits from the copy, four from one another.
                assertIndexed(send(DOCS, ordered(near, of(1, 0b1 ^ (0b11L << (4 + 4 * id))), "b" + id, of(1, ~0L))));
                assertNull(names + more, tags(DOCS).get(near));
                assertEquals(names + more, "there:0", tags(DOCS).get("b" + id));
                id++;
            }
        }
        archiveAsJobsMakeIt("removed");
        for (String names : List.of("'docs*,remov*'", "['docs', 'removed']", "'*'")) {
            pipeline("'index': " + names);
            assertIndexed(send(DOCS, "e" + id, of(1, ~0L)));
            assertEquals(names, "there:0", tags(DOCS).get("e" + id));
            id++;
        }
        pipeline("");
        assertIndexed(send("both", "c", of(1, 0b1 ^ (0b11L << 50))));
        assertNull("its own alias", tags(DOCS).get("c"));
        pipeline("'index': 'docs-removed'");
        assertIndexed(send(DOCS, "d", of(1, 0b1)));
        assertEquals("named alone", "1:0", tags(DOCS).get("d"));
    }
}
