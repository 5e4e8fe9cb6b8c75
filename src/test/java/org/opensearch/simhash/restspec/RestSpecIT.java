/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.restspec;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;
import org.opensearch.simhash.node.RestClient;

/** The specification of the requests, and its tests, on a real node. */
@RealNodes(1)
class RestSpecIT {

    private final RestClient rest;

    RestSpecIT(RealCluster cluster) {
        this.rest = cluster.client();
    }

    @TestFactory
    Stream<DynamicTest> testRequests() {
        Map<String, RestSpec> specs = new HashMap<>(RestSpec.in("core"));
        specs.putAll(RestSpec.in("api"));
        return YamlTest.all().stream().map(test -> DynamicTest.dynamicTest(test.name(), () -> test.run(rest, specs)));
    }

    /** OpenSearch refuses a parameter that a request does not read. */
    @Test
    void testEveryParameterIsRead() {
        for (RestSpec spec : RestSpec.in("api").values()) {
            for (String param : spec.params()) {
                Map<String, Object> arguments = new HashMap<>();
                spec.places().getFirst().parts().forEach(part -> arguments.put(part, "spec-no-such"));
                arguments.put(param, param.equals("format") ? spec.defaultOf(param) : "1");
                RestSpec.Sent sent = spec.request(arguments);
                String answer = rest.send(sent.method(), sent.path(), spec.hasBody() ? "{}" : null)
                        .text();
                assertFalse(answer.contains("unrecognized parameter"), () -> sent + ": " + answer);
            }
        }
    }
}
