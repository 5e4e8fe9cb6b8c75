/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Before;
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
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.test.OpenSearchTestCase;

/** The recipes of indices, and what it takes to find them. */
public class PipelineRecipesTests extends OpenSearchTestCase {

    private final List<String> parsed = new ArrayList<>();

    private final ClusterService cluster = mock(ClusterService.class);
    private final IngestService ingest = mock(IngestService.class);
    private final PipelineProcessors pipelines =
            new PipelineProcessors(() -> ingest, SketchKind.SIMHASH, definition -> {
                parsed.add(definition.getId());
                return definition.getConfigAsMap();
            });

    @Before
    public void start() {
        when(ingest.getClusterService()).thenReturn(cluster);
    }

    private List<String> called(ClusterState state, String by) {
        when(cluster.state()).thenReturn(state);
        return pipelines.calledBy(by);
    }

    /** A request needs fewer rights than a pipeline, and an analyzer may hold a thread for hours. */
    public void testOptionsOfARequestNameAnalyzers() throws Exception {
        var factory = (TextProcessor.Factory) AnalysisModules.processors().get(SketchKind.SIMHASH.toString());
        PipelineRecipes recipes = new PipelineRecipes(SketchKind.SIMHASH, () -> ingest, () -> factory);
        for (String name : List.of("standard", "german", "smartcn", "cjk", "thai", "whitespace", "pattern")) {
            assertNotNull(recipes.ofOptions(Map.of("field", "text", "analyzer", name)));
            assertNotNull(recipes.ofOptions(
                    Map.of("field", "text", "language_field", "lang", "analyzers", Map.of("de", name))));
        }
        String rule = " of [config] must be the name of an analyzer other than [fingerprint]"
                + " (put another one into a pipeline, and name that as [pipeline]), got: ";
        for (Object other : List.of("fingerprint", Map.of("tokenizer", "standard"))) {
            var e = expectThrows(
                    IllegalArgumentException.class,
                    () -> recipes.ofOptions(Map.of("field", "text", "analyzer", other)));
            assertEquals("[analyzer]" + rule + other, e.getMessage());
            e = expectThrows(
                    IllegalArgumentException.class,
                    () -> recipes.ofOptions(Map.of("field", "text", "analyzers", Map.of("de", other))));
            assertEquals("[analyzers.de]" + rule + other, e.getMessage());
        }
    }

    public void testADefinitionIsParsedOnce() {
        IngestMetadata definitions = definitions("top", "leaf", "leaf", "other");
        ClusterState state = state(definitions, 1);
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of("leaf"), called(state, "top"));
            assertEquals(List.of("other"), called(state(definitions, 2), "leaf"));
            assertEquals(List.of(), called(state, "none"));
        }
        assertEquals(List.of("top", "leaf"), parsed);
    }

    public void testAChangedDefinitionIsParsedAgain() {
        assertEquals(List.of("leaf"), called(state(definitions("top", "leaf"), 1), "top"));
        assertEquals(List.of("other"), called(state(definitions("top", "other"), 1), "top"));
        assertEquals(List.of(), called(state(new IngestMetadata(Map.of()), 1), "top"));
        assertEquals(List.of(), called(state(null, 1), "top"));
        assertEquals(List.of("top", "top"), parsed);
    }

    /** It threw. */
    public void testWithoutDefinitionsThereAreNoProcessorsAnyMore() throws Exception {
        Pipeline pipeline = pipeline("top", "content");
        when(ingest.getPipeline("top")).thenReturn(pipeline);
        when(cluster.state()).thenReturn(state(definitions("top", "leaf"), 1));
        assertEquals(List.of(pipeline.getProcessors().getFirst()), pipelines.all());
        when(ingest.getPipeline("top")).thenReturn(null);
        when(cluster.state()).thenReturn(state(null, 1));
        assertEquals(List.of(), pipelines.all());
        assertEquals(List.of(), pipelines.of("top"));
    }

    private static Pipeline pipeline(String id, String field) throws Exception {
        Map<String, Object> options = new HashMap<>(Map.of("field", field));
        return Pipeline.create(
                id,
                new HashMap<>(Map.of("processors", List.of(Map.of("simhash", options)))),
                AnalysisModules.processors(),
                null);
    }

    public void testAPipelineOfManyIndicesIsLookedThroughOnce() throws Exception {
        when(cluster.state()).thenReturn(state(definitions("fingerprint", "none"), 100));
        TextProcessor.Factory factory =
                (TextProcessor.Factory) AnalysisModules.processors().get(SketchKind.SIMHASH.toString());
        Pipeline pipeline = pipeline("fingerprint", "content");
        when(ingest.getPipeline("fingerprint")).thenReturn(pipeline);
        List<String> indices = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            indices.add("docs-" + i);
        }
        List<Fingerprinter> recipes =
                new PipelineRecipes(SketchKind.SIMHASH, () -> ingest, () -> factory).ofIndices(indices, "simhash");
        assertEquals(1, recipes.size());
        assertEquals("content", recipes.getFirst().recipe().fields().getFirst().path());
        verify(ingest, times(2)).getPipeline(anyString()); // and the one that is called
    }

    /** Its first documents run through the pipelines of its template before it is made, and are compared with one another. */
    public void testTheRecipeOfAnIndexThatIsNotThereYetIsThatOfItsTemplate() throws Exception {
        TextProcessor.Factory factory =
                (TextProcessor.Factory) AnalysisModules.processors().get(SketchKind.SIMHASH.toString());
        for (String id : List.of("first", "second")) {
            Pipeline pipeline = pipeline(id, id);
            when(ingest.getPipeline(id)).thenReturn(pipeline);
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
        PipelineRecipes recipes = new PipelineRecipes(SketchKind.SIMHASH, () -> ingest, () -> factory);
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
