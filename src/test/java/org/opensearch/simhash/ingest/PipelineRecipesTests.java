/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexTemplateMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.Template;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.ingest.IngestService;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.PipelineConfiguration;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.test.OpenSearchTestCase;

/** The recipes of indices, and what it takes to find them. */
public class PipelineRecipesTests extends OpenSearchTestCase {

    private final List<String> parsed = new ArrayList<>();

    private final PipelineCalls calls = new PipelineCalls(definition -> {
        parsed.add(definition.getId());
        return definition.getConfigAsMap();
    });

    public void testADefinitionIsParsedOnce() {
        IngestMetadata definitions = definitions("top", "leaf", "leaf", "other");
        ClusterState state = state(definitions, 1);
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of("leaf"), calls.of(state, "top"));
            assertEquals(List.of("other"), calls.of(state(definitions, 2), "leaf"));
            assertEquals(List.of(), calls.of(state, "none"));
        }
        assertEquals(List.of("top", "leaf"), parsed);
    }

    public void testAChangedDefinitionIsParsedAgain() {
        assertEquals(List.of("leaf"), calls.of(state(definitions("top", "leaf"), 1), "top"));
        assertEquals(List.of("other"), calls.of(state(definitions("top", "other"), 1), "top"));
        assertEquals(List.of(), calls.of(state(new IngestMetadata(Map.of()), 1), "top"));
        assertEquals(List.of(), calls.of(state(null, 1), "top"));
        assertEquals(List.of("top", "top"), parsed);
    }

    public void testAPipelineOfManyIndicesIsLookedThroughOnce() throws Exception {
        ClusterService cluster = mock(ClusterService.class);
        when(cluster.state()).thenReturn(state(definitions("fingerprint", "none"), 100));
        IngestService ingest = mock(IngestService.class);
        when(ingest.getClusterService()).thenReturn(cluster);
        SimHashProcessor.Factory factory =
                (SimHashProcessor.Factory) AnalysisModules.processors().get(SimHashProcessor.TYPE);
        Map<String, Object> options = new HashMap<>(Map.of("field", "content"));
        Pipeline pipeline = Pipeline.create(
                "fingerprint",
                new HashMap<>(Map.of("processors", List.of(Map.of("simhash", options)))),
                Map.of(SimHashProcessor.TYPE, factory),
                null);
        when(ingest.getPipeline("fingerprint")).thenReturn(pipeline);
        List<String> indices = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            indices.add("docs-" + i);
        }
        List<Fingerprinter> recipes = new PipelineRecipes(() -> ingest, () -> factory).ofIndices(indices, "simhash");
        assertEquals(1, recipes.size());
        assertEquals("content", recipes.getFirst().recipe().fields().getFirst().path());
        verify(ingest, times(2)).getPipeline(anyString()); // and the one that is called
    }

    /** Its first documents run through the pipelines of its template before it is made, and are compared with one another. */
    public void testTheRecipeOfAnIndexThatIsNotThereYetIsThatOfItsTemplate() throws Exception {
        ClusterService cluster = mock(ClusterService.class);
        IngestService ingest = mock(IngestService.class);
        when(ingest.getClusterService()).thenReturn(cluster);
        SimHashProcessor.Factory factory =
                (SimHashProcessor.Factory) AnalysisModules.processors().get(SimHashProcessor.TYPE);
        for (String pipeline : List.of("first", "second")) {
            Map<String, Object> options = new HashMap<>(Map.of("field", pipeline));
            when(ingest.getPipeline(pipeline))
                    .thenReturn(Pipeline.create(
                            pipeline,
                            new HashMap<>(Map.of("processors", List.of(Map.of("simhash", options)))),
                            Map.of(SimHashProcessor.TYPE, factory),
                            null));
        }
        Settings byDefault = Settings.builder()
                .put(IndexSettings.DEFAULT_PIPELINE.getKey(), "first")
                .build();
        Settings last = Settings.builder()
                .put(IndexSettings.FINAL_PIPELINE.getKey(), "second")
                .build();
        Metadata.Builder metadata = Metadata.builder(state(null, 1).metadata())
                .put(
                        "new",
                        new ComposableIndexTemplate(List.of("new-*"), template(byDefault), null, 1L, 1L, null, null))
                .put(IndexTemplateMetadata.builder("old")
                        .patterns(List.of("old-*"))
                        .settings(last));
        when(cluster.state())
                .thenReturn(ClusterState.builder(ClusterName.DEFAULT)
                        .metadata(metadata)
                        .build());
        PipelineRecipes recipes = new PipelineRecipes(() -> ingest, () -> factory);
        assertEquals("first", read(recipes.ofIndices(List.of("new-1"), "simhash")));
        assertEquals("second", read(recipes.ofIndices(List.of("old-1"), "simhash")));
        assertEquals(
                "text", read(List.of(recipes.preparing(null, "simhash", "other").preparing(null))));
    }

    private static Template template(Settings settings) {
        return new Template(settings, null, null);
    }

    /** The field that a recipe reads. */
    private static String read(List<Fingerprinter> recipes) {
        return recipes.getFirst().recipe().fields().getFirst().path();
    }

    /** Of pipelines, each with the one that it calls. */
    private static IngestMetadata definitions(String... callers) {
        Map<String, PipelineConfiguration> definitions = new HashMap<>();
        for (int i = 0; i < callers.length; i += 2) {
            BytesArray definition =
                    new BytesArray("{\"processors\": [{\"pipeline\": {\"name\": \"" + callers[i + 1] + "\"}}]}");
            definitions.put(callers[i], new PipelineConfiguration(callers[i], definition, MediaTypeRegistry.JSON));
        }
        return new IngestMetadata(definitions);
    }

    private static ClusterState state(IngestMetadata definitions, int indices) {
        Metadata.Builder metadata = Metadata.builder();
        if (definitions != null) {
            metadata.putCustom(IngestMetadata.TYPE, definitions);
        }
        for (int i = 0; i < indices; i++) {
            Settings.Builder settings =
                    settings(Version.CURRENT).put(IndexSettings.DEFAULT_PIPELINE.getKey(), "fingerprint");
            metadata.put(IndexMetadata.builder("docs-" + i)
                    .settings(settings)
                    .numberOfShards(1)
                    .numberOfReplicas(0));
        }
        return ClusterState.builder(ClusterName.DEFAULT).metadata(metadata).build();
    }
}
