/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import java.util.List;
import java.util.Map;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.job.JobRunner;
import org.opensearch.simhash.deduplicate.job.JobStatus;
import org.opensearch.simhash.deduplicate.job.JobTask;

/**
 * The running jobs of a node, labelled by task.
 *
 * @param nodeId prefix of task ids
 */
record RunningJobs(JobRunner jobs, String nodeId) {

    private static final double SECONDS = 1e9;

    List<Metric> metrics() {
        Metric.Builder progress = Metric.Builder.gauge(
                "job_progress_ratio", "How much of its phase a job has done, where that is known.");
        Metric.Builder idle = Metric.Builder.gauge(
                "job_idle_seconds", "How long ago a job last did anything; 0 while it waits for a thread or its pace.");
        Metric.Builder read = Metric.Builder.gauge("job_read_documents", "Documents that a running job has read.");
        Metric.Builder written =
                Metric.Builder.gauge("job_written_documents", "Documents that a running job has written.");
        int waiting = 0;
        int running = 0;
        for (JobTask job : jobs.underWay()) {
            JobStatus status = job.getStatus();
            if (job.hasBegun()) {
                running++;
            } else {
                waiting++;
            }
            Map<String, String> labels = labels(job, status);
            if (status.total() > 0) {
                progress.add(labels, (double) status.done() / status.total());
            }
            idle.add(labels, job.idleNanos() / SECONDS);
            read.add(labels, status.read());
            written.add(labels, status.written());
        }
        return List.of(
                Metric.Builder.gauge("jobs", "Jobs of this node, by whether they run or wait for a thread.")
                        .add("state", "running", running)
                        .add("state", "waiting", waiting)
                        .build(),
                progress.build(),
                idle.build(),
                read.build(),
                written.build());
    }

    private Map<String, String> labels(JobTask job, JobStatus status) {
        String action = job.getAction();
        return Map.of(
                "kind",
                action.substring(action.lastIndexOf('/') + 1),
                "task",
                new TaskId(nodeId, job.getId()).toString(),
                "phase",
                status.phase());
    }
}
