/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The zip is a plugin that a stock distribution accepts. */
@RealNodes(1)
class InstallIT {

    private final RealCluster cluster;

    InstallIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testNodeListsThePlugin() {
        var plugin = (Map<?, ?>) cluster.client().get("/_nodes/plugins").at("nodes");
        Object first = plugin.values().iterator().next();
        assertEquals("opensearch-simhash", Json.at(first, "plugins.0.name"));
        assertEquals(System.getProperty("node.version"), Json.at(first, "version"));
        assertEquals(
                "[3.6.0,4.0.0)",
                Json.at(first, "plugins.0.opensearch_version").toString().replace(" ", ""));
        assertEquals("21", Json.at(first, "plugins.0.java_version"), "whatever Java it was built by");
    }

    @Test
    void testConfigurationIsInstalledWithThePlugin() throws IOException {
        Map<String, String> ours = contents(Path.of(System.getProperty("project.basedir"), "config"));
        assertTrue(ours.containsKey("search-pipeline.json"), ours.toString());
        assertEquals(ours, contents(cluster.home().resolve("config/opensearch-simhash")));
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            // The folders are for other programs, and the installer refuses them.
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                contents.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return contents;
    }
}
