/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.admin.indices.flush.FlushRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexSettings;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.arrivals.durable.DurabilityAnswers;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Nothing is deleted for a document that a crash may lose: neither for a survivor, nor for a copy in the archive. */
public class DurableSurvivorTests extends DeletingTestCase {

    /** What is written is in memory until somebody flushes. */
    private static final Settings ASYNC = Settings.builder()
            .put(IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.getKey(), "async")
            .put(IndexSettings.INDEX_TRANSLOG_SYNC_INTERVAL_SETTING.getKey(), "1h")
            .build();

    private final AtomicInteger flushes = new AtomicInteger();
    private final AtomicBoolean isOnDisk = new AtomicBoolean();
    private final AtomicBoolean isDeletedTooEarly = new AtomicBoolean();

    /** The first flush fails. */
    private void watch() {
        RequestHook.set(request -> {
            if (request instanceof FlushRequest) {
                if (flushes.getAndIncrement() == 0) {
                    throw new OpenSearchStatusException("as told", RestStatus.FORBIDDEN);
                }
                isOnDisk.set(true);
            }
            if (request instanceof BulkRequest bulk && deletes(bulk, INDEX) && isOnDisk.get() == false) {
                isDeletedTooEarly.set(true);
            }
            return null;
        });
    }

    public void testASurvivorThatIsNotOnDiskIsWaitedFor() throws IOException {
        fill(ASYNC);
        watch();
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, randomFrom("false", ARCHIVE));
        assertFalse(isDeletedTooEarly.get());
        assertEquals(2, flushes.get());
        assertEquals(2, response.count("deleted"));
        assertEquals(0, response.failures().size());
        assertEquals(0, response.count("unconfirmed"));
    }

    public void testACopyThatIsNotOnDiskIsWaitedFor() throws IOException {
        createIndex(REMOVED, ASYNC);
        fill(Settings.EMPTY);
        watch();
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertFalse(isDeletedTooEarly.get());
        assertEquals(2, flushes.get());
        assertEquals(2, response.count("deleted"));
        assertEquals(2, response.count("archived"));
    }

    /** Once the patience of a job is at its end the next question is asked once. */
    public void testDuplicatesOfASurvivorThatCannotBeConfirmedStay() throws IOException {
        expectFailures();
        fill(Settings.EMPTY);
        List<Durability> told = new ArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof DurabilityAction.Request question) {
                boolean isFirst = question.versions().getFirst().id().equals("1");
                told.add(isFirst ? Durability.PENDING : Durability.UNKNOWN);
                return DurabilityAnswers.toAll(question, told.getLast());
            }
            return null;
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 1, "false");
        RequestHook.clear();
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
        assertEquals(0, response.count("deleted"));
        assertEquals(0, response.count("version_conflicts"));
        assertEquals(2, response.count("unconfirmed"));
        assertEquals("eleven times again for the first one", 1 + 11 + 1, told.size());
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, response.status());
        assertEquals(
                List.of(
                        "the job ends early: no primary shard tells of [3]",
                        "its last write may get lost in a crash yet: its duplicates stay",
                        "not read: its duplicates stay"),
                response.failures().stream()
                        .map(JobOutcome.WriteFailure::reason)
                        .toList());
    }

    public void testWithoutAnAnswerAboutTheCopiesTheJobEnds() throws IOException {
        expectFailures();
        fill(Settings.EMPTY);
        AtomicInteger asked = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof DurabilityAction.Request question) {
                asked.incrementAndGet();
                return DurabilityAnswers.toAll(question, Durability.UNKNOWN);
            }
            return null;
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 1, ARCHIVE);
        RequestHook.clear();
        assertEquals(0, response.count("deleted"));
        assertEquals("the job ends", 1 + 11, asked.get());
        assertNull(response.failures().getFirst().id());
        assertEquals("no copy of what stays", Set.of(), ids(REMOVED));
    }
}
