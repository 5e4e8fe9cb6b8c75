/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.restspec;

import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchTestCase;

/** The specification has all routes of the plugin, and each of its requests has a test. */
public class RestSpecTests extends OpenSearchTestCase {

    private static Set<String> routes() {
        return new SimHashPlugin()
                        .getRestHandlers(Settings.EMPTY, null, null, null, null, null, () -> DiscoveryNodes.EMPTY_NODES)
                        .stream()
                        .flatMap(handler -> handler.routes().stream())
                        .map(route -> route.getMethod() + " " + route.getPath())
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    public void testHasTheRoutesOfThePlugin() {
        Set<String> specified = RestSpec.in("api").values().stream()
                .flatMap(spec -> spec.places().stream())
                .flatMap(place -> place.methods().stream().map(method -> method + " " + place.path()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(routes(), specified);
    }

    public void testNamesThePartsOfItsPaths() {
        for (RestSpec spec : RestSpec.in("api").values()) {
            for (RestSpec.Place place : spec.places()) {
                String left = place.path();
                for (String part : place.parts()) {
                    assertTrue(spec.name(), left.contains("{" + part + "}"));
                    left = left.replace("{" + part + "}", "");
                }
                assertFalse(spec.name(), left.contains("{"));
            }
            assertTrue(
                    spec.name(),
                    Files.exists(RestSpec.FOLDER.resolve("../../../..").resolve(spec.page())));
        }
    }

    /** By method and path: one that is only refused has none. */
    public void testEachRouteHasATest() {
        Map<String, RestSpec> specs = RestSpec.in("api");
        Set<String> untested = routes();
        YamlTest.all().forEach(test -> test.routes(specs).forEach(untested::remove));
        assertEquals(Set.of(), untested);
    }
}
