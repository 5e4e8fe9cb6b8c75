/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.util.SetOnce;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.io.IOUtils;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.plugins.SearchPlugin.AggregationSpec;
import org.opensearch.rest.RestHandler;
import org.opensearch.simhash.arrivals.ArrivalsPart;
import org.opensearch.simhash.desk.calibrate.CalibrateAction;
import org.opensearch.simhash.desk.check.CheckAction;
import org.opensearch.simhash.desk.check.CheckAction.LastChecks;
import org.opensearch.simhash.desk.check.PipelineWarnings;
import org.opensearch.simhash.desk.inspect.BlockTerms;
import org.opensearch.simhash.desk.inspect.BlocksAction;
import org.opensearch.simhash.desk.inspect.CompareAction;
import org.opensearch.simhash.desk.inspect.FeatureWeightsAction;
import org.opensearch.simhash.desk.inspect.FingerprintAction;
import org.opensearch.simhash.desk.inspect.HelperWork.InspectThreads;
import org.opensearch.simhash.desk.metrics.MetricsAction;
import org.opensearch.simhash.desk.metrics.NodeCounts;
import org.opensearch.simhash.desk.metrics.NodeMetrics;
import org.opensearch.simhash.desk.metrics.RequestCounts;
import org.opensearch.simhash.desk.metrics.StatsAction;
import org.opensearch.simhash.desk.release.NodeRelease;
import org.opensearch.simhash.desk.review.DecideAction;
import org.opensearch.simhash.desk.review.GroupsAction;
import org.opensearch.simhash.desk.review.RunsAction;
import org.opensearch.simhash.desk.setup.SetupAction;
import org.opensearch.simhash.jobs.JobsPart;
import org.opensearch.simhash.search.SearchPart;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.transport.client.Client;

/** What this part registers with the node. One a node. */
public final class DeskPart implements Closeable {

    private final NodeRelease release;
    private final RequestCounts requests = new RequestCounts();
    private final SetOnce<Client> client = new SetOnce<>();
    private final LastChecks checks = new LastChecks();
    private final SetOnce<NodeMetrics> metrics = new SetOnce<>();
    private final List<Closeable> gauges = new ArrayList<>();

    public DeskPart(NodeRelease release) {
        this.release = release;
    }

    public static DeskPart ofThisNode() {
        return new DeskPart(NodeRelease.ofThisNode());
    }

    public NodeRelease release() {
        return release;
    }

    public List<ActionHandler<?, ?>> actions() {
        return List.of(
                new ActionHandler<>(FingerprintAction.INSTANCE, FingerprintAction.class),
                new ActionHandler<>(CompareAction.INSTANCE, CompareAction.class),
                new ActionHandler<>(FeatureWeightsAction.INSTANCE, FeatureWeightsAction.class),
                new ActionHandler<>(BlocksAction.INSTANCE, BlocksAction.class),
                new ActionHandler<>(SetupAction.INSTANCE, SetupAction.class),
                new ActionHandler<>(CalibrateAction.INSTANCE, CalibrateAction.class),
                new ActionHandler<>(CheckAction.INSTANCE, CheckAction.class),
                new ActionHandler<>(GroupsAction.INSTANCE, GroupsAction.class),
                new ActionHandler<>(DecideAction.INSTANCE, DecideAction.class),
                new ActionHandler<>(RunsAction.INSTANCE, RunsAction.class),
                new ActionHandler<>(StatsAction.INSTANCE, StatsAction.class),
                new ActionHandler<>(MetricsAction.INSTANCE, MetricsAction.class));
    }

    public List<AggregationSpec> aggregations() {
        return List.of(BlockTerms.KIND.spec());
    }

    public List<ActionFilter> filters(SearchPart search) {
        return List.of(new PipelineWarnings(search.cluster(), client::get));
    }

    public List<RestHandler> restHandlers(Supplier<DiscoveryNodes> nodes) {
        return requests.counted(Endpoints.all(nodes));
    }

    public List<Setting<?>> settings() {
        return List.of(InspectThreads.MAX_TIME);
    }

    public List<ExecutorBuilder<?>> pools(Settings settings) {
        return List.of(InspectThreads.builder(settings));
    }

    public List<Object> start(Client client, SearchPart search, ArrivalsPart arrivals, JobsPart jobs) {
        this.client.set(client);
        NodeCounts counts = new NodeCounts(
                search.fingerprints(),
                search.queries().counts(),
                arrivals.nearDuplicates().counts(),
                search.collapse(),
                jobs.runner().counts());
        metrics.set(new NodeMetrics(
                counts, jobs.runner(), checks, jobs.schedules(), arrivals.nearDuplicates(), search.memory(), requests));
        return List.of(checks, counts, metrics.get());
    }

    public void register(MetricsRegistry registry) {
        gauges.addAll(metrics.get().register(registry));
    }

    @Override
    public void close() throws IOException {
        IOUtils.close(gauges);
    }
}
