/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
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
        assertEquals(System.getProperty("opensearch.version"), Json.at(first, "plugins.0.opensearch_version"));
    }

    @Test
    void testConfigurationIsInstalledWithThePlugin() throws IOException {
        for (String name : new String[] {"index-template", "ingest-pipeline", "search-example"}) {
            var installed = cluster.home().resolve("config/opensearch-simhash/" + name + ".json");
            assertEquals(new SampleIndex().config(name), Files.readString(installed));
        }
    }
}
