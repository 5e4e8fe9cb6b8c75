/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.admin.indices.analyze.AnalyzeAction.AnalyzeToken;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.plugin.analysis.smartcn.AnalysisSmartChinesePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A node with the official plugin {@code analysis-smartcn} beside ours. */
public class SmartChineseNodeTests extends OpenSearchSingleNodeTestCase {

    private static final String TEXT = "中华人民共和国公民在法律面前一律平等，国家尊重和保障人权。";

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, AnalysisSmartChinesePlugin.class, CommonAnalysisModulePlugin.class);
    }

    public void testBothServe() throws Exception {
        Map<String, Object> options = Map.of("field", "content", "analyzer", "smartcn");
        Recipe recipe = ProcessorOptions.read(
                "simhash",
                null,
                new HashMap<>(options),
                TextProcessor.OPTIONS.get(SketchKind.SIMHASH),
                RecipeParser::parse);
        Fingerprinter alone =
                new Fingerprinter(recipe, AnalysisModules.nodeAnalyzers().of(recipe));
        List<String> tokens =
                client().admin().indices().prepareAnalyze(TEXT).setAnalyzer("smartcn").get().getTokens().stream()
                        .map(AnalyzeToken::getTerm)
                        .toList();
        assertEquals(NodeAnalyzersTests.tokens(alone.analyzer("zh", TEXT), TEXT), tokens);

        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline(
                        "chinese",
                        new BytesArray(
                                "{\"processors\": [{\"simhash\": {\"field\": \"content\", \"analyzer\": \"smartcn\"}}]}"),
                        MediaTypeRegistry.JSON)
                .get());
        client().prepareIndex("docs")
                .setId("1")
                .setPipeline("chinese")
                .setSource("content", TEXT)
                .get();
        assertEquals(
                FingerprintFields.of(alone.fingerprint(SourceTexts.of(TEXT), bytes -> {}), recipe.segments()),
                client().prepareGet("docs", "1").get().getSourceAsMap().get("simhash"));
    }
}
