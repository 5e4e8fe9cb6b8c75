/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.explain.ExplainResponse;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.index.IndexModule;
import org.opensearch.indices.IndicesQueryCache;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.ClusterTestCase.OwnNodes;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.TextComparison;
import org.opensearch.simhash.core.verify.TokenWeights;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.query.SearchCounts.SearchCount;
import org.opensearch.simhash.search.query.SearchMemories.SearchMemory;
import org.opensearch.test.InternalSettingsPlugin;

/** Texts of near documents compared: prepared by which recipe, and read from where. */
@OwnNodes
public class VerifyClusterTests extends SimHashClusterTestCase {

    private static final String TEXT =
            "The quick brown fox jumps over the lazy dog, and then it runs away over the green hills into the dark forest.";

    private static final String VERIFY = ", 'verify': {'field': 'content'}";

    /** One for pages, one for all else. */
    private static final String BY_TYPE = """
            {'simhash': {'field': 'content', 'if': 'ctx.type != "html"'}},
            {'simhash': {'field': 'content', 'if': 'ctx.type == "html"', 'html': 'text'}}""".replace("\"", "\\\"");

    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins() {
        List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
        plugins.add(InternalSettingsPlugin.class); // has the setting by which an index caches everything
        return plugins;
    }

    @Override
    protected Settings nodeSettings(int node) {
        return Settings.builder()
                .put(super.nodeSettings(node))
                .put(IndicesQueryCache.INDICES_QUERIES_CACHE_ALL_SEGMENTS_SETTING.getKey(), true)
                .build();
    }

    public void testTextsArePreparedByTheRecipeThatMadeTheFingerprint() {
        pipeline("by_type", "{'processors': [" + BY_TYPE + "]}");
        smallIndex("plain", "index.default_pipeline", "by_type");
        putAll(
                "plain",
                Map.of(
                        "plain", Map.of("content", TEXT, "type", "text"),
                        "p", Map.of("content", markedUp("p"), "type", "html"),
                        "b", Map.of("content", markedUp("b"), "type", "html"),
                        "other", Map.of("content", markedUp("p").replace("fox", "hare"), "type", "html")));
        assertEquals(Map.of("b", 1f, "plain", 1f), scores(near("'id': 'p', 'max_distance': 0" + VERIFY, "plain")));
        assertEquals(
                "a recipe for each",
                Map.of("p", 1f, "b", 1f, "plain", 1f),
                scores(near("'text': '" + TEXT + "', 'max_distance': 0" + VERIFY, "plain")));
        for (SearchHit hit : prepareSearch("{'query': {'simhash': {'text': '" + TEXT + "'" + VERIFY + "}}}", "plain")
                .setExplain(true)
                .get()
                .getHits()) {
            assertEquals(hit.getScore(), hit.getExplanation().getValue().floatValue(), 0);
        }
    }

    public void testTextsOnTheirWayInArePreparedByTheRecipeThatMadeTheFingerprint() {
        pipeline(
                "by_type",
                "{'processors': [" + BY_TYPE
                        + ", {'near_duplicate': {'max_distance': 30, 'verify': {'field': 'content', 'min_similarity': 0.5}}}]}");
        smallIndex("plain", "index.default_pipeline", "by_type");
        for (List<String> bulk : List.of(List.of("p", "b"), List.of("i"))) {
            Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
            for (String tag : bulk) {
                String content = markedUp(tag).replace("fox", "fox" + tag);
                documents.put(tag, Map.of("content", content, "type", "html"));
            }
            putAll("plain", documents);
        }
        assertEquals(Set.of("b", "i"), ids(search("{'query': {'exists': {'field': 'near_duplicate.id'}}}", "plain")));
    }

    public void testDocumentsOfAPipelineThatIsNotTheIndexsArePreparedByItsRecipe() {
        pipeline(
                "page",
                "{'processors': [{'simhash': {'field': 'content', 'html': 'text', 'weighting': 'tf'}},"
                        + " {'near_duplicate': {'max_distance': 30, 'verify': {'field': 'content', 'min_similarity': 0.9}}}]}");
        smallIndex("plain");
        for (String tag : List.of("p", "b")) {
            client().prepareIndex("plain")
                    .setId(tag)
                    .setPipeline("page")
                    .setSource("content", markedUp(tag))
                    .get();
            refresh("plain");
        }
        assertEquals(Set.of("b"), ids(search("{'query': {'exists': {'field': 'near_duplicate.id'}}}", "plain")));
        assertEquals(Map.of("b", 1f), scores(near("'id': 'p'" + VERIFY, "plain")));
        pipeline("page", "{'processors': [{'simhash': {'field': 'content', 'weighting': 'tf'}}]}");
        String scheme = (String) ((Map<?, ?>)
                        client().prepareGet("plain", "p").get().getSourceAsMap().get("simhash"))
                .get("scheme");
        assertRefused(
                400,
                "[id] document [p] of index [plain] has a fingerprint of the scheme [" + scheme + "], which no ingest"
                        + " pipeline makes: set the [pipeline] that prepares texts for [verify]",
                () -> near("'id': 'p'" + VERIFY, "plain"));
        assertEquals(Set.of("b"), ids(near("'id': 'p'", "plain")));
        pipeline("other", "{'processors': [{'simhash': {'field': 'content', 'html': 'text', 'min_shingle_size': 2}}]}");
        assertEquals(Map.of("b", 1f), scores(near("'id': 'p', 'pipeline': 'other'" + VERIFY, "plain")));
        assertRefused(
                400,
                "[pipeline] must be an existing ingest pipeline, got: nowhere",
                () -> near("'id': 'p', 'pipeline': 'nowhere'" + VERIFY, "plain"));
    }

    public void testATextThatIsNotInTheSourceIsReadFromItsStoredField() {
        storedTexts("partly", "'excludes': ['content', 'meta.title', 'notes.text']");
        storedTexts("sourceless", "'enabled': false");
        for (String field : List.of("content", "meta.title", "notes.text")) {
            for (String index : List.of("partly", "sourceless")) {
                assertEquals(
                        index + " " + field,
                        Map.of("same", 1f),
                        scores(near("'text': '" + TEXT + "', 'verify': {'field': '" + field + "'}", index)));
            }
            String options = "'id': 'unseen', 'verify': {'field': '" + field + "'}";
            assertEquals("not refreshed", Map.of("same", 1f), scores(near(options, "partly")));
        }
        refresh("partly");
        assertEquals(Set.of("same"), ids(near("'id': 'unseen'" + VERIFY, "partly")));
    }

    public void testIndicesThatKeepNoTextAreRefused() {
        pipeline(
                "meta",
                "{'processors': [{'simhash': {'field': 'meta.text'}}, {'simhash': {'field': 'content', 'target_field': 'x'}}]}");
        Map<String, Object> document = Map.of("content", TEXT, "meta", Map.of("text", TEXT, "n", 1));
        int index = 0;
        for (String source : List.of("{'enabled': false}", "{'excludes': ['meta*']}", "{'includes': ['simhash.*']}")) {
            String name = "plain-" + index++;
            newIndex(name, "{'_source': " + source + "}", 1, 0, "index.default_pipeline", "meta");
            putAll(name, Map.of("1", document));
            SearchPhaseExecutionException e = expectThrows(
                    SearchPhaseExecutionException.class,
                    () -> near("'text': '" + TEXT + "', 'verify': {'field': 'meta.text'}", name));
            assertEquals(400, e.status().getStatus());
            assertEquals(
                    "[verify] must have a [field] that is kept in [_source] or stored, got: [meta.text], which is neither"
                            + " in [" + name + "]",
                    e.guessRootCauses()[0].getMessage());
        }
        for (String source : List.of("{'excludes': ['meta.n', 'content']}", "{'includes': ['meta.*', 'simhash']}")) {
            String name = "plain-" + index++;
            newIndex(name, "{'_source': " + source + "}", 1, 0, "index.default_pipeline", "meta");
            putAll(name, Map.of("1", document));
            assertEquals(Set.of("1"), ids(near("'text': '" + TEXT + "', 'verify': {'field': 'meta.text'}", name)));
        }
    }

    /** They matched nothing, and what they should have excluded was not. */
    public void testFieldsWhoseTextIsElsewhereAreRefused() {
        newIndex(
                "docs",
                "{'properties': {'content': {'type': 'text', 'copy_to': 'all', 'fields': {'raw': {'type': 'keyword'}}},"
                        + " 'body': {'type': 'alias', 'path': 'content'}, 'all': {'type': 'text'},"
                        + " 'kept': {'type': 'text', 'store': true}, 'flat': {'type': 'flat_object'}}}",
                1,
                0,
                "index.default_pipeline",
                "fingerprint");
        putAll("docs", Map.of("1", Map.of("content", TEXT, "flat", Map.of("text", TEXT), "kept", TEXT, "all", TEXT)));
        Map<String, String> elsewhere = Map.of("content.raw", "[content]", "body", "[content]");
        elsewhere.forEach((field, where) -> {
            SearchPhaseExecutionException e = expectThrows(
                    SearchPhaseExecutionException.class,
                    () -> near("'text': '" + TEXT + "', 'verify': {'field': '" + field + "'}", "docs"));
            assertEquals(400, e.status().getStatus());
            assertEquals(
                    "[verify] must have a [field] that has its text in [_source] or stored, got: [" + field
                            + "], whose text in [docs] is that of " + where,
                    e.guessRootCauses()[0].getMessage());
        });
        for (String field : List.of("content", "kept", "flat.text", "all")) {
            String options = "'text': '" + TEXT + "', 'verify': {'field': '" + field + "'}";
            assertEquals(field, Set.of("1"), ids(near(options, "docs")));
        }
    }

    public void testAnObjectInPlaceOfATextIsNoMatch() {
        newIndex(
                "docs",
                "{'properties': {'body': {'type': 'object', 'enabled': false}}}",
                1,
                0,
                "index.default_pipeline",
                "fingerprint");
        putAll(
                "docs",
                Map.of(
                        "text", Map.of("content", TEXT, "body", TEXT),
                        "object", Map.of("content", TEXT, "body", Map.of("html", TEXT)),
                        "both", Map.of("content", TEXT, "body", List.of(TEXT, Map.of("html", TEXT)))));
        assertEquals(Set.of("text", "both"), ids(near("'text': '" + TEXT + "', 'verify': {'field': 'body'}", "docs")));
    }

    public void testAFieldThatIsAnObjectIsRefused() {
        smallIndex("docs", "index.default_pipeline", "fingerprint");
        putAll("docs", Map.of("1", Map.of("content", TEXT, "body", Map.of("html", TEXT))));
        SearchPhaseExecutionException e = expectThrows(
                SearchPhaseExecutionException.class,
                () -> near("'text': '" + TEXT + "', 'verify': {'field': 'body'}", "docs"));
        assertEquals(400, e.status().getStatus());
        assertEquals(
                "[verify] must have a [field] that holds a text, got: [body], which is an object in [docs]",
                e.guessRootCauses()[0].getMessage());
    }

    /** Nothing was compared: to say that the texts are not similar would hide a mistyped field. */
    public void testWhatHasNoTextIsNotVerified() {
        smallIndex("docs");
        putAll("docs", Map.of("note", Map.of("content", "x", "note", "x"), "missing", Map.of("content", "x")));
        assertEquals(Set.of("note"), ids(near("'text': 'x', 'verify': {'field': 'note'}", "docs")));
        assertEquals(Set.of(), ids(near("'text': 'x', 'verify': {'field': 'nota'}", "docs")));
        String reason = client().prepareExplain("docs", "missing")
                .setQuery(query("{'simhash': {'text': 'x', 'verify': {'field': 'note'}}}"))
                .get()
                .getExplanation()
                .toString();
        assertTrue(reason, reason.contains("not verified: there is no text in the field of [verify]"));
    }

    /** It was never analyzed when it was indexed, and failed each search near it, and each job. */
    public void testATextThatTheAnalyzerCannotReadIsNoMatch() {
        indexOfUnreadableTexts("plain");
        putAll(
                "plain",
                Map.of(
                        "1", Map.of("title", TEXT, "content", TEXT),
                        "2", Map.of("title", TEXT, "content", "ab".repeat(200_000)),
                        "3", Map.of("title", TEXT, "content", TEXT)));
        assertEquals(Set.of("3"), ids(near("'id': '1'" + VERIFY, "plain")));
    }

    public void testTextsThatNobodyWantsAreNotRead() {
        smallIndex("docs");
        Map<String, Map<String, Object>> documents = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            documents.put("" + i, Map.of("content", TEXT));
        }
        putAll("docs", documents);
        long before = verified();
        search(
                "{'size': 3, 'track_total_hits': false, 'query': {'simhash': {'text': '" + TEXT + "'" + VERIFY + "}}}",
                "docs");
        assertTrue("texts: " + (verified() - before), verified() - before < 100);
    }

    private static long verified() {
        long verified = 0;
        for (SearchCounts counts : internalCluster().getInstances(SearchCounts.class)) {
            verified += counts.counts().get(SearchCount.VERIFIED);
        }
        return verified;
    }

    public void testIndicesWithoutFingerprintsNeedNoText() {
        smallIndex("docs");
        putAll("docs", Map.of("1", Map.of("content", TEXT)));
        newIndex("metrics", "{'_source': {'enabled': false}}", 1, 0);
        putAll("metrics", Map.of("1", Map.of("content", TEXT)));
        assertEquals(
                Set.of("1"),
                ids(near("'text': '" + TEXT + "', 'pipeline': 'fingerprint'" + VERIFY, "docs", "metrics")));
    }

    public void testExplainingTheDissimilarKeepsOneTextMoreOnly() throws Exception {
        smallIndex("docs");
        Map<String, Map<String, ?>> documents = new HashMap<>();
        for (int i = 0; i < 40; i++) {
            documents.put("" + i, Map.of("content", TEXT + " " + i));
        }
        putAll("docs", documents);
        String clause =
                "{'simhash': {'max_distance': 64, 'text': '" + text(20_000) + "', 'verify': {'field': 'content'}}}";
        limitRequests("20mb");
        try {
            String query = "{'bool': {'should': [{'match_all': {}}, " + clause + "]}}";
            SearchResponse response = search("{'explain': true, 'query': " + query + "}", "docs");
            assertEquals(40, response.getHits().getHits().length);
        } finally {
            limitRequests(null);
        }
    }

    private void storedTexts(String index, String source) {
        newIndex(
                index,
                """
                {'_source': {SOURCE}, 'properties': {
                  'content': {'type': 'text', 'store': true},
                  'meta': {'properties': {'title': {'type': 'keyword', 'store': true}}},
                  'notes': {'properties': {'text': {'type': 'text', 'store': true}}}
                }}""".replace("SOURCE", source),
                1,
                0,
                "index.default_pipeline",
                "fingerprint",
                "index.refresh_interval",
                -1);
        putAll(index, Map.of("same", document(TEXT), "other", document(TEXT.replace("fox", "hare"))));
        client().prepareIndex(index).setId("unseen").setSource(document(TEXT)).get();
    }

    private static Map<String, Object> document(String text) {
        return Map.of(
                "content", text, "meta", Map.of("title", text, "n", 1), "notes", List.of(Map.of("text", text, "n", 1)));
    }

    public void testAVerdictIsNotKeptForAnotherQuery() {
        for (String field : List.of("lang", "language")) {
            pipeline(
                    "by_" + field,
                    "{'processors': [{'simhash': {'field': 'content', 'language_field': '" + field
                            + "', 'analyzers': {'en': 'english'}}}]}");
        }
        String everything = IndexModule.INDEX_QUERY_CACHE_EVERYTHING_SETTING.getKey();
        smallIndex("plain", "index.default_pipeline", "by_lang", everything, true);
        putAll(
                "plain",
                Map.of(
                        "1",
                        Map.of("content", "The dog jumps over fences while cats chased a walking bird", "lang", "en")));
        String filter = """
                {'query': {'bool': {'filter': {'simhash': {
                  'text': 'The dogs jumped over fence while cat chases a walked birds', 'pipeline': 'PIPELINE',
                  'max_distance': 64, 'verify': {'field': 'content', 'min_similarity': 0.95}}}}}}""";
        for (int i = 0; i < 2; i++) {
            assertEquals(Set.of("1"), ids(search(filter.replace("PIPELINE", "by_lang"), "plain")));
            assertEquals(
                    "words are not reduced to their stems, as of no language",
                    Set.of(),
                    ids(search(filter.replace("PIPELINE", "by_language"), "plain")));
        }
    }

    public void testVerifiersThatReadTheLanguageElsewhereAreNotEqual() {
        List<TextVerifier> verifiers = new ArrayList<>();
        PipelineRecipes recipes = internalCluster().getInstance(PipelineRecipes.class);
        for (String field : List.of("lang", "language", "lang")) {
            Fingerprinter recipe = recipes.ofOptions(Map.of("field", "content", "language_field", field));
            Verification verification = Verification.of("content", null, null, null, null);
            verifiers.add(new TextVerifier(
                    verification,
                    TEXT,
                    null,
                    recipe,
                    List.of(),
                    recipe::factor,
                    bytes -> {},
                    new SearchMemory(bytes -> {}),
                    Durations.ofTexts()));
        }
        assertNotEquals(verifiers.get(0), verifiers.get(1));
        assertEquals(verifiers.get(0), verifiers.get(2));
        assertEquals(verifiers.get(0).hashCode(), verifiers.get(2).hashCode());
    }

    public void testFactsAreJudgedAlikeInBothDirections() {
        Fingerprinter recipe = internalCluster()
                .getInstance(PipelineRecipes.class)
                .ofOptions(Map.of("field", "content", "language_field", "lang"));
        Map<String, Object> swedish = Map.of("content", "Kim äter den fisken", "lang", "sv");
        Map<String, Object> unknown = Map.of("content", "Kim äter fisken");
        Map<String, Object> both = Map.of("content", "Kim äter fisken", "lang", "sv");
        assertTrue(isSameFact(recipe, swedish, unknown)); // by German, which has the article "den"
        assertTrue(isSameFact(recipe, unknown, swedish));
        assertFalse(isSameFact(recipe, swedish, both));
        assertFalse(isSameFact(recipe, both, swedish));
    }

    private static boolean isSameFact(Fingerprinter recipe, Map<String, Object> a, Map<String, Object> b) {
        return new TextVerifier(
                        Verification.of("content", "facts", null, null, null),
                        (String) a.get("content"),
                        (String) a.get("lang"),
                        recipe,
                        List.of(),
                        recipe::factor,
                        bytes -> {},
                        new SearchMemory(bytes -> {}),
                        Durations.ofTexts())
                .verify(b, () -> {})
                .isSimilar();
    }

    public void testWhatIsPreparedOfATextStaysOnTheAccountUntilTheSearchIsOver() {
        PipelineRecipes recipes = internalCluster().getInstance(PipelineRecipes.class);
        Fingerprinter recipe = recipes.ofOptions(Map.of("field", "content"));
        for (Measure measure : Measure.values()) {
            AtomicLong taken = new AtomicLong();
            SearchMemory search = new SearchMemory(taken::addAndGet);
            Verification verification = new Verification("content", measure, 3, 0.8, null);
            Map<String, Object> document = Map.of("content", TEXT + " "); // an equal text needs nothing prepared
            Supplier<TextVerifier> verifiers = () -> new TextVerifier(
                    verification,
                    TEXT,
                    null,
                    recipe,
                    List.of(),
                    recipe::factor,
                    taken::addAndGet,
                    search,
                    Durations.ofTexts());
            assertTrue(verifiers.get().verify(document, () -> {}).isSimilar());
            assertEquals("nobody would give it back", 0, taken.get());
            assertTrue(search.open());
            assertFalse("once", search.open());
            TextVerifier verifier = verifiers.get();
            for (int i = 0; i < 3; i++) {
                assertTrue(verifier.verify(document, () -> {}).isSimilar());
                assertEquals(
                        new TextComparison(
                                        verification,
                                        recipe.analyzer(null, TEXT),
                                        TokenWeights.EQUAL,
                                        TEXT,
                                        bytes -> {},
                                        () -> {})
                                .bytes(),
                        taken.get());
            }
            search.close();
            assertEquals(0, taken.get());
        }
    }

    /** Each clause keeps 200 times what it takes to compare with one of the short texts. */
    public void testManyTextsAreTooMuchForTheBreaker() throws Exception {
        smallIndex("docs-many");
        putAll("docs-many", Map.of("1", Map.of("content", TEXT), "2", Map.of("content", TEXT + " Twice.")));
        String clause =
                "{'simhash': {'max_distance': 64, 'text': '" + text(20_000) + "', 'verify': {'field': 'content'}}}";
        // Equal ones would be one.
        String clauses = IntStream.range(0, 60)
                .mapToObj(i -> clause.replace("'text': '", "'text': '" + i + " "))
                .collect(Collectors.joining(", "));
        SearchRequestBuilder search = prepareSearch("{'query': {'bool': {'should': [" + clauses + "]}}}", "docs-many");
        limitRequests("20mb");
        try {
            Exception e = expectThrows(Exception.class, search::get);
            assertEquals(429, ExceptionsHelper.status(e).getStatus());
            assertEquals(
                    0,
                    search("{'query': " + clause + "}", "docs-many").getHits().getHits().length);
        } finally {
            limitRequests(null);
            forgetWarningsOfBreakers();
        }
        assertBusy(() -> {
            for (CircuitBreakerService breakers : internalCluster().getInstances(CircuitBreakerService.class)) {
                assertEquals(0, breakers.getBreaker(CircuitBreaker.REQUEST).getUsed());
            }
        });
    }

    /** As many as of any other query; each is a leaf for whoever counts. */
    public void testAThousandClausesMayVerify() {
        smallIndex("docs-many");
        putAll("docs-many", Map.of("1", Map.of("content", TEXT), "2", Map.of("content", "Something else altogether.")));
        List<String> clauses = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            clauses.add("{'simhash': {'text': '" + TEXT + " " + i + "', 'verify': {'field': 'content'}}}");
        }
        assertEquals(
                Set.of("1"),
                ids(search("{'query': {'bool': {'should': [" + String.join(", ", clauses) + "]}}}", "docs-many")));
    }

    private static String text(int words) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(i).append("th ");
        }
        return text.toString();
    }

    public void testTextsMeetStoredQueries() {
        newIndex(
                "plain",
                "{'properties': {'query': {'type': 'percolator'}, 'content': {'type': 'text'}}}",
                1,
                0,
                "index.default_pipeline",
                "fingerprint");
        put("plain", "known", "content", TEXT);
        Map<String, Object> document =
                client().prepareGet("plain", "known").get().getSourceAsMap();
        for (String text : List.of(TEXT, TEXT.replace(" ", " and "))) {
            Map<String, Object> verified =
                    Map.of("text", text, "max_distance", 64, "verify", Map.of("field", "content"));
            put("plain", text.equals(TEXT) ? "near" : "far", "query", Map.of("simhash", verified), "content", "");
        }
        refresh("plain");
        String query = "{'percolate': {'field': 'query', 'document': " + json(document) + "}}";
        assertEquals(Set.of("near"), ids(search("{'query': " + query + "}", "plain")));
    }

    /** All that a pipeline gives to a stored query is in its fingerprint by then. */
    public void testAStoredQueryOutlivesItsPipeline() {
        pipeline("for-a-while", "{'processors': [{'simhash': {'field': 'content'}}]}");
        newIndex(
                "plain",
                "{'properties': {'query': {'type': 'percolator'}, 'content': {'type': 'text'}}}",
                1,
                0,
                "index.default_pipeline",
                "fingerprint");
        put("plain", "known", "content", TEXT);
        Map<String, Object> document =
                client().prepareGet("plain", "known").get().getSourceAsMap();
        Map<String, Object> query =
                Map.of("text", TEXT, "pipeline", "for-a-while", "verify", Map.of("field", "content"));
        put("plain", "stored", "query", Map.of("simhash", query), "content", "");
        refresh("plain");
        assertAcked(
                client().admin().cluster().prepareDeletePipeline("for-a-while").get());
        String percolate = "{'percolate': {'field': 'query', 'document': " + json(document) + "}}";
        assertEquals(Set.of("stored"), ids(search("{'query': " + percolate + "}", "plain")));
    }

    public void testAnExplanationHasTheSimilarityOfARejectedText() {
        smallIndex("docs");
        put("docs", "near", "content", TEXT.replace("fox", "hare"));
        refresh("docs");
        String options =
                "'max_distance': 64, 'text': '" + TEXT + "', 'verify': {'field': 'content', 'measure': MEASURE";
        for (String measure : List.of("'jaccard'", "'containment'", "'levenshtein'", "'lcs'")) {
            String typed = options.replace("MEASURE", measure);
            float similarity =
                    scores(near(typed + ", 'min_similarity': 0}", "docs")).get("near");
            assertTrue(measure + similarity, similarity > 0.5 && similarity < 1);
            String why = explained(typed + ", 'min_similarity': 1}");
            String said = "similarity below [min_similarity] [1.0], similarity ";
            assertTrue(why, why.startsWith(said));
            assertEquals(similarity, Float.parseFloat(why.substring(said.length(), why.indexOf(", by "))), 1e-6);
        }
        String digits = ", 'min_similarity': 1, 'strict_characters': '[a-z]'}";
        String why = explained(options.replace("MEASURE", "'lcs'") + digits);
        assertTrue(why, why.startsWith("[strict_characters] differ, by "));
    }

    private String explained(String options) {
        ExplainResponse response = client().prepareExplain("docs", "near")
                .setQuery(query("{'simhash': {" + options + "}}"))
                .get();
        assertFalse(response.isMatch());
        return response.getExplanation().getDescription();
    }

    public void testAnEmptyTextIsNearNothing() {
        newIndex(
                "docs",
                "{'properties': {'note': {'type': 'text', 'store': true}}, '_source': {'excludes': ['note']}}",
                1,
                0);
        putAll(
                "docs",
                Map.of(
                        "empty", Map.of("content", "", "note", ""),
                        "other", Map.of("content", "", "note", ""),
                        "list", Map.of("content", List.of("", ""), "note", "!"),
                        "none", Map.of("content", Arrays.asList("", null, TEXT))));
        for (String source : List.of(
                "'text': ''" + VERIFY,
                "'document': {'content': ''}" + VERIFY,
                "'id': 'empty'" + VERIFY,
                "'id': 'empty', 'verify': {'field': 'note'}")) {
            assertEquals(source, Set.of(), ids(near(source, "docs")));
        }
        for (String source : List.of("'id': 'none'", "'document': {'content': 'x', 'note': null}")) {
            assertRefused(
                    400,
                    (source.startsWith("'id'") ? "[id] document [none]" : "[document]")
                            + " must have the field [note] of [verify], got: no text in it",
                    () -> near(source + ", 'verify': {'field': 'note'}", "docs"));
        }
    }

    public void testTextsInsideOfNestedDocumentsAreRefused() {
        pipeline("pages", """
                {'processors': [{'foreach': {'field': 'pages', 'processor':
                  {'simhash': {'field': '_ingest._value.text', 'target_field': '_ingest._value.simhash'}}}}]}""");
        String mapping = "{'properties': {'pages': {'type': 'nested'}}}";
        newIndex("plain", mapping, 1, 0, "index.default_pipeline", "pages");
        putAll("plain", Map.of("1", Map.of("pages", List.of(Map.of("text", TEXT), Map.of("text", "other")))));
        String options = "'field': 'pages.simhash', 'pipeline': 'pages', 'text': '" + TEXT + "'";
        String near = "{'nested': {'path': 'pages', 'query': {'simhash': {" + options + "}}}}";
        assertEquals(Set.of("1"), ids(search("{'query': " + near + "}", "plain")));
        String verified = near.replace(options, options + ", 'verify': {'field': 'pages.text'}");
        for (String body : List.of(
                "{'query': " + verified + "}",
                "{'query': {'bool': {'must_not': " + verified + "}}}",
                "{'aggs': {'p': {'nested': {'path': 'pages'}, 'aggs': {'q': {'filter': {'simhash': {" + options
                        + ", 'verify': {'field': 'pages.text'}}}}}}}}")) {
            SearchPhaseExecutionException e =
                    expectThrows(SearchPhaseExecutionException.class, () -> search(body, "plain"));
            assertEquals(400, e.status().getStatus());
            assertEquals(
                    "[verify] must be outside of [nested], whose documents have no source to read a text from,"
                            + " got: path [pages]",
                    ExceptionsHelper.unwrapCause(e.guessRootCauses()[0]).getMessage());
        }
    }

    /** Without its markup the text as it is; with it another. */
    private static String markedUp(String tag) {
        return ("<TAG>" + TEXT.replace(" ", "</TAG> <TAG>") + "</TAG>").replace("TAG", tag);
    }
}
