/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BiConsumer;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.index.IndexResponse;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.plugins.IngestPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.image.TestImages;
import org.opensearch.simhash.desk.metrics.NodeCounts;
import org.opensearch.simhash.search.ingest.FingerprintCounts.FingerprintCount;
import org.opensearch.tasks.Task;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/** A node with one thread that writes, one that decodes images, and a queue of two. */
public class ImageThreadsTests extends OpenSearchSingleNodeTestCase {

    private static final String OVER_BUDGET = "the images of a bulk, or of a client, must be decoded in at most"
            + " [plugins.simhash.image_hash.max_bulk_time] 0s of a processor's time, got more: send fewer at once";

    private static final String IMAGE = TestImages.base64(TestImages.write("jpeg", TestImages.draw(3, 2000, 1500)));

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, ThrowingPlugin.class);
    }

    @Override
    protected Settings nodeSettings() {
        return Settings.builder()
                .put("thread_pool.write.size", 1)
                .put("thread_pool.simhash_image.size", 1)
                .put("thread_pool.simhash_image.queue_size", 2)
                .build();
    }

    @Override
    public void setUp() throws Exception {
        super.setUp();
        client().admin()
                .cluster()
                .preparePutPipeline(
                        "images",
                        new BytesArray("{\"processors\": [{\"image_hash\": {\"field\": \"image\","
                                + " \"ignore_missing\": true}}]}"),
                        MediaTypeRegistry.JSON)
                .get();
        createIndex("docs");
    }

    /** Other writes go on while images wait, and what the queue does not take is told, one by one. */
    public void testImagesHoldUpNoOtherWrites() throws Exception {
        ThreadPoolExecutor decoders = decoders();
        CountDownLatch end = new CountDownLatch(1);
        ActionFuture<BulkResponse> waiting;
        long failed = failed();
        try {
            hold(decoders, end);
            BulkRequestBuilder bulk = client().prepareBulk();
            for (int i = 0; i < 4; i++) {
                bulk.add(image("image-" + i));
            }
            bulk.add(new IndexRequest("docs").id("plain").setPipeline("images").source(Map.of("a", 1)));
            waiting = bulk.execute();
            assertBusy(() -> assertEquals(failed + 2, failed()));
            client().prepareIndex("docs").setId("other").setSource("a", 1).get(TimeValue.timeValueSeconds(20));
            assertFalse(waiting.isDone());
        } finally {
            end.countDown();
        }
        List<RestStatus> statuses = Arrays.stream(waiting.actionGet().getItems())
                .map(BulkItemResponse::status)
                .toList();
        assertEquals(
                List.of(
                        RestStatus.CREATED,
                        RestStatus.CREATED,
                        RestStatus.TOO_MANY_REQUESTS,
                        RestStatus.TOO_MANY_REQUESTS,
                        RestStatus.CREATED),
                statuses);
        assertTrue(client().prepareGet("docs", "image-0").get().getSourceAsMap().containsKey("simhash"));
        assertEquals(0, used());
    }

    public void testBulkThatTakesTooMuchIsRefusedInPart() {
        set(ImageHashProcessor.MAX_BULK_TIME.getKey(), "0ms");
        try {
            BulkResponse answer = client().prepareBulk()
                    .add(image("one"))
                    .add(image("two"))
                    .add(image("three"))
                    .get();
            assertEquals(
                    List.of(RestStatus.CREATED, RestStatus.TOO_MANY_REQUESTS, RestStatus.TOO_MANY_REQUESTS),
                    Arrays.stream(answer.getItems())
                            .map(BulkItemResponse::status)
                            .toList());
            assertEquals(
                    "org.opensearch.core.concurrency.OpenSearchRejectedExecutionException: " + OVER_BUDGET,
                    answer.getItems()[2].getFailure().getCause().getMessage());
            assertEquals(
                    RestStatus.CREATED,
                    client().index(image("four")).actionGet().status());
        } finally {
            set(ImageHashProcessor.MAX_BULK_TIME.getKey(), null);
        }
        assertEquals(0, used());
    }

    /** A client that names itself in {@code X-Opaque-Id} has one budget for all that waits. */
    public void testClientThatSendsTooMuchAtOnceIsRefused() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        ActionFuture<IndexResponse> first;
        ActionFuture<IndexResponse> other;
        set(ImageHashProcessor.MAX_BULK_TIME.getKey(), "0ms");
        try {
            hold(decoders(), end);
            first = named("a").index(image("first"));
            assertBusy(() -> assertEquals(1, decoders().getQueue().size()));
            Exception e = expectThrows(
                    Exception.class, () -> named("a").index(image("second")).actionGet());
            assertEquals(OVER_BUDGET, ExceptionsHelper.unwrapCause(e).getMessage());
            other = named("b").index(image("other"));
            assertBusy(() -> assertEquals(2, decoders().getQueue().size()));
        } finally {
            end.countDown();
            set(ImageHashProcessor.MAX_BULK_TIME.getKey(), null);
        }
        assertEquals(RestStatus.CREATED, first.actionGet().status());
        assertEquals(RestStatus.CREATED, other.actionGet().status());
    }

    private Client named(String name) {
        return client().filterWithHeader(Map.of(Task.X_OPAQUE_ID, name));
    }

    private ThreadPoolExecutor decoders() {
        return (ThreadPoolExecutor) getInstanceFromNode(ThreadPool.class).executor("simhash_image");
    }

    private static void hold(ThreadPoolExecutor decoders, CountDownLatch end) throws Exception {
        decoders.execute(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertBusy(() -> assertEquals(0, decoders.getQueue().size()));
    }

    private void set(String setting, String value) {
        client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(Settings.builder().put(setting, value))
                .get();
    }

    public void testTimeIsASettingOfTheRunningNode() {
        String setting = ImageHashProcessor.MAX_TIME.getKey();
        set(setting, "10ms");
        try {
            Exception e = expectThrows(
                    Exception.class, () -> client().index(image("slow")).actionGet());
            assertEquals(
                    "field [image] must be an image that is decoded in at most [" + setting
                            + "] 10ms of a processor's time",
                    rootMessage(e));
        } finally {
            set(setting, null);
        }
        assertEquals(
                RestStatus.CREATED, client().index(image("slow")).actionGet().status());
        assertEquals(0, used());
    }

    /** OpenSearch would lose the exception on the thread of the images, and never answer. */
    public void testWhatIsBrokenBehindTheProcessorFailsTheBulk() {
        client().admin()
                .cluster()
                .preparePutPipeline(
                        "images",
                        new BytesArray("{\"processors\": [{\"image_hash\": {\"field\": \"image\"}},"
                                + " {\"throwing\": {}}]}"),
                        MediaTypeRegistry.JSON)
                .get();
        Exception e = expectThrows(
                Exception.class,
                () -> client().bulk(new BulkRequest().add(image("one")).add(image("two")))
                        .actionGet(TimeValue.timeValueSeconds(30)));
        String message = ExceptionsHelper.unwrapCause(e).getMessage();
        assertEquals(
                "nothing of the bulk was done: what comes after [image_hash] in a pipeline failed: thrown", message);
        assertEquals(0, used());
    }

    /** Its processor throws in place of an answer, as those of others do. */
    public static final class ThrowingPlugin extends Plugin implements IngestPlugin {

        @Override
        public Map<String, Processor.Factory> getProcessors(Processor.Parameters parameters) {
            return Map.of(
                    "throwing", (factories, tag, description, options) -> new AbstractProcessor(tag, description) {
                        @Override
                        public void execute(IngestDocument document, BiConsumer<IngestDocument, Exception> handler) {
                            throw new IllegalStateException("thrown");
                        }

                        @Override
                        public IngestDocument execute(IngestDocument document) {
                            return document;
                        }

                        @Override
                        public String getType() {
                            return "throwing";
                        }
                    });
        }
    }

    private static String rootMessage(Throwable e) {
        Throwable cause = e;
        while (cause instanceof IllegalArgumentException == false
                || cause.getMessage().startsWith("field") == false) {
            cause = cause.getCause();
        }
        return cause.getMessage();
    }

    private static IndexRequest image(String id) {
        return new IndexRequest("docs").id(id).setPipeline("images").source(Map.of("image", IMAGE));
    }

    private long failed() {
        return getInstanceFromNode(NodeCounts.class).fingerprints().documents().get(FingerprintCount.FAILED);
    }

    private long used() {
        CircuitBreaker breaker =
                getInstanceFromNode(CircuitBreakerService.class).getBreaker("simhash");
        return breaker.getUsed();
    }
}
