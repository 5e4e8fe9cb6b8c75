/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Indices go, or are made again, while a job waits for its turn to write. */
public class ReplacedIndexTests extends DeletingTestCase {

    /** At the first bulk request with such an operation on the index, which is rejected. */
    private void meanwhile(DocWriteRequest.OpType type, Runnable change) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.onBulks(request -> {
            if (writes(request, type) && isFirst.getAndSet(false)) {
                change.run();
                throw new OpenSearchRejectedExecutionException("no room");
            }
        });
    }

    private static boolean writes(BulkRequest request, DocWriteRequest.OpType type) {
        DocWriteRequest<?> first = request.requests().getFirst();
        return first.opType() == type && first.index().equals(INDEX);
    }

    private void drop(String index) {
        client().admin().indices().prepareDelete(index).get();
    }

    /** The same loader again: ids, sequence numbers and terms are the same, the texts are not. */
    public void testNothingOfAnIndexThatWasMadeAgainIsDeleted() throws IOException {
        fill(Settings.EMPTY);
        meanwhile(DocWriteRequest.OpType.DELETE, () -> {
            drop(INDEX);
            createIndex(INDEX);
            for (int i = 1; i <= 4; i++) {
                put(i, 0x1111L * i);
            }
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, "false");
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
        assertEquals(0, response.count("deleted"));
        assertEquals(2, response.count("version_conflicts"));
    }

    public void testTagsMakeNoIndex() throws IOException {
        fill(Settings.EMPTY);
        meanwhile(DocWriteRequest.OpType.UPDATE, () -> drop(INDEX));
        JobResponse response = run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(4, response.count("version_conflicts"));
        assertEquals("and nothing is refreshed", 0, response.failures().size());
        assertFalse(client().admin().indices().prepareExists(INDEX).get().isExists());
    }

    public void testNothingIsDeletedWithoutItsArchive() {
        fill(Settings.EMPTY);
        meanwhile(DocWriteRequest.OpType.DELETE, () -> drop(REMOVED));
        OpenSearchStatusException gone =
                expectThrows(OpenSearchStatusException.class, () -> delete(Float.POSITIVE_INFINITY, 100, ARCHIVE));
        assertEquals(RestStatus.CONFLICT, gone.status());
        assertEquals(
                "[archive] must stay as long as the job runs, and was deleted or moved, got: " + REMOVED,
                gone.getMessage());
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
        assertFalse(client().admin().indices().prepareExists(REMOVED).get().isExists());
    }

    /** A restore by the alias would not find the copies. */
    public void testNothingIsDeletedWhenTheArchiveMovedToAnotherIndex() {
        fill(Settings.EMPTY);
        createIndex("first", Settings.EMPTY);
        createIndex("second", Settings.EMPTY);
        client().admin().indices().prepareAliases().addAlias("first", REMOVED).get();
        meanwhile(
                DocWriteRequest.OpType.DELETE,
                () -> client().admin()
                        .indices()
                        .prepareAliases()
                        .removeAlias("first", REMOVED)
                        .addAlias("second", REMOVED)
                        .get());
        OpenSearchStatusException moved =
                expectThrows(OpenSearchStatusException.class, () -> delete(Float.POSITIVE_INFINITY, 100, ARCHIVE));
        assertEquals(RestStatus.CONFLICT, moved.status());
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    /** As a rollover does: the copies stay where they are found. */
    public void testAnArchiveMayRollOver() throws IOException {
        fill(Settings.EMPTY);
        createIndex("first", Settings.EMPTY);
        createIndex("second", Settings.EMPTY);
        AliasActions first = AliasActions.add().index("first").alias(REMOVED);
        AliasActions second = AliasActions.add().index("second").alias(REMOVED);
        client().admin()
                .indices()
                .prepareAliases()
                .addAliasAction(first.writeIndex(true))
                .get();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.onBulks(request -> {
            if (deletes(request, INDEX) && isFirst.getAndSet(false)) {
                client().admin()
                        .indices()
                        .prepareAliases()
                        .addAliasAction(
                                AliasActions.add().index("first").alias(REMOVED).writeIndex(false))
                        .addAliasAction(second.writeIndex(true))
                        .get();
            }
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 1, ARCHIVE);
        assertEquals(2, response.count("deleted"));
        assertEquals(Set.of("2", "4"), ids("first"));
    }
}
