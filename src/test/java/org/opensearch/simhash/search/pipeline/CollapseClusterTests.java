/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertNoFailures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.PutSearchPipelineRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.metrics.TopHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.ProcessorExecutionDetail;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.ClusterTestCase;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/**
 * Three nodes in this JVM: fingerprints and counts travel between them as OpenSearch checks them, fingerprints are written by
 * hand, several in a document too, and a caller's request stays the caller's.
 */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 3, numClientNodes = 0, supportsDedicatedMasters = false)
public class CollapseClusterTests extends ClusterTestCase {

    private static final String NO_DIGESTS =
            "[simhash] [simhash.digest] must have doc values, because the index keeps no"
                    + " [_source] to read it from; the plugin's config/index-template.json maps it without";

    private static final String PROPERTIES =
            "{\"properties\":{\"rank\":{\"type\":\"integer\"},\"simhash\":{\"properties\":{"
                    + "\"bits\":{\"type\":\"long\",\"index\":false},\"digest\":{\"type\":\"keyword\"},"
                    + "\"scheme\":{\"type\":\"keyword\"}}}}}";

    private static final String DIGEST_WITHOUT_DOC_VALUES = PROPERTIES.replace(
            "{\"type\":\"keyword\"},\"scheme\"", "{\"type\":\"keyword\",\"doc_values\":false},\"scheme\"");

    private void index(String mapping, List<?> fingerprints) {
        assertAcked(client().admin()
                .indices()
                .prepareCreate("prints")
                .setSettings(Map.of("index.number_of_shards", 3, "index.number_of_replicas", 0))
                .setMapping(mapping));
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int rank = 0; rank < fingerprints.size(); rank++) {
            Map<String, Object> document = new HashMap<>(Map.of("rank", rank));
            if (fingerprints.get(rank) != null) {
                document.put("simhash", fingerprints.get(rank));
            }
            bulk.add(client().prepareIndex("prints").setId("" + rank).setSource(document));
        }
        assertFalse(bulk.get().hasFailures());
        refresh("prints");
        assertAcked(client().admin()
                .cluster()
                .putSearchPipeline(new PutSearchPipelineRequest(
                        "distinct",
                        new BytesArray(new SampleIndex()
                                .config("search-pipeline")
                                .replace("\"verify\": true", "\"max_distance\": 11")),
                        MediaTypeRegistry.JSON))
                .actionGet());
    }

    private static Map<String, Object> print(long bits, String digest) {
        return Map.of("bits", bits, "digest", digest, "scheme", "v1-a");
    }

    private static SearchSourceBuilder ranked() {
        return new SearchSourceBuilder().query(QueryBuilders.matchAllQuery()).sort("rank", SortOrder.ASC);
    }

    private static SearchRequest request(SearchSourceBuilder source) {
        return new SearchRequest("prints").source(source).pipeline("distinct");
    }

    private static List<String> ids(Iterable<SearchHit> hits) {
        List<String> ids = new ArrayList<>();
        hits.forEach(hit -> ids.add(hit.getId()));
        return ids;
    }

    /** As docs/collapse.md says. */
    public void testTheFingerprintsAreOneOfTheDocvalueFieldsThatAnIndexAllows() throws IOException {
        index(PROPERTIES, List.of(print(0xFF, "a"), print(0xFE, "b")));
        SearchSourceBuilder source = ranked();
        for (int i = 0; i < 99; i++) {
            source.docValueField("none_" + i);
        }
        assertEquals(
                List.of("0"), ids(client().search(request(source)).actionGet().getHits()));
        assertEquals(99, source.docValueFields().size());
        source.docValueField("rank");
        Exception e = expectThrows(
                Exception.class, () -> client().search(request(source)).actionGet());
        String message = ExceptionsHelper.stackTrace(e);
        assertTrue(message, message.contains("index.max_docvalue_fields_search"));
        assertEquals(400, ExceptionsHelper.status(e).getStatus());
    }

    public void testFingerprintsAndCountsTravelBetweenNodes() throws IOException {
        List<Object> prints = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            prints.add(i % 10 == 9 ? null : print(i % 2 == 0 ? 0xFFL << (i % 6) : randomLong(), "digest " + i));
        }
        // Two in one document: the second is near the first document's.
        prints.add(List.of(print(-1L, "x"), print(0xFFL, "y")));
        index(PROPERTIES, prints);
        SearchSourceBuilder source = ranked().size(20)
                .aggregation(AggregationBuilders.topHits("top").sort("rank").size(5));
        for (String node : internalCluster().getNodeNames()) {
            SearchResponse response = client(node).search(request(source)).actionGet();
            assertNoFailures(response);
            SearchExtBuilder counts =
                    response.getInternalResponse().getSearchExtBuilders().getFirst();
            List<SearchHit> page = List.of(response.getHits().getHits());
            assertEquals(20, page.size());
            assertTrue(counts.toString(), counts.toString().startsWith("{window=60, hits=60, distinct="));
            List<Object> hidden = page.getFirst().field("_near_duplicates").getValues();
            assertEquals("2", ((Map<?, ?>) hidden.getFirst()).get("_id"));
            assertEquals(
                    List.of("_near_duplicates"),
                    List.copyOf(page.getFirst().getFields().keySet()));
            assertEquals(
                    "no fingerprint", Map.of(), page.get(ids(page).indexOf("9")).getFields());
            TopHits top = response.getAggregations().get("top");
            assertEquals(List.of("0", "1", "2", "3", "4"), ids(top.getHits()));
            top.getHits().forEach(hit -> assertEquals("aggregations stay", Map.of(), hit.getFields()));
            assertEquals(
                    "a caller's request stays the caller's", ranked().size(20).from(), source.from());
            assertEquals(20, source.size());
            assertNull(source.docValueFields());
        }
        SearchResponse all = client().search(request(ranked().size(61))).actionGet();
        assertFalse("the nearest of several counts", ids(all.getHits()).contains("60"));
    }

    public void testHitsWithManyFingerprintsCollapse() {
        List<Object> prints = new ArrayList<>();
        long shared = 0;
        for (int i = 0; i < 30; i++) {
            shared = i % 2 == 0 ? randomLong() : shared;
            List<Object> parts = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                parts.add(print(randomLong(), i + "/" + j));
            }
            parts.add(print(shared, "near " + i));
            prints.add(parts);
        }
        index(PROPERTIES, prints);
        SearchResponse all = client().search(through("{'collapse_near_duplicates': {}}", ranked().size(30)))
                .actionGet();
        List<String> even = IntStream.range(0, 30)
                .filter(i -> i % 2 == 0)
                .mapToObj(Integer::toString)
                .toList();
        assertEquals(even, ids(all.getHits()));
    }

    public void testADigestThatTheSourceLeavesOutIsMissedWhereNothingElseIs() {
        String lean = "{'_source': {'excludes': ['simhash']}, 'properties': {'simhash': {'properties': {"
                + "'bits': {'type': 'long'}, 'scheme': {'type': 'keyword'},"
                + " 'digest': {'type': 'keyword', 'doc_values': false}}}}}";
        index(lean.replace('\'', '"'), List.of(print(0, "a"), print(1, "b"), Map.of("digest", "c", "scheme", "v1-a")));
        SearchSourceBuilder both =
                ranked().size(2).query(QueryBuilders.rangeQuery("rank").lt(2));
        assertEquals(
                List.of("0"), ids(client().search(request(both)).actionGet().getHits()));
        Exception e = expectThrows(
                Exception.class,
                () -> client().search(request(ranked().size(3))).actionGet());
        assertTrue(
                e.getMessage(),
                e.getMessage().contains("[simhash.digest] must have doc values, because [_source] leaves it out"));
    }

    public void testListsOfTheCallerAreGivenBack() {
        index(PROPERTIES, List.of(print(0, "a"), print(1, "b")));
        SearchSourceBuilder source = ranked().docValueField("simhash.bits");
        SearchResponse response = client().search(request(source)).actionGet();
        assertEquals(List.of("0"), ids(response.getHits()));
        assertEquals(1, source.docValueFields().size());
        assertEquals(
                0L, (long) response.getHits().getAt(0).field("simhash.bits").getValue());
    }

    public void testDigestsOfShortTextsAreFoundInTheSource() {
        Map<String, Object> few = Map.of("digest", "short", "scheme", "v1-a");
        Map<String, Object> others = Map.of("digest", "other", "scheme", "v1-a");
        index(DIGEST_WITHOUT_DOC_VALUES, List.of(few, print(0, "a"), others, few, List.of(others, few), print(7, "a")));
        for (boolean withSource : new boolean[] {true, false}) {
            SearchResponse response =
                    client().search(request(ranked().fetchSource(withSource))).actionGet();
            assertEquals(List.of("0", "1", "2"), ids(response.getHits()));
            assertEquals(withSource, response.getHits().getAt(0).hasSource());
        }
    }

    public void testFieldsThatCannotBeReadAreNamed() {
        index(
                DIGEST_WITHOUT_DOC_VALUES.replaceFirst("\\{", "{\"_source\":{\"enabled\":false},"),
                List.of(print(0, "a"), print(1, "b")));
        Exception e = expectThrows(
                Exception.class, () -> client().search(request(ranked())).actionGet());
        Throwable cause = OpenSearchException.guessRootCauses(e)[0];
        assertEquals("[collapse_near_duplicates] " + NO_DIGESTS, cause.getMessage());
        assertEquals(400, ExceptionsHelper.status(e).getStatus());
    }

    private static SearchRequest through(String responseSide, SearchSourceBuilder source) {
        String pipeline = "{'request_processors': [{'collapse_near_duplicates': {}}], 'response_processors': ["
                + responseSide + "]}";
        source.searchPipelineSource(
                XContentHelper.convertToMap(JsonXContent.jsonXContent, pipeline.replace('\'', '"'), true));
        return new SearchRequest("prints").source(source);
    }

    public void testTheResponseSideCountsOnce() {
        index(PROPERTIES, List.of(print(0, "a"), print(1, "b"), print(-1, "c"), print(0xFFFF, "d")));
        String once = "{'collapse_near_duplicates': {}}";
        assertEquals(
                List.of("2"),
                ids(client().search(through(once, ranked().from(1).size(1)))
                        .actionGet()
                        .getHits()));
        Exception e = expectThrows(
                Exception.class,
                () -> client().search(
                                through(once + "," + once, ranked().from(1).size(1)))
                        .actionGet());
        assertEquals(
                "[collapse_near_duplicates] must be in [response_processors] once, got: more than once",
                OpenSearchException.guessRootCauses(e)[0].getMessage());
        String ignored = once + ", {'collapse_near_duplicates': {'ignore_failure': true}}";
        assertEquals(
                List.of("2"),
                ids(client().search(through(ignored, ranked().from(1).size(1)))
                        .actionGet()
                        .getHits()));
    }

    public void testWhereAFailureIsIgnoredThePageIsTheOneAskedFor() {
        index(
                DIGEST_WITHOUT_DOC_VALUES.replaceFirst("\\{", "{\"_source\":{\"enabled\":false},"),
                List.of(print(0, "a"), print(1, "b"), print(2, "c"), print(3, "d")));
        String ignoring = "{'collapse_near_duplicates': {'ignore_failure': true}}";
        for (int from : new int[] {0, 1, 3, 9}) {
            SearchResponse response = client().search(
                            through(ignoring, ranked().from(from).size(2)))
                    .actionGet();
            List<String> all = List.of("0", "1", "2", "3");
            assertEquals(all.subList(Math.min(from, 4), Math.min(from + 2, 4)), ids(response.getHits()));
            assertEquals(4, response.getHits().getTotalHits().value());
            response.getHits().forEach(hit -> assertEquals(Map.of(), hit.getFields()));
        }
    }

    public void testWhereThePipelineTellsWhatItDidAFailureLeavesThePageThatWasAskedFor() {
        index(
                DIGEST_WITHOUT_DOC_VALUES.replaceFirst("\\{", "{\"_source\":{\"enabled\":false},"),
                List.of(print(0, "a"), print(1, "b"), print(2, "c"), print(3, "d")));
        SearchResponse page = client().search(through(
                        "{'collapse_near_duplicates': {}}",
                        ranked().from(1).size(2).verbosePipeline(true)))
                .actionGet();
        assertEquals(List.of("1", "2"), ids(page.getHits()));
        page.getHits().forEach(hit -> assertEquals(Map.of(), hit.getFields()));
        assertEquals(List.of("[collapse_near_duplicates] " + NO_DIGESTS), failures(page));
        SearchResponse scroll = client().search(
                        request(ranked().size(3).verbosePipeline(true)).scroll(TimeValue.timeValueMinutes(1)))
                .actionGet();
        assertEquals(List.of("0", "1", "2"), ids(scroll.getHits()));
        // Before 3.8, OpenSearch does not tell of a request's side that failed.
        assertTrue("the request side's only", failures(scroll).size() <= 1);
        clearScroll(scroll.getScrollId());
    }

    private static List<String> failures(SearchResponse response) {
        return response.getInternalResponse().getProcessorResult().stream()
                .map(ProcessorExecutionDetail::getErrorMessage)
                .filter(message -> message != null && message.isEmpty() == false)
                .toList();
    }

    public void testWhereTheRequestSidesFailureIsIgnoredTheSearchIsTheOneSent() {
        index(PROPERTIES, List.of(print(0, "a"), print(1, "b"), print(2, "c")));
        String side = "{'collapse_near_duplicates': {'ignore_failure': true}}";
        String pipeline = "{'request_processors': [" + side + "], 'response_processors': ["
                + side.replace("true", "false") + "]}";
        assertAcked(client().admin()
                .cluster()
                .putSearchPipeline(new PutSearchPipelineRequest(
                        "ignoring", new BytesArray(pipeline.replace('\'', '"')), MediaTypeRegistry.JSON))
                .actionGet());
        SearchSourceBuilder inline = ranked();
        inline.searchPipelineSource(
                XContentHelper.convertToMap(JsonXContent.jsonXContent, pipeline.replace('\'', '"'), true));
        for (SearchRequest request : List.of(
                new SearchRequest("prints").source(inline),
                new SearchRequest("prints").source(ranked()).pipeline("ignoring"))) {
            SearchResponse scroll = client().search(request.scroll(TimeValue.timeValueMinutes(1)))
                    .actionGet();
            assertEquals(List.of("0", "1", "2"), ids(scroll.getHits()));
            clearScroll(scroll.getScrollId());
        }
    }

    public void testAScrollOfAnIndexWithADefaultPipelineReadsAll() {
        index(PROPERTIES, List.of(print(0, "a"), print(1, "b"), print(2, "c")));
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings("prints")
                .setSettings(Map.of("index.search.default_pipeline", "distinct")));
        SearchResponse page =
                client().search(new SearchRequest("prints").source(ranked())).actionGet();
        assertEquals(List.of("0"), ids(page.getHits()));
        SearchResponse scroll = client().prepareSearch("prints")
                .setSource(ranked())
                .setScroll(TimeValue.timeValueMinutes(1))
                .get();
        assertEquals(List.of("0", "1", "2"), ids(scroll.getHits()));
        assertNotNull(scroll.getScrollId());
        clearScroll(scroll.getScrollId());
    }

    public void testCopiesInAnArchiveHideNothingAndAreNotHidden() {
        index(PROPERTIES, List.of(print(0xFF, "a"), print(0xFF, "a"), print(-1L << 32, "b")));
        Map<String, Object> copy = new HashMap<>(Map.of("rank", -1, "simhash", print(0xFF, "a")));
        copy.put("simhash_archive", Map.of("run", "r", "index", "prints", "id", "9"));
        client().prepareIndex("prints-removed").setId("9").setSource(copy).get();
        client().prepareIndex("prints-removed").setId("10").setSource(copy).get();
        refresh("prints-removed");
        Map<String, List<String>> expected = Map.of(
                "prints*",
                List.of("0", "10", "2", "9"),
                "prints,prints-removed",
                List.of("0", "10", "2", "9"),
                "prints-r*", // A pattern is nobody's name.
                List.of("10", "9"),
                "prints-removed",
                List.of("10"));
        expected.forEach((names, ids) -> {
            SearchRequest request = request(ranked()).indices(names.split(","));
            List<String> found =
                    new ArrayList<>(ids(client().search(request).actionGet().getHits()));
            if (ids.size() == 1) {
                assertEquals("compared with each other", 1, found.size());
            } else {
                found.sort(null);
                assertEquals(names, ids, found);
            }
        });
    }
}
