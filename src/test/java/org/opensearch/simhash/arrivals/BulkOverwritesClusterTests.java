/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.After;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.rest.RestStatus;

/** One document with each text of a bulk stays stored, whatever else the bulk writes under the original's name. */
public class BulkOverwritesClusterTests extends MixedBulksClusterTestCase {

    private static final long TEXT = 0b1;
    private static final long OTHER = ~0L;

    @After
    public void nothingIsHeld() {
        assertNothingHeld();
    }

    /** No document is tagged for an overwritten one. */
    public void testWhatTheBulkHasWrittenOverIsNoOriginal() {
        docs("'action': 'tag'");
        assertIndexed(send(put("A", TEXT), put("A", OTHER), put("B", TEXT)));
        assertEquals(expected("A", null, "B", null), tags(DOCS));
    }

    private static IndexRequest create(String id, long bits) {
        return put(id, bits).create(true);
    }

    private static IndexRequest withoutPipeline(IndexRequest request) {
        return request.setPipeline("_none");
    }

    /** X is stored with the text, in a new index. */
    private void storedX(String action) {
        client().admin().indices().prepareDelete(DOCS + "*").get();
        docs("'action': '" + action + "'");
        assertResults(send(put("X", TEXT)), Result.CREATED);
        if (randomBoolean()) {
            refresh(DOCS);
        }
    }

    public void testNothingIsDroppedOrRefusedForWhatItsBulkOverwrites() {
        for (String action : List.of("drop", "fail")) {
            storedX(action);
            assertResults(send(put("Y", TEXT), put("X", OTHER)), Result.CREATED, Result.UPDATED);
            assertEquals("X:0", tags(DOCS).get("Y").substring(0, 3));
            storedX(action);
            assertResults(send(put("X", OTHER), put("Y", TEXT)), Result.UPDATED, Result.CREATED);
            storedX(action);
            assertResults(send(withoutPipeline(put("X", OTHER)), put("Y", TEXT)), Result.UPDATED, Result.CREATED);
            storedX(action);
            assertResults(send(put("Y", TEXT), withoutPipeline(put("X", OTHER))), Result.CREATED, Result.UPDATED);
            storedX(action);
            assertResults(
                    send(put("X", TEXT), put("Y", TEXT), put("X", OTHER)),
                    Result.UPDATED,
                    Result.CREATED,
                    Result.UPDATED);
        }
    }

    public void testAnOverwriteByAnAlias() {
        storedX("drop");
        assertAcked(client().admin().indices().prepareAliases().addAlias(DOCS, "alias"));
        assertResults(send(put("Y", TEXT), put("X", OTHER).index("alias")), Result.CREATED, Result.UPDATED);
    }

    /** The bulk does not show ids that a pipeline gives. */
    public void testAnOverwriteByAnIdThatThePipelineGives() {
        storedX("drop");
        processors("{'set': {'if': 'ctx._id == \\'renamed\\'', 'field': '_id', 'value': 'X'}},"
                + " {'near_duplicate': {'action': 'drop'}}");
        assertResults(send(put("Y", TEXT), put("renamed", OTHER)), Result.CREATED, Result.UPDATED);
    }

    public void testClientsThatSendTheSameDocumentsAgain() {
        storedX("drop");
        BulkItemResponse[] items = send(put("Y", TEXT), put("X", TEXT)).getItems();
        assertEquals(Result.NOOP, items[0].getResponse().getResult());
        assertEquals(Result.UPDATED, items[1].getResponse().getResult());
        refresh(DOCS);
        assertResults(send(put("X", 0b11), put("Y", TEXT)), Result.UPDATED, Result.NOOP);
        assertEquals(expected("X", null), tags(DOCS));
    }

    /** Each version would be compared with each document. */
    public void testNothingIsDroppedForWhatItsBulkWritesManyTimes() {
        for (int versions : List.of(8, 9)) {
            storedX("drop");
            List<DocWriteRequest<?>> requests = new ArrayList<>(List.of(put("Y", TEXT)));
            for (int i = 0; i < versions; i++) {
                requests.add(put("X", TEXT));
            }
            BulkItemResponse[] items =
                    send(requests.toArray(DocWriteRequest<?>[]::new)).getItems();
            boolean isDropped = items[0].getResponse().getResult() == Result.NOOP;
            assertEquals(versions + " versions", versions == 8, isDropped);
            assertEquals(versions == 8 ? null : "X:0?", tags(DOCS).get("Y"));
        }
    }

    /** The document exists. */
    public void testACreateChangesNothing() {
        for (boolean piped : List.of(true, false)) {
            storedX("drop");
            IndexRequest create = piped ? create("X", OTHER) : withoutPipeline(create("X", OTHER));
            BulkItemResponse[] items = send(put("Y", TEXT), create).getItems();
            assertEquals(Result.NOOP, items[0].getResponse().getResult());
            assertEquals(RestStatus.CONFLICT, items[1].status());
            assertEquals(Set.of("X"), tags(DOCS).keySet());
        }
    }

    public void testAnItemOfAnotherIndex() {
        storedX("drop");
        index("docs-other", 1);
        assertResults(send(put("X", OTHER).index("docs-other"), put("Y", TEXT)), Result.CREATED, Result.NOOP);
    }

    public void testNothingIsRefusedForAnUpsertThatIsNotUsed() {
        docs("'action': 'fail'");
        assertResults(send(put("X", OTHER)), Result.CREATED);
        assertResults(send(scriptOrUpsert("X", TEXT), put("Y", TEXT)), Result.UPDATED, Result.CREATED);
        assertEquals(expected("X", null, "Y", "X:0?"), tags(DOCS));
    }

    public void testNothingIsRefusedForWhatItsBulkDeletesAgain() {
        docs("'action': 'fail'");
        assertResults(
                send(put("A", TEXT), put("B", TEXT), new DeleteRequest(DOCS, "A")),
                Result.CREATED,
                Result.CREATED,
                Result.DELETED);
        assertEquals(expected("B", null), tags(DOCS));
    }

    public void testNothingIsRefusedForWhatItsBulkOverwritesAgain() {
        for (boolean piped : List.of(true, false)) {
            String text = piped ? "A" : "C";
            client().admin().indices().prepareDelete(DOCS + "*").get();
            docs("'action': 'fail'");
            IndexRequest last = piped ? put(text, OTHER) : withoutPipeline(put(text, OTHER));
            assertResults(send(put(text, TEXT), put("B", TEXT), last), Result.CREATED, Result.CREATED, Result.UPDATED);
            assertEquals(expected(text, null, "B", text + ":0?"), tags(DOCS));
        }
    }

    /** The original of the same bulk is not stored yet, and may never be. */
    public void testNothingIsRefusedForWhatComesWithIt() {
        docs("'action': 'fail'");
        assertIndexed(send(put("A", TEXT), put("B", TEXT), put("A", 0b11)));
        assertIndexed(send(create("C", OTHER), put("D", OTHER)));
        assertEquals(expected("A", null, "B", "A:0?", "C", null, "D", "C:0?"), tags(DOCS));
    }

    /** The changes of a bulk need memory. With too little for them, but enough for all else, they are unknown. */
    public void testWithoutMemoryNothingIsKnownOfABulk() {
        storedX("drop");
        CircuitBreaker breaker = internalCluster()
                .getInstance(CircuitBreakerService.class, internalCluster().getNodeNames()[0])
                .getBreaker("simhash");
        DocWriteRequest<?>[] requests = new DocWriteRequest<?>[500];
        Arrays.setAll(requests, i -> i == 0 ? put("Y", TEXT) : new DeleteRequest(DOCS, "deleted-" + i));
        long taken = breaker.getLimit() - breaker.getUsed() - (20 << 10);
        breaker.addWithoutBreaking(taken);
        try {
            assertEquals(
                    Result.CREATED, send(requests).getItems()[0].getResponse().getResult());
            assertEquals("X:0", tags(DOCS).get("Y").substring(0, 3));
        } finally {
            breaker.addWithoutBreaking(-taken);
        }
        requests[0] = put("Z", TEXT);
        assertEquals(Result.NOOP, send(requests).getItems()[0].getResponse().getResult());
    }
}
