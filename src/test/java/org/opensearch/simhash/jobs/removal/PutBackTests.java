/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.admin.indices.datastream.CreateDataStreamAction;
import org.opensearch.action.admin.indices.datastream.DeleteDataStreamAction;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequestBuilder;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.DataStream;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.IndexSettings;
import org.opensearch.simhash.jobs.DeduplicateAction;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.write.BulkWrites;

/** A survivor changes after it was confirmed, and before its duplicates are deleted: they are put back. */
public class PutBackTests extends DeletingTestCase {

    /** Before the first request that deletes is carried out; its survivors were confirmed. */
    private static void atTheFirstDelete(Runnable change) {
        atTheFirstDelete(change, putBack -> {});
    }

    private static void atTheFirstDelete(Runnable change, Consumer<BulkRequest> beforePuttingBack) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.onBulks(request -> {
            if (deletes(request, INDEX) && isFirst.getAndSet(false)) {
                change.run();
            } else if (puts(request)) {
                beforePuttingBack.accept(request);
            }
        });
    }

    private static boolean puts(BulkRequest request) {
        DocWriteRequest<?> first = request.requests().getFirst();
        return first.opType() == DocWriteRequest.OpType.CREATE && first.index().equals(INDEX);
    }

    public void testADuplicateWhoseSurvivorChangedIsThereAgain() throws IOException {
        fill(Settings.EMPTY);
        Map<String, Object> before = client().prepareGet(INDEX, "2").get().getSourceAsMap();
        boolean isArchived = randomBoolean();
        atTheFirstDelete(() -> put(1, 5));
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, isArchived ? ARCHIVE : "false");
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
        assertEquals(before, client().prepareGet(INDEX, "2").get().getSourceAsMap());
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("put_back"));
        assertEquals(0, response.failures().size());
        assertEquals(
                List.of("[" + INDEX
                        + "] [1] changed, or could not be read, while its duplicates were deleted: put back 1"),
                response.warnings());
        if (isArchived) {
            assertEquals("no copy of what is there", Set.of("4"), ids(REMOVED));
            assertEquals(1, response.count("archived"));
        }
    }

    public void testADuplicateWhoseSurvivorIsGoneIsThereAgain() throws IOException {
        fill(Settings.EMPTY);
        atTheFirstDelete(() -> client().prepareDelete(INDEX, "1").get());
        assertEquals(1, delete(Float.POSITIVE_INFINITY, 100, "false").count("put_back"));
        assertEquals(Set.of("2", "3"), ids(INDEX));
    }

    /** However large the pages are: the rest of a large group stays. */
    public void testOfALargeGroupOnlyTheDeletesOfOneRequestArePutBack() throws IOException {
        createIndex(INDEX);
        BulkRequestBuilder fill = client().prepareBulk();
        for (int id = 1; id <= 3_500; id++) {
            fill.add(client().prepareIndex(INDEX).setId("" + id).setSource(Map.of("simhash", given(7))));
        }
        assertFalse(fill.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
        AtomicInteger largest = new AtomicInteger();
        AtomicInteger deletes = new AtomicInteger();
        RequestHook.onBulks(request -> {
            if (deletes(request, INDEX)) {
                largest.accumulateAndGet(request.numberOfActions(), Math::max);
                if (deletes.incrementAndGet() == 2) {
                    put(1, -1L);
                }
            }
        });
        JobResponse response = run(
                "{\"action\":\"delete\",\"verify\":false,\"archive\":false,\"max_group_size\":10000}",
                Float.POSITIVE_INFINITY,
                10_000);
        assertEquals(1_000, largest.get());
        assertEquals(2, deletes.get());
        assertEquals(1_000, response.count("deleted"));
        assertEquals(1_000, response.count("put_back"));
        assertEquals(1_499, response.count("version_conflicts"));
        client().admin().indices().prepareRefresh(INDEX).get();
        long left = client().prepareSearch(INDEX)
                .setTrackTotalHits(true)
                .get()
                .getHits()
                .getTotalHits()
                .value();
        assertEquals(2_500, left);
    }

    public void testNothingIsPutBackOverANewerDocument() throws IOException {
        fill(Settings.EMPTY);
        atTheFirstDelete(() -> put(1, 5), request -> put(2, 77));
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(0, response.count("put_back"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(
                Map.of("simhash", new HashMap<>(Map.of("hash", "000000000000004d", "bits", 77, "scheme", "given-a"))),
                client().prepareGet(INDEX, "2").get().getSourceAsMap());
        assertEquals("what the other document took the id of is in the archive", Set.of("2", "4"), ids(REMOVED));
    }

    public void testADocumentIsPutBackAsItWas() throws IOException {
        String pipeline = "{\"processors\":[{\"set\":{\"field\":\"by\",\"value\":\"a pipeline\"}}]}";
        client().admin()
                .cluster()
                .preparePutPipeline("stamp", new BytesArray(pipeline), MediaTypeRegistry.JSON)
                .get();
        createIndex(
                INDEX,
                Settings.builder()
                        .put("index.number_of_shards", 5)
                        .put(IndexSettings.DEFAULT_PIPELINE.getKey(), "stamp")
                        .put(IndexSettings.FINAL_PIPELINE.getKey(), "stamp")
                        .build());
        String source =
                " {\"n\": 1.10, \"simhash\": {\"hash\":\"0000000000000000\",\"bits\":0,\"scheme\":\"given-a\"} }";
        for (String id : List.of("1", "2")) {
            IndexRequestBuilder each = client().prepareIndex(INDEX)
                    .setId(id)
                    .setRouting("some/where" + id)
                    .setSource(source, XContentType.JSON);
            BulkRequest bulk = new BulkRequest();
            bulk.add(BulkWrites.asItIs(each.request()));
            assertFalse(client().bulk(bulk).actionGet().hasFailures());
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        atTheFirstDelete(() ->
                client().prepareDelete(INDEX, "1").setRouting("some/where1").get());
        assertEquals(1, delete(Float.POSITIVE_INFINITY, 100, "false").count("put_back"));
        GetResponse there =
                client().prepareGet(INDEX, "2").setRouting("some/where2").get();
        assertEquals(source, there.getSourceAsString());
    }

    public void testACancelledJobPutsBack() throws Exception {
        fill(Settings.EMPTY);
        atTheFirstDelete(() -> {
            put(1, 5);
            client().admin()
                    .cluster()
                    .prepareCancelTasks()
                    .setActions(DeduplicateAction.NAME)
                    .get();
        });
        ActionFuture<JobResponse> job = start(
                "{\"action\":\"delete\",\"verify\":false,\"archive\":" + randomFrom("false", ARCHIVE) + "}",
                Float.POSITIVE_INFINITY,
                100);
        TaskCancelledException cancelled = expectThrows(TaskCancelledException.class, job::actionGet);
        assertTrue(cancelled.getMessage(), cancelled.getMessage().contains("1 put_back"));
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
    }

    /** As when a node dies that has deleted and has not said so. */
    public void testADeleteWithoutAnAnswerIsPutBack() throws IOException {
        fill(Settings.EMPTY);
        RequestHook.set(request -> {
            if (request instanceof BulkRequest bulk && deletes(bulk, INDEX)) {
                RequestHook.clear();
                put(1, 5);
                client().prepareDelete(INDEX, "2").get();
                return RequestHook.failed(bulk, RestStatus.INTERNAL_SERVER_ERROR);
            }
            return null;
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, randomFrom("false", ARCHIVE));
        assertEquals(1, response.count("put_back"));
        assertEquals(0, response.count("deleted"));
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    public void testPuttingBackIsTriedAgain() throws IOException {
        fill(Settings.EMPTY);
        AtomicInteger tries = new AtomicInteger();
        atTheFirstDelete(() -> put(1, 5), request -> {
            if (tries.getAndIncrement() == 0) {
                throw new OpenSearchRejectedExecutionException("no room");
            }
        });
        assertEquals(1, delete(Float.POSITIVE_INFINITY, 100, "false").count("put_back"));
        assertEquals(2, tries.get());
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
    }

    public void testWhatCannotBePutBackIsAFailureAndItsCopyStays() throws IOException {
        fill(Settings.EMPTY);
        atTheFirstDelete(() -> put(1, 5), request -> {
            throw new IllegalArgumentException("as told");
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(0, response.count("put_back"));
        assertEquals(2, response.count("deleted"));
        assertEquals("2", response.failures().getFirst().id());
        assertTrue(
                response.toString(),
                response.failures()
                        .getFirst()
                        .reason()
                        .startsWith("deleted while its survivor changed, and not put back: "));
        assertEquals(Set.of("2", "4"), ids(REMOVED));
    }

    public void testNothingIsPutBackIntoAnIndexThatIsGone() throws IOException {
        fill(Settings.EMPTY);
        RequestHook.set(request -> {
            if (request instanceof BulkRequest bulk && deletes(bulk, INDEX)) {
                client().admin().indices().prepareDelete(INDEX).get();
                return RequestHook.failed(bulk, RestStatus.SERVICE_UNAVAILABLE);
            }
            return null;
        });
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, "false");
        assertEquals(0, response.count("put_back"));
        assertEquals(2, response.count("version_conflicts"));
        assertFalse(client().admin().indices().prepareExists(INDEX).get().isExists());
    }

    public void testADocumentOfADataStreamIsPutBackIntoIt() throws Exception {
        String stream = "events";
        ComposableIndexTemplate template = new ComposableIndexTemplate(
                List.of(stream), null, null, null, null, null, new ComposableIndexTemplate.DataStreamTemplate());
        client().execute(
                        PutComposableIndexTemplateAction.INSTANCE,
                        new PutComposableIndexTemplateAction.Request(stream).indexTemplate(template))
                .get();
        client().admin()
                .indices()
                .createDataStream(new CreateDataStreamAction.Request(stream))
                .get();
        try {
            String backing = DataStream.getDefaultBackingIndexName(stream, 1);
            for (int id = 1; id <= 2; id++) {
                Map<String, Object> simhash = given(0);
                client().prepareIndex(stream)
                        .setId("" + id)
                        .setCreate(true)
                        .setSource(Map.of("@timestamp", "2020-01-01", "simhash", simhash))
                        .get();
            }
            client().admin().indices().prepareRefresh(stream).get();
            RequestHook.onBulks(request -> {
                if (deletes(request, backing)
                        && request.requests().getFirst().id().equals("2")) {
                    client().prepareDelete(backing, "1").get();
                }
            });
            JobResponse response = run(
                    "{\"action\":\"delete\",\"verify\":false,\"archive\":false}", Float.POSITIVE_INFINITY, 100, stream);
            RequestHook.clear();
            assertEquals(response.toString(), 1, response.count("put_back"));
            assertEquals(Set.of("2"), ids(stream));
        } finally {
            client().admin()
                    .indices()
                    .deleteDataStream(new DeleteDataStreamAction.Request(new String[] {stream}))
                    .get();
        }
    }

    /** Nobody could put a document back, nor tell whether its hash is still that of what is stored. */
    public void testWithoutASourceNothingIsDeleted() throws IOException {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(Map.of("_source", Map.of("enabled", false)))
                .get();
        put(1, 0);
        put(2, 0);
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse response = delete(Float.POSITIVE_INFINITY, 100, "false");
        assertEquals(RestStatus.OK, response.status());
        assertEquals(0, response.count("deleted"));
        assertEquals(1, response.count("stale_fingerprint"));
        assertTrue(
                response.warnings().toString(), response.warnings().getFirst().contains("cannot be made again"));
    }
}
