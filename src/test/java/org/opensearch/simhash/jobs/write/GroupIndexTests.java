/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.admin.indices.refresh.RefreshRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobStatus;

/** Every group has a document of its own, and the same one when the job runs again. */
public class GroupIndexTests extends DeletingTestCase {

    private static final String OPTIONS = "{\"dest\":{\"index\":\"groups\"}}";

    public void testSurvivorsOfOneIdUnderTwoRoutings() throws IOException {
        createIndex(INDEX, Settings.builder().put("index.number_of_shards", 5).build());
        put("a", 0);
        put("b", -1);
        client().admin().indices().prepareRefresh(INDEX).get();
        assertEquals(
                "on two shards",
                4,
                client().prepareSearch(INDEX).get().getHits().getTotalHits().value());
        assertEquals(2, run(OPTIONS, Float.POSITIVE_INFINITY, 100).count("groups"));
        Set<String> groups = ids("groups");
        assertEquals(2, groups.size());
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        assertEquals(groups, ids("groups"));
    }

    private void put(String routing, long bits) {
        for (String id : new String[] {"1", "2"}) {
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setRouting(routing)
                    .setSource(Map.of("simhash", Map.of("bits", bits, "scheme", "v1-a")))
                    .get();
        }
    }

    /** There was no estimate at all of a report. */
    public void testAllStepsAreDoneWhenTheGroupsAreThere() throws IOException {
        fill(Settings.EMPTY);
        List<JobStatus> ends = new ArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof RefreshRequest) {
                ends.add(status());
            }
            return null;
        });
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        RequestHook.clear();
        assertEquals(1, ends.size());
        assertEquals(2, ends.getFirst().written());
        assertEquals(0, ends.getFirst().remaining());
    }

    /** Groups that were written before are replaced, not doubled. */
    public void testIdsStayAsTheyAre() throws IOException {
        fill(Settings.EMPTY);
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        assertEquals(
                Set.of("112fb754-16cf-327b-9397-cf9b536cffa8", "ebeb0e21-5569-355f-a02c-b507902f8e2d"), ids("groups"));
    }
}
