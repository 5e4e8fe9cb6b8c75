/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.counts;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.ingest.PutPipelineRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.FeatureFlags;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.TelemetryPlugin;
import org.opensearch.simhash.ClusterTestCase;
import org.opensearch.simhash.ClusterTestCase.OwnNodes;
import org.opensearch.simhash.jobs.DeduplicateAction;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.telemetry.Telemetry;
import org.opensearch.telemetry.TelemetrySettings;
import org.opensearch.telemetry.metrics.MetricsTelemetry;
import org.opensearch.telemetry.tracing.Span;
import org.opensearch.telemetry.tracing.SpanCreationContext;
import org.opensearch.telemetry.tracing.TracingContextPropagator;
import org.opensearch.telemetry.tracing.TracingTelemetry;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.telemetry.MockTelemetry;
import org.opensearch.test.telemetry.tracing.MockSpan;
import org.opensearch.test.telemetry.tracing.MockTracingContextPropagator;
import org.opensearch.test.telemetry.tracing.SpanProcessor;

/** Spans of a node in this JVM whose telemetry keeps them. */
@OwnNodes
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class SpansTests extends ClusterTestCase {

    private static final String TEXT = "the road over the hill was closed all winter and open again in the spring";

    /** Those of the plugin, as they end. */
    private static final Queue<MockSpan> ENDED = new ConcurrentLinkedQueue<>();

    private static final Queue<MockSpan> STARTED = new ConcurrentLinkedQueue<>();

    /** Keeps spans of the plugin. */
    public static final class KeepingPlugin extends Plugin implements TelemetryPlugin {

        @Override
        public Optional<Telemetry> getTelemetry(TelemetrySettings settings) {
            MetricsTelemetry metrics = new MockTelemetry(settings).getMetricsTelemetry();
            return Optional.of(new Telemetry() {
                @Override
                public TracingTelemetry getTracingTelemetry() {
                    return new KeptSpans();
                }

                @Override
                public MetricsTelemetry getMetricsTelemetry() {
                    return metrics;
                }
            });
        }

        @Override
        public String getName() {
            return "kept-spans";
        }
    }

    private static final class KeptSpans implements TracingTelemetry, SpanProcessor {

        @Override
        public Span createSpan(SpanCreationContext context, Span parent) {
            MockSpan span = new MockSpan(context, parent, this);
            onStart(span);
            return span;
        }

        @Override
        public TracingContextPropagator getContextPropagator() {
            return new MockTracingContextPropagator(this);
        }

        @Override
        public void onStart(Span span) {
            keep(span, STARTED);
        }

        @Override
        public void onEnd(Span span) {
            keep(span, ENDED);
        }

        private static void keep(Span span, Queue<MockSpan> spans) {
            if (span.getSpanName().startsWith("simhash.")) {
                spans.add((MockSpan) span);
            }
        }

        @Override
        public void close() {}
    }

    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins() {
        return Stream.concat(super.nodePlugins().stream(), Stream.of(KeepingPlugin.class))
                .toList();
    }

    @Override
    protected Settings featureFlagSettings() {
        return Settings.builder()
                .put(super.featureFlagSettings())
                .put(FeatureFlags.TELEMETRY, true)
                .build();
    }

    @Override
    protected Settings nodeSettings(int node) {
        return Settings.builder()
                .put(super.nodeSettings(node))
                .put(TelemetrySettings.TRACER_FEATURE_ENABLED_SETTING.getKey(), true)
                .put(TelemetrySettings.TRACER_ENABLED_SETTING.getKey(), true)
                .build();
    }

    @Override
    public void setUp() throws Exception {
        super.setUp();
        STARTED.clear();
        ENDED.clear();
        String pipeline = "{'processors': [{'simhash': {'field': 'content'}},"
                + " {'near_duplicate': {'action': 'tag', 'verify': {'min_similarity': 0.5}}}]}";
        assertAcked(client().admin()
                .cluster()
                .putPipeline(new PutPipelineRequest(
                        "tag", new BytesArray(pipeline.replace('\'', '"')), MediaTypeRegistry.JSON))
                .actionGet());
        Object mappings = new SampleIndex().mappings();
        client().admin()
                .indices()
                .prepareCreate("docs")
                .setMapping(Json.write(Map.of(
                        "dynamic_templates", Json.at(mappings, "dynamic_templates"),
                        "properties", Json.at(mappings, "properties"))))
                .get();
    }

    private void work() throws Exception {
        for (int i = 0; i < 2; i++) {
            client().bulk(new BulkRequest()
                            .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                            .add(new IndexRequest("docs").setPipeline("tag").source(Map.of("content", TEXT))))
                    .actionGet();
        }
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, "{\"action\": \"tag\"}")) {
            client().execute(
                            DeduplicateAction.INSTANCE,
                            DeduplicateAction.Request.fromXContent(
                                    new String[] {"docs"}, parser, new WritePace(Float.POSITIVE_INFINITY, 50)))
                    .actionGet();
        }
    }

    private static List<MockSpan> named(String name) {
        return STARTED.stream().filter(span -> span.getSpanName().equals(name)).toList();
    }

    public void testRoundsAndPhasesOfJobsHaveSpans() throws Exception {
        work();
        List<MockSpan> rounds = named("simhash.near_duplicate");
        assertEquals(2, rounds.size());
        assertEquals(1L, rounds.getFirst().getAttribute("documents"));
        for (String part : List.of("lookup", "verify")) {
            List<MockSpan> spans = named("simhash.near_duplicate." + part);
            assertTrue(part + spans.size(), spans.size() >= 2);
            spans.forEach(span -> assertTrue(rounds.contains(span.getParentSpan())));
        }
        List<MockSpan> jobs = named("simhash.deduplicate");
        assertEquals(1, jobs.size());
        for (String phase : List.of("scan", "join", "read", "group", "write")) {
            List<MockSpan> spans = named("simhash.deduplicate." + phase);
            assertFalse(phase, spans.isEmpty());
            spans.forEach(span -> assertSame(jobs.getFirst(), span.getParentSpan()));
        }
        assertEquals(STARTED.size(), ENDED.size());
    }

    public void testAShardThatComparesTextsHasASpan() throws Exception {
        work();
        String near =
                "{\"simhash\": {\"text\": \"" + TEXT + " and in summer\", \"max_distance\": 64, \"pipeline\": \"tag\"";
        client().prepareSearch("docs")
                .setQuery(QueryBuilders.wrapperQuery(near + "}}"))
                .get();
        assertEquals(List.of(), named("simhash.query.verify"));
        client().prepareSearch("docs")
                .setQuery(QueryBuilders.wrapperQuery(
                        near + ", \"verify\": {\"field\": \"content\", \"min_similarity\": 0.1}}}"))
                .get();
        List<MockSpan> shards = named("simhash.query.verify");
        assertEquals(getNumShards("docs").numPrimaries, shards.size());
        assertEquals(
                2L,
                shards.stream()
                        .mapToLong(shard -> (Long) shard.getAttribute("documents"))
                        .sum());
        assertEquals(STARTED.size(), ENDED.size());
    }

    public void testNoneWhileTheTracerIsOff() throws Exception {
        record(false);
        try {
            work();
            assertEquals(List.of(), List.copyOf(STARTED));
        } finally {
            record(null);
        }
    }

    private static void record(Boolean enabled) {
        Settings.Builder tracer = Settings.builder();
        if (enabled == null) {
            tracer.putNull(TelemetrySettings.TRACER_ENABLED_SETTING.getKey());
        } else {
            tracer.put(TelemetrySettings.TRACER_ENABLED_SETTING.getKey(), enabled);
        }
        assertAcked(client().admin().cluster().prepareUpdateSettings().setTransientSettings(tracer));
    }
}
