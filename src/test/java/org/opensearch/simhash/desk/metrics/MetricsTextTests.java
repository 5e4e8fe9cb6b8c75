/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.desk.metrics.MetricsText.MetricsFormat;
import org.opensearch.simhash.search.counts.Durations;

class MetricsTextTests {

    private static MetricSnapshots metrics() {
        Durations lookups = Durations.ofJobs();
        lookups.record(5_000_000);
        lookups.record(50_000_000);
        return MetricSnapshots.of(
                NodeMetrics.counter("documents", "Documents.", Map.of(Labels.of("outcome", "tag\"ged\n"), 3L)),
                NodeMetrics.gauge("breaker_used_bytes", "Memory.", Map.of(Labels.EMPTY, 2.5e9)),
                NodeMetrics.histogram("lookup_seconds", "Lookups.", Map.of(Labels.EMPTY, lookups)));
    }

    private static String text(MetricsFormat format, String... nodes) {
        MetricsText text = new MetricsText(format);
        for (String node : nodes) {
            text.add(node, format.write(metrics()));
        }
        return text.toString();
    }

    @Test
    void testTheTextIsThatOfPrometheus() {
        assertEquals("""
                # HELP opensearch_simhash_breaker_used_bytes Memory.
                # TYPE opensearch_simhash_breaker_used_bytes gauge
                opensearch_simhash_breaker_used_bytes 2.5E9
                # HELP opensearch_simhash_documents_total Documents.
                # TYPE opensearch_simhash_documents_total counter
                opensearch_simhash_documents_total{outcome="tag\\"ged\\n"} 3.0
                # HELP opensearch_simhash_lookup_seconds Lookups.
                # TYPE opensearch_simhash_lookup_seconds histogram
                opensearch_simhash_lookup_seconds_bucket{le="0.01"} 1
                opensearch_simhash_lookup_seconds_bucket{le="0.1"} 2
                opensearch_simhash_lookup_seconds_bucket{le="1.0"} 2
                opensearch_simhash_lookup_seconds_bucket{le="5.0"} 2
                opensearch_simhash_lookup_seconds_bucket{le="10.0"} 2
                opensearch_simhash_lookup_seconds_bucket{le="30.0"} 2
                opensearch_simhash_lookup_seconds_bucket{le="60.0"} 2
                opensearch_simhash_lookup_seconds_bucket{le="300.0"} 2
                opensearch_simhash_lookup_seconds_bucket{le="900.0"} 2
                opensearch_simhash_lookup_seconds_bucket{le="3600.0"} 2
                opensearch_simhash_lookup_seconds_bucket{le="+Inf"} 2
                opensearch_simhash_lookup_seconds_count 2
                opensearch_simhash_lookup_seconds_sum 0.055
                """, text(MetricsFormat.PROMETHEUS, (String) null));
    }

    @Test
    void testEachNameStandsOnceWithTheSamplesOfAllNodes() {
        String text = text(MetricsFormat.OPENMETRICS, "a", "b");
        assertEquals("""
                # TYPE opensearch_simhash_breaker_used_bytes gauge
                # UNIT opensearch_simhash_breaker_used_bytes bytes
                # HELP opensearch_simhash_breaker_used_bytes Memory.
                opensearch_simhash_breaker_used_bytes{node="a"} 2.5E9
                opensearch_simhash_breaker_used_bytes{node="b"} 2.5E9
                """, text.substring(0, text.indexOf("# TYPE opensearch_simhash_documents")));
    }

    @Test
    void testALabelStandsBesideOthersAndIsEscaped() {
        String text = text(MetricsFormat.OPENMETRICS, "a \"b\\", "c");
        assertTrue(text.contains("documents_total{node=\"a \\\"b\\\\\",outcome=\"tag\\\"ged\\n\"} 3.0\n"), text);
        assertTrue(text.endsWith("lookup_seconds_sum{node=\"c\"} 0.055\n# EOF\n"), text);
        assertEquals(text.indexOf("# EOF"), text.lastIndexOf("# EOF"));
    }
}
