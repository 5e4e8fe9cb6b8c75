/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.ExceptionsHelper;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestHandler.Route;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.rest.FakeRestChannel;
import org.opensearch.test.rest.FakeRestRequest;

/** Every route of the plugin, those that come later too: none means all indices by mistake, none is sent by a foreign page. */
public class EndpointsTests extends OpenSearchTestCase {

    private static final String PLUGIN = "/_plugins/_simhash/";

    private static final List<String> NOTHING = List.of(",", ",,", " ", " , ", "\t,", "-x", "-x,-y*", ",-x,", "-");

    private record Target(RestHandler handler, Route route) {

        String path() {
            return route.getPath().equals("/_plugins/_simhash")
                    ? ""
                    : route.getPath().substring(PLUGIN.length());
        }

        /** By a method that a page sends unasked. Browsers ask the node before they send another one. */
        boolean worksOrChanges() {
            return route.getMethod() == RestRequest.Method.POST;
        }
    }

    private static List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        new SimHashPlugin()
                .getRestHandlers(Settings.EMPTY, null, null, null, null, null, () -> DiscoveryNodes.EMPTY_NODES)
                .forEach(handler -> handler.routes().forEach(route -> targets.add(new Target(handler, route))));
        return targets;
    }

    private FakeRestRequest.Builder request(Target target, String name) {
        Map<String, String> parameters = new HashMap<>();
        Matcher named = Pattern.compile("\\{(\\w+)}").matcher(target.route.getPath());
        while (named.find()) {
            parameters.put(named.group(1), name);
        }
        return new FakeRestRequest.Builder(NamedXContentRegistry.EMPTY)
                .withMethod(target.route.getMethod())
                .withPath(target.route.getPath())
                .withParams(parameters);
    }

    private static Exception refusal(Target target, RestRequest request) {
        return expectThrows(
                Exception.class,
                () -> target.handler.handleRequest(request, new FakeRestChannel(request, true, 0), null));
    }

    public void testAnEmptyListOfIndicesIsRefused() {
        Set<String> tried = new TreeSet<>();
        for (Target target : targets()) {
            boolean isOfIndices =
                    target.path().contains("{index}") && target.path().endsWith("_rethrottle") == false;
            if (isOfIndices || target.path().startsWith("review/{dest}")) {
                for (String nothing : NOTHING) {
                    Exception e = refusal(
                            target,
                            request(target, nothing)
                                    .withContent(new BytesArray("{}"), XContentType.JSON)
                                    .build());
                    String parameter = isOfIndices ? "index" : "dest";
                    assertEquals(
                            "[" + parameter
                                    + "] must name an index, an alias or a pattern (_all for all indices), got: "
                                    + nothing,
                            e.getMessage());
                    assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(e));
                }
                tried.add(target.path());
            }
        }
        assertEquals(
                Set.of(
                        "calibrate/{index}",
                        "check/{index}",
                        "check/{index}/mend",
                        "deduplicate/{index}",
                        "blocks/{index}",
                        "deduplicate/{index}/apply",
                        "deduplicate/{index}/restore",
                        "deduplicate/{index}/untag",
                        "feature_weights/{index}",
                        "review/{dest}",
                        "review/{dest}/decide",
                        "review/{dest}/groups",
                        "review/{dest}/texts",
                        "setup/{index}"),
                tried);
    }

    public void testTheArchiveOfRunsHasToBeNamed() {
        for (Target target : targets()) {
            if (target.path().equals("deduplicate/runs")) {
                assertEquals(
                        "[archive] must name an index, an alias or a pattern (_all for all indices), got: null",
                        refusal(target, request(target, "").build()).getMessage());
            }
        }
    }

    public void testNamesWithoutBlankOnesStay() {
        assertArrayEquals(new String[] {"a", "-b", "_all"}, Endpoint.names("index", "a,, ,-b,_all,"));
    }

    public void testWhatAForeignPageCanSendChangesNothingAndStartsNoWork() {
        Set<String> tried = new TreeSet<>();
        for (Target target : targets()) {
            boolean isCalibration = target.path().equals("calibrate/{index}");
            if (target.worksOrChanges() || isCalibration) {
                for (String type : new String[] {
                    null, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
                }) {
                    FakeRestRequest.Builder request = request(target, "docs");
                    if (isCalibration && target.worksOrChanges() == false) { // Its result would be stored.
                        request.withParams(Map.of("index", "docs", "wait_for_completion", "false"));
                    }
                    if (type != null) {
                        request.withHeaders(Map.of("Content-Type", List.of(type)));
                    }
                    Exception e = refusal(target, request.build());
                    assertEquals(target.path(), RestStatus.NOT_ACCEPTABLE, ExceptionsHelper.status(e));
                    assertEquals(
                            "[Content-Type] must be application/json where a request changes something or starts work, also without a"
                                    + " body ({} is one), got: " + type,
                            e.getMessage());
                }
                tried.add(target.path());
            }
        }
        assertTrue(
                tried.toString(),
                tried.containsAll(Set.of(
                        "calibrate/{index}",
                        "feature_weights/{index}",
                        "blocks/{index}",
                        "deduplicate/{index}/untag")));
    }

    public void testARequestWithoutOptionsMayHaveAnEmptyObject() {
        for (Target target : targets()) {
            if (target.path().endsWith("/mend") || target.path().endsWith("/_rethrottle")) {
                RestRequest request = request(target, "docs")
                        .withContent(new BytesArray("{\"fields\": 1}"), XContentType.JSON)
                        .build();
                String message = refusal(target, request).getMessage();
                assertTrue(message, message.contains("unknown field [fields]"));
            }
        }
    }
}
