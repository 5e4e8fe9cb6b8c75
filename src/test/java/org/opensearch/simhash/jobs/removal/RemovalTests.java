/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.threadpool.ThreadPool;

/** Documents change while a job deletes their duplicates: nothing goes whose survivor went, and the archive holds what is gone. */
public class RemovalTests extends DeletingTestCase {

    private void changeWhatIsAboutToBeDeleted() {
        RequestHook.onBulks(request -> {
            if (deletes(request, INDEX)) {
                put(2, 5);
            }
        });
    }

    public void testASurvivorThatChangesWhileThereIsNoRoomKeepsItsDuplicates() throws IOException {
        fill(Settings.EMPTY);
        AtomicInteger tries = new AtomicInteger();
        RequestHook.onBulks(request -> {
            if (deletes(request, INDEX) && tries.getAndIncrement() == 0) {
                put(1, 5);
                throw new OpenSearchRejectedExecutionException("no room");
            }
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, "false");
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
    }

    public void testASurvivorThatChangesBeforeItsDuplicatesTurnKeepsThem() throws IOException {
        fill(Settings.EMPTY);
        AtomicInteger deletions = new AtomicInteger();
        RequestHook.onBulks(request -> {
            if (deletes(request, INDEX) && deletions.getAndIncrement() == 0) {
                client().threadPool()
                        .schedule(() -> put(3, 5), TimeValue.timeValueMillis(200), ThreadPool.Names.GENERIC);
            }
        });
        JobResponse response = delete(0.25f, 1, "false");
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(Set.of("1", "3", "4"), ids(INDEX));
    }

    public void testTheCopyOfADocumentThatStaysIsTakenBack() throws IOException {
        fill(Settings.EMPTY);
        changeWhatIsAboutToBeDeleted();
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("archived"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
        assertEquals(Set.of("4"), ids(REMOVED));
    }

    public void testWhereNothingMayBeDeletedAnyMoreNoCopyStaysAndNoneIsMade() throws IOException {
        fill(Settings.EMPTY);
        AtomicInteger copies = new AtomicInteger();
        RequestHook.onBulks(request -> {
            if (deletes(request, INDEX)) {
                block(true);
            } else if (deletes(request, REMOVED) == false) {
                copies.incrementAndGet();
            }
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 1, ARCHIVE);
        assertEquals(0, response.count("deleted"));
        assertEquals(0, response.count("archived"));
        assertEquals(RestStatus.FORBIDDEN, response.status());
        assertEquals("of the first document, and no other", 1, copies.get());
        assertEquals(Set.of(), ids(REMOVED));
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
        RequestHook.clear();
        block(false);
        assertEquals(2, delete(Float.POSITIVE_INFINITY, 1, ARCHIVE).count("deleted"));
    }

    private void block(boolean isBlocked) {
        client().admin()
                .indices()
                .prepareUpdateSettings(INDEX)
                .setSettings(Settings.builder().put(IndexMetadata.SETTING_BLOCKS_WRITE, isBlocked))
                .get();
    }

    public void testTheCopyOfADocumentWhoseDeleteIsRefusedIsTakenBack() throws IOException {
        fill(Settings.EMPTY);
        RequestHook.set(request -> request instanceof BulkRequest bulk && deletes(bulk, INDEX)
                ? RequestHook.failed(bulk, RestStatus.BAD_REQUEST)
                : null);
        JobResponse response = delete(Float.POSITIVE_INFINITY, 1, ARCHIVE);
        assertEquals(0, response.count("archived"));
        assertEquals(RestStatus.BAD_REQUEST, response.status());
        assertEquals(Set.of(), ids(REMOVED));
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    public void testNoCopyIsMadeWhenTheSurvivorHasGone() throws IOException {
        fill(Settings.EMPTY);
        AtomicInteger copies = new AtomicInteger();
        RequestHook.onBulks(request -> {
            if (request.requests().getFirst().index().equals(REMOVED) && copies.getAndIncrement() == 0) {
                client().prepareDelete(INDEX, "1").get();
                throw new OpenSearchRejectedExecutionException("no room");
            }
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("archived"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(Set.of("2", "3"), ids(INDEX));
        assertEquals(Set.of("4"), ids(REMOVED));
    }

    /** Who deleted it cannot be told: a node that died may have done it for the job. */
    public void testTheCopyOfADocumentThatIsGoneStays() throws IOException {
        fill(Settings.EMPTY);
        RequestHook.onBulks(request -> {
            if (deletes(request, INDEX) && request.numberOfActions() == 2) {
                client().prepareDelete(INDEX, "2").get();
            }
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(1, response.count("deleted"));
        assertEquals(2, response.count("archived"));
        assertEquals(Set.of("2", "4"), ids(REMOVED));
    }

    public void testTheCopyOfARunThatEndedEarlyIsAsItWasWhenTheNextCannotDeleteEither() throws IOException {
        fill(Settings.EMPTY);
        RequestHook.onBulks(request -> {
            if (deletes(request, INDEX)) {
                throw new IllegalStateException("the end");
            }
        });
        expectThrows(IllegalStateException.class, () -> delete(Float.POSITIVE_INFINITY, 100, ARCHIVE));
        assertEquals(Set.of("2", "4"), ids(REMOVED));
        Map<String, Object> left = copyOf("2");
        changeWhatIsAboutToBeDeleted();
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("archived"));
        assertEquals(left, copyOf("2"));
        Map<?, ?> origin = (Map<?, ?>) copyOf("4").get(ArchiveIndex.ORIGIN);
        assertEquals(response.run(), origin.get("run"));
    }

    private Map<String, Object> copyOf(String id) {
        client().admin().indices().prepareRefresh(REMOVED).get();
        return client().prepareSearch(REMOVED)
                .setQuery(QueryBuilders.termQuery(ArchiveIndex.ORIGIN + ".id", id))
                .get()
                .getHits()
                .getAt(0)
                .getSourceAsMap();
    }
}
