/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.List;
import java.util.Map;
import org.junit.After;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;

/** No document ends for an original that a crash can lose, or that is gone at the decision. */
public class DurableOriginalsClusterTests extends NearDuplicateClusterTestCase {

    private static final List<String> ACTIONS = List.of("drop", "fail");

    @After
    public void nothingIsHeld() {
        SearchGuard.release();
        assertNothingHeld();
    }

    private void pipelineThat(String action) {
        client().admin().indices().prepareDelete(DOCS + "*", "elsewhere*").get();
        pipeline("'action': '" + action + "'");
    }

    private static void assertEnds(String action, BulkItemResponse item) {
        switch (action) {
            case "drop" -> assertEquals(Result.NOOP, item.getResponse().getResult());
            case "fail" -> assertEquals(RestStatus.CONFLICT, item.status());
            default -> assertEquals("elsewhere", item.getIndex());
        }
    }

    /** The original's write is not on disk. */
    public void testNothingEndsForAnOriginalThatACrashMayTakeAway() {
        for (String action : ACTIONS) {
            for (boolean refreshed : List.of(true, false)) {
                pipelineThat(action);
                assertAckedCreate(Settings.builder()
                        .put("index.translog.durability", "async")
                        .put("index.translog.sync_interval", "1h"));
                assertIndexed(send(DOCS, "O", print(0b1)));
                if (refreshed) {
                    refresh(DOCS);
                }
                assertIndexed(send(DOCS, "D", print(0b11)));
                assertEquals(action, expected("O", null, "D", "O:1?"), tags(DOCS));
                client().prepareDelete(DOCS, "D").get();
                client().admin().indices().prepareFlush(DOCS).setForce(true).get();
                assertEnds(action, send(DOCS, "E", print(0b11)));
                assertEquals(action, expected("O", null), tags(DOCS));
            }
        }
    }

    private static void assertAckedCreate(Settings.Builder settings) {
        assertTrue(client().admin()
                .indices()
                .prepareCreate(DOCS)
                .setSettings(settings.put("index.number_of_replicas", 0)
                        .put("index.number_of_shards", 1)
                        .put("index.refresh_interval", "1h"))
                .get()
                .isAcknowledged());
    }

    private static ActionFuture<BulkResponse> later(String id, Map<String, Object> source) {
        return node().prepareBulk()
                .add(new IndexRequest(DOCS).id(id).source(source).setPipeline(PIPELINE))
                .execute();
    }

    /** Runs a change during the last question, and returns the document's result. */
    private BulkItemResponse decidedAfter(String action, Runnable change) throws InterruptedException {
        pipelineThat(action);
        index(DOCS, 1);
        assertIndexed(send(DOCS, "O", print(0b1)));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        SearchGuard.set(SearchGuard.Mode.HOLD_ONE, DurabilityAction.NAME);
        ActionFuture<BulkResponse> sent = later("D", print(0b11));
        SearchGuard.awaitHeld();
        change.run();
        SearchGuard.release();
        return sent.actionGet(PATIENCE).getItems()[0];
    }

    public void testNothingEndsForAnOriginalThatIsDeletedBeforeTheDecision() throws InterruptedException {
        for (String action : ACTIONS) {
            assertIndexed(
                    decidedAfter(action, () -> client().prepareDelete(DOCS, "O").get()));
            assertEquals(action, expected("D", null), tags(DOCS));
        }
    }

    public void testNothingEndsForAnOriginalThatIsAnotherTextByTheDecision() throws InterruptedException {
        for (String action : ACTIONS) {
            assertIndexed(decidedAfter(
                    action,
                    () -> client().prepareIndex(DOCS)
                            .setId("O")
                            .setSource(print(~0L))
                            .get()));
            assertEquals(action, expected("D", null, "O", null), tags(DOCS));
        }
    }

    public void testAnOriginalThatIsNearStillIsOne() throws InterruptedException {
        for (String action : ACTIONS) {
            assertEnds(
                    action,
                    decidedAfter(
                            action,
                            () -> client().prepareIndex(DOCS)
                                    .setId("O")
                                    .setSource(print(0b111))
                                    .get()));
        }
    }

    /** The same name, id and sequence number prove nothing. */
    public void testNothingEndsForAnOriginalOfAnIndexThatIsMadeAgain() throws InterruptedException {
        for (String action : ACTIONS) {
            assertIndexed(decidedAfter(action, () -> {
                client().admin().indices().prepareDelete(DOCS).get();
                index(DOCS, 1);
                client().prepareIndex(DOCS).setId("O").setSource(print(~0L)).get();
            }));
            assertEquals(action, expected("D", null, "O", null), tags(DOCS));
        }
    }
}
