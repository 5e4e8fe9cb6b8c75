/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.schedules;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.action.fieldcaps.FieldCapabilitiesRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.jobs.DeduplicateAction;
import org.opensearch.simhash.jobs.FieldCheck;
import org.opensearch.simhash.jobs.RightsCheck;
import org.opensearch.simhash.jobs.SourceCheck;
import org.opensearch.simhash.jobs.TargetCheck;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRequest.JobRoutes;
import org.opensearch.simhash.jobs.job.JobRun.JobQueries;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.request.Caller;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.request.LocalAction.BlockingAction;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.jobs.schedules.Schedule.Plan;
import org.opensearch.simhash.search.memory.FingerprintMemory.BreakerMemory;
import org.opensearch.simhash.search.warnings.RequestWarnings;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** What people do with schedules: put, show and remove them. */
public final class ScheduleActions {

    private ScheduleActions() {}

    public static class ScheduleRequest extends ActionRequest {

        private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

        /** Null for all. */
        final String name;

        /** @throws IllegalArgumentException for a name that no schedule can have */
        ScheduleRequest(String name) {
            if (name != null && NAME.matcher(name).matches() == false) {
                throw new IllegalArgumentException(
                        "[name] must be up to 100 small letters, digits, dots, dashes and underscores, got: " + name);
            }
            this.name = name;
        }

        public static ScheduleRequest read(RestRequest request, String... none) throws IOException {
            Endpoint.requireNoOptions(request);
            return new ScheduleRequest(request.param("name"));
        }

        /** @throws ResourceNotFoundException for null */
        Schedule require(Schedule schedule) {
            if (schedule == null) {
                throw new ResourceNotFoundException("[name] must be a schedule, got: " + name);
            }
            return schedule;
        }

        @Override
        public final ActionRequestValidationException validate() {
            return null;
        }
    }

    /** Puts a schedule, or another one in its place. Refuses what a run of its job would refuse now, with the caller's rights. */
    public static final class PutScheduleAction extends BlockingAction<PutScheduleAction.Request, JsonResponse> {

        public static final String NAME = "cluster:admin/simhash/schedules/put";
        public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

        private static final Logger logger = LogManager.getLogger(PutScheduleAction.class);

        private final JobServices services;
        private final ActionFilters filters;
        private final Schedules schedules;

        @Inject
        public PutScheduleAction(JobServices services, ActionFilters filters, Schedules schedules) {
            super(NAME, services.transport(), filters);
            this.services = services;
            this.filters = filters;
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
            Caller caller = Caller.withRoles(services.context());
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
            if (job.options().dest() == null) {
                throw new IllegalArgumentException(
                        "[dest] must be given in a schedule: it keeps what its runs find, got: null");
            }
            // Tells nothing of indices that the caller may not see.
            services.client()
                    .fieldCaps(new FieldCapabilitiesRequest()
                            .indices(job.read())
                            .indicesOptions(job.indicesOptions())
                            .fields(IdFieldMapper.NAME))
                    .actionGet();
            JobOutcome outcome = new JobOutcome();
            job.leaveOutArchives(services, outcome);
            outcome.tell(RequestWarnings.of(services.context()), DeduplicateAction.NAME);
            ClusterState state = services.state();
            List<String> indices = services.indices(state, job);
            DeduplicateOptions options = job.options(state, indices);
            List<String> sources = job.sources(services);
            new TargetCheck(state, options, sources).check();
            List<String> read = new FieldCheck(options, sources)
                    .check(services.client(), new Retries(() -> {}))
                    .indices();
            JobQueries sides = job.sides(new JobQueries(options.query(), null), sources, services, query -> query);
            SourceCheck sourceCheck = new SourceCheck(state, options);
            sourceCheck.check(read, read.stream().filter(sides::isOfPath).toList());
            sourceCheck.requirePassages(services.recipes(options.kind()), read);
            sourceCheck.requireNoText(services.recipes(options.kind()), read);
            new RightsCheck(services, filters, options, indices).check();
            if (options.candidates() != null) {
                services.indices(state, new SearchRequest(options.candidates().index()));
            }
        }
    }

    /** Shows one schedule, or all by name: a get each. What is read is on the breaker until the answer is made. */
    public static final class GetSchedulesAction extends BlockingAction<ScheduleRequest, JsonResponse> {

        public static final String NAME = "cluster:admin/simhash/schedules/get";
        public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

        /** Here and in the answer. */
        private static final long COPIES = 2;

        private final Schedules schedules;
        private final LongConsumer memory;

        @Inject
        public GetSchedulesAction(
                TransportService transport,
                ActionFilters filters,
                Schedules schedules,
                CircuitBreakerService breakers) {
            super(NAME, transport, filters);
            this.schedules = schedules;
            this.memory = BreakerMemory.ofRequests(breakers, "simhash schedules");
        }

        @Override
        protected JsonResponse answer(ScheduleRequest request, Task task) throws IOException {
            if (request.name != null) {
                return new JsonResponse(
                        request.require(schedules.read(request.name)).shown(request.name));
            }
            BytesStreamOutput bytes = new BytesStreamOutput();
            long taken = 0;
            try (XContentBuilder json = new XContentBuilder(JsonXContent.jsonXContent, bytes)) {
                json.startObject().startArray("schedules");
                for (String name : schedules.all().keySet()) {
                    Schedule schedule = schedules.read(name);
                    if (schedule != null) {
                        json.map(schedule.shown(name)).flush();
                        memory.accept(COPIES * bytes.size() - taken);
                        taken = COPIES * bytes.size();
                    }
                }
                json.endArray().endObject();
            } finally {
                memory.accept(-taken);
            }
            return new JsonResponse(
                    (json, params) -> json.rawValue(bytes.bytes().streamInput(), MediaTypeRegistry.JSON));
        }
    }

    /** Removes a schedule. A run that is at work goes on. */
    public static final class DeleteScheduleAction extends BlockingAction<ScheduleRequest, JsonResponse> {

        public static final String NAME = "cluster:admin/simhash/schedules/delete";
        public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

        private static final Logger logger = LogManager.getLogger(DeleteScheduleAction.class);

        private final TransportService transport;
        private final Schedules schedules;

        @Inject
        public DeleteScheduleAction(TransportService transport, ActionFilters filters, Schedules schedules) {
            super(NAME, transport, filters);
            this.transport = transport;
            this.schedules = schedules;
        }

        @Override
        protected JsonResponse answer(ScheduleRequest request, Task task) {
            schedules.change(request.name, stored -> {
                request.require(stored);
                return null;
            });
            logger.info(
                    "schedule [{}] was removed by [{}]",
                    request.name,
                    Caller.of(transport.getThreadPool().getThreadContext()).name());
            return new JsonResponse(Map.of("acknowledged", true));
        }
    }
}
