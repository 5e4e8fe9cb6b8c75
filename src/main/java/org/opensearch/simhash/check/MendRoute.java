/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.io.IOException;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.reindex.BulkByScrollResponse;
import org.opensearch.index.reindex.UpdateByQueryAction;
import org.opensearch.index.reindex.UpdateByQueryRequest;
import org.opensearch.ingest.IngestService;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.simhash.deduplicate.job.JobRoutes;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.request.Endpoint;
import org.opensearch.simhash.script.DocumentScript;
import org.opensearch.tasks.LoggingTaskListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code POST /_plugins/_simhash/check/{index}/mend}. Behaves like {@code _update_by_query} with {@link DocumentScript#MEND}:
 * same answer, and the parameters {@code wait_for_completion}, {@code requests_per_second} and {@code scroll_size}. Only a final
 * pipeline runs.
 */
public final class MendRoute {

    private static final int DEFAULT_SCROLL_SIZE = 1_000;

    private MendRoute() {}

    public static CheckedConsumer<RestChannel, Exception> of(RestRequest request, String[] indices, NodeClient client)
            throws IOException {
        Endpoint.requireNoOptions(request);
        boolean isAwaited = request.paramAsBoolean("wait_for_completion", true);
        UpdateByQueryRequest mending = mending(request, indices).setShouldStoreResult(isAwaited == false);
        if (isAwaited) {
            return channel -> client.executeLocally(
                    UpdateByQueryAction.INSTANCE, mending, new RestBuilderListener<BulkByScrollResponse>(channel) {
                        @Override
                        public BytesRestResponse buildResponse(BulkByScrollResponse response, XContentBuilder builder)
                                throws Exception {
                            builder.startObject();
                            response.toXContent(builder, channel.request());
                            builder.endObject();
                            return new BytesRestResponse(RestStatus.OK, builder);
                        }
                    });
        }
        return channel -> JobRoutes.sendTask(
                channel,
                client,
                client.executeLocally(UpdateByQueryAction.INSTANCE, mending, LoggingTaskListener.instance())
                        .getId());
    }

    private static UpdateByQueryRequest mending(RestRequest request, String[] indices) {
        String field = ProcessorOptions.requirePath(
                "[field] must name a field", request.param("field", FingerprintFields.DEFAULT_OBJECT));
        float perSecond = request.paramAsFloat("requests_per_second", -1);
        if (perSecond != -1 && (perSecond > 0) == false) {
            throw new IllegalArgumentException(
                    "[requests_per_second] must be greater than 0, or -1 for no limit, got: " + perSecond);
        }
        UpdateByQueryRequest mending = new UpdateByQueryRequest(indices);
        // Documents do not have the values of nested objects.
        mending.setQuery(field.indexOf('.') < 0 ? QueryBuilders.existsQuery(field) : QueryBuilders.matchAllQuery());
        mending.setScript(DocumentScript.mend(field));
        return mending.setPipeline(IngestService.NOOP_PIPELINE_NAME)
                .setBatchSize(request.paramAsInt("scroll_size", DEFAULT_SCROLL_SIZE))
                .setAbortOnVersionConflict(false)
                .setRequestsPerSecond(perSecond == -1 ? Float.POSITIVE_INFINITY : perSecond)
                .setRefresh(true);
    }
}
