/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import org.opensearch.cluster.metadata.Template;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.nearduplicate.window.Windows;

/** A data stream is made by what is sent to it first. */
public class DataStreamsClusterTests extends NearDuplicateClusterTestCase {

    private static final String STREAM = "events";

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
        // Not of itself: OpenSearch says that it is there.
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

    public void testADeletedStreamIsForgotten() {
        pipeline("");
        assertEquals(Result.CREATED, result("1", 0b1));
        deleteStream();
        assertEquals(List.of(), Windows.names(window()));
        assertEquals(Result.CREATED, result("2", 0b11));
        assertEquals(expected("2", null), tags(STREAM));
    }
}
