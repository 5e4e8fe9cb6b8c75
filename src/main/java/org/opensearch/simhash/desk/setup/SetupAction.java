/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.regex.Regex;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.indices.IndicesService;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.jobs.job.DeduplicateThreads;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRequest;
import org.opensearch.simhash.jobs.job.JobRunner;
import org.opensearch.simhash.jobs.job.JobRunner.JobAction;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.transport.RemoteClusterAware;
import org.opensearch.transport.client.Client;

/** Shows what an index needs so that its near-duplicates are found, or does it. Its requests have the user's rights. */
public final class SetupAction extends JobAction<SetupAction.Request, JsonResponse> {

    public static final String NAME = "indices:admin/simhash/setup";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private static final int MOST_INDICES = 100;

    private static final int NAMED = 10;

    private final IndicesService mappings;

    @Inject
    public SetupAction(JobServices services, ActionFilters filters, JobRunner jobs, IndicesService mappings) {
        super(NAME, services, filters, jobs, DeduplicateThreads.RESTORE);
        this.mappings = mappings;
    }

    public static final class Request extends JobRequest<SetupOptions> {

        /** As the user typed them: a security filter may replace them by indices. */
        private final List<String> typed;

        Request(String[] indices, SetupOptions options, WritePace pace) {
            super(indices, options, pace);
            this.typed = List.of(indices);
        }

        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            return new Request(indices, SetupOptions.fromXContent(parser), pace);
        }

        /** Includes closed indices, which are an obstacle that is named. */
        @Override
        public IndicesOptions indicesOptions() {
            return IndicesOptions.fromOptions(false, false, true, true);
        }

        @Override
        public String getDescription() {
            return "setup of [" + String.join(",", indices()) + "]" + (options().isApplied() ? ", apply" : "");
        }
    }

    @Override
    protected CheckedSupplier<JsonResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        ClusterState state = services.cluster().state();
        List<String> indices = List.of(indices(state, request));
        String typed = request.typed.getFirst();
        boolean isNamed = request.typed.equals(List.of(request.indices())) && typed.startsWith("<") == false;
        String name = isNamed ? typed : String.join(",", indices);
        return () ->
                new JsonResponse(new SetupRun(services, mappings, task, services.id(task), client, request.options())
                        .run(state, typed, name, indices));
    }

    private String[] indices(ClusterState state, Request request) {
        String typed = String.join(",", request.typed);
        String rule = "[index] must name one index, alias or data stream of this cluster, got: " + typed;
        boolean isDateMath = typed.startsWith("<");
        if (isDateMath == false && typed.indexOf(RemoteClusterAware.REMOTE_CLUSTER_INDEX_SEPARATOR) >= 0) {
            throw new IllegalArgumentException(rule);
        }
        String[] indices = services.resolver().concreteIndexNames(state, request);
        boolean isOne = request.typed.size() == 1
                && typed.equals(Metadata.ALL) == false
                && Regex.isSimpleMatchPattern(typed) == false;
        if (isOne == false) {
            List<String> some = Arrays.stream(indices).limit(NAMED).toList();
            throw new IllegalArgumentException(rule + (some.isEmpty() ? "" : ", which is " + some));
        }
        TypedNumber.requireAtMost("[index]", MOST_INDICES, "indices", indices.length);
        return indices;
    }
}
