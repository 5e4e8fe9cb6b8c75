/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobAction;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobRequest;
import org.opensearch.simhash.deduplicate.job.JobRunner;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.query.FingerprintPresence;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.transport.client.Client;

/** Finds the groups of near-duplicates in whole indices, and reports, tags or deletes them. */
public final class DeduplicateAction extends JobAction<DeduplicateAction.Request, DeduplicateResponse> {

    public static final String NAME = "indices:data/write/simhash/deduplicate";
    public static final ActionType<DeduplicateResponse> INSTANCE = LocalAction.type(NAME);

    private final IndexNameExpressionResolver resolver;
    private final FingerprintPresence presence;

    @Inject
    public DeduplicateAction(
            JobServices services,
            ActionFilters filters,
            JobRunner jobs,
            IndexNameExpressionResolver resolver,
            FingerprintPresence presence) {
        super(NAME, services, filters, jobs, DeduplicateThreads.JOB);
        this.resolver = resolver;
        this.presence = presence;
    }

    /** The indices and the options. */
    public static final class Request extends JobRequest.WithOptions<DeduplicateOptions> {

        Request(String[] indices, DeduplicateOptions options, WritePace pace) {
            super(indices, options, pace);
        }

        /** @param parser null if there is no body */
        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            return new Request(indices, DeduplicateOptions.fromXContent(parser), pace);
        }

        @Override
        public String getDescription() {
            return "deduplicate [" + String.join(",", indices()) + "], "
                    + options().action().name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    protected CheckedSupplier<DeduplicateResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        request.leaveOutArchives(services, outcome);
        ClusterState state = services.cluster().state();
        String[] indices = resolver.concreteIndexNames(state, request);
        if (indices.length == 0) {
            throw new IndexNotFoundException(String.join(",", request.indices()));
        }
        new TargetCheck(state, request.options(), indices).check();
        String run = UUID.randomUUID().toString().replace("-", "").toLowerCase(Locale.ROOT);
        task.run(run);
        DeduplicateOptions asked = request.options();
        ScheduledJob.Job job = (newSince, since) -> new DeduplicateJob(
                        services, task, client, asked, newSince, since, indices, run, outcome, presence)
                .run(request);
        return () -> {
            DeduplicateResponse response = asked.sinceLast()
                    ? new ScheduledJob(services, client, self(task), asked, List.of(indices), run, outcome).run(job)
                    : job.run(asked.newSince(), null);
            if (asked.dest() != null && outcome.failures().isEmpty()) {
                jobs.lastRuns().put(asked.dest(), System.currentTimeMillis());
            }
            return response;
        };
    }
}
