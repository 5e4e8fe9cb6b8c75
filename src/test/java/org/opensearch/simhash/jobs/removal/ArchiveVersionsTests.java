/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.archive.ArchivedSource;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.restore.RestoreAction;

/** What an archive has under the id of a document already: an earlier version, or what a run has left that ended early. */
public class ArchiveVersionsTests extends DeletingTestCase {

    private static final String OLDER = REMOVED + "-1";
    private static final String WRITTEN = REMOVED + "-2";

    private void rolledOver() {
        createIndex(OLDER);
        createIndex(WRITTEN);
        client().admin()
                .indices()
                .prepareAliases()
                .addAliasAction(AliasActions.add().index(OLDER).alias(REMOVED))
                .addAliasAction(AliasActions.add().index(WRITTEN).alias(REMOVED).writeIndex(true))
                .get();
    }

    private void endsEarly() {
        RequestHook.onBulks(request -> {
            if (request.requests().getFirst().index().equals(INDEX)) {
                throw new IllegalStateException("the end");
            }
        });
        expectThrows(IllegalStateException.class, () -> delete(Float.POSITIVE_INFINITY, 100, ARCHIVE));
        RequestHook.clear();
    }

    public void testAnAliasOfSeveralIndicesTakesOverWhatWasLeft() throws IOException {
        rolledOver();
        fill(Settings.EMPTY);
        endsEarly();
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(2, response.count("deleted"));
        assertEquals(Set.of("1", "3"), ids(INDEX));
        assertEquals(Set.of("2", "4"), ids(WRITTEN));
        assertEquals(Set.of(), ids(OLDER));
    }

    public void testAnAliasOfSeveralIndicesKeepsEarlierVersions() throws IOException {
        rolledOver();
        fill(Settings.EMPTY);
        delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        put(2, 1);
        client().admin().indices().prepareRefresh(INDEX).get();
        assertEquals(1, delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).count("deleted"));
        assertEquals(3, ids(WRITTEN).size());
    }

    public void testNothingIsCopiedWhereNobodyKnowsWhetherAnIdIsFree() throws IOException {
        createIndex(REMOVED, Settings.builder().put("index.blocks.read", true).build());
        fill(Settings.EMPTY);
        AtomicInteger bulks = new AtomicInteger();
        RequestHook.onBulks(request -> bulks.incrementAndGet());
        String answer = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).toString();
        assertTrue(answer, answer.contains("[archive] cannot be read: "));
        assertEquals(0, bulks.get());
    }

    public void testVersionsOfLongIdsHaveIdsThatAreNotTooLong() throws IOException {
        String id = "x".repeat(510);
        for (int version = 0; version < 2; version++) {
            for (String each : Set.of("1", id)) {
                client().prepareIndex(INDEX)
                        .setId(each)
                        .setSource(Map.of("simhash", given(version)))
                        .get();
            }
            client().admin().indices().prepareRefresh(INDEX).get();
            assertEquals(1, delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).count("deleted"));
        }
        assertEquals(Set.of(510, 64), ids(REMOVED).stream().map(String::length).collect(Collectors.toSet()));
    }

    /** Shards number their documents alike, and anybody may choose an id that a copy has. */
    public void testADocumentWithTheIdOfACopyOfAnotherOneTakesNothingOver() throws IOException {
        createIndex(INDEX, Settings.builder().put("index.number_of_shards", 2).build());
        IndexMetadata index = client().admin()
                .cluster()
                .prepareState()
                .get()
                .getState()
                .metadata()
                .index(INDEX);
        String kept = "!kept"; // the lowest id survives
        int shard = OperationRouting.generateShardId(index, kept, null);
        String copied = IntStream.range(0, 1_000)
                .mapToObj(i -> "copied-" + i)
                .filter(id -> OperationRouting.generateShardId(index, id, null) != shard)
                .filter(id -> OperationRouting.generateShardId(index, copyOf(index, id), null) == shard)
                .findFirst()
                .orElseThrow();
        put(kept, 0);
        put(inShard(index, 1 - shard, 0), -1);
        for (int version = 0; version < 2; version++) {
            put(copied, 0);
            JobResponse deleted = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
            assertEquals(deleted.toString(), 1, deleted.count("deleted"));
        }
        assertEquals(Set.of(copied, copyOf(index, copied)), ids(REMOVED));
        put(inShard(index, shard, 0), 0x5555_5555_5555_5555L);
        put(inShard(index, shard, 1), 0x3333_3333_3333_3333L);
        put(copyOf(index, copied), 0);
        assertEquals(1, delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).count("deleted"));
        assertTrue(ids(INDEX).contains(kept));
        assertEquals(3, ids(REMOVED).size());
        Map<String, Object> source =
                client().prepareGet(REMOVED, copyOf(index, copied)).get().getSourceAsMap();
        assertEquals(copied, ArchivedSource.origin(source).get("id"));
    }

    private static String inShard(IndexMetadata index, int shard, int number) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "other-" + i)
                .filter(id -> OperationRouting.generateShardId(index, id, null) == shard)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    /** The id of the copy of a fourth operation on a shard. */
    private static String copyOf(IndexMetadata index, String id) {
        return index.getIndexUUID() + "/" + id + "/1/3";
    }

    private void put(String id, long bits) {
        client().prepareIndex(INDEX)
                .setId(id)
                .setSource(Map.of("simhash", given(bits)))
                .get();
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    private JobResponse restore(String run) {
        return client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet();
    }

    /** Runs a second job at the first request of this kind of the first one. Both see the same versions. */
    private List<JobResponse> twoAtOnce(Predicate<ActionRequest> moment) throws Exception {
        fill(Settings.EMPTY);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.set(request -> {
            if (moment.test(request) && isFirst.getAndSet(false)) {
                reached.countDown();
                try {
                    assertTrue(goOn.await(1, TimeUnit.MINUTES));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return null;
        });
        ActionFuture<JobResponse> first = start(
                "{\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE + "}", Float.POSITIVE_INFINITY, 100);
        try {
            assertTrue(reached.await(1, TimeUnit.MINUTES));
            JobResponse second = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
            goOn.countDown();
            return List.of(first.actionGet(), second);
        } finally {
            goOn.countDown();
        }
    }

    private void assertEachRestoresWhatItDeleted(JobResponse deleting, JobResponse other) {
        assertEquals(2, deleting.count("deleted"));
        assertEquals(2, deleting.count("archived"));
        assertEquals(0, other.count("deleted"));
        assertEquals(0, other.count("archived"));
        assertEquals(2, other.count("version_conflicts"));
        assertEquals(List.of(), other.failures());
        expectThrows(ResourceNotFoundException.class, () -> restore(other.run()));
        assertEquals(2, restore(deleting.run()).count("restored"));
    }

    public void testCopiesOfARunningJobStayItsOwn() throws Exception {
        List<JobResponse> both = twoAtOnce(request -> request instanceof BulkRequest bulk && deletes(bulk, INDEX));
        assertEachRestoresWhatItDeleted(both.get(0), both.get(1));
    }

    public void testCopiesOfAJobThatHasEndedStayItsOwn() throws Exception {
        List<JobResponse> both = twoAtOnce(request -> request instanceof MultiGetRequest gets
                && gets.getItems().getFirst().index().equals(REMOVED));
        assertEachRestoresWhatItDeleted(both.get(1), both.get(0));
    }

    public void testACopyNeverHasTheIdOfANote() throws IOException {
        fill(Settings.EMPTY);
        String first = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        for (String id : List.of("a", "restored/" + first)) {
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setSource(Map.of("simhash", given(255L << 20)))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse second = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(1, second.count("deleted"));
        assertEquals(2, restore(first).count("restored"));
        JobResponse restored = restore(second.run());
        assertEquals(List.of(), restored.warnings());
        assertEquals(1, restored.count("restored"));
        assertTrue(ids(INDEX).containsAll(Set.of("a", "restored/" + first)));
    }
}
