/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;

/** Clients go by position in a bulk's answer, whatever pipelines do with the documents. */
public class BulkAnswerOrderClusterTests extends NearDuplicateClusterTestCase {

    private static final String OTHER = "other";

    @After
    public void nothingIsHeld() {
        SearchGuard.release();
    }

    /** A document that is sent on runs through its new index' final pipeline, in a bulk of its own. */
    public void testADocumentThatFailsInTheIndexItIsSentOnTo() {
        processors("{'drop': {'if': 'ctx.dropped == true'}},"
                + "{'set': {'if': 'ctx.moved == true', 'field': '_index', 'value': '" + OTHER + "'}}");
        String failing = "{'processors': [{'fail': {'message': 'not here'}}]}";
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline("failing", new BytesArray(failing.replace('\'', '"')), MediaTypeRegistry.JSON)
                .get());
        index(DOCS, 1);
        index(OTHER, 1);
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings(OTHER)
                .setSettings(Settings.builder().put("index.final_pipeline", "failing")));
        BulkItemResponse[] items = send(
                        DOCS,
                        ordered("0", Map.of("dropped", true), "1", Map.of(), "2", Map.of(), "3", Map.of("moved", true)))
                .getItems();
        assertInOrder(items);
        assertEquals(Result.NOOP, items[0].getResponse().getResult());
        assertEquals(Result.CREATED, items[1].getResponse().getResult());
        assertEquals(Result.CREATED, items[2].getResponse().getResult());
        assertTrue(items[3].getFailureMessage(), items[3].getFailureMessage().contains("not here"));
    }

    /** The document fails at once, before others are dropped. */
    public void testAPipelineThatIsMissing() throws Exception {
        pipeline("'action': 'drop'");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "original", print(0b1)));
        SearchGuard.set(SearchGuard.Mode.HOLD);
        BulkRequestBuilder bulk = node().prepareBulk();
        bulk.add(new IndexRequest(DOCS).id("0").source(print(0b1)).setPipeline(PIPELINE));
        bulk.add(new IndexRequest(DOCS).id("1").source(print(0b1)).setPipeline("missing"));
        bulk.add(new IndexRequest(DOCS).id("2").source(print(~0L)).setPipeline(PIPELINE));
        ActionFuture<BulkResponse> sent = bulk.execute();
        SearchGuard.awaitHeld();
        SearchGuard.release();
        BulkItemResponse[] items = sent.actionGet().getItems();
        assertInOrder(items);
        assertEquals(Result.NOOP, items[0].getResponse().getResult());
        assertTrue(items[1].getFailureMessage(), items[1].getFailureMessage().contains("[missing] does not exist"));
        assertEquals(Result.CREATED, items[2].getResponse().getResult());
    }

    private static void assertInOrder(BulkItemResponse[] items) {
        for (int i = 0; i < items.length; i++) {
            assertEquals("" + i, items[i].getId());
        }
    }

    /** The final pipeline also gets ended documents. OpenSearch counts only the first end. */
    public void testADocumentThatTwoPipelinesEndIsOneItem() {
        processors(
                "{'drop': {'if': 'ctx.end == \\'drop\\''}}, {'fail': {'if': 'ctx.end == \\'fail\\'', 'message': 'ended'}}");
        for (String action : List.of("drop", "fail")) {
            processors("{'near_duplicate': {'action': '" + action + "'}}", "last");
            String index = "ended-" + action;
            index(index, 1);
            assertAcked(client().admin()
                    .indices()
                    .prepareUpdateSettings(index)
                    .setSettings(Settings.builder().put("index.final_pipeline", "last")));
            assertIndexed(send(index, "original", print(0b1)));
            Map<String, Object> dropped = new HashMap<>(print(0b1));
            dropped.put("end", "drop");
            Map<String, Object> failed = new HashMap<>(print(0b1));
            failed.put("end", "fail");
            BulkItemResponse[] items = send(
                            index, ordered("0", dropped, "1", print(~0L), "2", failed, "3", print(0b1), "4", dropped))
                    .getItems();
            assertEquals(5, items.length);
            assertInOrder(items);
            assertEquals(Result.NOOP, items[0].getResponse().getResult());
            assertEquals(Result.CREATED, items[1].getResponse().getResult());
            assertTrue(
                    items[2].getFailureMessage(), items[2].getFailureMessage().contains("ended"));
            assertEquals(action.equals("fail"), items[3].isFailed());
            assertEquals(Result.NOOP, items[4].getResponse().getResult());
        }
    }

    /** OpenSearch sends a dropped document through the final pipeline. */
    public void testNothingIsRefusedForADocumentThatIsDroppedAlready() {
        processors("{'drop': {'if': 'ctx.dropped == true'}}");
        processors("{'near_duplicate': {'action': 'fail'}}", "last");
        index(DOCS, 1);
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Settings.builder().put("index.final_pipeline", "last")));
        Map<String, Object> dropped = new HashMap<>(print(0b1));
        dropped.put("dropped", true);
        BulkItemResponse[] items =
                send(DOCS, ordered("0", dropped, "1", print(0b1))).getItems();
        assertEquals(Result.NOOP, items[0].getResponse().getResult());
        assertIndexed(items[1]);
        assertTrue(
                "what is stored is",
                send(DOCS, "2", print(0b1)).getFailureMessage().contains("is a near-duplicate of [1]"));
    }
}
