/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.lucene.util.SetOnce;
import org.opensearch.ExceptionsHelper;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.simhash.desk.metrics.Metric.Sample;
import org.opensearch.transport.client.node.NodeClient;
import org.opensearch.usage.UsageService;

/** Counts the answers to the plugin's HTTP requests by kind and status. Thread-safe. */
public final class RequestCounts {

    private final Map<Answers, LongAdder> counts = new ConcurrentHashMap<>();
    private final SetOnce<UsageService> usage = new SetOnce<>();

    private record Answers(String kind, RestStatus status) {}

    /** Receives calls for {@code _nodes/usage}, since OpenSearch does not recognise wrapped handlers. */
    void usage(UsageService service) {
        usage.set(service);
    }

    /** Wraps handlers to count their answers. */
    public List<RestHandler> counted(List<? extends BaseRestHandler> handlers) {
        UsageService service = usage.get();
        if (service != null) {
            handlers.forEach(service::addRestHandler);
        }
        return handlers.stream()
                .<RestHandler>map(handler -> new CountedHandler(handler, status -> count(kind(handler), status)))
                .toList();
    }

    private static String kind(BaseRestHandler handler) {
        return handler.getName().replace("simhash_", "").replace("_action", "");
    }

    private void count(String kind, RestStatus status) {
        counts.computeIfAbsent(new Answers(kind, status), any -> new LongAdder())
                .increment();
    }

    List<Sample> samples() {
        return counts.entrySet().stream()
                .map(entry -> new Sample(
                        Map.of(
                                "kind",
                                entry.getKey().kind(),
                                "status",
                                Integer.toString(entry.getKey().status().getStatus())),
                        entry.getValue().doubleValue(),
                        null))
                .toList();
    }

    /** A handler that counts its answers, including errors that it throws. Thread-safe. */
    private static final class CountedHandler extends RestHandler.Wrapper {

        private final Consumer<RestStatus> counts;

        CountedHandler(RestHandler handler, Consumer<RestStatus> counts) {
            super(handler);
            this.counts = counts;
        }

        @Override
        public void handleRequest(RestRequest request, RestChannel channel, NodeClient client) throws Exception {
            CountedChannel counted = new CountedChannel(channel, counts);
            try {
                super.handleRequest(request, counted, client);
            } catch (Exception e) {
                counted.count(ExceptionsHelper.status(e));
                throw e;
            }
        }
    }

    /** A channel that reports the status of its one response. As thread-safe as the wrapped channel. */
    private static final class CountedChannel implements RestChannel {

        private final RestChannel channel;
        private final Consumer<RestStatus> counts;
        private final AtomicBoolean isCounted = new AtomicBoolean();

        CountedChannel(RestChannel channel, Consumer<RestStatus> counts) {
            this.channel = channel;
            this.counts = counts;
        }

        void count(RestStatus status) {
            if (isCounted.getAndSet(true) == false) {
                counts.accept(status);
            }
        }

        @Override
        public void sendResponse(RestResponse response) {
            count(response.status());
            channel.sendResponse(response);
        }

        @Override
        public XContentBuilder newBuilder() throws IOException {
            return channel.newBuilder();
        }

        @Override
        public XContentBuilder newErrorBuilder() throws IOException {
            return channel.newErrorBuilder();
        }

        @Override
        public XContentBuilder newBuilder(MediaType type, boolean useFiltering) throws IOException {
            return channel.newBuilder(type, useFiltering);
        }

        @Override
        public XContentBuilder newBuilder(MediaType requestType, MediaType responseType, boolean useFiltering)
                throws IOException {
            return channel.newBuilder(requestType, responseType, useFiltering);
        }

        @Override
        public BytesStreamOutput bytesOutput() {
            return channel.bytesOutput();
        }

        @Override
        public RestRequest request() {
            return channel.request();
        }

        @Override
        public boolean detailedErrorsEnabled() {
            return channel.detailedErrorsEnabled();
        }

        @Override
        public boolean detailedErrorStackTraceEnabled() {
            return channel.detailedErrorStackTraceEnabled();
        }
    }
}
