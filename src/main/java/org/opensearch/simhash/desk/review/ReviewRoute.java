/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.util.List;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.core.action.ActionListener;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestActionListener;
import org.opensearch.simhash.desk.request.Html;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET /_plugins/_simhash/review/{dest}}: the page, or a report with {@code format=report}. */
public final class ReviewRoute implements Endpoint.Work {

    /** The page reads these from its address. */
    private static final List<String> FILTERS =
            List.of("run", "decision", "min_similarity", "max_similarity", "min_size", "max_size");

    private final ReviewPage page = new ReviewPage();

    @Override
    public CheckedConsumer<RestChannel, Exception> of(RestRequest request, String[] names, NodeClient client) {
        String dest = request.param("dest");
        String format = request.param("format", "html");
        FILTERS.forEach(request::param);
        request.param("group");
        request.param("member");
        request.param("difference");
        String text = request.param("text");
        String columns = request.param("columns");
        return switch (format) {
            case "html" -> channel -> channel.sendResponse(Html.response(page.live(), page.livePolicy()));
            case "report" -> {
                ReportAction.Request report = new ReportAction.Request(dest, GroupChoice.read(request), text, columns);
                yield channel -> client.execute(ReportAction.INSTANCE, report, listener(channel, dest));
            }
            default -> throw new IllegalArgumentException("[format] must be one of [html, report], got: " + format);
        };
    }

    private ActionListener<JsonResponse> listener(RestChannel channel, String dest) {
        return new RestActionListener<>(channel) {
            @Override
            protected void processResponse(JsonResponse report) {
                RestResponse response = Html.response(page.report(report.toString()), "sandbox");
                response.addHeader(
                        "Content-Disposition",
                        "attachment; filename=\"review-" + dest.replaceAll("[^A-Za-z0-9._-]", "_") + ".html\"");
                channel.sendResponse(response);
            }
        };
    }
}
