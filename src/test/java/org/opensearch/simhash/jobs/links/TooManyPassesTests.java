/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.simhash.jobs.DeletingTestCase;

/** The number of passes grows with the square of what does not fit: a job that would take days is refused. */
public class TooManyPassesTests extends DeletingTestCase {

    /** Two of 102 chunks fit into the least memory. */
    private static final int DOCUMENTS = 13_000;

    public void testOnlyWhatNeedsThemIsRefused() throws IOException {
        createIndex(INDEX);
        for (int from = 0; from < DOCUMENTS; from += 1_000) {
            BulkRequestBuilder bulk = client().prepareBulk();
            for (int i = from; i < from + 1_000; i++) {
                bulk.add(client().prepareIndex(INDEX)
                        .setId("" + i)
                        .setSource(Map.of("simhash", Map.of("bits", randomLong(), "scheme", "v1-a"), "text", "a b")));
            }
            assertFalse(bulk.get().hasFailures());
        }
        client().prepareIndex("log")
                .setSource(Map.of("near", List.of("1", "2")))
                .get();
        client().admin().indices().prepareRefresh(INDEX, "log").get();
        allow("16kb");
        try {
            for (String many : List.of("{}", "{\"new_since\":{\"ids\":{\"values\":[\"1\"]}}}")) {
                Exception e =
                        expectThrows(IllegalArgumentException.class, () -> run(many, Float.POSITIVE_INFINITY, 100));
                assertEquals(
                        "[plugins.simhash.deduplicate.memory] must be large enough for the fingerprints to be joined in at"
                                + " most 5000 passes, and these would take 5151, got: 16kb",
                        e.getMessage());
            }
            String few = "{\"verify\":{\"field\":\"text\"},\"candidates\":{\"index\":\"log\",\"field\":\"near\"}}";
            assertEquals(DOCUMENTS, run(few, Float.POSITIVE_INFINITY, 100).count("documents"));
        } finally {
            allow(null);
        }
    }
}
