/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.ingest.PutPipelineRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.io.IOUtils;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.ingest.common.IngestCommonModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.desk.check.CheckAction;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** What is counted where no HTTP is needed, on a node in this JVM. */
public class MetricsNodeTests extends OpenSearchSingleNodeTestCase {

    private static final String TEXT = "the road over the hill was closed all winter and open again in the spring";

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, CommonAnalysisModulePlugin.class, IngestCommonModulePlugin.class);
    }

    /** Its counts start from zero. */
    @Override
    protected boolean resetNodeAfterTest() {
        return true;
    }

    private void pipeline(String id, String processors) {
        String json = "{'processors': [{'simhash': {'field': 'content'}}" + processors + "]}";
        assertAcked(client().admin()
                .cluster()
                .putPipeline(
                        new PutPipelineRequest(id, new BytesArray(json.replace('\'', '"')), MediaTypeRegistry.JSON))
                .actionGet());
    }

    private static IndexRequest document(String index, String pipeline, Object content) {
        return new IndexRequest(index).setPipeline(pipeline).source(Map.of("content", content));
    }

    private Map<String, Double> documents() {
        Map<String, Double> outcomes = new TreeMap<>();
        samples("documents").forEach((labels, value) -> {
            if (value > 0) {
                outcomes.put(labels.replaceAll("\\{outcome=|\\}", ""), value);
            }
        });
        return outcomes;
    }

    /** Of those that are sent one by one, that are sent on and run through pipelines twice, that fail on their shard. */
    public void testADocumentCountsOnceHoweverItComes() throws Exception {
        pipeline("plain", "");
        pipeline("send", ", {'near_duplicate': {}}, {'set': {'field': '_index', 'value': 'elsewhere'}}");
        pipeline("fail", ", {'near_duplicate': {'action': 'fail'}}");
        for (String index : List.of("docs", "elsewhere")) {
            Object mappings = new SampleIndex().mappings();
            String mapping = Json.write(Map.of(
                    "dynamic_templates", Json.at(mappings, "dynamic_templates"),
                    "properties", Json.at(mappings, "properties")));
            client().admin().indices().prepareCreate(index).setMapping(mapping).get();
        }
        client().index(document("docs", "plain", TEXT).setRefreshPolicy(RefreshPolicy.IMMEDIATE))
                .actionGet();
        assertEquals(Map.of("indexed", 1.0), documents());

        client().bulk(new BulkRequest().add(document("docs", "send", TEXT)).add(document("docs", "fail", TEXT)))
                .actionGet();
        assertEquals(Map.of("indexed", 1.0, "tagged", 1.0, "refused", 1.0), documents());

        client().admin()
                .indices()
                .preparePutMapping("docs")
                .setSource("number", "type=long")
                .get();
        client().bulk(new BulkRequest()
                        .add(document("docs", "plain", TEXT + " of that year"))
                        .add(new IndexRequest("docs")
                                .setPipeline("plain")
                                .source(Map.of("content", TEXT + " of this year", "number", "none")))
                        .add(new IndexRequest("docs").source(Map.of("content", "without a pipeline"))))
                .actionGet();
        // One of the three failed, and the bulk does not tell whether it had a fingerprint: two were stored, as many
        // got one.
        assertEquals(Map.of("indexed", 3.0, "tagged", 1.0, "refused", 1.0), documents());
    }

    /** Of the last check, not of all; of jobs that completed and store their groups. */
    public void testTellsTheStateOfChecksAndRuns() throws Exception {
        pipeline("plain", "");
        Object mappings = new SampleIndex().mappings();
        String mapping = Json.write(Map.of(
                "dynamic_templates", Json.at(mappings, "dynamic_templates"),
                "properties", Json.at(mappings, "properties")));
        client().admin().indices().prepareCreate("docs").setMapping(mapping).get();
        client().index(new IndexRequest("docs")
                        .source(Map.of("content", TEXT))
                        .setRefreshPolicy(RefreshPolicy.IMMEDIATE))
                .actionGet();
        assertEquals(Map.of(), samples("check_findings"));
        for (int[] small : new int[][] {{200, 1_000}, {10_000, 20}}) {
            client().execute(
                            CheckAction.INSTANCE,
                            new CheckAction.Request(new String[] {"docs"}, "simhash", small[0], small[1]))
                    .actionGet();
            assertEquals("it may have missed some", Map.of(), samples("check_findings"));
        }
        CheckAction.Request check = new CheckAction.Request(
                new String[] {"docs"},
                "simhash",
                CheckAction.DEFAULT_SAMPLE_SIZE,
                CheckAction.DEFAULT_TEXT_SAMPLE_SIZE);
        client().execute(CheckAction.INSTANCE, check).actionGet();
        Map<String, Double> found = samples("check_findings");
        assertFalse(found.isEmpty());
        assertTrue(found.toString(), found.keySet().stream().allMatch(labels -> labels.contains("index=docs")));
        double checked = samples("last_check_timestamp_seconds").get("{index=docs}");
        assertEquals(System.currentTimeMillis() / 1_000.0, checked, 600);

        client().admin().indices().prepareDelete("docs").get();
        client().admin()
                .indices()
                .prepareCreate("docs")
                .setMapping(mapping)
                .setSettings(Settings.builder().put("index.default_pipeline", "plain"))
                .get();
        client().index(new IndexRequest("docs")
                        .source(Map.of("content", TEXT))
                        .setRefreshPolicy(RefreshPolicy.IMMEDIATE))
                .actionGet();
        client().execute(CheckAction.INSTANCE, check).actionGet();
        assertEquals("mended", Map.of(), samples("check_findings"));
        assertEquals(Map.of(), samples("last_run_timestamp_seconds"));
    }

    /** By labels. */
    private Map<String, Double> samples(String name) {
        Map<String, Double> samples = new TreeMap<>();
        for (MetricSnapshot metric : getInstanceFromNode(NodeMetrics.class).read("n")) {
            if (metric.getMetadata().getName().equals("opensearch_simhash_" + name)) {
                for (DataPointSnapshot point : metric.getDataPoints()) {
                    Map<String, String> labels = new TreeMap<>();
                    point.getLabels().forEach(label -> labels.put(label.getName(), label.getValue()));
                    samples.put(labels.toString(), NodeMetrics.value(point));
                }
            }
        }
        return samples;
    }

    /** It asks for values when it collects. */
    public void testTelemetryReadsTheSameFigures() throws IOException {
        pipeline("plain", "");
        createIndex("docs");
        RecordedGauges registry = new RecordedGauges();
        List<Closeable> registered = getInstanceFromNode(NodeMetrics.class).register(registry);
        Map<String, Supplier<Double>> gauges = registry.gauges();
        double before =
                gauges.get("opensearch_simhash_documents{outcome=indexed}").get();
        client().index(document("docs", "plain", TEXT)).actionGet();
        assertEquals(
                before + 1,
                gauges.get("opensearch_simhash_documents{outcome=indexed}").get(),
                0);
        assertTrue(gauges.get("opensearch_simhash_breaker_limit_bytes{}").get() > 0);
        IOUtils.close(registered);
        assertEquals(gauges.size(), registry.closed());
    }
}
