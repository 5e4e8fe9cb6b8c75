/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.util.SetOnce;
import org.opensearch.ExceptionsHelper;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.AbstractRestChannel;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.transport.client.node.NodeClient;
import org.opensearch.usage.UsageService;

/** Counts the answers to the plugin's HTTP requests by kind and status. Thread-safe. */
public final class RequestCounts {

    private final Map<Labels, LongAdder> counts = new ConcurrentHashMap<>();

    private final SetOnce<UsageService> usage = new SetOnce<>();

    /** Receives calls for {@code _nodes/usage}, since OpenSearch does not recognise wrapped handlers. */
    void usage(UsageService service) {
        usage.set(service);
    }

    public List<RestHandler> counted(List<? extends BaseRestHandler> handlers) {
        UsageService service = usage.get();
        if (service != null) {
            handlers.forEach(service::addRestHandler);
        }
        return handlers.stream()
                .<RestHandler>map(handler -> new CountedHandler(handler, kind(handler)))
                .toList();
    }

    private static String kind(BaseRestHandler handler) {
        return handler.getName().replace("simhash_", "").replace("_action", "");
    }

    private void count(String kind, RestStatus status) {
        Labels labels = Labels.of("kind", kind, "status", Integer.toString(status.getStatus()));
        counts.computeIfAbsent(labels, any -> new LongAdder()).increment();
    }

    Map<Labels, LongAdder> counts() {
        return counts;
    }

    private final class CountedHandler extends RestHandler.Wrapper {

        private final String kind;

        CountedHandler(RestHandler handler, String kind) {
            super(handler);
            this.kind = kind;
        }

        @Override
        public void handleRequest(RestRequest request, RestChannel channel, NodeClient client) throws Exception {
            AtomicBoolean isCounted = new AtomicBoolean();
            RestChannel counting = new AbstractRestChannel(request, channel.detailedErrorsEnabled()) {
                @Override
                protected BytesStreamOutput newBytesOutput() {
                    return channel.bytesOutput(); // which the channel gives back
                }

                @Override
                public void sendResponse(RestResponse response) {
                    countOnce(response.status(), isCounted);
                    channel.sendResponse(response);
                }
            };
            try {
                super.handleRequest(request, counting, client);
            } catch (Exception e) {
                countOnce(ExceptionsHelper.status(e), isCounted);
                throw e;
            }
        }

        private void countOnce(RestStatus status, AtomicBoolean isCounted) {
            if (isCounted.getAndSet(true) == false) {
                count(kind, status);
            }
        }
    }
}
