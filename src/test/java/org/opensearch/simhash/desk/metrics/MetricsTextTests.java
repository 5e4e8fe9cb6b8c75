/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.simhash.desk.metrics.MetricsText.MetricsFormat;
import org.opensearch.simhash.search.counts.Durations;

class MetricsTextTests {

    private static final List<Metric> METRICS = List.of(
            Metric.counter("documents", "Documents.").addAll("outcome", Map.of("tag\"ged\n", 3L)),
            Metric.gauge("breaker_used_bytes", "Memory.").add(2.5e9),
            Metric.gauge("job_progress_ratio", "Of no job."),
            Metric.histogram("lookup_seconds", "Lookups.")
                    .add(Map.of(), new Durations.Histogram(List.of(0.1, 1.0), List.of(4L, 2L, 1L), 3.5)));

    private static String text(MetricsFormat format, String... nodes) throws IOException {
        MetricsText text = new MetricsText();
        for (String node : nodes) {
            text.add(node, METRICS);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        text.write(out, format);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void testTheTextIsThatOfPrometheus() throws IOException {
        assertEquals("""
                # HELP opensearch_simhash_breaker_used_bytes Memory.
                # TYPE opensearch_simhash_breaker_used_bytes gauge
                opensearch_simhash_breaker_used_bytes 2.5E9
                # HELP opensearch_simhash_documents_total Documents.
                # TYPE opensearch_simhash_documents_total counter
                opensearch_simhash_documents_total{outcome="tag\\"ged\\n"} 3.0
                # HELP opensearch_simhash_lookup_seconds Lookups.
                # TYPE opensearch_simhash_lookup_seconds histogram
                opensearch_simhash_lookup_seconds_bucket{le="0.1"} 4
                opensearch_simhash_lookup_seconds_bucket{le="1.0"} 6
                opensearch_simhash_lookup_seconds_bucket{le="+Inf"} 7
                opensearch_simhash_lookup_seconds_count 7
                opensearch_simhash_lookup_seconds_sum 3.5
                """, text(MetricsFormat.PROMETHEUS, (String) null));
    }

    @Test
    void testEachNameStandsOnceWithTheSamplesOfAllNodes() throws IOException {
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
    void testWhatTravelsStaysTheSame() throws IOException {
        BytesStreamOutput out = new BytesStreamOutput();
        out.writeList(METRICS);
        assertEquals(METRICS, out.bytes().streamInput().readList(Metric::new));
    }
}
