/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsRequest.Metric;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.indices.breaker.CircuitBreakerStats;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.internal.InternalSearchResponse;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.TextComparison;
import org.opensearch.simhash.core.verify.TokenWeights;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The helpers on a node in this JVM. */
public class InspectNodeTests extends OpenSearchSingleNodeTestCase {

    private static final String TEXT = "enough words for a fingerprint that is made of some features at least";

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, CommonAnalysisModulePlugin.class, RequestHook.class);
    }

    @Override
    protected Settings nodeSettings() {
        return Settings.builder()
                .put("breaker.simhash.limit", "20mb")
                .put("breaker.simhash.overhead", 1)
                .put("plugins.simhash.helpers.max_time", "30s") // memory ends the work, not a busy machine
                .build();
    }

    private static InspectedText text(String text) {
        return new InspectedText(text, null, null, null, null, null, null);
    }

    private static InspectedText document(Map<String, Object> document) {
        return new InspectedText(null, document, null, null, null, null, null);
    }

    private static CompareAction.Request comparison(InspectedText a, InspectedText b, Object... fields) {
        return new CompareAction.Request(new RecipeChoice(null, Map.of("fields", List.of(fields))), a, b, "simhash");
    }

    /** Each by itself is fingerprinted with 4 MB and little more; what both are compared with takes 64 MB. */
    public void testTextsTooLargeToBeComparedAreRefused() {
        String large = "one two three four ".repeat(50_000);
        CompareAction.Request request = comparison(text(large), text(large + "five"), "text");
        Exception e = expectThrows(
                Exception.class,
                () -> client().execute(CompareAction.INSTANCE, request).actionGet());
        assertEquals(
                CircuitBreakingException.class, ExceptionsHelper.unwrapCause(e).getClass());
        assertEquals(
                429, ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)).getStatus());
        client().execute(CompareAction.INSTANCE, comparison(text(TEXT), text(TEXT + " or more"), "text"))
                .actionGet();
        CircuitBreakerStats breaker = client().admin()
                .cluster()
                .prepareNodesStats()
                .addMetric(Metric.BREAKER.metricName())
                .get()
                .getNodes()
                .getFirst()
                .getBreaker()
                .getStats("simhash");
        assertEquals("all is given back", 0, breaker.getEstimated());
    }

    public void testAComparisonIsCancelled() {
        CompareAction.Request request = comparison(text(TEXT), text(TEXT + " or more"), "text");
        CancellableTask task = (CancellableTask)
                request.createTask(1, "transport", CompareAction.NAME, TaskId.EMPTY_TASK_ID, Map.of());
        task.cancel("by the test");
        PlainActionFuture<JsonResponse> answer = PlainActionFuture.newFuture();
        node().injector().getInstance(CompareAction.class).doExecute(task, request, answer);
        Exception e = expectThrows(TaskCancelledException.class, answer::actionGet);
        assertEquals("comparison of two texts was cancelled: by the test", e.getMessage());
    }

    private void indexWithTwoRecipes() throws Exception {
        try (XContentBuilder pipeline = JsonXContent.contentBuilder()) {
            pipeline.map(Map.of("processors", List.of(reading("body"), reading("title"))));
            assertAcked(client().admin()
                    .cluster()
                    .preparePutPipeline("by-field", BytesReference.bytes(pipeline), MediaTypeRegistry.JSON)
                    .get());
        }
        assertAcked(client().admin()
                .indices()
                .prepareCreate("docs")
                .setSettings(Map.of("index.default_pipeline", "by-field"))
                .setMapping("body", "type=object,enabled=false", "title", "type=object,enabled=false"));
    }

    private static Map<String, Object> reading(String field) {
        return Map.of("simhash", Map.of("field", field, "ignore_missing", true, "ignore_failure", true));
    }

    public void testADocumentThatARecipeCannotReadIsReadByTheNext() throws Exception {
        indexWithTwoRecipes();
        Map<String, Object> mixed = Map.of("body", Map.of("an", "object"), "title", TEXT);
        RecipeChoice recipe = new RecipeChoice("by-field", null);
        JsonResponse shown = client().execute(
                        FingerprintAction.INSTANCE, new FingerprintAction.Request(recipe, document(mixed), false))
                .actionGet();
        assertNotNull(shown);
        Exception e = expectThrows(
                Exception.class,
                () -> client().execute(
                                FingerprintAction.INSTANCE,
                                new FingerprintAction.Request(
                                        recipe, document(Map.of("body", Map.of("an", "object"))), false))
                        .actionGet());
        assertEquals(
                "field [body] must hold text, numbers, booleans or arrays of these, got: an object",
                ExceptionsHelper.unwrapCause(e).getMessage());
    }

    public void testFeatureWeightsLeaveOutWhatNoRecipeReads() throws Exception {
        indexWithTwoRecipes();
        List<Map<String, Object>> documents = List.of(
                Map.of("body", TEXT),
                Map.of("body", Map.of("an", "object"), "title", TEXT),
                Map.of("title", List.of(Map.of("an", "object"))),
                Map.of("other", "field"));
        for (Map<String, Object> document : documents) {
            client().prepareIndex("docs")
                    .setSource(document)
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        String answer = featureWeights("docs", new RecipeChoice(null, null)).toString();
        assertTrue(answer, answer.startsWith("{\"documents\":2,"));
        assertTrue(answer, answer.contains("\"fingerprint\""));
    }

    /** A part of the sample looked like the whole. */
    public void testFeatureWeightsNeedAllShards() {
        createIndex("docs");
        client().prepareIndex("docs")
                .setSource(Map.of("body", TEXT))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        List<Boolean> partial = new CopyOnWriteArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search) {
                partial.add(search.allowPartialSearchResults());
                return search.source().sorts() == null ? null : withAFailedShard();
            }
            return null;
        });
        try {
            Exception e = expectThrows(
                    Exception.class, () -> featureWeights("docs", new RecipeChoice(null, Map.of("field", "body"))));
            assertEquals("a shard failed while documents were sampled", e.getMessage());
            assertEquals(RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(e));
        } finally {
            RequestHook.clear();
        }
        assertEquals("for the scores, for the documents", List.of(false, false), partial);
    }

    private static SearchResponse withAFailedShard() {
        ShardSearchFailure failure =
                new ShardSearchFailure(new OpenSearchStatusException("as told", RestStatus.SERVICE_UNAVAILABLE));
        return new SearchResponse(
                InternalSearchResponse.empty(), "scroll", 2, 1, 0, 1, new ShardSearchFailure[] {failure}, null);
    }

    /** As evidence, jobs and {@code near_duplicate} say of them. */
    public void testEqualTextsTooShortForAFingerprintDifferInNoBit() throws Exception {
        RecipeChoice recipe = new RecipeChoice(null, Map.of());
        for (String text : List.of("", "Short text.")) {
            Map<String, Object> equal = compared(recipe, text(text), text(text.toUpperCase(Locale.ROOT)));
            assertEquals(0, equal.get("distance"));
            assertEquals(List.of(), equal.get("differing_bits"));
            assertEquals(true, equal.get("same_digest"));
        }
        for (String other : List.of("Another text.", TEXT)) {
            Map<String, Object> unequal = compared(recipe, text("Short text."), text(other));
            assertNull(unequal.get("distance"));
            assertNull(unequal.get("differing_bits"));
            assertEquals(false, unequal.get("same_digest"));
        }
    }

    /** As the processors store it. */
    public void testATextWithoutWordsIsShownWithoutADigest() throws Exception {
        RecipeChoice recipe = new RecipeChoice(null, Map.of());
        for (String text : List.of("", "!!! ???", "Words")) {
            Map<String, Object> shown = client().execute(
                            FingerprintAction.INSTANCE, new FingerprintAction.Request(recipe, text(text), false))
                    .get()
                    .asMap();
            assertEquals(text.equals("Words"), shown.containsKey("digest"));
            assertEquals(text.equals("Words"), ((Map<?, ?>) shown.get("minhash")).containsKey("digest"));
        }
    }

    public void testAStoredDocumentThatTheRecipeDoesNotReadIsNamed() throws Exception {
        indexWithTwoRecipes();
        client().prepareIndex("docs")
                .setId("1")
                .setSource(Map.of("title", TEXT, "body", TEXT))
                .get();
        InspectedText stored = new InspectedText(null, null, "docs", "1", null, null, null);
        for (List<InspectedText> texts : List.of(List.of(stored, text(TEXT)), List.of(text(TEXT), stored))) {
            Exception e = expectThrows(
                    Exception.class,
                    () -> compared(new RecipeChoice(null, Map.of()), texts.getFirst(), texts.getLast()));
            String message = ExceptionsHelper.unwrapCause(e).getMessage();
            String rule =
                    "document [1] of index [docs] must have at least one of the fields [text] of the recipe, got: ";
            assertTrue(message, message.startsWith(rule + "[body, simhash, title]"));
        }
    }

    /** The sets of shingles of texts in which each word is another grow to many times the text. */
    public void testWhatAComparisonTakesIsOnTheAccount() {
        Fingerprinter fingerprinter =
                node().injector().getInstance(PipelineRecipes.class).ofOptions(Map.of("field", "text"));
        List<String> texts = new ArrayList<>();
        for (int first : List.of(0x4E00, 0x5E00)) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 3000; i++) {
                text.appendCodePoint(first + i);
            }
            texts.add(text.toString());
        }
        AtomicLong taken = new AtomicLong();
        AtomicLong most = new AtomicLong();
        Map<Measure, Verdict> similarity = Comparison.verdicts(
                fingerprinter,
                SourceTexts.of(texts.getFirst()),
                SourceTexts.of(texts.getLast()),
                bytes -> most.accumulateAndGet(taken.addAndGet(bytes), Math::max),
                () -> {});
        assertEquals(Set.of(Measure.values()), similarity.keySet());
        assertEquals(0, taken.get());
        Verification exact = new Verification("text", Measure.JACCARD, 3, 0, null);
        long kept = new TextComparison(
                        exact,
                        fingerprinter.analyzer(null, ""),
                        TokenWeights.EQUAL,
                        texts.getFirst(),
                        bytes -> {},
                        () -> {})
                .bytes();
        long shingles = kept - 2 * 3000;
        assertTrue(most + " of " + shingles, most.get() >= 2 * shingles + 2 * 2 * 3000);
    }

    /** As {@code verify} cuts a query's text as it does the document's. */
    public void testTextsOfTwoLanguagesAreCutByThatOfTheSecond() throws Exception {
        RecipeChoice recipe = new RecipeChoice(
                null, Map.of("field", "text", "language_field", "lang", "analyzers", Map.of("en", "english")));
        InspectedText english = document(Map.of("text", "The foxes jumped over lazy dogs", "lang", "en"));
        InspectedText unknown = text("The fox jumping over lazy dog");
        assertEquals(1, jaccard(recipe, unknown, english), 0);
        assertEquals(0, jaccard(recipe, english, unknown), 0);
    }

    private double jaccard(RecipeChoice recipe, InspectedText a, InspectedText b) throws Exception {
        return (Double) ((Map<?, ?>) compared(recipe, a, b).get("similarity")).get("jaccard");
    }

    private Map<String, Object> compared(RecipeChoice recipe, InspectedText a, InspectedText b) throws Exception {
        CompareAction.Request request = new CompareAction.Request(recipe, a, b, "simhash");
        return client().execute(CompareAction.INSTANCE, request).actionGet().asMap();
    }

    public void testASampleOfAnIndexThatAllowsFewHits() throws Exception {
        createIndex("few", Settings.builder().put("index.max_result_window", 2).build());
        for (int i = 0; i < 5; i++) {
            client().prepareIndex("few").setSource("body", "text " + i).get();
        }
        client().admin().indices().prepareRefresh("few").get();
        String answer = featureWeights("few", new RecipeChoice(null, Map.of("field", "body")))
                .toString();
        assertTrue(answer, answer.startsWith("{\"documents\":5,"));
    }

    public void testAPatternThatNoIndexMatchesIsNamed() {
        Exception e = expectThrows(Exception.class, () -> featureWeights("nope*", new RecipeChoice(null, null)));
        assertEquals("no such index [nope*]", ExceptionsHelper.unwrapCause(e).getMessage());
        assertEquals(
                404, ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)).getStatus());
        assertNotNull(featureWeights("nope*", new RecipeChoice(null, Map.of("field", "body"))));
    }

    private JsonResponse featureWeights(String index, RecipeChoice recipe) {
        return client().execute(
                        FeatureWeightsAction.INSTANCE,
                        new FeatureWeightsAction.Request(new String[] {index}, recipe, 1000, 0.2))
                .actionGet();
    }
}
