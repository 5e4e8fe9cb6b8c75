/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.junit.Before;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.admin.indices.alias.Alias;
import org.opensearch.action.admin.indices.validate.query.ValidateQueryResponse;
import org.opensearch.action.explain.ExplainResponse;
import org.opensearch.action.search.CreatePitAction;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.DeletePitAction;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchType;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.reindex.BulkByScrollResponse;
import org.opensearch.index.reindex.DeleteByQueryAction;
import org.opensearch.index.reindex.DeleteByQueryRequestBuilder;
import org.opensearch.index.reindex.UpdateByQueryAction;
import org.opensearch.index.reindex.UpdateByQueryRequestBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.bucket.filter.Filter;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.simhash.search.match.FingerprintedDocument;

/** The query in every place where a query can stand, over three shards with replicas. */
public class QueryEverywhereClusterTests extends SimHashClusterTestCase {

    private static final int DISTANCE = 12;

    /** A document that has near-duplicates. */
    private String id;
    /** The query by that document's id, itself included. */
    private String query;
    /** What the query finds, by brute force. */
    private Map<String, Float> expected;

    private Map<String, Map<String, Object>> documents;
    private String hash;

    @Before
    public void fill() {
        spreadIndex("docs");
        documents = sample("es");
        putAll("docs", documents);
        Map<String, FingerprintedDocument> stored = stored("docs", "simhash");
        List<String> duplicated = new ArrayList<>(stored.keySet());
        duplicated.removeIf(candidate -> near(stored, candidate).size() < 3);
        id = randomFrom(duplicated);
        expected = near(stored, id);
        hash = Fingerprint.toHex(stored.get(id).bits().getFirst());
        query = "{'simhash': {'id': '" + id + "', 'include_self': true, 'max_distance': " + DISTANCE + "}}";
    }

    private static Map<String, Float> near(Map<String, FingerprintedDocument> stored, String id) {
        return bruteForce(stored, target(stored.get(id)), DISTANCE);
    }

    public void testInCompoundQueries() {
        assertEquals(expected, scores(found(query)));
        assertEquals(expected, scores(found("{'bool': {'must': " + query + "}}")));
        assertEquals(expected, scores(found("{'bool': {'should': [" + query + "]}}")));
        assertEquals(expected, scores(found("{'dis_max': {'queries': [" + query + "]}}")));
        assertEquals(times(2, expected), scores(found("{'bool': {'must': [" + query + ", " + query + "]}}")));
        assertEquals(times(0, expected), scores(found("{'bool': {'filter': " + query + "}}")));
        assertEquals(
                times(0, expected, 2f), scores(found("{'constant_score': {'filter': " + query + ", 'boost': 2}}")));
        assertEquals(
                times(0, expected, 3f),
                scores(found("{'function_score': {'functions': [{'filter': " + query
                        + ", 'weight': 3}], 'min_score': 2}}")));
        Set<String> others = new TreeSet<>(documents.keySet());
        others.removeAll(expected.keySet());
        assertEquals(others, ids(found("{'bool': {'must_not': " + query + "}}")));
        String page = "{'term': {'version': 0}}";
        Set<String> firstVersions = new TreeSet<>(expected.keySet());
        firstVersions.removeIf(found -> found.endsWith(".v0") == false);
        assertEquals(firstVersions, ids(found("{'bool': {'must': " + query + ", 'filter': " + page + "}}")));
        assertEquals(firstVersions, ids(found("{'bool': {'must': " + page + ", 'filter': " + query + "}}")));
    }

    public void testBoostAndMinimumScore() {
        String boosted = query.replace("'include_self'", "'boost': 2.5, 'include_self'");
        assertEquals(times(2.5f, expected), scores(found(boosted)));
        Set<String> high = new TreeSet<>(expected.keySet());
        high.removeIf(found -> expected.get(found) < 0.9f);
        assertEquals(high, ids(search("{'min_score': 0.9, 'query': " + query + "}", "docs")));
    }

    public void testNamesOfQueriesThatMatched() {
        String named = query.replace("'include_self'", "'_name': 'near', 'include_self'");
        SearchResponse response =
                found("{'bool': {'should': [" + named + ", {'match_all': {'_name': 'all', 'boost': 0}}]}}");
        assertEquals(documents.size(), response.getHits().getHits().length);
        for (SearchHit hit : response.getHits()) {
            assertEquals(
                    expected.containsKey(hit.getId()),
                    Set.of(hit.getMatchedQueries()).contains("near"));
        }
    }

    public void testCountsAggregationsSortingAndCollapsing() {
        SearchResponse counted = search("""
                {'size': 0, 'track_total_hits': true, 'query': QUERY,
                 'aggs': {'versions': {'terms': {'field': 'version', 'size': 100}}}}""".replace("QUERY", query), "docs");
        assertEquals(expected.size(), counted.getHits().getTotalHits().value());
        Terms versions = counted.getAggregations().get("versions");
        assertEquals(
                expected.size(),
                versions.getBuckets().stream()
                        .mapToLong(Terms.Bucket::getDocCount)
                        .sum());
        Filter filter = search("{'size': 0, 'aggs': {'near': {'filter': " + query + "}}}", "docs")
                .getAggregations()
                .get("near");
        assertEquals(expected.size(), filter.getDocCount());
        List<Integer> sorted = new ArrayList<>();
        for (SearchHit hit :
                search("{'query': " + query + ", 'sort': ['version']}", "docs").getHits()) {
            sorted.add((Integer) hit.getSourceAsMap().get("version"));
        }
        assertEquals(sorted.stream().sorted().toList(), sorted);
        assertEquals(expected.size(), sorted.size());
        assertEquals(
                versions.getBuckets().size(),
                search("{'query': " + query + ", 'collapse': {'field': 'version'}}", "docs")
                        .getHits()
                        .getHits()
                        .length);
    }

    public void testAsPostFilterAndRescoreAndWithGlobalStatistics() {
        assertEquals(expected.keySet(), ids(search("{'post_filter': " + query + "}", "docs")));
        SearchResponse rescored = search(
                "{'query': {'match_all': {}}, 'rescore': {'window_size': 10000, 'query': {'rescore_query': " + query
                        + ", 'query_weight': 0}}}",
                "docs");
        expected.forEach((found, score) -> assertEquals(score, scores(rescored).get(found)));
        SearchResponse global = prepareSearch("{'query': " + query + "}", "docs")
                .setSearchType(SearchType.DFS_QUERY_THEN_FETCH)
                .get();
        assertEquals(expected, scores(global));
    }

    public void testSeveralSearchesInOneRequest() {
        MultiSearchResponse response = client().prepareMultiSearch()
                .add(prepareSearch("{'query': " + query + "}", "docs"))
                .add(prepareSearch("{'query': {'simhash': {'id': 'nowhere'}}}", "docs"))
                .add(prepareSearch("{'query': {'simhash': {'hash': '" + hash + "', 'max_distance': 0}}}", "docs"))
                .get();
        assertEquals(expected, scores(response.getResponses()[0].getResponse()));
        Exception failure = response.getResponses()[1].getFailure();
        assertEquals("[id] document [nowhere] not found in [docs]", failure.getMessage());
        assertEquals(404, ExceptionsHelper.status(failure).getStatus());
        assertTrue(ids(response.getResponses()[2].getResponse()).contains(id));
    }

    public void testScroll() {
        Set<String> found = new TreeSet<>();
        SearchResponse page = prepareSearch("{'size': 1, 'query': " + query + "}", "docs")
                .setScroll(TimeValue.timeValueMinutes(1))
                .get();
        while (page.getHits().getHits().length > 0) {
            assertTrue(found.add(page.getHits().getAt(0).getId()));
            page = client().prepareSearchScroll(page.getScrollId())
                    .setScroll(TimeValue.timeValueMinutes(1))
                    .get();
        }
        clearScroll(page.getScrollId());
        assertEquals(expected.keySet(), found);
    }

    public void testPointInTimeSearchesTheIndicesThatItWasOpenedOn() throws Exception {
        CreatePitRequest open = new CreatePitRequest(TimeValue.timeValueMinutes(1), true, "docs");
        String pit = client().execute(CreatePitAction.INSTANCE, open).get().getId();
        try {
            client().prepareDelete("docs", randomFrom(others())).get();
            client().prepareDelete(
                            "docs",
                            expected.keySet().stream()
                                    .filter(other -> other.equals(id) == false)
                                    .findFirst()
                                    .orElseThrow())
                    .get();
            refresh("docs");
            assertEquals(expected, scores(inPointInTime(pit, query)));
            Map<String, Object> source = Map.of("content", documents.get(id).get("content"));
            assertEquals(
                    expected,
                    scores(inPointInTime(
                            pit, "{'simhash': {'max_distance': " + DISTANCE + ", 'document': " + json(source) + "}}")));
        } finally {
            client().execute(DeletePitAction.INSTANCE, new DeletePitRequest(pit))
                    .get();
        }
    }

    /** As OpenSearch answers where an index is not there. */
    public void testPointInTimeOfAnIndexThatIsGone() throws Exception {
        smallIndex("gone", "index.default_pipeline", SampleIndex.PIPELINE);
        CreatePitRequest open = new CreatePitRequest(TimeValue.timeValueMinutes(1), true, "gone");
        String pit = client().execute(CreatePitAction.INSTANCE, open).get().getId();
        client().admin().indices().prepareDelete("gone").get();
        for (String searched : List.of("'text': 'some words'", "'document': {'content': 'some words'}", "'id': '1'")) {
            assertRefused(404, "no such index [gone]", () -> inPointInTime(pit, "{'simhash': {" + searched + "}}"));
        }
    }

    private SearchResponse inPointInTime(String pit, String searched) {
        return client().prepareSearch()
                .setSource(source("{'size': 1000, 'query': " + searched + "}")
                        .pointInTimeBuilder(new PointInTimeBuilder(pit)))
                .get();
    }

    private Set<String> others() {
        Set<String> others = new TreeSet<>(documents.keySet());
        others.removeAll(expected.keySet());
        return others;
    }

    public void testValidation() {
        ValidateQueryResponse valid = client().admin()
                .indices()
                .prepareValidateQuery("docs")
                .setQuery(query(query))
                .setExplain(true)
                .get();
        assertTrue(valid.isValid());
        assertTrue(
                valid.getQueryExplanation().toString(),
                valid.getQueryExplanation()
                        .getFirst()
                        .getExplanation()
                        .startsWith("simhash(simhash.bits near " + hash + " max_distance " + DISTANCE));
        ValidateQueryResponse invalid = client().admin()
                .indices()
                .prepareValidateQuery("docs")
                .setQuery(query("{'simhash': {'text': 'x', 'pipeline': 'nowhere'}}"))
                .get();
        assertFalse(invalid.isValid());
        assertEquals(
                "[pipeline] must be an existing ingest pipeline, got: nowhere",
                invalid.getQueryExplanation().getFirst().getError());
    }

    public void testExplanations() {
        for (String explained : documents.keySet()) {
            ExplainResponse response = client().prepareExplain("docs", explained)
                    .setQuery(query(query))
                    .get();
            assertEquals(explained, expected.containsKey(explained), response.isMatch());
            if (response.isMatch()) {
                assertEquals(
                        expected.get(explained),
                        response.getExplanation().getValue().floatValue(),
                        0f);
            }
        }
        for (SearchHit hit :
                search("{'explain': true, 'query': " + query + "}", "docs").getHits()) {
            assertEquals(
                    expected.get(hit.getId()), hit.getExplanation().getValue().floatValue(), 0f);
        }
    }

    public void testProfile() {
        SearchResponse response = search("{'profile': true, 'query': " + query + "}", "docs");
        assertEquals(expected, scores(response));
        assertEquals(SHARDS, response.getProfileResults().size());
        response.getProfileResults()
                .values()
                .forEach(shard -> assertTrue(shard.getQueryProfileResults()
                        .getFirst()
                        .getQueryResults()
                        .getFirst()
                        .getLuceneDescription()
                        .startsWith("simhash(simhash.bits near " + hash)));
    }

    public void testDeletingAndUpdatingWhatIsFound() {
        UpdateByQueryRequestBuilder update =
                new UpdateByQueryRequestBuilder(client(), UpdateByQueryAction.INSTANCE).source("docs");
        update.source().setQuery(query(query));
        BulkByScrollResponse updated = update.setPipeline("_none").refresh(true).get();
        assertEquals(expected.size(), updated.getUpdated());
        assertEquals(expected, scores(found(query)));

        String others = query.replace("true", "false");
        DeleteByQueryRequestBuilder delete =
                new DeleteByQueryRequestBuilder(client(), DeleteByQueryAction.INSTANCE).source("docs");
        delete.source().setQuery(query(others));
        BulkByScrollResponse deleted = delete.refresh(true).get();
        assertEquals(expected.size() - 1, deleted.getDeleted());
        assertEquals("nothing but the document itself is left", Map.of(id, 1f), scores(found(query)));
        assertEquals(Map.of(), scores(found(others)));
        assertEquals(
                documents.size() - expected.size() + 1,
                ids(found("{'match_all': {}}")).size());
    }

    /** The filter is asked for its text's recipe before the index is there. */
    public void testAFilteredAliasIsMadeWithItsIndex() {
        pipeline("renamed", "{'processors': [{'simhash': {'field': 'content', 'target_field': 'other'}}]}");
        Map.of("fingerprint", "simhash", "renamed", "copied").forEach((pipeline, field) -> {
            String filter = "{\"simhash\": {\"field\": \"" + field
                    + "\", \"text\": \"one two three four five six seven eight" + " nine\"}}";
            assertAcked(client().admin()
                    .indices()
                    .prepareCreate("made-by-" + pipeline)
                    .setSettings(Settings.builder().put("index.default_pipeline", pipeline))
                    .addAlias(new Alias("near-" + pipeline).filter(filter)));
            assertEquals(Map.of(), scores(search("{'query': {'match_all': {}}}", "near-" + pipeline)));
        });
    }

    public void testFilteredAliases() {
        String filter = "{'simhash': {'hash': '" + hash + "', 'max_distance': " + DISTANCE + "}}";
        assertAcked(client().admin().indices().prepareAliases().addAlias("docs", "near", query(filter)));
        assertEquals(expected.keySet(), ids(search("{'query': {'match_all': {}}}", "near")));
        assertEquals("the index behind the alias counts", expected, scores(search("{'query': " + query + "}", "near")));
        Object text = documents.get(id).get("content");
        String byText =
                "{'simhash': {'max_distance': " + DISTANCE + ", 'document': " + json(Map.of("content", text)) + "}}";
        assertAcked(client().admin().indices().prepareAliases().addAlias("docs", "near_text", query(byText)));
        assertEquals(expected.keySet(), ids(search("{'query': {'match_all': {}}}", "near_text")));
        IllegalArgumentException e = expectThrows(
                IllegalArgumentException.class,
                () -> client().admin()
                        .indices()
                        .prepareAliases()
                        .addAlias("docs", "near_id", query(query))
                        .get());
        assertEquals("failed to parse filter for alias [near_id]", e.getMessage());
        assertEquals(
                "[simhash] with [id] cannot be used here, where no document can be fetched: use [hash]",
                e.getCause().getMessage());
    }

    public void testDocumentsMeetStoredQueries() throws ExecutionException, InterruptedException {
        newIndex(
                "docs-watch",
                "{'properties': {'query': {'type': 'percolator'}}}",
                1,
                0,
                "index.default_pipeline",
                "_none");
        Map<String, Object> print = client().prepareGet("docs", id).get().getSourceAsMap();
        putAll(
                "docs-watch",
                Map.of(
                        "known", Map.of("simhash", print.get("simhash")),
                        "near", Map.of("query", Map.of("simhash", Map.of("hash", hash, "max_distance", 3))),
                        "far",
                                Map.of(
                                        "query",
                                        Map.of("simhash", Map.of("hash", "0123456789abcdef", "max_distance", 3))),
                        "text",
                                Map.of(
                                        "query",
                                        Map.of(
                                                "simhash",
                                                Map.of(
                                                        "document",
                                                        Map.of(
                                                                "content",
                                                                documents
                                                                        .get(id)
                                                                        .get("content")),
                                                        "pipeline",
                                                        "fingerprint")))));
        String document = json(Map.of("simhash", print.get("simhash")));
        assertEquals(
                Set.of("near", "text"),
                ids(search(
                        "{'query': {'percolate': {'field': 'query', 'document': " + document + "}}}", "docs-watch")));
        Exception e = expectThrows(
                Exception.class,
                () -> client().prepareIndex("docs-watch")
                        .setSource(Map.of("query", Map.of("simhash", Map.of("id", id, "index", "docs"))))
                        .get());
        assertEquals(
                "[simhash] with [id] cannot be used here, where no document can be fetched: use [hash]",
                ExceptionsHelper.unwrapCause(e).getCause().getMessage());
        assertEquals(
                400, ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)).getStatus());
    }

    public void testDeletedDocumentsDoNotMatch() {
        String deleted = randomFrom(expected.keySet().stream()
                .filter(other -> other.equals(id) == false)
                .toList());
        client().prepareDelete("docs", deleted).get();
        refresh("docs");
        expected.remove(deleted);
        assertEquals(expected, scores(found(query)));
        forceMerge(1);
        assertEquals(expected, scores(found(query)));
    }

    public void testCachedRequestsSeeChanges() {
        String count = "{'size': 0, 'track_total_hits': true, 'query': " + query + "}";
        for (int i = 0; i < 3; i++) {
            assertEquals(
                    expected.size() + i,
                    prepareSearch(count, "docs")
                            .setRequestCache(true)
                            .get()
                            .getHits()
                            .getTotalHits()
                            .value());
            put("docs", "copy" + i, "content", documents.get(id).get("content"));
            refresh("docs");
        }
    }

    private SearchResponse found(String searched) {
        return search("{'query': " + searched + "}", "docs");
    }

    private static Map<String, Float> times(float factor, Map<String, Float> scores) {
        return times(factor, scores, 0);
    }

    private static Map<String, Float> times(float factor, Map<String, Float> scores, float plus) {
        Map<String, Float> products = new TreeMap<>();
        scores.forEach((found, score) -> products.put(found, factor * score + plus));
        return products;
    }
}
