/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.opensearch.action.ingest.SimulateDocumentBaseResult;
import org.opensearch.action.ingest.SimulatePipelineRequest;
import org.opensearch.action.ingest.SimulatePipelineResponse;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.transport.client.Client;

/**
 * Whether processors with a condition fingerprint documents that have no fingerprint. Tries a few, as {@code _simulate} does.
 * Blocks its thread.
 */
record ConditionalWriters(CheckedIndex index, Client client) {

    private static final int TRIED = 20;

    static SearchSourceBuilder search(CheckedIndex index) {
        return new SearchSourceBuilder()
                .query(DocumentCounts.withoutFingerprint(index).orElse(QueryBuilders.matchAllQuery()))
                .size(TRIED)
                .trackTotalHits(false);
    }

    boolean fingerprint(SearchResponse documents) {
        return index.writers().map(Step::pipeline).distinct().anyMatch(pipeline -> fingerprint(pipeline, documents));
    }

    private boolean fingerprint(String pipeline, SearchResponse documents) {
        SimulatePipelineRequest tried = new SimulatePipelineRequest(body(documents), MediaTypeRegistry.JSON);
        tried.setId(pipeline);
        SimulatePipelineResponse results;
        try {
            results = client.admin().cluster().simulatePipeline(tried).actionGet();
        } catch (TaskCancelledException e) {
            throw e;
        } catch (RuntimeException e) {
            return true; // Without permission to try, one finding too many is better than one too few.
        }
        return results.getResults().stream()
                .map(SimulateDocumentBaseResult.class::cast)
                .anyMatch(this::isFingerprinted);
    }

    /** A failure may have the same cause. */
    private boolean isFingerprinted(SimulateDocumentBaseResult result) {
        return result.getFailure() != null
                || (result.getIngestDocument() != null
                        && DocumentValues.objectsAt(
                                                index.fingerprint(),
                                                result.getIngestDocument().getSourceAndMetadata())
                                        .isEmpty()
                                == false);
    }

    private static BytesReference body(SearchResponse documents) {
        try (XContentBuilder json = XContentFactory.jsonBuilder()) {
            json.startObject().startArray("docs");
            for (SearchHit hit : documents.getHits()) {
                if (hit.hasSource()) {
                    json.startObject()
                            .field("_index", hit.getIndex())
                            .field("_id", hit.getId())
                            .field("_source", hit.getSourceAsMap())
                            .endObject();
                }
            }
            return BytesReference.bytes(json.endArray().endObject());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
