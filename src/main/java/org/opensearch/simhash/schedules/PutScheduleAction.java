/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.schedules;

import java.io.IOException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.ActionType;
import org.opensearch.action.fieldcaps.FieldCapabilitiesRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.deduplicate.DeduplicateAction;
import org.opensearch.simhash.deduplicate.FieldCheck;
import org.opensearch.simhash.deduplicate.SourceCheck;
import org.opensearch.simhash.deduplicate.TargetCheck;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobRequest.JobRoutes;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.request.BlockingAction;
import org.opensearch.simhash.request.Caller;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.simhash.schedules.Schedule.Plan;
import org.opensearch.tasks.Task;

/** Puts a schedule, or another one in its place. Refuses what a run of its job would refuse now, with the caller's rights. */
public final class PutScheduleAction extends BlockingAction<PutScheduleAction.Request> {

    public static final String NAME = "cluster:admin/simhash/schedules/put";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private static final Logger logger = LogManager.getLogger(PutScheduleAction.class);

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;
    private final Schedules schedules;

    @Inject
    public PutScheduleAction(
            JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver, Schedules schedules) {
        super(NAME, services.transport(), filters);
        this.services = services;
        this.resolver = resolver;
        this.schedules = schedules;
    }

    /** A name and a plan. */
    public static final class Request extends ScheduleRequest {

        private final Plan plan;
        private final DeduplicateAction.Request job;

        Request(String name, Plan plan, DeduplicateAction.Request job) {
            super(name);
            this.plan = plan;
            this.job = job;
        }

        public static Request read(RestRequest request, String... none) throws IOException {
            Plan plan = JobRoutes.read(request, none, (names, parser, pace) -> Plan.fromXContent(parser, pace));
            return new Request(request.param("name"), plan, plan.request(request.getXContentRegistry()));
        }
    }

    @Override
    protected JsonResponse answer(Request request, Task task) {
        request.plan.requireBetween(Scheduler.least(services.cluster().getSettings()), Schedule.MOST);
        Caller caller = Caller.withRoles(services.transport().getThreadPool().getThreadContext());
        requirePossible(request.job);
        long now = System.currentTimeMillis();
        Schedule put = schedules.change(
                request.name,
                stored -> stored == null
                        ? Schedule.of(request.plan, caller, now)
                        : stored.replaced(request.plan, caller, now));
        logger.info("schedule [{}] was put by [{}]", request.name, caller.name());
        return new JsonResponse(put.shown(request.name));
    }

    private void requirePossible(DeduplicateAction.Request job) {
        DeduplicateOptions options = job.options();
        if (options.dest() == null) {
            throw new IllegalArgumentException(
                    "[dest] must be given in a schedule: it keeps what its runs find, got: null");
        }
        // Tells nothing of indices that the caller may not see.
        services.client()
                .fieldCaps(new FieldCapabilitiesRequest()
                        .indices(job.indices())
                        .indicesOptions(job.indicesOptions())
                        .fields(IdFieldMapper.NAME))
                .actionGet();
        job.leaveOutArchives(services, new JobOutcome());
        ClusterState state = services.cluster().state();
        String[] indices = resolver.concreteIndexNames(state, job);
        if (indices.length == 0) {
            throw new IndexNotFoundException(String.join(",", job.indices()));
        }
        new TargetCheck(state, options, indices).check();
        SourceCheck sources = new SourceCheck(state, options);
        sources.check(new FieldCheck(options, indices)
                .check(services.client(), new Retries(() -> {}))
                .indices());
    }
}
