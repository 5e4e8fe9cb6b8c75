/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.memory;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.Collection;
import java.util.List;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsRequest.Metric;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.indices.breaker.CircuitBreakerStats;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.monitor.jvm.JvmInfo;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A node whose {@code simhash} breaker allows next to nothing. */
public class FingerprintMemoryTests extends OpenSearchSingleNodeTestCase {

    private static final String LIMIT = "64kb";

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, CommonAnalysisModulePlugin.class);
    }

    @Override
    protected Settings nodeSettings() {
        // Without the overhead said, a limit that is changed while the node runs brings OpenSearch's own overhead of 2.
        return Settings.builder()
                .put("breaker.simhash.limit", LIMIT)
                .put("breaker.simhash.overhead", 1)
                .build();
    }

    public void testALargeDocumentIsRefusedAndNoOther() {
        pipeline();
        long trippedBefore = stats().getTrippedCount();
        String small = "Nine words are enough for more than eight features. ";
        BulkResponse response = client().prepareBulk()
                .add(client().prepareIndex("docs").setId("before").setSource("content", small))
                .add(client().prepareIndex("docs").setId("large").setSource("content", small.repeat(1000)))
                .add(client().prepareIndex("docs").setId("after").setSource("content", small))
                .get();

        assertFalse(response.getItems()[0].isFailed());
        assertFalse(response.getItems()[2].isFailed());
        BulkItemResponse large = response.getItems()[1];
        assertEquals(RestStatus.TOO_MANY_REQUESTS, large.status());
        Throwable cause = ExceptionsHelper.unwrapCause(large.getFailure().getCause());
        assertEquals(CircuitBreakingException.class, cause.getClass());
        assertEquals(
                "[simhash] Data too large, data for [simhash] would be [328384/320.6kb],"
                        + " which is larger than the limit of [65536/64kb]",
                cause.getMessage());
        client().admin().indices().prepareRefresh("docs").get();
        assertEquals(
                2,
                client().prepareSearch("docs")
                        .setQuery(QueryBuilders.existsQuery("simhash.hash"))
                        .get()
                        .getHits()
                        .getTotalHits()
                        .value());
        CircuitBreakerStats stats = stats();
        assertEquals(65536, stats.getLimit());
        assertEquals(trippedBefore + 1, stats.getTrippedCount());
        assertEquals("all is given back", 0, stats.getEstimated());
    }

    public void testALargeQueryIsRefused() {
        pipeline();
        client().prepareIndex("docs")
                .setId("1")
                .setSource("content", "some text")
                .get();
        String text = "A text of a query is fingerprinted like that of a document. ".repeat(1000);
        CircuitBreakingException e = expectThrows(
                CircuitBreakingException.class,
                () -> client().prepareSearch("docs")
                        .setQuery(QueryBuilders.wrapperQuery("{\"simhash\": {\"text\": \"" + text + "\"}}"))
                        .get());
        assertEquals(RestStatus.TOO_MANY_REQUESTS, e.status());
        assertEquals(0, stats().getEstimated());
    }

    public void testTheLimitCanBeChangedWhileTheNodeRuns() {
        pipeline();
        limit("1mb");
        String large = "Nine words are enough for more than eight features. ".repeat(1000);
        client().prepareIndex("docs").setId("1").setSource("content", large).get();
        limit("10b");
        // Another text: the thread may still have the tokens of the first one.
        String other = "Ten words" + large;
        Exception e = expectThrows(
                Exception.class,
                () -> client().prepareIndex("docs")
                        .setId("2")
                        .setSource("content", other)
                        .get());
        assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)));
        limit(null);
        assertEquals(65536, stats().getLimit());
    }

    private void limit(String value) {
        Settings.Builder settings = Settings.builder();
        assertAcked(client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(
                        value == null
                                ? settings.putNull("breaker.simhash.limit")
                                : settings.put("breaker.simhash.limit", value)));
    }

    public void testByDefaultAQuarterOfTheHeapAndSettingsOfTheNodeCount() {
        long heap = JvmInfo.jvmInfo().getMem().getHeapMax().getBytes();
        assertEquals(heap / 4, FingerprintMemory.breaker(Settings.EMPTY).getLimit());
        assertEquals(
                CircuitBreaker.Type.MEMORY,
                FingerprintMemory.breaker(Settings.EMPTY).getType());
        Settings settings = Settings.builder()
                .put("breaker.simhash.limit", "1mb")
                .put("breaker.simhash.overhead", 2)
                .build();
        assertEquals(1 << 20, FingerprintMemory.breaker(settings).getLimit());
        assertEquals(2.0, FingerprintMemory.breaker(settings).getOverhead(), 0);
    }

    private void pipeline() {
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline(
                        "fingerprint",
                        new BytesArray("{\"processors\": [{\"simhash\": {\"field\": \"content\"}}]}"),
                        MediaTypeRegistry.JSON)
                .get());
        createIndex(
                "docs",
                Settings.builder().put("index.default_pipeline", "fingerprint").build());
    }

    private CircuitBreakerStats stats() {
        return client().admin()
                .cluster()
                .prepareNodesStats()
                .addMetric(Metric.BREAKER.metricName())
                .get()
                .getNodes()
                .getFirst()
                .getBreaker()
                .getStats("simhash");
    }
}
