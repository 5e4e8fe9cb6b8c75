/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.reindex.BulkByScrollResponse;
import org.opensearch.index.reindex.DeleteByQueryAction;
import org.opensearch.index.reindex.DeleteByQueryRequestBuilder;

/** All slices of one request mean the same document, whatever becomes of it meanwhile. */
public class SlicedQueriesClusterTests extends HookedClusterTestCase {

    /** Documents 0 to 39 are equal. */
    private void fill() {
        newIndex("prints", "{}", 3, 0);
        Map<String, Map<String, Object>> documents = new HashMap<>();
        for (int i = 0; i < 60; i++) {
            documents.put("" + i, Map.of("simhash", Map.of("bits", i < 40 ? 7 : -i, "scheme", "v1-a")));
        }
        putAll("prints", documents);
    }

    /** Whichever slice the document itself is in, and whichever slice is the first. */
    public void testAllSlicesDeleteAllCopiesAndTheDocumentItselfWhenAsked() {
        for (int slices : new int[] {1, 2, 3, 7}) {
            for (boolean includesSelf : new boolean[] {true, false}) {
                fill();
                String near = "{\"simhash\":{\"id\":\"" + randomIntBetween(0, 39) + "\",\"include_self\":"
                        + includesSelf + "}}";
                DeleteByQueryRequestBuilder delete =
                        new DeleteByQueryRequestBuilder(client(), DeleteByQueryAction.INSTANCE);
                // Of several pages, each of which looks the document up again.
                delete.source("prints").filter(query(near)).source().setSize(3);
                delete.request().setSlices(slices);
                BulkByScrollResponse response = delete.get();
                assertEquals(near, List.of(), response.getBulkFailures());
                assertEquals(near + " in " + slices, includesSelf ? 40 : 39, response.getDeleted());
                client().admin().indices().prepareDelete("prints").get();
            }
        }
    }

    /** As when the first slice was faster than the others. */
    public void testTheDocumentIsDeletedBeforeTheSlicesSearch() {
        fill();
        AtomicInteger searches = new AtomicInteger();
        AtomicBoolean isDeleted = new AtomicBoolean();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest) {
                searches.incrementAndGet();
                if (isDeleted.compareAndSet(false, true)) {
                    client().prepareDelete("prints", "0").get();
                }
            }
            return null;
        });
        String near = "{\"simhash\":{\"id\":\"0\",\"include_self\":true}}";
        DeleteByQueryRequestBuilder delete = new DeleteByQueryRequestBuilder(client(), DeleteByQueryAction.INSTANCE);
        delete.source("prints").filter(QueryBuilders.boolQuery().filter(query(near)));
        delete.request().setSlices(4).setAbortOnVersionConflict(false);
        BulkByScrollResponse response = delete.get();
        assertEquals(4, searches.get());
        assertEquals(List.of(), response.getSearchFailures());
        refresh("prints");
        assertEquals(
                20,
                client().prepareSearch("prints")
                        .setSize(0)
                        .get()
                        .getHits()
                        .getTotalHits()
                        .value());
    }
}
