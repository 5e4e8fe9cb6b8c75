/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.action.admin.indices.refresh.RefreshRequest;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
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

    /** Of each document of a batch up to twenty strings are kept until its groups are written. */
    public void testWhatIsShownOfDocumentsIsOnAccount() throws IOException {
        int documents = 500;
        createIndex(INDEX);
        Map<String, Object> source = new HashMap<>(Map.of("simhash", given(7)));
        for (int field = 0; field < 10; field++) {
            source.put("field" + field, List.of("x".repeat(200), "y".repeat(200)));
        }
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 0; i < documents; i++) {
            bulk.add(client().prepareIndex(INDEX).setId("" + i).setSource(source));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
        CircuitBreaker breaker =
                getInstanceFromNode(CircuitBreakerService.class).getBreaker(CircuitBreaker.REQUEST);
        AtomicLong accounted = new AtomicLong();
        RequestHook.onBulks(request -> accounted.set(breaker.getUsed()));
        assertEquals(1, run(OPTIONS, Float.POSITIVE_INFINITY, 100).count("groups"));
        assertTrue("while they are written: " + accounted, accounted.get() >= 20L * documents * 2 * 200);
        assertEquals(0, breaker.getUsed());
    }

    /** Groups that were written before are replaced, not doubled. */
    public void testIdsStayAsTheyAre() throws IOException {
        fill(Settings.EMPTY);
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        assertEquals(
                Set.of("112fb754-16cf-327b-9397-cf9b536cffa8", "ebeb0e21-5569-355f-a02c-b507902f8e2d"), ids("groups"));
    }
}
