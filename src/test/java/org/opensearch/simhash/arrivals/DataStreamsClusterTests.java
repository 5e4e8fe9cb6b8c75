/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.After;
import org.junit.Before;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.admin.indices.datastream.DeleteDataStreamAction;
import org.opensearch.action.admin.indices.rollover.RolloverRequest;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.DataStream.TimestampField;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Template;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.plugins.IngestPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.script.ScriptService;
import org.opensearch.simhash.arrivals.window.Windows;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/** The first document creates the data stream. */
public class DataStreamsClusterTests extends NearDuplicateClusterTestCase {

    private static final String STREAM = "events";

    /** Adds the processor {@code roll_over}, which rolls the stream over and passes the document. */
    public static class RollOverPlugin extends Plugin implements IngestPlugin {

        private Client client;

        @Override
        public Collection<Object> createComponents(
                Client nodeClient,
                ClusterService clusterService,
                ThreadPool threadPool,
                ResourceWatcherService resourceWatcherService,
                ScriptService scriptService,
                NamedXContentRegistry xContentRegistry,
                Environment environment,
                NodeEnvironment nodeEnvironment,
                NamedWriteableRegistry namedWriteableRegistry,
                IndexNameExpressionResolver indexNameExpressionResolver,
                Supplier<RepositoriesService> repositoriesServiceSupplier) {
            client = nodeClient;
            return List.of();
        }

        @Override
        public Map<String, Processor.Factory> getProcessors(Processor.Parameters parameters) {
            return Map.of("roll_over", (registry, tag, description, options) -> new RollOver(tag, client));
        }
    }

    private static final class RollOver extends AbstractProcessor {

        private final Client client;

        RollOver(String tag, Client client) {
            super(tag, null);
            this.client = client;
        }

        @Override
        public String getType() {
            return "roll_over";
        }

        @Override
        public void execute(IngestDocument document, BiConsumer<IngestDocument, Exception> handler) {
            client.admin()
                    .indices()
                    .rolloverIndex(
                            new RolloverRequest(STREAM, null),
                            ActionListener.wrap(
                                    response -> handler.accept(document, null), e -> handler.accept(null, e)));
        }

        @Override
        public IngestDocument execute(IngestDocument document) {
            throw new AssertionError("waits for the cluster");
        }
    }

    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins() {
        List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
        plugins.add(RollOverPlugin.class);
        return plugins;
    }

    @Before
    public void template() {
        Settings settings = Settings.builder()
                .put("index.number_of_replicas", 0)
                .put("index.refresh_interval", "1h")
                .build();
        ComposableIndexTemplate template = new ComposableIndexTemplate(
                List.of(STREAM),
                new Template(settings, null, null),
                null,
                200L,
                null,
                null,
                new ComposableIndexTemplate.DataStreamTemplate(new TimestampField("@timestamp")));
        assertAcked(client().execute(
                        PutComposableIndexTemplateAction.INSTANCE,
                        new PutComposableIndexTemplateAction.Request(STREAM).indexTemplate(template))
                .actionGet());
    }

    @After
    public void deleteStream() {
        assertAcked(client().execute(
                        DeleteDataStreamAction.INSTANCE, new DeleteDataStreamAction.Request(new String[] {STREAM}))
                .actionGet());
    }

    private static BulkItemResponse create(String id, long bits) {
        Map<String, Object> source = new HashMap<>(print(bits));
        source.put("@timestamp", "2024-05-17T00:00:00Z");
        BulkRequestBuilder bulk = node().prepareBulk();
        bulk.add(new IndexRequest(STREAM)
                .id(id)
                .source(source)
                .opType(DocWriteRequest.OpType.CREATE)
                .setPipeline(PIPELINE));
        return bulk.get().getItems()[0];
    }

    private static Result result(String id, long bits) {
        BulkItemResponse item = create(id, bits);
        assertIndexed(item);
        return item.getResponse().getResult();
    }

    public void testWhatMadeTheStreamIsAnOriginal() {
        pipeline("'action': 'drop'");
        assertEquals(Result.CREATED, result("1", 0b1));
        assertEquals(Result.NOOP, result("2", 0b11));
        assertEquals(Result.CREATED, result("3", ~0L));
        assertEquals(expected("1", null, "3", null), tags(STREAM));
        assertEquals(Result.NOOP, result("4", 0b11));
    }

    public void testTheNameIsThatOfTheIndex() {
        pipeline("'action': 'fail'");
        assertEquals(Result.CREATED, result("1", 0b1));
        String message = create("2", 0b11).getFailureMessage();
        assertTrue(message, message.contains("is a near-duplicate of [1] in index [.ds-events-000001]"));
        // It is no duplicate of itself: OpenSearch says that it exists.
        message = create("1", 0b1).getFailureMessage();
        assertTrue(message, message.contains("document already exists"));
    }

    public void testAfterARolloverItIsKnownStill() {
        pipeline("");
        assertEquals(Result.CREATED, result("1", 0b1));
        refresh(STREAM);
        assertTrue(client().admin()
                .indices()
                .rolloverIndex(new RolloverRequest(STREAM, null))
                .actionGet()
                .isRolledOver());
        assertEquals(Result.CREATED, result("2", 0b11));
        assertEquals("1:1", tags(STREAM).get("2"));
    }

    /** It is decided under the name of one index, and stored in the next one. */
    public void testARolloverBetweenDecisionAndWrite() {
        pipeline("");
        assertEquals(Result.CREATED, result("0", ~0L));
        processors("{'near_duplicate': {}}, {'roll_over': {}}");
        assertEquals(Result.CREATED, result("1", 0b1));
        pipeline("");
        assertEquals(Result.CREATED, result("2", 0b11));
        pipeline("'action': 'drop'");
        assertEquals(Result.NOOP, result("3", 0b11));
        assertEquals(Result.NOOP, result("4", ~0L << 1));
        assertEquals("1:1", tags(STREAM).get("2"));
        assertEquals(
                List.of(".ds-events-000001 0", ".ds-events-000002 1", ".ds-events-000002 2"),
                Windows.names(window()).stream()
                        .map(name -> name.index() + " " + name.id())
                        .toList());
    }

    public void testADeletedStreamIsForgotten() {
        pipeline("");
        assertEquals(Result.CREATED, result("1", 0b1));
        deleteStream();
        assertEquals(List.of(), Windows.names(window()));
        assertEquals(Result.CREATED, result("2", 0b11));
        assertEquals(expected("2", null), tags(STREAM));
    }
}
