/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.core.rest.RestStatus;

/** Documents that are sent again: by a client that was refused, or with other contents. */
public class WrittenAgainClusterTests extends NearDuplicateClusterTestCase {

    private static Map<String, Object> with(Map<String, Object> source, String field, Object value) {
        Map<String, Object> document = new HashMap<>(source);
        document.put(field, value);
        return document;
    }

    /** The shard refuses a document after the pipeline accepted it; the client sends it again with another id. */
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
        assertEquals(expected("2", "1:0?"), tags(DOCS));
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
        assertEquals("1:0", tags(DOCS).get("2"));
    }
}
