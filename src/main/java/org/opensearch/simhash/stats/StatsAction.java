/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.stats;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.simhash.request.NodesAction;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** The counts of the plugin on some or all nodes: the wanted sections of {@link NodeCounts}. */
public final class StatsAction extends NodesAction<StatsAction.Sections> {

    public static final String NAME = "cluster:monitor/simhash/stats";
    public static final ActionType<Response<Sections>> INSTANCE = LocalAction.type(NAME);

    private final NodeCounts counts;

    @Inject
    public StatsAction(
            ThreadPool threads,
            ClusterService cluster,
            TransportService transport,
            ActionFilters filters,
            NodeCounts counts) {
        super(NAME, threads, cluster, transport, filters, Sections::new);
        this.counts = counts;
    }

    /** Counts of one node by section. A node of another release may have others. */
    record Sections(Map<String, Object> bySection) implements Writeable, ToXContentFragment {

        @SuppressWarnings("unchecked")
        private Sections(StreamInput in) throws IOException {
            this((Map<String, Object>) in.readGenericValue());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeGenericValue(bySection);
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            for (Map.Entry<String, Object> section : bySection.entrySet()) {
                builder.field(section.getKey(), section.getValue());
            }
            return builder;
        }
    }

    @Override
    protected Sections answer(List<String> wanted) {
        return new Sections(counts.sections(wanted));
    }
}
