/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.util.concurrent.Executor;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobRunner;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Starts each calibration on a thread of its own, as jobs. */
public final class TransportCalibrateAction extends HandledTransportAction<CalibrateAction.Request, CalibrateResponse> {

    private final JobServices services;
    private final JobRunner jobs;

    @Inject
    public TransportCalibrateAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(CalibrateAction.NAME, services.transport(), filters, CalibrateAction.Request::new);
        this.services = services;
        this.jobs = jobs;
    }

    @Override
    protected void doExecute(Task task, CalibrateAction.Request request, ActionListener<CalibrateResponse> listener) {
        TaskId self = new TaskId(services.transport().getLocalNode().getId(), task.getId());
        Client child = new ParentTaskAssigningClient(services.client(), self);
        Calibration calibration = new Calibration(services, (JobTask) task, child);
        Executor threads = services.transport().getThreadPool().executor(DeduplicateThreads.JOB);
        jobs.start((JobTask) task, new JobOutcome(), threads, () -> calibration.run(request), listener);
    }
}
