/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.jobs.job.JobResponse;

/** A job says what it may not have found. It ends as it would if nobody could say so. */
public class JobWarningsTests extends DeletingTestCase {

    public void testASearchForAWarningFailsNoJob() throws IOException {
        fill(Settings.EMPTY);
        client().prepareIndex("others")
                .setId("5")
                .setSource(Map.of("title", "without a fingerprint"))
                .get();
        client().admin().indices().prepareRefresh("others").get();
        JobResponse whole = run("{}", Float.POSITIVE_INFINITY, 100, INDEX, "others");
        String without = "no document has a fingerprint in [simhash] in [others=1]";
        assertTrue(whole.toString(), whole.warnings().getFirst().startsWith(without));
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search && isForWarning(search)) {
                throw new IllegalArgumentException("as told");
            }
            return null;
        });
        JobResponse response = run("{}", Float.POSITIVE_INFINITY, 100, INDEX, "others");
        assertEquals(whole.count("duplicates"), response.count("duplicates"));
        assertFalse(response.toString(), response.warnings().toString().contains(without));
    }

    public void testAnIndexOfAnotherSchemeIsNamed() throws IOException {
        fill(Settings.EMPTY);
        for (String id : List.of("5", "6")) {
            Map<String, Object> print = new HashMap<>(given(0));
            print.put("scheme", "given-b");
            client().prepareIndex("others")
                    .setId(id)
                    .setSource(Map.of("simhash", print))
                    .get();
        }
        client().admin().indices().prepareRefresh("others").get();
        JobResponse response = run("{}", Float.POSITIVE_INFINITY, 100, INDEX, "others");
        assertEquals(response.toString(), 2, response.warnings().size());
        assertEquals(
                "no document has a fingerprint in [simhash] of the scheme [given-a] in [others=2]: these documents are near none"
                        + " of this scheme; GET /_plugins/_simhash/check/others says why",
                response.warnings().getLast());
    }

    private static boolean isForWarning(SearchRequest search) {
        return search.source().aggregations() != null
                && search.source().aggregations().getAggregatorFactories().stream()
                        .anyMatch(aggregation -> aggregation.getName().equals("indices"));
    }
}
