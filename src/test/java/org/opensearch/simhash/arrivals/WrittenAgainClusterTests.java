/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.core.rest.RestStatus;

/** Documents that are sent again: after a refusal, or with other contents. */
public class WrittenAgainClusterTests extends NearDuplicateClusterTestCase {

    private static Map<String, Object> with(Map<String, Object> source, String field, Object value) {
        Map<String, Object> document = new HashMap<>(source);
        document.put(field, value);
        return document;
    }

    private void refreshSometimes(boolean refreshed, String index) {
        if (refreshed) {
            refresh(index);
        }
    }

    /** The shard refuses a document after the pipeline accepted it. The client sends it again with another id. */
    public void testADocumentIsNotRefusedForOneThatWasNeverStored() {
        pipeline("'action': 'fail'");
        index(DOCS, 1);
        client().admin()
                .indices()
                .preparePutMapping(DOCS)
                .setSource("count", "type=integer")
                .get();
        assertTrue(send(DOCS, "1", with(print(0b1), "count", "many")).isFailed());
        assertIndexed(send(DOCS, "2", print(0b1)));
        assertEquals(expected("2", null), tags(DOCS));
        BulkItemResponse refused = send(DOCS, "3", print(0b11));
        assertEquals(RestStatus.CONFLICT, refused.status());
        assertTrue(
                refused.getFailureMessage(),
                refused.getFailureMessage().contains("[3] is a near-duplicate of [2] in index [docs] at distance [1]"));
    }

    public void testADocumentIsNotRefusedForOneThatWasDeleted() {
        pipeline("'action': 'fail'");
        index(DOCS, 1);
        send(DOCS, "1", print(0b1));
        refresh(DOCS);
        client().prepareDelete(DOCS, "1").get();
        assertIndexed(send(DOCS, "2", print(0b1)));
        assertNull(tags(DOCS).get("2"));
    }

    public void testAnOriginalThatIsWrittenAgainStaysOne() {
        for (boolean refreshed : List.of(false, true)) {
            pipeline("");
            String index = "again-" + refreshed;
            index(index, 1);
            assertIndexed(send(index, "A", print(0)));
            assertIndexed(send(index, "B", print(0b1)));
            refreshSometimes(refreshed, index);
            assertIndexed(send(index, "A", with(print(0), "edited", true)));
            assertEquals(expected("A", null, "B", "A:1"), tags(index));
            assertIndexed(send(index, "B", print(0b1)));
            assertIndexed(send(index, "A", print(0)));
            assertEquals(expected("A", null, "B", "A:1"), tags(index));
        }
    }

    public void testAnOriginalThatIsWrittenAgainInTheSameBulkStaysOne() {
        pipeline("");
        index(DOCS, 1);
        var bulk = node().prepareBulk();
        for (String id : List.of("A", "B", "A")) {
            bulk.add(new IndexRequest(DOCS).id(id).source(print(0b1)).setPipeline(PIPELINE));
        }
        assertIndexed(bulk.get());
        assertEquals(expected("A", null, "B", "A:0?"), tags(DOCS));
    }

    public void testAnEditOfAnOriginalIsNotDroppedForItsDuplicate() {
        for (boolean refreshed : List.of(false, true)) {
            pipeline("'action': 'drop'");
            String index = "edited-" + refreshed;
            index(index, 1);
            assertIndexed(send(index, ordered("A", print(0), "B", print(0b1))));
            refreshSometimes(refreshed, index);
            BulkItemResponse edit = send(index, "A", with(print(0), "edited", true));
            assertEquals(index, Result.UPDATED, edit.getResponse().getResult());
            assertEquals(true, stored(index).get("A").get("edited"));
        }
    }

    /** C names B, and B names A. A is the original of both. */
    public void testAnOriginalThatIsWrittenAgainIsNoDuplicateOfADuplicatesDuplicate() {
        for (boolean refreshed : List.of(false, true)) {
            pipeline("");
            String index = "chain-" + refreshed;
            index(index, 1);
            assertIndexed(send(index, "A", print(0)));
            assertIndexed(send(index, "B", print(0b1)));
            assertIndexed(send(index, "C", print(0b11)));
            refreshSometimes(refreshed, index);
            assertIndexed(send(index, "A", print(0)));
            assertEquals(expected("A", null, "B", "A:1", "C", "B:1"), tags(index));
        }
    }

    public void testATagThatIsNoLongerTrueIsTakenAway() {
        for (String action : List.of("tag", "drop", "fail")) {
            pipeline("");
            String index = "stale-" + action;
            index(index, 1);
            assertIndexed(send(index, ordered("A", print(0), "B", print(0b1), "C", print(0b11))));
            pipeline("'action': '" + action + "'");
            assertIndexed(send(
                    index,
                    "B",
                    with(stored(index).get("B"), "simhash", print(~0L).get("simhash"))));
            assertIndexed(send(index, "C", with(stored(index).get("C"), "simhash", null)));
            for (String id : List.of("B", "C")) {
                assertFalse(stored(index).get(id).containsKey("near_duplicate"));
            }
        }
    }

    public void testWhatOthersWroteThereStays() {
        pipeline("'target_field': 'note'");
        index(DOCS, 1);
        index("other", 1);
        assertIndexed(send(DOCS, "1", with(print(0), "note", Map.of("id", "7", "author", "me"))));
        assertIndexed(send("other", "2", with(print(0), "note", "by hand")));
        assertEquals(Map.of("id", "7", "author", "me"), stored(DOCS).get("1").get("note"));
        assertEquals("by hand", stored("other").get("2").get("note"));
    }

    /** A refused document of the same id in another index says nothing about this one. */
    public void testTheSameIdRefusedInAnotherIndexLeavesWhatWasWritten() {
        pipeline("");
        index(DOCS, 1);
        index("audit", 1);
        assertIndexed(send(DOCS, "42", print(0b1)));
        assertIndexed(send("audit", "42", print(1L << 40)));
        refresh(DOCS, "audit");
        BulkRequestBuilder bulk = node().prepareBulk();
        bulk.add(new IndexRequest(DOCS).id("42").source(print(~0L)).setPipeline(PIPELINE));
        bulk.add(new IndexRequest("audit")
                .id("42")
                .opType(DocWriteRequest.OpType.CREATE)
                .source(print(1L << 50))
                .setPipeline(PIPELINE));
        BulkItemResponse[] items = bulk.get(PATIENCE).getItems();
        assertIndexed(items[0]);
        assertEquals(RestStatus.CONFLICT, items[1].status());
        assertIndexed(node().prepareBulk()
                .add(new IndexRequest(DOCS).source(print(0b11)).setPipeline(PIPELINE))
                .get(PATIENCE));
        tags(DOCS).forEach((id, tag) -> assertNull(id, tag));
    }
}
