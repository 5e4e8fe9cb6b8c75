/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.restore;

import static org.opensearch.simhash.options.RequestOptions.declare;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.index.Index;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.deduplicate.archive.ArchiveIndex;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobAction;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobRequest;
import org.opensearch.simhash.deduplicate.job.JobResponse;
import org.opensearch.simhash.deduplicate.job.JobRunner;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.options.NamedIndex;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.transport.client.Client;

/** Puts back what a run has deleted. */
public final class RestoreAction extends JobAction<RestoreAction.Request, JobResponse> {

    public static final String NAME = "indices:data/write/simhash/restore";
    public static final ActionType<JobResponse> INSTANCE = LocalAction.type(NAME);

    private final IndexNameExpressionResolver resolver;

    @Inject
    public RestoreAction(
            JobServices services, ActionFilters filters, JobRunner jobs, IndexNameExpressionResolver resolver) {
        super(NAME, services, filters, jobs, DeduplicateThreads.RESTORE);
        this.resolver = resolver;
    }

    /** The run and the indices to restore. */
    public static final class Request extends JobRequest {

        private static final ConstructingObjectParser<String[], Void> PARSER = new ConstructingObjectParser<>(
                "restore", options -> new String[] {(String) options[0], (String) options[1]});

        static {
            declare(PARSER, "run", ConstructingObjectParser.constructorArg(), RequestOptions.text("run"));
            declare(PARSER, "archive", ConstructingObjectParser.constructorArg(), NamedIndex.reader("archive"));
        }

        private final String run;
        private final String archive;

        public Request(String[] indices, String run, String archive, WritePace pace) {
            super(indices, pace);
            this.run = run;
            this.archive = archive;
        }

        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            String[] options = RequestOptions.requiredBody(PARSER, parser);
            return new Request(indices, options[0], options[1], pace);
        }

        String run() {
            return run;
        }

        String archive() {
            return archive;
        }

        @Override
        public String getDescription() {
            return "restore run [" + run + "] from [" + archive + "]";
        }
    }

    @Override
    protected CheckedSupplier<JobResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        ClusterState state = services.cluster().state();
        Map<String, Index> indices = Arrays.stream(resolver.concreteIndices(state, request))
                .collect(Collectors.toMap(Index::getName, index -> index));
        ArchiveIndex.requireWhole(state, resolver.resolveExpressions(state, request.archive()));
        return () -> new Restoration(services, task, client, outcome).restore(request, indices);
    }
}
