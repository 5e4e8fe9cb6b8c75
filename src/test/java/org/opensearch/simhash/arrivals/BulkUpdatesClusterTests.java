/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.action.update.UpdateResponse;
import org.opensearch.script.Script;

/** Deletes in the bulk, and whether an updated document exists: pipelines do not see these. */
public class BulkUpdatesClusterTests extends MixedBulksClusterTestCase {

    public void testUpsertsAreTaggedAndAreOriginals() {
        docs("");
        assertResults(
                send(docAsUpsert("1", 0b1), scriptOrUpsert("2", 0b11), put("3", 0b111), docAsUpsert("4", ~0L)),
                Result.CREATED,
                Result.CREATED,
                Result.CREATED,
                Result.CREATED);
        assertResults(send(docAsUpsert("5", ~1L)), Result.CREATED);
        assertEquals(expected("1", null, "2", "1:1?", "3", "2:1?", "4", null, "5", "4:1"), tags(DOCS));
    }

    public void testAnUpsertWithRoutingIsGotByIt() {
        docs("");
        assertResults(send(
                docAsUpsert("1", 0b1).routing("a"), scriptOrUpsert("2", ~0L).routing("b")));
        assertResults(send(put("3", 0b11), put("4", ~1L)));
        assertEquals(expected("1", null, "2", null, "3", "1:1", "4", "2:1"), tags(DOCS));
    }

    public void testAnUpdateIsNeitherDroppedNorRefused() {
        for (String action : new String[] {"drop", "fail"}) {
            docs("'action': '" + action + "'");
            send(put("original", 0b1));
            send(put("1", ~0L), put("2", 0xff00ff));
            assertResults(send(docAsUpsert("original", 0b11)), Result.UPDATED);
            if (randomBoolean()) {
                refresh(DOCS);
            }
            assertResults(send(docAsUpsert("1", 0b11), scriptOrUpsert("2", 0b11)), Result.UPDATED, Result.UPDATED);
            Map<String, Map<String, Object>> stored = stored(DOCS);
            assertEquals(true, stored.get("2").get("scripted"));
            assertEquals("original:0", tag(stored.get("1")));
            assertNull(tag(stored.get("2")));
            assertNull(tag(stored.get("original")));
            client().admin().indices().prepareDelete(DOCS).get();
        }
    }

    /** OpenSearch takes the index of an update from the request, and drops the update with its document. */
    public void testAnUpdateWhoseIndexAPipelineChangesIsNotDropped() {
        docs("'action': 'drop'");
        index("archive", 1);
        send(put("original", 0b1), put("7", ~0L));
        refresh(DOCS);
        processors("{'set': {'if': 'ctx.simhash.bits == 3L', 'field': '_index', 'value': 'archive'}},"
                + " {'near_duplicate': {'action': 'drop', 'index': 'docs'}}");
        assertResults(send(docAsUpsert("7", 0b11)), Result.UPDATED);
    }

    public void testWhatAnUpdateDidNotStoreHidesNothing() {
        docs("");
        send(put("1", 0b1));
        assertResults(send(scriptOrUpsert("1", ~0L)), Result.UPDATED);
        if (randomBoolean()) {
            refresh(DOCS);
        }
        assertResults(send(put("2", 0b11)));
        assertEquals("1:1", tags(DOCS).get("2"));
    }

    /** The window keeps all versions of an update. One get tells that all are gone. */
    public void testWhatWasUpdatedSeveralTimesIsGoneAtOnce() {
        docs("");
        send(docAsUpsert("1", 0b1));
        send(docAsUpsert("1", 0b11));
        send(put("2", 0xff00ff), scriptOrUpsert("2", 0xff00ff), put("2", 0xff0000ff0000L));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        send(new DeleteRequest(DOCS, "1"));
        assertResults(send(put("near-1", 0b1), put("near-2", 0xff00ff)));
        assertEquals(expected("2", null, "near-1", null, "near-2", null), tags(DOCS));
    }

    public void testNothingIsDroppedForWhatItsBulkDeletesOrUpdates() {
        docs("'action': 'drop'");
        assertAcked(client().admin().indices().prepareAliases().addAlias(DOCS, "alias"));
        send(put("1", 0b1), put("2", 0xff00ff), put("3", ~0L), put("4", 0xffff0000L), put("5", 0xff00ff00ff00L));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        UpdateRequest script = new UpdateRequest("alias", "3").script(new Script("ctx.op = 'delete'"));
        UpdateRequest other = new UpdateRequest(DOCS, "4").doc(print(0xf0f0f0f0f0f0f0fL));
        assertResults(
                send(
                        new DeleteRequest(DOCS, "1"),
                        put("new-1", 0b1),
                        put("new-2", 0xff00ff),
                        new DeleteRequest("alias", "2"),
                        script,
                        put("new-3", ~0L),
                        put("new-4", 0xffff0000L),
                        other,
                        put("new-5", 0xff00ff00ff00L)),
                Result.DELETED,
                Result.CREATED,
                Result.CREATED,
                Result.DELETED,
                Result.DELETED,
                Result.CREATED,
                Result.CREATED,
                Result.UPDATED,
                Result.NOOP);
        Map<String, String> tags = tags(DOCS);
        assertNull("1 is gone once the bulk is done", tags.get("new-1"));
        assertNull("2 is gone once the bulk is done", tags.get("new-2"));
        assertEquals("3:0", tags.get("new-3").substring(0, 3));
        assertEquals("4:0", tags.get("new-4").substring(0, 3));
        assertEquals(Set.of("4", "5", "new-1", "new-2", "new-3", "new-4"), tags.keySet());
    }

    public void testDeletesOfAnotherIndex() {
        docs("'action': 'drop'");
        index("other", 1);
        send(put("1", 0b1));
        assertResults(send(new DeleteRequest("other", "1"), put("2", 0b1)), Result.NOT_FOUND, Result.NOOP);
        int many = 10_001;
        DocWriteRequest<?>[] requests = new DocWriteRequest<?>[many + 1];
        for (int i = 0; i < many; i++) {
            requests[i] = new DeleteRequest("other", "" + i);
        }
        requests[many] = put("2", 0b1);
        assertEquals(Result.NOOP, send(requests).getItems()[many].getResponse().getResult());
    }

    /** OpenSearch answers the bulk with one error. */
    public void testADeleteInAnIndexThatCannotBe() {
        docs("'action': 'drop'");
        for (String index : List.of("<>", "<docs-{now/d{yyyy|nowhere}}>")) {
            expectThrows(
                    RuntimeException.class,
                    () -> send(new DeleteRequest(index, "1"), put("1", 0b1).routing("r"), put("2", 0b11)));
            assertNothingHeld();
            // does not wait for a round that never ends
            assertResults(send(put("1", 0b1)), Result.CREATED);
            assertEquals(expected("1", null), tags(DOCS));
            send(new DeleteRequest(DOCS, "1"));
        }
    }

    public void testASingleUpdate() {
        docs("");
        send(put("1", 0b1));
        refresh(DOCS);
        UpdateResponse created = node().update(docAsUpsert("2", 0b11)).actionGet();
        assertEquals(Result.CREATED, created.getResult());
        UpdateResponse scripted = node().update(scriptOrUpsert("3", 0b111)).actionGet();
        assertEquals(Result.CREATED, scripted.getResult());
        assertEquals(
                Result.UPDATED,
                node().update(scriptOrUpsert("1", ~0L)).actionGet().getResult());
        Map<String, Map<String, Object>> stored = stored(DOCS);
        assertEquals("1:1", tag(stored.get("2")));
        assertEquals(true, stored.get("1").get("scripted"));
    }

    /** OpenSearch 3.8 expects that a new document of an update is indexed. */
    public void testASingleUpdateIsDroppedOnlyWhereItMakesADocument() {
        docs("'action': 'drop'");
        send(put("1", 0b1));
        send(put("2", ~0L));
        refresh(DOCS);
        assertEquals(
                Result.UPDATED,
                node().update(docAsUpsert("2", 0b11)).actionGet().getResult());
        Exception e = expectThrows(
                Exception.class, () -> node().update(docAsUpsert("3", 0b11)).actionGet());
        assertTrue(e.getMessage(), e.getMessage().contains("UpdateResponse cannot be cast"));
        assertEquals(expected("1", null, "2", "1:1"), tags(DOCS));
    }

    /** The distance is that of the stored version if a get reads it, else of the window's. */
    public void testAnOriginalIsNamedAtTheDistanceOfWhatIsStored() {
        docs("");
        send(put("1", 0), put("2", 0xff00), put("3", 0xff0000));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        assertResults(send(docAsUpsert("1", 0b111)), Result.UPDATED);
        assertResults(send(put("2", 0xff07)), Result.UPDATED);
        assertResults(send(put("near-1", 0), put("near-2", 0xff00), put(null, 0xff0000)));
        assertEquals("1:3", tags(DOCS).get("near-1"));
        assertEquals("2:3", tags(DOCS).get("near-2"));
    }

    public void testTheNearestOfWhatIsStoredIsNamed() {
        docs("");
        send(put("1", 0), put("2", 0b11));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        assertResults(send(docAsUpsert("1", 0b11100)), Result.UPDATED);
        assertResults(send(put("near", 0)));
        assertEquals("2:2", tags(DOCS).get("near"));
    }

    public void testWithoutAnIdTheDistanceIsThatOfTheLastVersion() {
        docs("");
        send(put("1", 0));
        refresh(DOCS);
        assertResults(send(put("1", 0b111)), Result.UPDATED);
        String id = send(put(null, 0)).getItems()[0].getId();
        assertEquals("1:3", tags(DOCS).get(id));
    }
}
