/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.opensearch.OpenSearchException;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.restore.RestoreAction;

/** Whatever happens between the steps of a job that deletes: of each text a near-duplicate stays, or a copy. */
public class LastCopyTests extends DeletingTestCase {

    private static final String FIRST = "a-first";

    private final AtomicBoolean isOver = new AtomicBoolean();

    /** Once, before the first such request is carried out. */
    private void before(Predicate<BulkRequest> which, Runnable change) {
        isOver.set(false);
        RequestHook.onBulks(request -> {
            if (which.test(request) && isOver.getAndSet(true) == false) {
                change.run();
            }
        });
    }

    private static boolean isInto(BulkRequest request, String index) {
        return request.requests().stream().allMatch(item -> item.index().equals(index));
    }

    private void block(String setting) {
        client().admin()
                .indices()
                .prepareUpdateSettings(REMOVED)
                .setSettings(Settings.builder().put(setting, true))
                .get();
    }

    public void testNothingIsDeletedWhoseCopyCannotBeWritten() {
        expectFailures();
        List<Runnable> changes = List.of(
                () -> client().admin().indices().prepareClose(REMOVED).get(),
                () -> block("index.blocks.read_only_allow_delete"),
                () -> block("index.blocks.write"));
        for (int i = 0; i < changes.size(); i++) {
            fill(Settings.EMPTY);
            before(request -> isInto(request, REMOVED), changes.get(i));
            try {
                JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
                // OpenSearch takes the block of a full disk back by itself when there is room.
                assertTrue(
                        "change " + i,
                        response.count("deleted") == 0 || ids(REMOVED).equals(Set.of("2", "4")));
                assertEquals(
                        "change " + i,
                        response.count("deleted") == 0,
                        response.failures().isEmpty() == false);
            } catch (OpenSearchException | IOException e) {
                assertEquals("change " + i + ": " + e, Set.of("1", "2", "3", "4"), ids(INDEX));
            }
            assertTrue("change " + i, isOver.get());
            assertTrue("change " + i, ids(INDEX).containsAll(Set.of("1", "3")));
            RequestHook.clear();
            dropAll();
        }
    }

    /** The copies are on disk by then. */
    public void testCopiesStayWhereTheArchiveIsClosedBeforeTheDeletes() {
        fill(Settings.EMPTY);
        before(
                request -> deletes(request, INDEX),
                () -> client().admin().indices().prepareClose(REMOVED).get());
        try {
            delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        } catch (OpenSearchException | IOException e) {
            logger.info("refused", e);
        }
        RequestHook.clear();
        client().admin()
                .indices()
                .prepareOpen(REMOVED)
                .setWaitForActiveShards(1)
                .get();
        Set<String> there = new TreeSet<>(ids(INDEX));
        there.addAll(ids(REMOVED));
        assertEquals(Set.of("1", "2", "3", "4"), there);
        assertTrue(ids(INDEX).containsAll(Set.of("1", "3")));
    }

    private void dropAll() {
        for (String index : List.of(INDEX, REMOVED, FIRST)) {
            if (client().admin().indices().prepareExists(index).get().isExists()) {
                client().admin().indices().prepareDelete(index).get();
            }
        }
    }

    private void putNear(String index, String id, String routing) {
        client().prepareIndex(index)
                .setId(id)
                .setRouting(routing)
                .setSource(Map.of("simhash", given(7), "routing", "" + routing))
                .setRefreshPolicy(WriteRequest.RefreshPolicy.IMMEDIATE)
                .get();
    }

    /** The survivors are in another index, which goes, or is made again with the same documents. */
    public void testDuplicatesStayWithoutTheIndexOfTheirSurvivors() throws IOException {
        List<Runnable> changes =
                List.of(() -> client().admin().indices().prepareDelete(FIRST).get(), () -> {
                    client().admin().indices().prepareDelete(FIRST).get();
                    putNear(FIRST, "0", null);
                });
        for (int i = 0; i < changes.size(); i++) {
            for (String archive : List.of("false", ARCHIVE)) {
                putNear(FIRST, "0", null);
                putNear(INDEX, "1", null);
                putNear(INDEX, "2", null);
                before(request -> deletes(request, INDEX), changes.get(i));
                JobResponse response = run(
                        "{\"action\":\"delete\",\"verify\":false,\"archive\":" + archive + "}",
                        Float.POSITIVE_INFINITY,
                        100,
                        FIRST,
                        INDEX);
                assertTrue("change " + i, isOver.get());
                assertEquals("change " + i + ", archive " + archive, Set.of("1", "2"), ids(INDEX));
                assertEquals(2, response.count("put_back"));
                RequestHook.clear();
                dropAll();
            }
        }
    }

    /** Two documents have one id, in two shards. */
    public void testOfOneIdUnderTwoRoutingsBothCopiesComeBack() throws IOException {
        createIndex(
                INDEX,
                Settings.builder()
                        .put("index.number_of_shards", 5)
                        .put("index.number_of_replicas", 0)
                        .build());
        putNear(INDEX, "0", null);
        String[] routings = new String[2];
        int[] shards = new int[2];
        for (int i = 0; routings[1] == null; i++) {
            int shard = client().admin()
                    .cluster()
                    .prepareSearchShards(INDEX)
                    .setRouting("" + i)
                    .get()
                    .getGroups()[0]
                    .getShardId()
                    .id();
            int next = routings[0] == null ? 0 : 1;
            if (next == 0 || shard != shards[0]) {
                routings[next] = "" + i;
                shards[next] = shard;
            }
        }
        putNear(INDEX, "1", routings[0]);
        putNear(INDEX, "1", routings[1]);
        JobResponse response = delete(Float.POSITIVE_INFINITY, randomFrom(1, 100), ARCHIVE);
        assertEquals(2, response.count("deleted"));
        assertEquals(2, response.count("archived"));
        client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX},
                                response.run(),
                                REMOVED,
                                null,
                                new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet();
        Set<String> found = new TreeSet<>();
        client().admin().indices().prepareRefresh(INDEX).get();
        SearchResponse all = client().prepareSearch(INDEX).get();
        all.getHits()
                .forEach(hit -> found.add(hit.getId() + hit.getSourceAsMap().get("routing")));
        assertEquals(Set.of("0null", "1" + routings[0], "1" + routings[1]), found);
    }

    /** Two jobs over parts of an index, of which each keeps what the other deletes; the second runs when the first is about to. */
    public void testOfTwoJobsAtOnceNeitherDeletesTheLastCopy() throws IOException {
        String[] parts = {"[\"1\",\"2\",\"3\"]", "[\"2\",\"3\"]", "[\"1\",\"2\"]", "[\"1\",\"3\"]"};
        for (String first : parts) {
            for (String second : parts) {
                String archive = randomFrom("false", ARCHIVE);
                for (String id : List.of("1", "2", "3")) {
                    putNear(INDEX, id, null);
                }
                AtomicBoolean isInner = new AtomicBoolean();
                before(request -> isInner.get() == false && deletes(request, INDEX), () -> {
                    isInner.set(true);
                    try {
                        run(job(second, archive), Float.POSITIVE_INFINITY, 100);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
                run(job(first, archive), Float.POSITIVE_INFINITY, 100);
                RequestHook.clear();
                Set<String> left = ids(INDEX);
                assertFalse(first + " and " + second + ", archive " + archive, left.isEmpty());
                if (archive.equals(ARCHIVE)) {
                    left.addAll(ids(REMOVED));
                    assertEquals(first + " and " + second, Set.of("1", "2", "3"), left);
                }
                dropAll();
            }
        }
    }

    private static String job(String ids, String archive) {
        return "{\"action\":\"delete\",\"verify\":false,\"archive\":" + archive + ",\"query\":{\"ids\":{\"values\":"
                + ids + "}}}";
    }
}
