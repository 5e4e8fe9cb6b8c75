/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.util.SetOnce;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lifecycle.LifecycleComponent;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.indices.SystemIndexDescriptor;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.plugins.SearchPlugin.AggregationSpec;
import org.opensearch.plugins.SearchPlugin.QuerySpec;
import org.opensearch.script.ScriptEngine;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.simhash.jobs.apply.ApplyAction;
import org.opensearch.simhash.jobs.job.DeduplicateMemory;
import org.opensearch.simhash.jobs.job.DeduplicateMemory.DeduplicateDisk;
import org.opensearch.simhash.jobs.job.DeduplicateThreads;
import org.opensearch.simhash.jobs.job.JobRunner;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.job.RethrottleAction;
import org.opensearch.simhash.jobs.links.PairsAction;
import org.opensearch.simhash.jobs.request.Caller;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.restore.RestoreAction;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.SurvivorSortBuilder;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.DeleteScheduleAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.GetSchedulesAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.PutScheduleAction;
import org.opensearch.simhash.jobs.schedules.Scheduler;
import org.opensearch.simhash.jobs.schedules.Schedules;
import org.opensearch.simhash.jobs.script.DocumentScript.DocumentScripts;
import org.opensearch.simhash.jobs.untag.UntagAction;
import org.opensearch.simhash.search.SearchPart;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.transport.client.Client;

/** What this part registers with the node, and what the part above shares with it. One a node. */
public final class JobsPart {

    private final JobRunner runner;
    private final SetOnce<Schedules> schedules = new SetOnce<>();

    public JobsPart(SearchPart search) {
        runner = new JobRunner(search.spans());
    }

    public static String caller(ThreadContext context) {
        return Caller.of(context).name();
    }

    public JobRunner runner() {
        return runner;
    }

    /** Once the node has started. */
    public Schedules schedules() {
        return schedules.get();
    }

    public List<QuerySpec<?>> queries() {
        return List.of(JobQuery.spec());
    }

    public List<AggregationSpec> aggregations() {
        return PageKind.specs();
    }

    public List<NamedWriteableRegistry.Entry> namedWriteables() {
        return List.of(
                new NamedWriteableRegistry.Entry(SortBuilder.class, SurvivorSortBuilder.NAME, SurvivorSortBuilder::new),
                new NamedWriteableRegistry.Entry(Task.Status.class, JobStatus.NAME, JobStatus::new));
    }

    public List<ActionHandler<?, ?>> actions() {
        return List.of(
                new ActionHandler<>(PairsAction.INSTANCE, PairsAction.class),
                new ActionHandler<>(DeduplicateAction.INSTANCE, DeduplicateAction.class),
                new ActionHandler<>(RestoreAction.INSTANCE, RestoreAction.class),
                new ActionHandler<>(UntagAction.INSTANCE, UntagAction.class),
                new ActionHandler<>(ApplyAction.INSTANCE, ApplyAction.class),
                new ActionHandler<>(RethrottleAction.INSTANCE, RethrottleAction.class),
                new ActionHandler<>(PutScheduleAction.INSTANCE, PutScheduleAction.class),
                new ActionHandler<>(GetSchedulesAction.INSTANCE, GetSchedulesAction.class),
                new ActionHandler<>(DeleteScheduleAction.INSTANCE, DeleteScheduleAction.class));
    }

    /** @param nodes in the cluster */
    public static List<Endpoint> endpoints(Supplier<DiscoveryNodes> nodes) {
        return JobEndpoints.all(nodes);
    }

    public ScriptEngine scripts() {
        return new DocumentScripts();
    }

    public List<Setting<?>> settings() {
        return List.of(DeduplicateMemory.ALLOWANCE, DeduplicateDisk.MOST, Scheduler.INTERVAL);
    }

    public List<ExecutorBuilder<?>> pools(Settings settings) {
        return DeduplicateThreads.builders(settings);
    }

    public List<SystemIndexDescriptor> systemIndices() {
        return List.of(Schedules.descriptor());
    }

    public List<Class<? extends LifecycleComponent>> services() {
        return List.of(Scheduler.class);
    }

    /** @return what actions of this part and the one above may be made with */
    public List<Object> start(Client client, ClusterService clusterService) {
        schedules.set(new Schedules(client, clusterService));
        return List.of(runner, schedules.get());
    }
}
