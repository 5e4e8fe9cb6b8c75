/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.After;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.window.Windows;

/** Lookups that are rejected, slow, or overtake each other. */
public class SlowLookupsClusterTests extends NearDuplicateClusterTestCase {

    @After
    public void nothingIsHeld() {
        SearchGuard.release();
        assertNothingHeld();
    }

    /**
     * Sends a bulk as a client of its own. Requests in one thread context share the place of the current span after an
     * earlier span has ended (SpanReference), and their concurrent searches end each other's spans.
     */
    private static ActionFuture<BulkResponse> later(String id, Map<String, Object> source) {
        BulkRequestBuilder bulk = node().prepareBulk();
        bulk.add(new IndexRequest(DOCS).id(id).source(source).setPipeline(PIPELINE));
        StoredContext before = node().threadPool().getThreadContext().stashContext();
        try {
            return bulk.execute();
        } finally {
            before.close();
        }
    }

    public void testRejectedLookups() {
        index(DOCS, 1);
        pipeline("'action': 'drop'");
        SearchGuard.set(SearchGuard.Mode.REJECT);
        for (BulkItemResponse item :
                send(DOCS, ordered("1", print(0b1), "2", print(~0L))).getItems()) {
            assertEquals(RestStatus.TOO_MANY_REQUESTS, item.status());
            assertTrue(
                    item.getFailureMessage(),
                    item.getFailureMessage().contains("could not be looked up in [docs]: too many searches"));
        }
        pipeline("'action': 'drop', 'ignore_failure': true");
        assertIndexed(send(DOCS, ordered("3", print(0b1), "4", print(0b1))));
        SearchGuard.set(SearchGuard.Mode.PASS);
        assertEquals(expected("3", null, "4", null), tags(DOCS));
    }

    public void testLookupsThatTakeTooLong() {
        index(DOCS, 1);
        pipeline("");
        timeout("200ms");
        try {
            SearchGuard.set(SearchGuard.Mode.HOLD);
            BulkItemResponse item = send(DOCS, "1", print(0b1));
            assertTrue(item.getFailureMessage(), item.getFailureMessage().contains("timed out after [200ms]"));
        } finally {
            timeout(null);
        }
        SearchGuard.release();
        assertIndexed(send(DOCS, "2", print(0b0)));
    }

    /** The alias has a shard that is not started. A search of it fails with 503. */
    public void testARolloverBeforeTheSearch() throws InterruptedException {
        index("logs-1", 1);
        AliasActions alias = AliasActions.add().index("logs-1").alias("logs");
        assertAcked(client().admin().indices().prepareAliases().addAliasAction(alias.writeIndex(true)));
        pipeline("'action': 'fail'");
        assertIndexed(send("logs", "1", print(0b1)));
        client().admin().indices().prepareRefresh("logs").get();
        Windows.forget(window(), "logs-1"); // a search must find it
        SearchGuard.set(SearchGuard.Mode.HOLD_ONE);
        BulkRequestBuilder bulk = node().prepareBulk().setTimeout("100ms");
        bulk.add(new IndexRequest("logs").id("2").source(print(0b1)).setPipeline(PIPELINE));
        ActionFuture<BulkResponse> answer = bulk.execute();
        SearchGuard.awaitHeld();
        assertAcked(client().admin()
                .indices()
                .prepareCreate("logs-2")
                .setWaitForActiveShards(0)
                .setSettings(Settings.builder()
                        .put("index.number_of_replicas", 0)
                        .put("index.routing.allocation.require._name", "nobody")));
        assertAcked(client().admin()
                .indices()
                .prepareAliases()
                .addAliasAction(alias.writeIndex(false))
                .addAliasAction(AliasActions.add().index("logs-2").alias("logs").writeIndex(true)));
        SearchGuard.release();
        String failure = answer.actionGet().getItems()[0].getFailureMessage();
        assertTrue(failure, failure.contains("is a near-duplicate of [1] in index [logs-1]"));
    }

    private static void timeout(String value) {
        String key = "plugins.simhash.near_duplicate.lookup_timeout";
        Settings.Builder settings = value == null
                ? Settings.builder().putNull(key)
                : Settings.builder().put(key, value);
        assertAcked(client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(settings)
                .get());
    }

    public void testADocumentWaitsForWhatBecomesOfThoseBeforeIt() throws InterruptedException {
        index(DOCS, 1);
        pipeline("'action': 'drop'");
        send(DOCS, "stored", print(0b0));
        SearchGuard.set(SearchGuard.Mode.HOLD_ONE);
        ActionFuture<BulkResponse> first = later("near-stored", print(0b111));
        SearchGuard.awaitHeld();
        ActionFuture<BulkResponse> second = later("near-the-first", print(0b111111));
        expectThrows(OpenSearchTimeoutException.class, () -> second.actionGet(TimeValue.timeValueMillis(300)));
        SearchGuard.release();
        assertEquals(Result.NOOP, first.actionGet().getItems()[0].getResponse().getResult());
        assertEquals(
                Result.CREATED, second.actionGet().getItems()[0].getResponse().getResult());
        assertEquals(expected("stored", null, "near-the-first", null), tags(DOCS));
    }

    /** The original is about to be overwritten. A dropped text would be stored nowhere. */
    public void testNothingIsDroppedOrRefusedForWhatAnEarlierBulkOverwrites() throws InterruptedException {
        for (String action : List.of("drop", "fail")) {
            for (boolean refreshed : List.of(true, false)) {
                client().admin().indices().prepareDelete(DOCS + "*").get();
                index(DOCS, 1);
                pipeline("'action': '" + action + "'");
                assertIndexed(send(DOCS, "X", print(0b1)));
                if (refreshed) {
                    refresh(DOCS);
                }
                SearchGuard.set(SearchGuard.Mode.HOLD_ONE);
                ActionFuture<BulkResponse> overwrite = later("X", print(~0L));
                SearchGuard.awaitHeld();
                ActionFuture<BulkResponse> copy = later("Y", print(0b1));
                expectThrows(OpenSearchTimeoutException.class, () -> copy.actionGet(TimeValue.timeValueMillis(300)));
                SearchGuard.release();
                assertIndexed(overwrite.actionGet());
                assertIndexed(copy.actionGet());
                assertEquals(Set.of("X", "Y"), tags(DOCS).keySet());
            }
        }
    }

    /** The original is about to be overwritten by a document without a fingerprint, or with a broken one. */
    public void testNothingIsDroppedForWhatAnEarlierBulkOverwritesWithoutAFingerprint() throws InterruptedException {
        for (Map<String, Object> source :
                List.<Map<String, Object>>of(Map.of(), Map.of("simhash", Map.of("hash", "?")))) {
            for (String action : List.of("drop", "fail")) {
                client().admin().indices().prepareDelete(DOCS + "*").get();
                index(DOCS, 1);
                pipeline("'ignore_failure': " + (source.isEmpty() == false) + ", 'action': '" + action + "'");
                assertIndexed(send(DOCS, "X", print(0b1)));
                refresh(DOCS);
                SearchGuard.set(SearchGuard.Mode.HOLD_ONE);
                BulkRequestBuilder bulk = node().prepareBulk();
                bulk.add(new IndexRequest(DOCS).id("X").source(source).setPipeline(PIPELINE));
                bulk.add(new IndexRequest(DOCS).id("Z").source(print(~0L)).setPipeline(PIPELINE));
                ActionFuture<BulkResponse> overwrite = bulk.execute();
                SearchGuard.awaitHeld();
                assertIndexed(later("Y", print(0b1)).actionGet());
                SearchGuard.release();
                assertIndexed(overwrite.actionGet());
                assertEquals(Set.of("X", "Y", "Z"), tags(DOCS).keySet());
            }
        }
    }

    /** The result of an update is unknown before it is done. */
    public void testNothingIsDroppedForWhatAnEarlierBulkUpdates() throws InterruptedException {
        index(DOCS, 1);
        pipeline("'action': 'drop'");
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Settings.builder().put("index.default_pipeline", PIPELINE)));
        assertIndexed(send(DOCS, "X", print(0b1)));
        refresh(DOCS);
        SearchGuard.set(SearchGuard.Mode.HOLD_ONE);
        BulkRequestBuilder update = node().prepareBulk();
        update.add(new UpdateRequest(DOCS, "X").doc(print(~0L)).docAsUpsert(true));
        ActionFuture<BulkResponse> overwrite = update.execute();
        SearchGuard.awaitHeld();
        ActionFuture<BulkResponse> copy = later("Y", print(0b1));
        expectThrows(OpenSearchTimeoutException.class, () -> copy.actionGet(TimeValue.timeValueMillis(300)));
        SearchGuard.release();
        assertIndexed(overwrite.actionGet());
        assertEquals(
                Result.CREATED, copy.actionGet().getItems()[0].getResponse().getResult());
    }

    public void testADocumentDoesNotWaitForOthers() throws InterruptedException {
        index(DOCS, 1);
        pipeline("");
        SearchGuard.set(SearchGuard.Mode.HOLD_ONE);
        ActionFuture<BulkResponse> first = later("1", print(0b0));
        SearchGuard.awaitHeld();
        assertIndexed(later("2", print(~0L)).actionGet());
        SearchGuard.release();
        assertIndexed(first.actionGet());
        assertEquals(expected("1", null, "2", null), tags(DOCS));
    }

    public void testManyBulksAtOnceNeverNameEachOther() {
        index(DOCS, 1);
        pipeline(randomBoolean() ? "" : "'action': 'drop'");
        List<ActionFuture<BulkResponse>> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            all.add(later("" + i, print(0b1)));
        }
        all.forEach(response -> assertIndexed(response.actionGet()));
        Map<String, String> tags = tags(DOCS);
        long originals = tags.values().stream().filter(tag -> tag == null).count();
        assertEquals("one is no duplicate: " + tags, 1, originals);
        String original = tags.keySet().stream()
                .filter(id -> tags.get(id) == null)
                .findFirst()
                .get();
        tags.forEach((id, tag) -> assertTrue(id + " " + tag, tag == null || tag.startsWith(original + ":0")));
    }
}
