/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Where nothing can be written any more a job ends, and says so: each of its requests would wait for a minute. */
public class NoRoomTests extends DeletingTestCase {

    private AtomicInteger bulks;

    private void assertStopped(JobResponse response) {
        assertEquals("one request, and no other", 1, bulks.get());
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, response.status());
        assertEquals("that it ends, and the document", 2, response.failures().size());
        assertNull(response.failures().getFirst().id());
        assertEquals(
                "the job ends early: OpenSearchStatusException[as told]",
                response.failures().getFirst().reason());
        assertEquals(2, response.count("duplicates"));
    }

    public void testDeletingEnds() throws IOException {
        fill(Settings.EMPTY);
        bulks = failBulks();
        assertStopped(delete(Float.POSITIVE_INFINITY, 1, randomFrom("false", ARCHIVE)));
        RequestHook.clear();
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    public void testTaggingEnds() throws IOException {
        fill(Settings.EMPTY);
        bulks = failBulks();
        assertStopped(run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 1));
    }

    public void testClearingTagsEnds() throws IOException {
        fill(Settings.EMPTY);
        run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 1);
        client().prepareDelete(INDEX, "1").get();
        client().prepareDelete(INDEX, "3").get();
        client().admin().indices().prepareRefresh(INDEX).get();
        bulks = failBulks();
        JobResponse response = run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 1);
        assertEquals(1, bulks.get());
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, response.status());
    }

    public void testWithoutRoomForTheGroupsNothingIsDeleted() throws IOException {
        fill(Settings.EMPTY);
        bulks = failBulks();
        JobResponse response = run(
                "{\"action\":\"delete\",\"verify\":false,\"archive\":false,\"dest\":{\"index\":\"groups\"}}",
                Float.POSITIVE_INFINITY,
                100);
        assertEquals(1, bulks.get());
        assertEquals(3, response.failures().size());
        RequestHook.clear();
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    public void testWhatFailsAfterADeleteEndsTheJobThatTellsWhatItDid() throws IOException {
        fill(Settings.EMPTY);
        AtomicInteger deletes = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search && search.source().version() != null && deletes.get() > 0) {
                throw new IllegalStateException("as told");
            }
            if (request instanceof BulkRequest bulk && deletes(bulk, INDEX)) {
                deletes.incrementAndGet();
            }
            return null;
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 1, randomFrom("false", ARCHIVE));
        RequestHook.clear();
        assertEquals(1, response.count("deleted"));
        assertEquals(RestStatus.INTERNAL_SERVER_ERROR, response.status());
        assertEquals(
                "the job ends early: java.lang.IllegalStateException: as told",
                response.failures().getFirst().reason());
        assertEquals(3, ids(INDEX).size());
    }

    public void testWhatFailsBeforeAnythingHasChangedIsAnError() throws IOException {
        fill(Settings.EMPTY);
        RequestHook.set(request -> {
            if (request instanceof DurabilityAction.Request) {
                throw new IllegalStateException("as told");
            }
            return null;
        });
        Exception e = expectThrows(IllegalStateException.class, () -> delete(Float.POSITIVE_INFINITY, 1, "false"));
        assertEquals("as told", e.getMessage());
        RequestHook.clear();
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }
}
