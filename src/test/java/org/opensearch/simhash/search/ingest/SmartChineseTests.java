/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.plugin.analysis.smartcn.AnalysisSmartChinesePlugin;
import org.opensearch.plugins.AnalysisPlugin;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.test.OpenSearchTestCase;

/** Our {@code smartcn} and that of the official plugin {@code analysis-smartcn}. */
public class SmartChineseTests extends OpenSearchTestCase {

    private static final List<String> TEXTS = List.of(
            "我购买了道具和服装。",
            "中华人民共和国公民在法律面前一律平等，国家尊重和保障人权。",
            "OpenSearch 3.8 支持全文检索；near-duplicate 文档的数量是 12,345 篇！",
            "　全角空格　与ＡＢＣ１２３，以及🙂表情",
            "");

    private static final Recipe RECIPE = ProcessorOptions.read(
            "simhash",
            null,
            new HashMap<>(Map.of("field", "text", "analyzer", "smartcn", "min_features", 1)),
            TextProcessor.OPTIONS.get(SketchKind.SIMHASH),
            RecipeParser::parse);

    public void testSameTokensAndFingerprintsAsTheOfficialPlugin() throws IOException {
        Analyzer official =
                AnalysisModules.registry(new AnalysisSmartChinesePlugin()).getAnalyzer("smartcn");
        Analyzer ours = AnalysisModules.nodeAnalyzers().of(RECIPE).fallback();
        Fingerprinter officially = new Fingerprinter(RECIPE, new LanguageAnalyzers(official, Map.of(), null));
        Fingerprinter alone = fingerprinter();
        for (String text : TEXTS) {
            assertEquals(NodeAnalyzersTests.tokens(official, text), NodeAnalyzersTests.tokens(ours, text));
            assertEquals(fingerprint(officially, text), fingerprint(alone, text));
        }
    }

    public void testTheOfficialPluginBesideOursChangesNothing() {
        Fingerprinter alone = fingerprinter();
        Fingerprinter beside = fingerprinter(new AnalysisSmartChinesePlugin());
        for (String text : TEXTS) {
            assertEquals(fingerprint(alone, text), fingerprint(beside, text));
        }
    }

    public void testPartsOfTheOfficialPluginCanBeUsedInline() {
        Recipe inline = ProcessorOptions.read(
                "simhash",
                null,
                new HashMap<>(Map.of("field", "text", "analyzer", Map.of("tokenizer", "smartcn_tokenizer"))),
                TextProcessor.OPTIONS.get(SketchKind.SIMHASH),
                RecipeParser::parse);
        IllegalArgumentException e = expectThrows(
                IllegalArgumentException.class,
                () -> AnalysisModules.nodeAnalyzers().of(inline));
        assertEquals(
                "[analyzer] cannot be built on node [node_t0]:"
                        + " failed to find global tokenizer under [smartcn_tokenizer]",
                e.getMessage());
        assertNotNull(
                AnalysisModules.nodeAnalyzers(new AnalysisSmartChinesePlugin()).of(inline));
    }

    private static Fingerprinter fingerprinter(AnalysisPlugin... installed) {
        return new Fingerprinter(
                RECIPE, AnalysisModules.nodeAnalyzers(installed).of(RECIPE));
    }

    private static Fingerprint fingerprint(Fingerprinter fingerprinter, String text) {
        return fingerprinter.fingerprint(SourceTexts.of(text), bytes -> {});
    }
}
