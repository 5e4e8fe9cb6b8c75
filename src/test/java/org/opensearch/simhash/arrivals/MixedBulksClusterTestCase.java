/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.script.Script;

/** Bulks with items of all kinds. Pipelines see only some of them. */
public abstract class MixedBulksClusterTestCase extends NearDuplicateClusterTestCase {

    /** As the default pipeline: a request's own pipeline applies only to {@code upsert}. */
    void docs(String options) {
        pipeline(options);
        index(DOCS, 2);
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Settings.builder().put("index.default_pipeline", PIPELINE)));
    }

    /** A bulk in this order. */
    static BulkResponse send(DocWriteRequest<?>... requests) {
        BulkRequestBuilder bulk = node().prepareBulk();
        for (DocWriteRequest<?> request : requests) {
            switch (request) {
                case IndexRequest index -> bulk.add(index);
                case UpdateRequest update -> bulk.add(update);
                case DeleteRequest delete -> bulk.add(delete);
                default -> throw new AssertionError(request);
            }
        }
        return bulk.get(PATIENCE);
    }

    static IndexRequest put(String id, long bits) {
        return new IndexRequest(DOCS).id(id).source(print(bits));
    }

    static UpdateRequest docAsUpsert(String id, long bits) {
        return new UpdateRequest(DOCS, id).doc(print(bits)).docAsUpsert(true);
    }

    static UpdateRequest scriptOrUpsert(String id, long bits) {
        return new UpdateRequest(DOCS, id)
                .script(new Script("ctx._source.scripted = true"))
                .upsert(print(bits));
    }

    static void assertResults(BulkResponse response, Result... results) {
        assertIndexed(response);
        for (int i = 0; i < results.length; i++) {
            BulkItemResponse item = response.getItems()[i];
            assertEquals("item " + i, results[i], item.getResponse().getResult());
            assertEquals(i, item.getItemId());
        }
    }
}
