/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.restore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.opensearch.action.admin.indices.refresh.RefreshRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.options.WritePace;

/** What comes back is what was deleted, whatever becomes of other documents that are written there. */
public class RestoreTests extends DeletingTestCase {

    public void testNoPipelineTakesPart() throws IOException {
        client().admin()
                .cluster()
                .preparePutPipeline("drop", new BytesArray("{\"processors\":[{\"drop\":{}}]}"), MediaTypeRegistry.JSON)
                .get();
        createIndex(
                REMOVED,
                Settings.builder()
                        .put(IndexSettings.FINAL_PIPELINE.getKey(), "drop")
                        .build());
        fill(Settings.EMPTY);
        client().admin()
                .indices()
                .prepareUpdateSettings(INDEX)
                .setSettings(Settings.builder().put(IndexSettings.FINAL_PIPELINE.getKey(), "drop"))
                .get();
        JobResponse deleted = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(2, deleted.count("archived"));
        assertEquals(Set.of("1", "3"), ids(INDEX));
        assertEquals(2, restore(deleted.run()).get("restored"));
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    /** A job that is cancelled, or whose node dies, refreshes no archive. */
    public void testCopiesThatNobodyHasSeenYetComeBack() throws IOException {
        createIndex(
                REMOVED,
                Settings.builder()
                        .put(IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.getKey(), "-1")
                        .build());
        fill(Settings.EMPTY);
        RequestHook.set(request -> {
            if (request instanceof RefreshRequest) {
                throw new IllegalStateException("as told");
            }
            return null;
        });
        JobResponse deleted = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        RequestHook.clear();
        assertEquals(2, deleted.count("deleted"));
        assertEquals(2, restore(deleted.run()).get("restored"));
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    public void testNoIndexIsMadeAgain() throws IOException {
        fill(Settings.EMPTY);
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest) {
                RequestHook.clear();
                client().admin().indices().prepareDelete(INDEX).get();
            }
            return null;
        });
        Map<String, Object> answer = restore(run);
        assertEquals(0, answer.get("restored"));
        assertEquals(2, ((List<?>) answer.get("failures")).size());
        assertFalse(client().admin().indices().prepareExists(INDEX).get().isExists());
    }

    /** Whether a bulk brings documents back; else it notes in the archive that the run was restored. */
    private static boolean isOfCopies(BulkRequest bulk) {
        return bulk.requests().getFirst().index().equals(INDEX);
    }

    private Map<String, Object> restore(String run) {
        return restoreFrom(REMOVED, run);
    }

    private Map<String, Object> restoreFrom(String archive, String run) {
        JobResponse restored = client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, archive, null, new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet();
        return XContentHelper.convertToMap(JsonXContent.jsonXContent, restored.toString(), true);
    }

    public void testTheTaskShowsHowManyCopiesThereAreAndHowManyAreRead() throws IOException {
        fill(Settings.EMPTY);
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        List<JobStatus> seen = new ArrayList<>();
        RequestHook.set(request -> {
            if ((request instanceof BulkRequest bulk && isOfCopies(bulk)) || request instanceof RefreshRequest) {
                seen.add(status());
            }
            return null;
        });
        client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 1)))
                .actionGet();
        RequestHook.clear();
        assertEquals(
                "before they are looked for, two times one, and the end",
                List.of(0L, 2L, 2L, 2L),
                seen.stream().map(JobStatus::documents).toList());
        assertEquals(List.of(0L, 0L, 1L, 2L), seen.stream().map(JobStatus::read).toList());
        assertEquals(0, seen.getLast().remaining());
    }

    public void testWhatIsNoArchiveIsNamed() throws IOException {
        fill(Settings.EMPTY);
        createIndex("notes");
        IllegalArgumentException e =
                expectThrows(IllegalArgumentException.class, () -> restoreFrom("notes", "any run"));
        assertEquals(
                "[archive] must be an index that a job copied documents into before it deleted them, got: notes, which has"
                        + " no copies",
                e.getMessage());
    }

    public void testEndsWhereNothingCanBeWritten() throws IOException {
        fill(Settings.EMPTY);
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        AtomicInteger bulks = failBulks();
        JobResponse restored = client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 1)))
                .actionGet();
        assertEquals("one request, and no other", 1, bulks.get());
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, restored.status());
    }

    public void testWhatFailsAfterADocumentIsBackEndsTheRestoreThatTellsWhatItDid() throws IOException {
        fill(Settings.EMPTY);
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        AtomicInteger bulks = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof BulkRequest) {
                bulks.incrementAndGet();
            } else if (request instanceof SearchRequest && bulks.get() > 0) {
                throw new IllegalStateException("as told");
            }
            return null;
        });
        JobResponse restored = client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 1)))
                .actionGet();
        RequestHook.clear();
        assertEquals(RestStatus.INTERNAL_SERVER_ERROR, restored.status());
        assertTrue(restored.toString(), restored.toString().contains("\"restored\":1"));
        assertTrue(restored.toString(), restored.toString().contains("the job ends early: "));
        assertEquals(3, ids(INDEX).size());
    }

    public void testLargeDocumentsComeBackInSlicesOnTheBreakersAccount() throws IOException {
        int documents = 33;
        int length = 300_000;
        createIndex(INDEX);
        client().admin()
                .indices()
                .preparePutMapping(INDEX)
                .setSource(Map.of("properties", Map.of("text", Map.of("type", "object", "enabled", false))))
                .get();
        for (int i = 1; i <= documents; i++) {
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", given(7), "text", "x".repeat(length)))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        String run = delete(Float.POSITIVE_INFINITY, 1_000, ARCHIVE).run();
        assertEquals(Set.of("1"), ids(INDEX));
        CircuitBreaker breaker =
                getInstanceFromNode(CircuitBreakerService.class).getBreaker(CircuitBreaker.REQUEST);
        AtomicLong accounted = new AtomicLong(Long.MAX_VALUE);
        AtomicLong mostAccounted = new AtomicLong();
        RequestHook.onBulks(request -> {
            if (isOfCopies(request)) {
                accounted.accumulateAndGet(breaker.getUsed(), Math::min);
                mostAccounted.accumulateAndGet(breaker.getUsed(), Math::max);
            }
        });
        JobResponse restored = client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX},
                                run,
                                REMOVED,
                                null,
                                new WritePace(Float.POSITIVE_INFINITY, 1_000)))
                .actionGet();
        assertTrue(restored.toString(), restored.toString().contains("\"restored\":" + (documents - 1)));
        assertEquals(documents, ids(INDEX).size());
        assertTrue("each slice is paid for: " + accounted, accounted.get() >= 4L * length);
        assertTrue("and not all at once: " + mostAccounted, mostAccounted.get() < 4L * 20 * length);
        assertEquals(0, breaker.getUsed());
    }

    public void testLargeDocumentsBehindManySmallOnesComeBack() throws IOException {
        fillUnevenly("x", "x".repeat(200_000));
        String run = delete(Float.POSITIVE_INFINITY, 1_000, ARCHIVE).run();
        limitRequests("30mb");
        try {
            JobResponse restored = client().execute(
                            RestoreAction.INSTANCE,
                            new RestoreAction.Request(
                                    new String[] {INDEX},
                                    run,
                                    REMOVED,
                                    null,
                                    new WritePace(Float.POSITIVE_INFINITY, 1_000)))
                    .actionGet();
            assertTrue(restored.toString(), restored.toString().contains("\"restored\":359"));
        } finally {
            limitRequests(null);
        }
    }

    /** An index that is named beside its alias is seen as a whole. */
    public void testNothingComesBackThroughAnAliasThatShowsAPart() throws IOException {
        fill(Settings.EMPTY);
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        client().admin()
                .indices()
                .prepareAliases()
                .addAlias(REMOVED, "some-removed", QueryBuilders.idsQuery().addIds("2"))
                .get();
        Exception e = expectThrows(IllegalArgumentException.class, () -> restoreFrom("some-*", run));
        assertEquals(
                "[archive] must be an index, or an alias without filter and routing, got: some-removed, which has a"
                        + " filter in [" + REMOVED + "]",
                e.getMessage());
        assertEquals(Set.of("1", "3"), ids(INDEX));
        assertEquals(2, restoreFrom("*removed", run).get("restored"));
    }

    public void testNumbersComeBackAsTheyWereWritten() throws IOException {
        String source =
                "{\"price\": 1.10, \"exact\":1234567890123456789.25,\"simhash\":{\"hash\":\"0000000000000000\",\"bits\":0,\"scheme\":\"given-a\"} } ";
        fill(Settings.EMPTY);
        client().prepareIndex(INDEX)
                .setId("2")
                .setSource(source, XContentType.JSON)
                .get();
        client().admin().indices().prepareRefresh(INDEX).get();
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        assertEquals(Set.of("1", "3"), ids(INDEX));
        client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet();
        assertEquals(source, client().prepareGet(INDEX, "2").get().getSourceAsString());
    }

    /** What maps strings by itself makes texts of them, which are whole only below. */
    public void testCopiesComeBackFromAnArchiveThatWasReindexed() throws IOException {
        String source = "copies-of";
        createIndex(source);
        createIndex(INDEX);
        for (String index : List.of(source, INDEX)) {
            for (int i = 1; i <= 2; i++) {
                client().prepareIndex(index)
                        .setId(index + i)
                        .setSource(Map.of("simhash", given(7), "tenant", index))
                        .get();
            }
        }
        client().admin().indices().prepareRefresh(source, INDEX).get();
        JobResponse deleted = run(
                "{\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE + ",\"same\":[\"tenant\"]}",
                Float.POSITIVE_INFINITY,
                100,
                source,
                INDEX);
        assertEquals(2, deleted.count("deleted"));
        for (SearchHit copy : client().prepareSearch(REMOVED).get().getHits()) {
            client().prepareIndex("moved")
                    .setId(copy.getId())
                    .setSource(copy.getSourceRef(), XContentType.JSON)
                    .get();
        }
        client().admin().indices().prepareRefresh("moved").get();
        JobResponse restored = client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {source},
                                deleted.run(),
                                "moved",
                                null,
                                new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet();
        assertTrue(restored.toString(), restored.toString().contains("\"restored\":1"));
        assertEquals(2, ids(source).size());
        assertEquals(
                "not those of an index with a word more",
                1,
                restoreFrom("moved", deleted.run()).get("documents"));
    }

    public void testAPatternThatMatchesNoArchiveIsNoIndex() {
        createIndex(INDEX);
        Exception e = expectThrows(IndexNotFoundException.class, () -> restoreFrom("nope-*", "run"));
        assertEquals("no such index [nope-*]", e.getMessage());
    }

    public void testABrokenCopyIsOneOfTheFailures() throws IOException {
        fill(Settings.EMPTY);
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        List<Map<String, Object>> broken = List.of(
                Map.of("run", run, "index", INDEX),
                Map.of("run", run, "index", INDEX, "id", 7),
                Map.of("run", run, "index", INDEX, "id", ""),
                Map.of("run", run, "index", INDEX, "id", "x".repeat(513)),
                Map.of("run", run, "index", INDEX, "id", "x", "routing", List.of("a", "b")),
                Map.of("run", run, "index", List.of(INDEX, "other"), "id", "x"),
                Map.of("run", List.of(run, "other"), "index", INDEX, "id", "x"));
        for (int i = 0; i < broken.size(); i++) {
            client().prepareIndex(REMOVED)
                    .setId("broken" + i)
                    .setSource(Map.of("simhash_archive", broken.get(i)))
                    .get();
        }
        client().prepareIndex(REMOVED)
                .setId("broken7")
                .setSource(Map.of("simhash_archive.run", run, "simhash_archive.index", INDEX))
                .get();
        JobResponse restored = client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet();
        assertEquals(2, restored.count("restored"));
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
        assertEquals(
                Set.of("broken0", "broken1", "broken2", "broken3", "broken4", "broken5", "broken6", "broken7"),
                restored.failures().stream().map(JobOutcome.WriteFailure::id).collect(Collectors.toSet()));
        for (JobOutcome.WriteFailure failure : restored.failures()) {
            assertEquals(RestStatus.BAD_REQUEST, failure.status());
            assertTrue(
                    failure.reason(),
                    failure.reason()
                            .startsWith(
                                    "[simhash_archive] of a copy must have its one [run], [index] and [id], got: {"));
        }
    }
}
