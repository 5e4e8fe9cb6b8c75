/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.List;
import java.util.Map;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Template;
import org.opensearch.common.settings.Settings;

/** Indices in which a document with an id can only be created. */
public class AppendOnlyIndicesClusterTests extends NearDuplicateClusterTestCase {

    public void testDocumentsWithoutIdAreIndexed() {
        pipeline("");
        appendOnly();
        BulkResponse first = bulk(List.of(print(0b1), print(0b11)));
        assertIndexed(first);
        String original = first.getItems()[0].getId();
        assertIndexed(bulk(List.of(print(0b1))));
        for (BulkItemResponse item : first) {
            assertEquals(OpType.INDEX, item.getOpType());
            assertEquals(Result.CREATED, item.getResponse().getResult());
        }
        assertEquals(3, stored(DOCS).size());
        assertEquals(original + ":1?", tags(DOCS).get(first.getItems()[1].getId()));
        assertEquals(2, tags(DOCS).values().stream().filter(tag -> tag != null).count());
    }

    public void testWhatIsDroppedKeepsItsName() {
        pipeline("'action': 'drop'");
        appendOnly();
        assertIndexed(bulk(List.of(print(0b1))));
        BulkResponse second = bulk(List.of(print(0b1), print(~0L)));
        assertIndexed(second);
        assertEquals(Result.NOOP, second.getItems()[0].getResponse().getResult());
        assertEquals(Result.CREATED, second.getItems()[1].getResponse().getResult());
        for (BulkItemResponse item : second) {
            assertEquals(OpType.INDEX, item.getOpType());
        }
        assertEquals(2, stored(DOCS).size());
    }

    /** The first bulk arrives before the index exists. */
    public void testTheFirstBulkOfAnIndexOfATemplateIsIndexed() {
        pipeline("");
        Settings settings = Settings.builder()
                .put(IndexMetadata.INDEX_APPEND_ONLY_ENABLED_SETTING.getKey(), true)
                .build();
        ComposableIndexTemplate template = new ComposableIndexTemplate(
                List.of(DOCS), new Template(settings, null, null), null, 200L, null, null, null);
        assertAcked(client().execute(
                        PutComposableIndexTemplateAction.INSTANCE,
                        new PutComposableIndexTemplateAction.Request(DOCS).indexTemplate(template))
                .actionGet());
        BulkResponse first = bulk(List.of(print(0b1), print(0b11)));
        assertIndexed(first);
        for (BulkItemResponse item : first) {
            assertEquals(OpType.INDEX, item.getOpType());
        }
        assertTrue(node().admin()
                .cluster()
                .prepareState()
                .get()
                .getState()
                .metadata()
                .index(DOCS)
                .isAppendOnlyIndex());
        assertEquals(2, stored(DOCS).size());
    }

    private void appendOnly() {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(DOCS)
                .setSettings(Settings.builder()
                        .put(IndexMetadata.INDEX_APPEND_ONLY_ENABLED_SETTING.getKey(), true)
                        .put("index.refresh_interval", "1h")));
    }

    private static BulkResponse bulk(List<Map<String, Object>> sources) {
        var bulk = node().prepareBulk();
        for (var source : sources) {
            bulk.add(new IndexRequest(DOCS).source(source).setPipeline(PIPELINE));
        }
        return bulk.get(PATIENCE);
    }
}
