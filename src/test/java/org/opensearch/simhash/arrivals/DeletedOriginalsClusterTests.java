/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.window.Windows;

/** Originals that are, or may be, deleted when duplicates arrive. */
public class DeletedOriginalsClusterTests extends NearDuplicateClusterTestCase {

    private static final List<String> ACTIONS = List.of("tag", "drop", "fail");

    private static IndexRequest write(String id, long bits) {
        return new IndexRequest(DOCS).id(id).source(print(bits)).setPipeline(PIPELINE);
    }

    private static DeleteRequest delete(String id) {
        return new DeleteRequest(DOCS, id);
    }

    private static boolean isInWindow(String index, String id) {
        return Windows.names(window()).stream()
                .anyMatch(name -> name.index().equals(index) && name.id().equals(id));
    }

    public void testADeletedDocumentIsNoOriginal() {
        for (int i = 0; i < ACTIONS.size(); i++) {
            for (String refreshed : List.of("never", "before", "after", "both")) {
                pipeline("'action': '" + ACTIONS.get(i) + "'");
                String index = "deleted-" + i + "-" + refreshed;
                index(index, 2);
                assertIndexed(send(index, "1", print(0b1)));
                if (List.of("before", "both").contains(refreshed)) {
                    refresh(index);
                }
                client().prepareDelete(index, "1").get();
                if (List.of("after", "both").contains(refreshed)) {
                    refresh(index);
                }
                assertIndexed(send(index, "2", print(0b1)));
                assertFalse(isInWindow(index, "1"));
                assertIndexed(send(index, "3", print(~0L)));
                assertEquals(index, expected("2", null, "3", null), tags(index));
            }
        }
        assertNothingHeld();
    }

    public void testManyDeletedDocumentsDoNotHideTheOneThatIsLeft() {
        pipeline("");
        index(DOCS, 1);
        BulkRequestBuilder deletes = node().prepareBulk();
        for (int i = 0; i < 30; i++) {
            assertIndexed(send(DOCS, "gone-" + i, print(0b1)));
            deletes.add(delete("gone-" + i));
        }
        assertIndexed(send(DOCS, "left", print(0b11)));
        assertIndexed(deletes.get());
        assertIndexed(send(DOCS, "new", print(0b1)));
        assertEquals("left:1", tags(DOCS).get("new"));
        assertNothingHeld();
    }

    /** Until the refresh searches find deleted documents, and find them first. */
    public void testDeletedDocumentsOfTheIndexDoNotHideTheOneThatIsLeft() {
        pipeline("");
        index(DOCS, 1);
        for (int i = 0; i < 30; i++) {
            client().prepareIndex(DOCS).setId("gone-" + i).setSource(print(0b1)).get();
        }
        client().prepareIndex(DOCS).setId("left").setSource(print(0b111)).get();
        client().prepareIndex(DOCS).setId("second").setSource(print(0b1111)).get();
        refresh(DOCS);
        for (int i = 0; i < 30; i++) {
            client().prepareDelete(DOCS, "gone-" + i).get();
        }
        assertIndexed(send(DOCS, ordered("new", print(0b1), "other", print(~0L), "also-new", print(0b11))));
        assertEquals("left:2", tags(DOCS).get("new"));
        assertNull(tags(DOCS).get("other"));
        assertEquals("left:1", tags(DOCS).get("also-new"));
        assertNothingHeld();
    }

    /** Any number of them, page by page, also in small pages. */
    public void testWhateverStandsBeforeItIsPassed() {
        for (String action : List.of("tag", "drop")) {
            for (int hits : new int[] {10_000, 50}) {
                client().admin().indices().prepareDelete(DOCS + "*").get();
                pipeline("'action': '" + action + "'");
                index(DOCS, 3);
                BulkRequestBuilder bulk = client().prepareBulk();
                BulkRequestBuilder deletes = client().prepareBulk();
                for (int i = 0; i < 700; i++) {
                    bulk.add(new IndexRequest(DOCS).id("gone-" + i).source(print(0b11)));
                    deletes.add(delete("gone-" + i));
                }
                bulk.add(new IndexRequest(DOCS).id("left").source(print(0b11)));
                assertIndexed(bulk.get());
                refresh(DOCS);
                assertIndexed(deletes.get());
                allowHits(hits);
                BulkItemResponse item = send(DOCS, "new", print(0b11));
                allowHits(10_000);
                assertIndexed(item);
                if (action.equals("drop")) {
                    assertEquals(Result.NOOP, item.getResponse().getResult());
                } else {
                    assertEquals("left:0", tags(DOCS).get("new"));
                }
            }
        }
        assertNothingHeld();
    }

    /** The same in the window. */
    public void testWhateverStandsBeforeItInTheWindowIsPassed() {
        pipeline("'max_distance': 1");
        index(DOCS, 1);
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        BulkRequestBuilder deletes = client().prepareBulk();
        for (int i = 0; i < 1_500; i++) {
            documents.put("gone-" + i, print(0b11));
            deletes.add(delete("gone-" + i));
        }
        documents.put("left", print(0b11));
        assertIndexed(send(DOCS, documents));
        assertIndexed(deletes.get());
        assertIndexed(send(DOCS, "new", print(0b11)));
        assertEquals("left:0", tags(DOCS).get("new"));
        assertNothingHeld();
    }

    /** If the first of two equal documents is dropped for the remaining one, the second must be dropped, too. */
    public void testWhatIsDroppedItselfDoesNotHideTheOneThatIsLeft() {
        pipeline("'action': 'drop'");
        index(DOCS, 1);
        manyGoneAndOneLeft();
        BulkResponse response = send(DOCS, ordered("new", print(0b0), "again", print(0b0)));
        assertIndexed(response);
        for (BulkItemResponse item : response) {
            assertEquals(item.getId(), Result.NOOP, item.getResponse().getResult());
        }
    }

    public void testIndicesThatAllowFewHitsAreAskedForFewMore() {
        pipeline("");
        index(DOCS, 1);
        manyGoneAndOneLeft();
        allowHits(40);
        assertIndexed(send(DOCS, "new", print(0b0)));
        allowHits(10_000);
        assertEquals("left:3", tags(DOCS).get("new"));
    }

    /** Otherwise each document would fail: the result window would be too large. */
    public void testAnIndexThatAllowsFewHits() {
        pipeline("");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "first", print(0b111)));
        for (int hits : new int[] {1, 3, 4, 5}) {
            allowHits(hits);
            assertIndexed(send(DOCS, "new" + hits, print(0b0)));
            allowHits(10_000);
            assertEquals("first:3", tags(DOCS).get("new" + hits));
            client().prepareDelete(DOCS, "new" + hits).get();
        }
    }

    private void allowHits(int count) {
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Settings.builder().put("index.max_result_window", count)));
    }

    private void manyGoneAndOneLeft() {
        for (int i = 0; i < 30; i++) {
            client().prepareIndex(DOCS)
                    .setId("gone-" + i)
                    .setSource(print(0b11))
                    .get();
        }
        client().prepareIndex(DOCS).setId("left").setSource(print(0b111)).get();
        refresh(DOCS);
        for (int i = 0; i < 30; i++) {
            client().prepareDelete(DOCS, "gone-" + i).get();
        }
    }

    /** An original is written again. Its duplicates are no originals, and are more than the first search finds. */
    public void testFollowersDoNotHideAnOriginal() {
        pipeline("");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "first", print(0b1)));
        Map<String, Map<String, Object>> followers = new LinkedHashMap<>();
        for (int i = 0; i < 100; i++) {
            followers.put("follower-" + i, print(0b1));
        }
        assertIndexed(send(DOCS, followers));
        client().prepareIndex(DOCS).setId("other").setSource(print(0b111)).get();
        refresh(DOCS);
        assertIndexed(send(DOCS, "first", print(0b1)));
        assertEquals("other:2", tags(DOCS).get("first"));
        assertNothingHeld();
    }

    /** Pipelines do not see the order of a bulk's items. Its final state counts. */
    public void testWhatTheBulkDeletesIsNoOriginal() {
        for (String action : ACTIONS) {
            pipeline("'action': '" + action + "'");
            assertIndexed(send(DOCS, "1", print(0b1)));
            assertIndexed(
                    node().prepareBulk().add(delete("1")).add(write("2", 0b1)).get());
            assertEquals(expected("2", null), tags(DOCS));
            assertIndexed(node().prepareBulk()
                    .add(write("3", ~0L))
                    .add(delete("3"))
                    .add(write("4", ~0L))
                    .get());
            assertEquals(expected("2", null, "4", null), tags(DOCS));
            assertAcked(client().admin().indices().prepareDelete(DOCS));
        }
    }

    public void testWhatTheBulkDeletesAndWritesAgainStaysAnOriginal() {
        pipeline("");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "1", print(0b1)));
        assertIndexed(node().prepareBulk()
                .add(delete("1"))
                .add(write("1", 0b1))
                .add(write("2", 0b1))
                .get());
        assertEquals(expected("1", null, "2", "1:0?"), tags(DOCS));
    }

    public void testADeleteThatMayNotBeDoneChangesNothing() {
        pipeline("");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "1", print(0b1)));
        BulkResponse response = node().prepareBulk()
                .add(delete("1").setIfSeqNo(99).setIfPrimaryTerm(1))
                .add(write("2", 0b1))
                .get();
        assertTrue(response.getItems()[0].isFailed());
        assertEquals(expected("1", null, "2", "1:0?"), tags(DOCS));
    }

    public void testAnOriginalOnItsWayIsPending() throws Exception {
        pipeline("");
        assertAcked(client().admin()
                .indices()
                .prepareCreate(DOCS)
                .setSettings(Settings.builder()
                        .put("index.number_of_shards", 1)
                        .put("index.number_of_replicas", 2)
                        .put("index.refresh_interval", "1h")));
        ActionFuture<BulkResponse> waiting = node().prepareBulk()
                .add(write("1", 0b1))
                .setWaitForActiveShards(ActiveShardCount.ALL)
                .execute();
        assertBusy(() -> assertTrue(isInWindow(DOCS, "1")));
        assertIndexed(send(DOCS, "2", print(0b11)));
        assertFalse(waiting.isDone());
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Settings.builder().put("index.number_of_replicas", 0)));
        assertIndexed(waiting.actionGet(PATIENCE));
        assertIndexed(send(DOCS, "3", print(0b1)));
        assertEquals(expected("1", null, "2", "1:1?", "3", "1:0"), tags(DOCS));
    }

    public void testADocumentThatIsWrittenOverWithoutAFingerprintIsNoOriginal() {
        pipeline("");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "1", print(0b1)));
        client().prepareIndex(DOCS).setId("1").setSource(Map.of("a", 1)).get();
        assertIndexed(send(DOCS, "2", print(0b1)));
        assertEquals(expected("1", null, "2", null), tags(DOCS));
    }

    public void testAFingerprintThatIsNotKeptInTheSourceIsNotMissed() {
        pipeline("");
        assertAcked(client().admin()
                .indices()
                .prepareCreate(DOCS)
                .setMapping("{\"_source\":{\"excludes\":[\"simhash\"]}}"));
        assertIndexed(send(DOCS, "1", print(0b1)));
        assertIndexed(send(DOCS, "2", print(0b1)));
        assertEquals(expected("1", null, "2", "1:0?"), tags(DOCS));
    }

    /** A refresh of an index says nothing about age. */
    public void testTheOldestIsNamedWhateverSearchesSee() {
        pipeline("'index': ['docs', 'archive']");
        index(DOCS, 1);
        index("archive", 1);
        assertIndexed(send(DOCS, "old", print(0b1)));
        assertIndexed(send("archive", "young", print(0b1)));
        refresh("archive");
        assertIndexed(send(DOCS, "new", print(0)));
        refresh();
        assertIndexed(send(DOCS, "newer", print(0b11)));
        assertEquals("old:1", tags(DOCS).get("new"));
        assertEquals("old:1", tags(DOCS).get("newer"));
    }

    public void testAnOriginalIsNamedWhereItWasSentOnTo() {
        processors("{'near_duplicate': {'index': ['docs', 'elsewhere']}}, " + SENT_ON);
        index(DOCS, 1);
        index("elsewhere", 1);
        assertIndexed(send(DOCS, "1", print(0)));
        assertIndexed(send(DOCS, "2", print(0b111)));
        assertIndexed(send(DOCS, "3", print(0b111111)));
        Map<String, Object> third = stored("elsewhere").get("3");
        assertEquals("2:3", tag(third));
        assertEquals("elsewhere", XContentMapValues.extractValue("near_duplicate.index", third));
    }

    /** A refused version replaced nothing. */
    public void testADocumentThatWasNotWrittenOverStaysAnOriginal() {
        for (String action : List.of("tag", "drop")) {
            for (boolean named : new boolean[] {true, false}) {
                pipeline("'action': '" + action + "'");
                index(DOCS, 1);
                assertIndexed(send(DOCS, "1", print(0b1)));
                refresh(DOCS);
                BulkResponse refused =
                        node().prepareBulk().add(write("1", ~0L).create(true)).get();
                assertEquals(RestStatus.CONFLICT, refused.getItems()[0].status());
                BulkResponse second =
                        node().prepareBulk().add(write(named ? "2" : null, 0b1)).get();
                assertIndexed(second);
                String id = second.getItems()[0].getId();
                Map<String, String> expected =
                        action.equals("tag") ? expected("1", null, id, "1:0") : expected("1", null);
                assertEquals(action + " " + named, expected, tags(DOCS));
                assertAcked(client().admin().indices().prepareDelete(DOCS));
            }
        }
        assertNothingHeld();
    }

    /** A replaced version comes back if the newer one is refused, by whatever. */
    public void testWhatIsRefusedBeforeARefreshReplacesNothing() {
        processors("{'near_duplicate': {}}, {'fail': {'if': 'ctx.broken == true', 'message': 'broken'}}");
        index(DOCS, 1);
        Map<String, Object> broken = new HashMap<>(print(~0L));
        broken.put("broken", true);
        assertIndexed(send(DOCS, "1", print(0b1)));
        assertIndexed(send(DOCS, "2", print(0xff00ff00)));
        for (int i = 0; i < 2; i++) {
            assertTrue(
                    node().prepareBulk().add(write("1", ~0L).create(true)).get().hasFailures());
            assertTrue(send(DOCS, "2", broken).isFailed());
        }
        assertIndexed(send(DOCS, "near-1", print(0b11)));
        assertIndexed(send(DOCS, "near-2", print(0xff00ff01)));
        assertIndexed(send(DOCS, "far", print(~1L)));
        assertEquals(expected("1", null, "2", null, "far", null, "near-1", "1:1", "near-2", "2:1"), tags(DOCS));
        assertNothingHeld();
    }

    public void testOfTwoVersionsOnTheirWayTheOneThatIsStoredIsAnOriginal() {
        pipeline("");
        index(DOCS, 1);
        BulkResponse response = node().prepareBulk()
                .add(write("1", 0b1))
                .add(write("1", ~0L).create(true))
                .get();
        assertFalse(response.getItems()[0].isFailed());
        assertTrue(response.getItems()[1].isFailed());
        assertIndexed(send(DOCS, "near", print(0b11)));
        assertEquals(expected("1", null, "near", "1:1"), tags(DOCS));
    }
}
