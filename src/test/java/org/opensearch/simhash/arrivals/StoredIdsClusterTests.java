/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.List;
import org.junit.After;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;

/** A write to a stored id never ends. Otherwise the old text would stay searchable under that id. */
public class StoredIdsClusterTests extends MixedBulksClusterTestCase {

    private static final List<String> ACTIONS = List.of("drop", "fail");
    private static final long TEXT = 0b1;
    private static final long OTHER = ~0L;

    @After
    public void nothingIsHeld() {
        SearchGuard.release();
        assertNothingHeld();
    }

    /** O is stored with the text, X with another one, in a new index. */
    private void stored(String action, boolean refreshed) {
        client().admin().indices().prepareDelete(DOCS + "*", "elsewhere*").get();
        docs("'action': '" + action + "'");
        assertResults(send(put("O", TEXT)), Result.CREATED);
        assertResults(send(put("X", OTHER)), Result.CREATED);
        if (refreshed) {
            refresh(DOCS);
        }
    }

    public void testAnIdThatIsStored() {
        for (String action : ACTIONS) {
            for (boolean refreshed : List.of(true, false)) {
                stored(action, refreshed);
                assertResults(send(put("X", TEXT)), Result.UPDATED);
                assertEquals(action, expected("O", null, "X", "O:0"), tags(DOCS));
            }
        }
    }

    /** As {@code _update_by_query} and {@code _reindex} write. */
    public void testAVersionThatIsWrittenOver() {
        for (String action : ACTIONS) {
            stored(action, true);
            GetResponse old = client().prepareGet(DOCS, "X").get();
            IndexRequest request = put("X", TEXT).setIfSeqNo(old.getSeqNo()).setIfPrimaryTerm(old.getPrimaryTerm());
            assertResults(send(request), Result.UPDATED);
            assertEquals(action, expected("O", null, "X", "O:0"), tags(DOCS));
        }
    }

    public void testAnIdThatAnEarlierBulkBrings() throws InterruptedException {
        for (String action : ACTIONS) {
            stored(action, true);
            SearchGuard.set(SearchGuard.Mode.HOLD_ONE);
            ActionFuture<BulkResponse> first =
                    node().prepareBulk().add(put("Y", OTHER ^ 0b1111_0000)).execute();
            SearchGuard.awaitHeld();
            ActionFuture<BulkResponse> second =
                    node().prepareBulk().add(put("Y", TEXT)).execute();
            expectThrows(OpenSearchTimeoutException.class, () -> second.actionGet(TimeValue.timeValueMillis(300)));
            SearchGuard.release();
            assertIndexed(first.actionGet(PATIENCE));
            assertIndexed(second.actionGet(PATIENCE));
            assertTrue(action, tags(DOCS).containsKey("Y"));
        }
    }

    public void testAnIdThatComesTwiceInOneBulk() {
        for (String action : ACTIONS) {
            stored(action, true);
            assertIndexed(send(put("Y", OTHER), put("Y", TEXT)));
            assertIndexed(send(put("Z", OTHER).setPipeline("_none"), put("Z", TEXT)));
            assertEquals(action, expected("O", null, "X", null, "Y", "O:0", "Z", "O:0"), tags(DOCS));
        }
    }

    public void testAnIdThatAPipelineGives() {
        for (String action : ACTIONS) {
            stored(action, true);
            processors("{'set': {'if': 'ctx._id.startsWith(\\'renamed\\')', 'field': '_id', 'value': 'X'}},"
                    + " {'near_duplicate': {'action': '" + action + "'}}");
            assertResults(send(put("renamed", TEXT)), Result.UPDATED);
            assertEquals(action, expected("O", null, "X", "O:0"), tags(DOCS));
        }
    }

    public void testARouting() {
        for (String action : ACTIONS) {
            stored(action, true);
            assertResults(send(put("R", OTHER ^ 0b1111_0000).routing("r")), Result.CREATED);
            assertResults(send(put("R", TEXT).routing("r")), Result.UPDATED);
        }
    }

    /** OpenSearch itself refuses it. */
    public void testACreate() {
        for (String action : ACTIONS) {
            stored(action, true);
            BulkResponse response = send(put("X", TEXT).create(true));
            assertEquals(RestStatus.CONFLICT, response.getItems()[0].status());
            assertTrue(response.getItems()[0].getFailureMessage().contains("document already exists"));
        }
    }

    /** It is not stored any more. */
    public void testAnIdThatWasDeleted() {
        stored("drop", true);
        client().prepareDelete(DOCS, "X").get();
        assertResults(send(put("X", TEXT)), Result.NOOP);
        assertEquals(expected("O", null), tags(DOCS));
    }
}
