/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionType;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.jobs.job.DeduplicateThreads;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRequest;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobRun.JobQueries;
import org.opensearch.simhash.jobs.job.JobRunner;
import org.opensearch.simhash.jobs.job.JobRunner.JobAction;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.schedule.ScheduledRun;
import org.opensearch.simhash.jobs.schedule.ScheduledRun.LastRun;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.simhash.jobs.write.JobIndex;
import org.opensearch.simhash.search.query.FingerprintPresence;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/** Finds the groups of near-duplicates in whole indices, and reports, tags or deletes them. */
public final class DeduplicateAction extends JobAction<DeduplicateAction.Request, JobResponse> {

    public static final String NAME = "indices:data/write/simhash/deduplicate";
    public static final ActionType<JobResponse> INSTANCE = LocalAction.type(NAME);

    private final FingerprintPresence presence;

    @Inject
    public DeduplicateAction(
            JobServices services, ActionFilters filters, JobRunner jobs, FingerprintPresence presence) {
        super(NAME, services, filters, jobs, DeduplicateThreads.JOB);
        this.presence = presence;
    }

    public static final class Request extends JobRequest<DeduplicateOptions> {

        private final Function<String, DeduplicateOptions> named;
        private final SearchRequest against;

        /** @param named options by the object that is compared where none is named; it parses mappings, so that only a job asks it */
        Request(String[] indices, Function<String, DeduplicateOptions> named, WritePace pace) {
            super(indices, named.apply(null), pace);
            this.named = named;
            this.against = options().against() == null
                    ? null
                    : new SearchRequest(options().against().indices());
        }

        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            return new Request(indices, DeduplicateOptions.named(parser), pace);
        }

        /** With the object that is compared, where none is named. */
        public DeduplicateOptions options(ClusterState state, List<String> indices) {
            return named.apply(
                    IndexMapping.print(state.metadata(), indices, options().kind()));
        }

        @Override
        protected List<Replaceable> sides() {
            return against == null ? List.of(this) : List.of(this, against);
        }

        /** The indices of both sides. */
        public List<String> sources(JobServices services) {
            return List.of(services.resolver().concreteIndexNames(services.state(), indicesOptions(), true, read()));
        }

        /**
         * Selects two sides, and refuses what a point in time does not tell apart.
         *
         * @param readable indices of both sides, as far as the caller may read them
         */
        public JobQueries sides(
                JobQueries queries, List<String> readable, JobServices services, UnaryOperator<QueryBuilder> lookUp) {
            if (against == null) {
                return queries;
            }
            ClusterState state = services.state();
            IndexNameExpressionResolver resolver = services.resolver();
            Set<String> path = Set.of(resolver.concreteIndexNames(state, this));
            Set<String> others = Set.of(resolver.concreteIndexNames(state, against));
            if (others.isEmpty()) {
                throw new IndexNotFoundException(options().against().index());
            }
            // Each by itself: an index that one of them names is not filtered there, but may be in the other.
            List<Set<String>> named = sides().stream()
                    .map(side -> resolver.resolveExpressions(state, side.indices()))
                    .toList();
            for (String index : others) {
                if (readable.contains(index) == false) {
                    throw new OpenSearchStatusException(
                            "[against] must be permitted on all its indices, got: none on [" + index + "]",
                            RestStatus.FORBIDDEN);
                }
                if (path.contains(index)
                        && named.stream().anyMatch(names -> resolver.filteringAliases(state, index, names) != null)) {
                    throw new IllegalArgumentException("[against] must select by [query] and not by the filter of an"
                            + " alias where the path has the same index, got: [" + index + "]");
                }
            }
            return queries.against(lookUp.apply(options().against().query()), path, others);
        }

        @Override
        public String getDescription() {
            return "deduplicate [" + String.join(",", indices()) + "], "
                    + options().action().name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    protected CheckedSupplier<JobResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        request.leaveOutArchives(services, outcome);
        ClusterState state = services.state();
        List<String> indices = services.indices(state, request);
        new TargetCheck(state, request.options(), indices).check();
        String run = UUID.randomUUID().toString().replace("-", "").toLowerCase(Locale.ROOT);
        task.run(run);
        return () -> {
            DeduplicateOptions asked = request.options(state, indices);
            BiFunction<QueryBuilder, String, JobResponse> job = (newSince, since) -> new DeduplicateJob(
                            request, services, task, client, asked, newSince, since, indices, run, outcome, presence)
                    .carryOut();
            JobResponse response = asked.sinceLast()
                    ? new ScheduledJob(
                                    services, client, services.id(task), asked, request.sources(services), run, outcome)
                            .run(job)
                    : job.apply(asked.newSince(), null);
            if (asked.dest() != null && outcome.failures().isEmpty()) {
                jobs.lastRuns().put(asked.dest(), System.currentTimeMillis());
            }
            return response;
        };
    }

    /** A job of {@code "new_since": "last"}: finds what is new since the last run, and stores what this run saw. Blocks its one thread. */
    private record ScheduledJob(
            JobServices services,
            Client client,
            TaskId task,
            DeduplicateOptions options,
            List<String> indices,
            String run,
            JobOutcome outcome) {

        /** @param job is given what is new, and the last run; null for all */
        JobResponse run(BiFunction<QueryBuilder, String, JobResponse> job) {
            GroupMapping.complete(client, services.state(), options.dest());
            String dest = JobIndex.nameOf(services.state(), options.dest());
            try (ScheduledRun scheduled = ScheduledRun.begin(services.client(), dest, task, run)) {
                LastRun last = comparable(scheduled.last());
                scheduled.look(services, client, indices);
                QueryBuilder changed = last == null ? null : JobQuery.changedAfter(last.seen());
                JobResponse response = job.apply(changed, last == null ? null : last.run());
                if (outcome.failures().isEmpty()) {
                    complete(scheduled);
                }
                return response;
            }
        }

        private void complete(ScheduledRun scheduled) {
            try {
                scheduled.complete(asText(), indices, outcome::isWritable);
            } catch (RuntimeException e) {
                outcome.warn("[new_since] last: what this run saw is not remembered, the next one starts where it did: "
                        + e.getMessage());
            }
        }

        /** Null if the last run had other options: they may have left out what matters now. */
        private LastRun comparable(LastRun last) {
            if (last == null || last.options().equals(asText())) {
                return last;
            }
            outcome.warn("[new_since] last: the last run [" + last.run() + "] into [" + options.dest()
                    + "] had other options, so this one looks at all documents");
            return null;
        }

        private String asText() {
            String action = options.action().name().toLowerCase(Locale.ROOT);
            String more = switch (options.action()) {
                case REPORT -> "";
                case TAG -> " groups=" + options.groups() + " size_field=" + options.sizeField();
                case DELETE -> " max_own_words=" + options.maxOwnWords() + " short_texts=" + options.shortTexts();
            };
            more += options.merge().isEmpty() ? "" : " merge=" + options.merge();
            return action + more + " " + new TreeMap<>(options.asMap());
        }
    }
}
