/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import static org.opensearch.simhash.jobs.job.JobRequest.JobRoutes.job;
import static org.opensearch.simhash.jobs.request.Endpoint.answer;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.action.ActionRunnable;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActionListener;
import org.opensearch.simhash.jobs.apply.ApplyAction;
import org.opensearch.simhash.jobs.job.JobRequest.JobRoutes;
import org.opensearch.simhash.jobs.job.RethrottleAction;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.restore.RestoreAction;
import org.opensearch.simhash.jobs.schedule.ScheduledRun;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.DeleteScheduleAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.GetSchedulesAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.PutScheduleAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.ScheduleRequest;
import org.opensearch.simhash.jobs.untag.UntagAction;
import org.opensearch.transport.client.node.NodeClient;

/**
 * What this part answers over HTTP. The path of {@code rethrottle} has a task in the place of the index, because OpenSearch
 * requires one name for a place.
 */
final class JobEndpoints {

    private static final String INDEX = "index";
    private static final String NO_INDEX = null;

    private JobEndpoints() {}

    /** @param nodes in the cluster */
    static List<Endpoint> all(Supplier<DiscoveryNodes> nodes) {
        return List.of(
                // Jobs
                new Endpoint("POST deduplicate/{index}", INDEX, "deduplicate", JobEndpoints::deduplicate),
                new Endpoint(
                        "POST deduplicate/{index}/restore",
                        INDEX,
                        "restore",
                        job(RestoreAction.INSTANCE, RestoreAction.Request::fromXContent)),
                new Endpoint(
                        "POST deduplicate/{index}/untag",
                        INDEX,
                        "untag",
                        job(UntagAction.INSTANCE, UntagAction.Request::fromXContent)),
                new Endpoint(
                        "POST deduplicate/{index}/apply",
                        INDEX,
                        "apply",
                        job(ApplyAction.INSTANCE, ApplyAction.Request::fromXContent)),
                new Endpoint(
                        "POST deduplicate/{index}/_rethrottle",
                        NO_INDEX,
                        "rethrottle",
                        new RethrottleAction.Route(nodes)),

                // Schedules
                new Endpoint(
                        "PUT schedules/{name}",
                        NO_INDEX,
                        "put_schedule",
                        answer(PutScheduleAction.INSTANCE, PutScheduleAction.Request::read)),
                new Endpoint(
                        "GET schedules, GET schedules/{name}",
                        NO_INDEX,
                        "schedules",
                        answer(GetSchedulesAction.INSTANCE, ScheduleRequest::read)),
                new Endpoint(
                        "DELETE schedules/{name}",
                        NO_INDEX,
                        "delete_schedule",
                        answer(DeleteScheduleAction.INSTANCE, ScheduleRequest::read)));
    }

    /** A rival run is an error at once, also for a client that does not wait. */
    private static CheckedConsumer<RestChannel, Exception> deduplicate(
            RestRequest request, String[] indices, NodeClient client) throws IOException {
        DeduplicateAction.Request job = JobRoutes.read(request, indices, DeduplicateAction.Request::fromXContent);
        CheckedConsumer<RestChannel, Exception> start =
                JobRoutes.start(request, client, DeduplicateAction.INSTANCE, job);
        if (job.options().sinceLast() == false) {
            return start;
        }
        return channel -> client.threadPool()
                .generic()
                .execute(ActionRunnable.run(
                        new RestActionListener<Void>(channel) {
                            @Override
                            protected void processResponse(Void free) throws Exception {
                                start.accept(channel);
                            }
                        },
                        () -> ScheduledRun.requireFree(client, job.options().dest())));
    }
}
