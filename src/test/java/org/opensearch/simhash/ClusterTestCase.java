/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import java.util.Random;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.indices.IndicesService;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchIntegTestCase;

/** Nodes in this JVM. Their indices have settings that the framework chooses at random, where a test has none. */
public abstract class ClusterTestCase extends OpenSearchIntegTestCase {

    /**
     * It asserts that each span is ended by what began it, and searches of one thread's context share the current span: two at
     * once may each end the other's.
     */
    @Override
    protected boolean addMockTelemetryPlugin() {
        return false;
    }

    @Override
    protected Settings nodeSettings(int node) {
        // One suite of ten has nodes whose breaker refuses nothing, if the framework has its way.
        return Settings.builder()
                .put(super.nodeSettings(node))
                .put(HierarchyCircuitBreakerService.REQUEST_CIRCUIT_BREAKER_TYPE_SETTING.getKey(), "memory")
                // It writes files at each change of an index.
                .put(IndicesService.WRITE_DANGLING_INDICES_INFO_SETTING.getKey(), false)
                .build();
    }

    @Override
    protected Settings.Builder setRandomIndexSettings(Random random, Settings.Builder builder) {
        // What was written and not yet synced holds memory, for which the framework waits up to ten seconds after each
        // test.
        return super.setRandomIndexSettings(random, builder)
                .put(IndexSettings.INDEX_TRANSLOG_SYNC_INTERVAL_SETTING.getKey(), "100ms");
    }
}
