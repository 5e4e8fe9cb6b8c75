/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.action.ingest.SimulateDocumentBaseResult;
import org.opensearch.action.ingest.SimulatePipelineRequest;
import org.opensearch.action.ingest.SimulatePipelineResponse;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.transport.client.Client;

/**
 * Whether processors with a condition fingerprint documents that have no fingerprint. Tries a few, as {@code _simulate} does.
 * Blocks its thread.
 */
record ConditionalWriters(CheckedIndex index, RandomDocuments documents, Client client) {

    private static final int TRIED = 20;

    boolean fingerprint() {
        List<SearchHit> tried = new ArrayList<>();
        QueryBuilder without = DocumentCounts.withoutFingerprint(index).orElse(QueryBuilders.matchAllQuery());
        documents.read(documents.places(without, TRIED), null, hit -> {
            tried.add(hit);
            return false;
        });
        return index.writers().map(Step::pipeline).distinct().anyMatch(pipeline -> fingerprint(pipeline, tried));
    }

    private boolean fingerprint(String pipeline, List<SearchHit> tried) {
        SimulatePipelineRequest request = new SimulatePipelineRequest(body(tried), MediaTypeRegistry.JSON);
        request.setId(pipeline);
        SimulatePipelineResponse results;
        try {
            results = client.admin().cluster().simulatePipeline(request).actionGet();
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

    private static BytesReference body(List<SearchHit> documents) {
        try (XContentBuilder json = XContentFactory.jsonBuilder()) {
            json.startObject().startArray("docs");
            for (SearchHit hit : documents) {
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
