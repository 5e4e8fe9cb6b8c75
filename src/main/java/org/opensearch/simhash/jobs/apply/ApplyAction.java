/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import java.io.IOException;
import java.util.Locale;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.jobs.job.DeduplicateThreads;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRequest;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobRunner;
import org.opensearch.simhash.jobs.job.JobRunner.JobAction;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.transport.client.Client;

/** Tags or deletes the duplicates of groups that people have decided about. */
public final class ApplyAction extends JobAction<ApplyAction.Request, JobResponse> {

    public static final String NAME = "indices:data/write/simhash/apply";
    public static final ActionType<JobResponse> INSTANCE = LocalAction.type(NAME);

    @Inject
    public ApplyAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(NAME, services, filters, jobs, DeduplicateThreads.JOB);
    }

    public static final class Request extends JobRequest<ApplyOptions> {

        Request(String[] indices, ApplyOptions options, WritePace pace) {
            super(indices, options, pace);
        }

        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            return new Request(indices, ApplyOptions.fromXContent(parser), pace);
        }

        @Override
        public String getDescription() {
            return "apply decisions of [" + options().dest() + "], run ["
                    + options().run() + "], to ["
                    + String.join(",", indices()) + "], "
                    + options().action().name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    protected CheckedSupplier<JobResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        request.leaveOutArchives(services, outcome);
        task.run(request.options().run());
        return () -> new ApplyJob(services, task, client, request.options(), outcome).run(request);
    }
}
