/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.simhash.request.NodesAction;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.usage.UsageService;

/** The metrics of some or all nodes. */
public final class MetricsAction extends NodesAction<MetricsAction.Metrics> {

    public static final String NAME = "cluster:monitor/simhash/metrics";
    public static final ActionType<Response<Metrics>> INSTANCE = LocalAction.type(NAME);

    private final NodeMetrics metrics;

    @Inject
    public MetricsAction(
            ThreadPool threads,
            ClusterService cluster,
            TransportService transport,
            ActionFilters filters,
            NodeMetrics metrics,
            UsageService usage) {
        super(NAME, threads, cluster, transport, filters, Metrics::new);
        this.metrics = metrics;
        metrics.requests().usage(usage);
    }

    record Metrics(List<Metric> all) implements Writeable {

        private Metrics(StreamInput in) throws IOException {
            this(in.readList(Metric::new));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeList(all);
        }
    }

    @Override
    protected Metrics answer(List<String> all) {
        return new Metrics(metrics.read(clusterService.localNode().getId()));
    }
}
