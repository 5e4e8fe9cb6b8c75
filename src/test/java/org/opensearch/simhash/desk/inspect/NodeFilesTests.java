/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.env.Environment;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Who may only read indices must not read files of the node by analyzers of a request. */
public class NodeFilesTests extends OpenSearchSingleNodeTestCase {

    private static final String FILE = "secret.txt";
    private static final String SECRET = "password";
    private static final Map<String, Object> MAPPING = Map.of("type", "mapping", "mappings_path", FILE);

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, CommonAnalysisModulePlugin.class);
    }

    @Override
    public void setUp() throws Exception {
        super.setUp();
        Path config = getInstanceFromNode(Environment.class).configDir();
        Files.createDirectories(config);
        Files.writeString(config.resolve(FILE), SECRET + "\n");
    }

    public void testAnErrorDoesNotTellWhatIsInAFile() {
        Map<String, Object> config =
                Map.of("analyzer", Map.of("tokenizer", "keyword", "char_filter", List.of(MAPPING)));
        RecipeChoice recipe = new RecipeChoice(null, config);
        InspectedText text = text("x");
        assertRefused("analyzer", FingerprintAction.INSTANCE, fingerprint(config));
        assertRefused("analyzer", CompareAction.INSTANCE, new CompareAction.Request(recipe, text, text, "simhash"));
        createIndex("docs");
        assertRefused(
                "analyzer",
                FeatureWeightsAction.INSTANCE,
                new FeatureWeightsAction.Request(new String[] {"docs"}, recipe, 10, 0.2));
    }

    public void testFilesAreRefusedWhereverTheyAreNamed() {
        assertPartRefused(Map.of("type", "keep", "keep_words_path", FILE));
        assertPartRefused(Map.of("type", "stop", "stopwords_path", List.of(FILE)));
        // A list with its places in the keys.
        assertPartRefused(Map.of("type", "stop", "stopwords_path.0", FILE));
        assertPartRefused(Map.of("type", "synonym", "synonyms_path", FILE));
        // Plugins of OpenSearch have names of their own for it: nori, kuromoji and icu.
        assertPartRefused(Map.of("type", "nori_tokenizer", "user_dictionary", FILE));
        assertPartRefused(Map.of("type", "icu_tokenizer", "rule_files", "Latn:" + FILE));
        assertPartRefused(Map.of("type", "icu_collation", "rules", FILE));
        assertRefused(
                "analyzers.de",
                FingerprintAction.INSTANCE,
                fingerprint(Map.of(
                        "language_field",
                        "lang",
                        "analyzers",
                        Map.of("de", Map.of("tokenizer", "keyword", "char_filter", MAPPING)))));
    }

    private void assertPartRefused(Map<String, Object> part) {
        for (String kind : List.of("filter", "char_filter", "tokenizer")) {
            Map<String, Object> analyzer =
                    kind.equals("tokenizer") ? Map.of(kind, part) : Map.of("tokenizer", "keyword", kind, part);
            assertRefused("analyzer", FingerprintAction.INSTANCE, fingerprint(Map.of("analyzer", analyzer)));
        }
        assertRefused(
                "analyzer",
                FingerprintAction.INSTANCE,
                fingerprint(Map.of("analyzer", Map.of("tokenizer", "keyword", "filter", part))));
    }

    /** Who may make pipelines may read files by them. A word that a factor is for is no setting. */
    public void testPipelinesMayNameFiles() throws Exception {
        Files.writeString(getInstanceFromNode(Environment.class).configDir().resolve(FILE), "a => b\n");
        Map<String, Object> options =
                Map.of("field", "text", "analyzer", Map.of("tokenizer", "whitespace", "char_filter", List.of(MAPPING)));
        try (XContentBuilder pipeline = JsonXContent.contentBuilder()) {
            pipeline.map(Map.of("processors", List.of(Map.of("simhash", options))));
            assertAcked(client().admin()
                    .cluster()
                    .preparePutPipeline("mapped", BytesReference.bytes(pipeline), MediaTypeRegistry.JSON)
                    .get());
        }
        assertEquals(
                answer(new FingerprintAction.Request(
                        new RecipeChoice(null, Map.of("analyzer", "whitespace")), text("b b b c"), false)),
                answer(new FingerprintAction.Request(new RecipeChoice("mapped", null), text("a b a c"), false)));
        assertNotNull(answer(fingerprint(Map.of("feature_weights", Map.of("keep_words_path", 0.5)))));
    }

    private static FingerprintAction.Request fingerprint(Map<String, Object> config) {
        return new FingerprintAction.Request(new RecipeChoice(null, config), text("x"), false);
    }

    private static InspectedText text(String text) {
        return new InspectedText(text, null, null, null, null, null, null);
    }

    /** The digest that is shown. */
    private String answer(FingerprintAction.Request request) throws IOException {
        Map<String, Object> shown = client().execute(FingerprintAction.INSTANCE, request)
                .actionGet()
                .asMap();
        return (String) shown.get("digest");
    }

    private void assertRefused(String option, ActionType<?> action, ActionRequest request) {
        Exception e = expectThrows(
                Exception.class, () -> client().execute(action, request).actionGet());
        assertFalse(
                ExceptionsHelper.stackTrace(e), ExceptionsHelper.stackTrace(e).contains(SECRET));
        Throwable cause = ExceptionsHelper.unwrapCause(e);
        String message = cause.getMessage();
        assertTrue(message, message.startsWith("[" + option + "] of [config] must be the name of an analyzer"));
        assertTrue(message, message.contains(" (put another one into a pipeline, and name that as [pipeline]), got: "));
        assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(cause));
    }
}
