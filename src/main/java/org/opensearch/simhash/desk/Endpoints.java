/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk;

import static org.opensearch.simhash.jobs.job.JobRequest.JobRoutes.job;
import static org.opensearch.simhash.jobs.request.Endpoint.Effect.CHANGES;
import static org.opensearch.simhash.jobs.request.Endpoint.Effect.READS;
import static org.opensearch.simhash.jobs.request.Endpoint.answer;
import static org.opensearch.simhash.jobs.request.Endpoint.answerWhileConnected;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.simhash.desk.calibrate.CalibrateRoute;
import org.opensearch.simhash.desk.check.CheckAction;
import org.opensearch.simhash.desk.check.MendingRequest.MendRoute;
import org.opensearch.simhash.desk.door.DoorPage;
import org.opensearch.simhash.desk.inspect.HelperRoutes;
import org.opensearch.simhash.desk.metrics.MetricsAction;
import org.opensearch.simhash.desk.review.DecideAction;
import org.opensearch.simhash.desk.review.GroupsAction;
import org.opensearch.simhash.desk.review.ReviewRoute;
import org.opensearch.simhash.desk.setup.SetupAction;
import org.opensearch.simhash.desk.stats.StatsAction;
import org.opensearch.simhash.jobs.JobsPart;
import org.opensearch.simhash.jobs.request.Endpoint;

/**
 * All that the plugin answers over HTTP, below {@code /_plugins/_simhash}: this part's rows, then those of jobs. What changes
 * something needs a body or a JSON content type. What names indices must name some.
 */
final class Endpoints {

    private static final String INDEX = "index";
    private static final String DEST = "dest";
    private static final String NO_INDEX = null;

    private Endpoints() {}

    /** @param nodes in the cluster */
    static List<Endpoint> all(Supplier<DiscoveryNodes> nodes) {
        List<Endpoint> all = new ArrayList<>(List.of(
                // Texts
                new Endpoint("POST fingerprint", READS, NO_INDEX, "fingerprint", HelperRoutes.fingerprint()),
                new Endpoint("POST compare", READS, NO_INDEX, "compare", HelperRoutes.compare()),
                new Endpoint(
                        "POST feature_weights/{index}", READS, INDEX, "feature_weights", HelperRoutes.featureWeights()),
                new Endpoint("POST blocks/{index}", READS, INDEX, "blocks", HelperRoutes.blocks()),

                // Set up
                new Endpoint("GET ", READS, NO_INDEX, "door", DoorPage.FRONT.work()),
                new Endpoint(
                        "POST setup/{index}",
                        CHANGES,
                        INDEX,
                        "setup",
                        job(SetupAction.INSTANCE, SetupAction.Request::fromXContent)),
                new Endpoint(
                        "POST calibrate/{index}, GET calibrate/{index}", READS, INDEX, "calibrate", CalibrateRoute::of),
                new Endpoint(
                        "GET check/{index}",
                        READS,
                        INDEX,
                        "check",
                        answerWhileConnected(CheckAction.INSTANCE, CheckAction.Request::read)),
                new Endpoint("POST check/{index}/mend", CHANGES, INDEX, "mend", MendRoute::of),

                // Review
                new Endpoint("GET review/{dest}", READS, DEST, "review", new ReviewRoute()),
                new Endpoint(
                        "GET review/{dest}/groups",
                        READS,
                        DEST,
                        "review_groups",
                        answer(GroupsAction.INSTANCE, GroupsAction.Request::read)),
                new Endpoint(
                        "POST review/{dest}/decide",
                        CHANGES,
                        DEST,
                        "review_decide",
                        answer(DecideAction.INSTANCE, DecideAction.Request::read)),

                // Nodes
                new Endpoint(
                        "GET stats, GET stats/{stat}, GET {nodeId}/stats, GET {nodeId}/stats/{stat}",
                        READS,
                        NO_INDEX,
                        "stats",
                        StatsAction::route),
                new Endpoint("GET metrics, GET {nodeId}/metrics", READS, NO_INDEX, "metrics", MetricsAction::route)));
        all.addAll(JobsPart.endpoints(nodes));
        return all;
    }
}
