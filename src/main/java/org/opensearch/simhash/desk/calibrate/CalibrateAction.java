/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
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
import org.opensearch.transport.client.Client;

/** Suggests a distance and a similarity for some indices. Only reads. */
public final class CalibrateAction extends JobAction<CalibrateAction.Request, JsonResponse> {

    public static final String NAME = "indices:data/read/simhash/calibrate";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    @Inject
    public CalibrateAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(NAME, services, filters, jobs, DeduplicateThreads.JOB);
    }

    /** The indices and the options. */
    public static final class Request extends JobRequest<CalibrateOptions> {

        /** A calibration writes nothing. */
        private static final WritePace ANY = WritePace.of(-1);

        Request(String[] indices, CalibrateOptions options) {
            super(indices, options, ANY);
        }

        @Override
        public String getDescription() {
            return "calibrate [" + String.join(",", indices()) + "]";
        }
    }

    @Override
    protected CheckedSupplier<JsonResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        return () -> new JsonResponse(new Calibration(services, task, client).run(request));
    }
}
