/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk;

import static org.opensearch.simhash.desk.inspect.HelperAction.route;
import static org.opensearch.simhash.jobs.job.JobRequest.JobRoutes.job;
import static org.opensearch.simhash.jobs.request.Endpoint.answer;
import static org.opensearch.simhash.jobs.request.Endpoint.answerWhileConnected;
import static org.opensearch.simhash.jobs.request.Endpoint.body;
import static org.opensearch.simhash.jobs.request.Endpoint.optionalBody;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.simhash.desk.calibrate.CalibrateAction;
import org.opensearch.simhash.desk.check.CheckAction;
import org.opensearch.simhash.desk.check.MendingRequest.MendRoute;
import org.opensearch.simhash.desk.door.HtmlPage;
import org.opensearch.simhash.desk.inspect.BlocksAction;
import org.opensearch.simhash.desk.inspect.CompareAction;
import org.opensearch.simhash.desk.inspect.FeatureWeightsAction;
import org.opensearch.simhash.desk.inspect.FingerprintAction;
import org.opensearch.simhash.desk.metrics.MetricsAction;
import org.opensearch.simhash.desk.metrics.StatsAction;
import org.opensearch.simhash.desk.review.DecideAction;
import org.opensearch.simhash.desk.review.GroupsAction;
import org.opensearch.simhash.desk.review.RunsAction;
import org.opensearch.simhash.desk.setup.SetupAction;
import org.opensearch.simhash.jobs.JobsPart;
import org.opensearch.simhash.jobs.request.Endpoint;

/** All that the plugin answers over HTTP, below {@code /_plugins/_simhash}: the rows of this part, then those of jobs. */
final class Endpoints {

    private static final String INDEX = "index";
    private static final String DEST = "dest";
    private static final String ARCHIVE = "archive";
    private static final String NO_INDEX = null;

    private Endpoints() {}

    static List<Endpoint> all(Supplier<DiscoveryNodes> nodes) {
        List<Endpoint> all = new ArrayList<>(List.of(
                // Texts
                new Endpoint(
                        "POST fingerprint",
                        NO_INDEX,
                        "fingerprint",
                        route(
                                FingerprintAction.INSTANCE,
                                (r, none) -> body(r, FingerprintAction.Request::fromXContent))),
                new Endpoint(
                        "POST compare",
                        NO_INDEX,
                        "compare",
                        route(CompareAction.INSTANCE, (r, none) -> body(r, CompareAction.Request::fromXContent))),
                new Endpoint(
                        "POST feature_weights/{index}",
                        INDEX,
                        "feature_weights",
                        route(
                                FeatureWeightsAction.INSTANCE,
                                (r, indices) -> optionalBody(
                                        r, parser -> FeatureWeightsAction.Request.fromXContent(indices, parser)))),
                new Endpoint(
                        "POST blocks/{index}",
                        INDEX,
                        "blocks",
                        route(
                                BlocksAction.INSTANCE,
                                (r, indices) ->
                                        optionalBody(r, parser -> BlocksAction.Request.fromXContent(indices, parser)))),

                // Set up
                new Endpoint("GET ", NO_INDEX, "door", (request, names, client) -> HtmlPage.FRONT::send),
                new Endpoint(
                        "POST setup/{index}",
                        INDEX,
                        "setup",
                        job(SetupAction.INSTANCE, SetupAction.Request::fromXContent)),
                new Endpoint(
                        "POST calibrate/{index}, GET calibrate/{index}", INDEX, "calibrate", CalibrateAction::route),
                new Endpoint(
                        "GET check/{index}",
                        INDEX,
                        "check",
                        answerWhileConnected(CheckAction.INSTANCE, CheckAction.Request::read)),
                new Endpoint("POST check/{index}/mend", INDEX, "mend", MendRoute::of),

                // Review
                new Endpoint("GET review/{dest}", DEST, "review", HtmlPage::review),
                new Endpoint("GET review/{dest}/groups", DEST, "review_groups", GroupsAction::route),
                new Endpoint(
                        "POST review/{dest}/texts",
                        DEST,
                        "review_texts",
                        answer(GroupsAction.INSTANCE, GroupsAction.Request::texts)),
                new Endpoint(
                        "POST review/{dest}/decide",
                        DEST,
                        "review_decide",
                        answer(DecideAction.INSTANCE, DecideAction.Request::read)),
                new Endpoint(
                        "GET deduplicate/runs",
                        ARCHIVE,
                        "runs",
                        answer(RunsAction.INSTANCE, (request, archive) -> new RunsAction.Request(archive))),

                // Nodes
                new Endpoint(
                        "GET stats, GET stats/{stat}, GET {nodeId}/stats, GET {nodeId}/stats/{stat}",
                        NO_INDEX,
                        "stats",
                        StatsAction::route),
                new Endpoint("GET metrics, GET {nodeId}/metrics", NO_INDEX, "metrics", MetricsAction::route)));
        all.addAll(JobsPart.endpoints(nodes));
        return all;
    }
}
