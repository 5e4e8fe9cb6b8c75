/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertNoFailures;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.ClusterTestCase;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.simhash.search.match.FingerprintedDocument;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/**
 * Two nodes in this JVM, or as many as a class says, with our plugin and the modules that every OpenSearch has; template and
 * pipeline are those of {@code config/}. Requests are written as in JSON, with single quotes.
 */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 2, numClientNodes = 0, supportsDedicatedMasters = false)
public abstract class SimHashClusterTestCase extends ClusterTestCase {

    static final int SHARDS = 3;
    static final SampleIndex SAMPLE = new SampleIndex();

    private static NodeWarnings warnings;

    @BeforeClass
    public static void listen() {
        warnings = new NodeWarnings();
    }

    @AfterClass
    public static void nothingWasLoggedAtWarn() {
        warnings.close();
        // Tests delete indices whose replicas still recover.
        forgetWarningsOf("org.opensearch.indices.cluster.IndicesClusterStateService");
        assertEquals(List.of(), warnings.all());
    }

    /** Of a breaker that a test trips on purpose. */
    protected static void forgetWarningsOfBreakers() {
        forgetWarningsOf("org.opensearch.indices.breaker.");
    }

    /** @param logger how its name begins */
    protected static void forgetWarningsOf(String logger) {
        warnings.all().removeIf(warning -> warning.startsWith(logger));
    }

    /** Of the breaker by which searches take memory; null for the usual limit. */
    protected static void limitRequests(String limit) {
        String key = HierarchyCircuitBreakerService.REQUEST_CIRCUIT_BREAKER_LIMIT_SETTING.getKey();
        assertAcked(client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(Settings.builder().put(key, limit))
                .get());
    }

    @Before
    public void configure() throws IOException {
        pipeline(SampleIndex.PIPELINE, SAMPLE.config("ingest-pipeline"));
        template("docs", SAMPLE.config("index-template"));
    }

    void template(String name, String definition) throws IOException {
        try (XContentParser parser = parser(definition)) {
            PutComposableIndexTemplateAction.Request request = new PutComposableIndexTemplateAction.Request(name);
            request.indexTemplate(ComposableIndexTemplate.parse(parser));
            assertAcked(client().execute(PutComposableIndexTemplateAction.INSTANCE, request)
                    .actionGet());
        }
    }

    protected void pipeline(String id, String definition) {
        BytesArray source = new BytesArray(quoted(definition));
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline(id, source, MediaTypeRegistry.JSON)
                .get());
    }

    /** Three shards with a replica; keys and values are settings. */
    void spreadIndex(String index, Object... settings) {
        newIndex(index, "{}", SHARDS, 1, settings);
    }

    /** The analyzer of its pipeline overflows on a long run of two letters. */
    protected void indexOfUnreadableTexts(String index) {
        pipeline(
                "nesting",
                "{'processors': [{'simhash': {'field': 'title', 'analyzer': {'tokenizer': 'standard',"
                        + " 'char_filter': [{'type': 'pattern_replace', 'pattern': '(a|b)*c', 'replacement': 'x'}]}}}]}");
        smallIndex(index, "index.default_pipeline", "nesting");
    }

    /** One shard, where the spreading of documents is not the point; keys and values are settings. */
    protected void smallIndex(String index, Object... settings) {
        newIndex(index, "{}", 1, 0, settings);
    }

    protected void newIndex(String index, String mapping, int shards, int replicas, Object... settings) {
        Settings.Builder builder =
                Settings.builder().put("index.number_of_shards", shards).put("index.number_of_replicas", replicas);
        for (int i = 0; i < settings.length; i += 2) {
            builder.put(settings[i].toString(), settings[i + 1].toString());
        }
        assertAcked(client().admin()
                .indices()
                .prepareCreate(index)
                .setSettings(builder)
                .setMapping(quoted(mapping))
                .get());
    }

    void put(String index, String id, Object... source) {
        client().prepareIndex(index).setId(id).setSource(source).get();
    }

    /** Indexes documents by id and makes them searchable. */
    protected void putAll(String index, Map<String, ? extends Map<String, ?>> documents) {
        BulkRequestBuilder bulk = client().prepareBulk();
        documents.forEach(
                (id, source) -> bulk.add(client().prepareIndex(index).setId(id).setSource(source)));
        BulkResponse response = bulk.get();
        assertFalse(response.buildFailureMessage(), response.hasFailures());
        refresh(index);
    }

    /** Documents of the sample in one language, by id. */
    static Map<String, Map<String, Object>> sample(String language) {
        Map<String, Map<String, Object>> documents = new TreeMap<>(SAMPLE.documents());
        documents.keySet().removeIf(id -> id.startsWith(language + ".") == false);
        return documents;
    }

    /** A search by the options of a {@code simhash} query. */
    SearchResponse near(String options, String... indices) {
        return search("{'query': {'simhash': {" + options + "}}}", indices);
    }

    SearchResponse search(String body, String... indices) {
        SearchResponse response = prepareSearch(body, indices).get();
        assertNoFailures(response);
        return response;
    }

    protected final SearchRequestBuilder prepareSearch(String body, String... indices) {
        // As over HTTP, a node coordinates what it has read: a request that stays on it is not written and read again.
        String node = randomFrom(internalCluster().getNodeNames());
        SearchSourceBuilder source = source(body, node);
        if (source.size() < 0) {
            source.size(10_000);
        }
        return client(node).prepareSearch(indices).setSource(source);
    }

    SearchSourceBuilder source(String body) {
        return source(body, randomFrom(internalCluster().getNodeNames()));
    }

    private static SearchSourceBuilder source(String body, String node) {
        NamedXContentRegistry names = internalCluster().getInstance(NamedXContentRegistry.class, node);
        try (XContentParser parser =
                JsonXContent.jsonXContent.createParser(names, LoggingDeprecationHandler.INSTANCE, quoted(body))) {
            return SearchSourceBuilder.fromXContent(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    protected QueryBuilder query(String body) {
        return source("{'query': " + body + "}").query();
    }

    private XContentParser parser(String text) throws IOException {
        return createParser(JsonXContent.jsonXContent, quoted(text));
    }

    /** JSON of a document, safe in requests. */
    static String json(Map<String, ?> source) {
        try (XContentBuilder builder = JsonXContent.contentBuilder()) {
            return builder.map(source).toString().replace("'", "\\u0027");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String quoted(String json) {
        return json.replace('\'', '"');
    }

    static Set<String> ids(SearchResponse response) {
        return new TreeSet<>(scores(response).keySet());
    }

    static Map<String, Float> scores(SearchResponse response) {
        Map<String, Float> scores = new TreeMap<>();
        for (SearchHit hit : response.getHits()) {
            scores.put(hit.getId(), hit.getScore());
        }
        return scores;
    }

    /** What is stored, as brute force sees it. */
    Map<String, FingerprintedDocument> stored(String index, String field) {
        Map<String, FingerprintedDocument> documents = new TreeMap<>();
        for (SearchHit hit : search("{'query': {'match_all': {}}}", index).getHits()) {
            Map<?, ?> print = (Map<?, ?>) hit.getSourceAsMap().get(field);
            String hash = (String) print.get("hash");
            List<Long> bits = hash == null ? List.of() : List.of(HexFormat.fromHexDigitsToLong(hash));
            documents.put(
                    hit.getId(),
                    new FingerprintedDocument(
                            hit.getId(), bits, 4, -1, (String) print.get("digest"), (String) print.get("scheme")));
        }
        return documents;
    }

    /** What a document is compared as when it is the source. */
    static Target target(FingerprintedDocument document) {
        OptionalLong bits = document.bits().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(document.bits().getFirst());
        return new Target(bits, document.digest(), document.scheme());
    }

    /** Score by id of all documents within the distance, found by comparing each. */
    static Map<String, Float> bruteForce(Map<String, FingerprintedDocument> documents, Target target, int maxDistance) {
        Map<String, Float> scores = new TreeMap<>();
        documents.forEach((id, document) -> {
            int distance = document.distance(target);
            if (distance <= maxDistance) {
                scores.put(id, 1f - distance / 64f);
            }
        });
        return scores;
    }

    static void assertRefused(int status, String message, ThrowingRunnable request) {
        Exception e = expectThrows(Exception.class, request);
        Throwable cause = ExceptionsHelper.unwrapCause(e);
        assertEquals(message, cause.getMessage());
        assertEquals(status, ExceptionsHelper.status(cause).getStatus());
    }
}
