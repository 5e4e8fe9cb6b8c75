/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;

/** Bulks whose documents arrive one by one, for example in a nested pipeline: each is a round. */
public class SeveralRoundsClusterTests extends NearDuplicateClusterTestCase {

    private void nested(String processors) {
        processors(processors, "inner");
        processors("{'pipeline': {'name': 'inner'}}");
        index(DOCS, 1);
    }

    private static Map<String, Object> with(Map<String, Object> source, String field, Object value) {
        Map<String, Object> document = new HashMap<>(source);
        document.put(field, value);
        return document;
    }

    private static void assertRefused(BulkItemResponse item, String original) {
        assertTrue(item.getId(), item.isFailed());
        assertEquals(RestStatus.CONFLICT, item.status());
        assertTrue(
                item.getFailureMessage(),
                item.getFailureMessage().contains("is a near-duplicate of [" + original + "] in index [docs]"));
    }

    public void testADuplicateOfAnEarlierOneOfItsBulkIsTagged() {
        nested("{'near_duplicate': {'action': 'fail'}}");
        assertIndexed(send(DOCS, ordered("1", print(0b1), "2", print(0b11), "3", print(~0L), "4", print(0b111))));
        assertEquals(expected("1", null, "2", "1:1?", "3", null, "4", "2:1?"), tags(DOCS));
        assertRefused(send(DOCS, "5", print(0b1)), "1");
    }

    public void testNoDocumentIsRefusedForOneThatItsBulkWritesOver() {
        nested("{'near_duplicate': {'action': 'fail'}}");
        var bulk = node().prepareBulk();
        Object[] idsAndBits = {"1", 0b1L, "2", 0b11L, "1", ~0L, "3", ~1L};
        for (int i = 0; i < idsAndBits.length; i += 2) {
            bulk.add(new IndexRequest(DOCS)
                    .id((String) idsAndBits[i])
                    .source(print((long) idsAndBits[i + 1]))
                    .setPipeline(PIPELINE));
        }
        BulkResponse response = bulk.get();
        assertIndexed(response);
        assertEquals("1:1?", tags(DOCS).get("3"));
    }

    /** The client sends both again. */
    public void testNoDocumentIsRefusedForOneThatFailedItself() {
        nested("{'near_duplicate': {'action': 'fail', 'verify': {'field': 'content', 'min_similarity': 0.5}}}");
        BulkResponse response = send(
                DOCS,
                ordered(
                        "1", with(print(0b1), "content", Map.of("no", "text")),
                        "2", with(print(0b1), "content", "text")));
        assertTrue(response.getItems()[0].isFailed());
        assertFalse(response.getItems()[1].getFailureMessage(), response.getItems()[1].isFailed());
    }

    public void testDocumentsOfSeveralIndicesAreOfOneBulk() {
        processors("{'near_duplicate': {'action': 'fail', 'index': ['docs', 'other']}}");
        index(DOCS, 1);
        index("other", 1);
        processors("{'near_duplicate': {'action': 'fail', 'index': ['docs', 'other']}}", "second");
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings("other")
                .setSettings(Settings.builder().put("index.default_pipeline", "second")));
        BulkResponse response = node().prepareBulk()
                .add(new IndexRequest(DOCS).id("1").source(print(0b1)).setPipeline(PIPELINE))
                .add(new IndexRequest("other").id("2").source(print(0b11)))
                .get();
        assertIndexed(response);
        assertTrue(tags(DOCS).get("1") == null ^ tags("other").get("2") == null);
    }
}
