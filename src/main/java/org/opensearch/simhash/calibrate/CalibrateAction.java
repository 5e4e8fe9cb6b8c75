/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobAction;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobRunner;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.OptionsRequest;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.transport.client.Client;

/** Suggests a distance and a similarity for some indices. Only reads. */
public final class CalibrateAction extends JobAction<CalibrateAction.Request, JsonResponse> {

    public static final String NAME = "indices:data/read/simhash/calibrate";
    public static final ActionType<JsonResponse> INSTANCE = new ActionType<>(NAME, JsonResponse::new);

    @Inject
    public CalibrateAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(NAME, services, filters, jobs, DeduplicateThreads.JOB, Request::new);
    }

    /** The indices and the options. */
    public static final class Request extends OptionsRequest<CalibrateOptions> {

        /** A calibration writes nothing. */
        private static final WritePace ANY = WritePace.of(-1, 1);

        Request(String[] indices, CalibrateOptions options) {
            super(indices, options, ANY);
        }

        Request(StreamInput in) throws IOException {
            super(in, CalibrateOptions::new);
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
