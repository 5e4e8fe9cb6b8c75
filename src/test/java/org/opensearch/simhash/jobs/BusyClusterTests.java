/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.admin.indices.refresh.RefreshRequest;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.arrivals.durable.DurabilityAnswers;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.jobs.job.JobResponse;

/** A job survives that nodes are busy for a while, and says so when something could not be read at all. */
public class BusyClusterTests extends DeletingTestCase {

    private static MultiGetResponse failing(MultiGetRequest request, RestStatus status) {
        return new MultiGetResponse(request.getItems().stream()
                .map(item -> new MultiGetItemResponse(
                        null,
                        new MultiGetResponse.Failure(
                                item.index(), item.id(), new OpenSearchStatusException("as told", status))))
                .toArray(MultiGetItemResponse[]::new));
    }

    public void testWhatCannotBeReadForAWhileIsReadAgain() throws IOException {
        fill(Settings.EMPTY);
        RestStatus status = randomFrom(RestStatus.TOO_MANY_REQUESTS, RestStatus.SERVICE_UNAVAILABLE);
        AtomicInteger questions = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof DurabilityAction.Request question && questions.getAndIncrement() == 0) {
                if (status == RestStatus.TOO_MANY_REQUESTS) {
                    throw new OpenSearchStatusException("as told", status);
                }
                return DurabilityAnswers.toAll(question, Durability.UNKNOWN);
            }
            return null;
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, "false");
        assertEquals("before, again, and after", 3, questions.get());
        assertEquals(2, response.count("deleted"));
        assertEquals(0, response.count("version_conflicts"));
        assertEquals(0, response.failures().size());
    }

    public void testWhatAnArchiveCannotTellForAWhileIsAskedAgain() throws IOException {
        fill(Settings.EMPTY);
        AtomicInteger gets = new AtomicInteger();
        // Each request fails, and is answered when it comes again.
        RequestHook.set(request -> request instanceof MultiGetRequest get
                        && get.getItems().getFirst().index().equals(REMOVED)
                        && gets.getAndIncrement() % 2 == 0
                ? failing(get, RestStatus.TOO_MANY_REQUESTS)
                : null);
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals("who holds the ids", 2, gets.get());
        assertEquals(2, response.count("deleted"));
        assertEquals(2, response.count("archived"));
        assertEquals(0, response.failures().size());
    }

    public void testAPointInTimeThatFindsNoRoomIsOpenedAgain() throws IOException {
        fill(Settings.EMPTY);
        AtomicInteger tries = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof CreatePitRequest && tries.getAndIncrement() == 0) {
                throw new OpenSearchRejectedExecutionException("no room");
            }
            return null;
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(2, tries.get());
        assertEquals(2, response.count("deleted"));
    }

    public void testARejectedSearchEndsNoJob() throws IOException {
        fill(Settings.EMPTY);
        AtomicInteger searches = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search
                    && Boolean.TRUE.equals(search.source().version())
                    && searches.getAndIncrement() == 0) {
                throw new OpenSearchRejectedExecutionException("no room");
            }
            return null;
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(2, searches.get());
        assertEquals(2, response.count("deleted"));
        assertEquals(2, response.count("archived"));
    }

    public void testAFailingRefreshIsAFailureAndTheAnswerIsThere() throws IOException {
        fill(Settings.EMPTY);
        RequestHook.set(request -> {
            if (request instanceof RefreshRequest) {
                throw new OpenSearchStatusException("as told", RestStatus.SERVICE_UNAVAILABLE);
            }
            return null;
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, "false");
        RequestHook.clear();
        assertEquals(2, response.count("deleted"));
        assertEquals(1, response.failures().size());
        assertEquals(INDEX, response.failures().getFirst().index());
        assertNull(response.failures().getFirst().id());
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, response.status());
    }
}
