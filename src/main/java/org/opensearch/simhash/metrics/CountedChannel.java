/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;

/** A channel that reports the status of its one response. As thread-safe as the wrapped channel. */
final class CountedChannel implements RestChannel {

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
