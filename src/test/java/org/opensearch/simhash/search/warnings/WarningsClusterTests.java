/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.warnings;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.when;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.logging.HeaderWarning;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.search.query.FingerprintPresence;
import org.opensearch.simhash.search.query.FingerprintPresence.SearchedPlace;
import org.opensearch.simhash.search.query.FingerprintPresence.SoughtPrints;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.simhash.search.query.SimHashClusterTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.transport.client.Client;

/**
 * Warnings come to whoever asked, from whatever node found out: to a node that only coordinates, from shards on others, and from the
 * node that ingests for one that does not.
 */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 2, numClientNodes = 1, supportsDedicatedMasters = false)
public class WarningsClusterTests extends SimHashClusterTestCase {

    private static final String TRAM =
            "The city council approved the new tram line on Monday. Construction starts in March and takes three years.";

    private static final String OTHER = TRAM.replace("March", "April");

    /** An index with documents of another scheme than its pipeline makes, on both data nodes. */
    private void otherScheme() {
        pipeline("warned", "{'processors': [{'simhash': {'field': 'content', 'max_shingle_size': 3}}]}");
        newIndex("warned", "{}", 4, 0, "index.default_pipeline", "warned");
        BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        for (int i = 0; i < 8; i++) {
            bulk.add(new IndexRequest("warned").source(Map.of("content", i + TRAM)));
        }
        assertFalse(client().bulk(bulk).actionGet().hasFailures());
        pipeline("warned", "{'processors': [{'simhash': {'field': 'content'}}, {'near_duplicate': {}}]}");
    }

    private static QueryBuilder near(String text) {
        return QueryBuilders.wrapperQuery("{\"simhash\": {\"text\": \"" + text + "\"}}");
    }

    private static SearchRequest search(QueryBuilder query) {
        return new SearchRequest("warned").source(new SearchSourceBuilder().query(query));
    }

    public void testOfASearchOnOtherNodes() {
        otherScheme();
        assertWarned(WarningsClusterTests.<SearchResponse>ask(
                coordinator(), (client, listener) -> client.search(search(near(OTHER)), listener)));
    }

    public void testOfSeveralSearchesInOne() {
        otherScheme();
        MultiSearchRequest several = new MultiSearchRequest();
        for (int i = 0; i < 5; i++) {
            several.add(search(near(OTHER)));
        }
        assertWarned(WarningsClusterTests.<MultiSearchResponse>ask(
                coordinator(), (client, listener) -> client.multiSearch(several, listener)));
    }

    /** What resolves them ends on several threads, of which OpenSearch keeps the headers of one. */
    public void testOfSeveralQueriesInASearch() {
        otherScheme();
        IndexRequest noPrint = new IndexRequest("warned").id("bare").source(Map.of("content", "!!!"));
        client().index(noPrint).actionGet();
        QueryBuilder several = QueryBuilders.boolQuery()
                .should(QueryBuilders.wrapperQuery("{\"simhash\": {\"id\": \"bare\"}}"))
                .should(near(OTHER))
                .should(near(OTHER + " It costs 240 million."))
                .should(near("short"));
        List<String> sentences = WarningsClusterTests.<SearchResponse>ask(
                coordinator(), (client, listener) -> client.search(search(several), listener));
        assertEquals(sentences.toString(), 3, sentences.size());
        assertTrue(
                sentences.toString(),
                sentences.contains(
                        "[simhash] [id] document [bare] has no fingerprint in [simhash], or its index does not"
                                + " map it: nothing is near it"));
        assertTrue(sentences.toString(), sentences.stream().anyMatch(one -> one.contains("too few features")));
        assertTrue(sentences.toString(), sentences.stream().anyMatch(one -> one.contains("only of others")));
    }

    public void testOfABulkThatAnotherNodeIngests() {
        otherScheme();
        BulkRequest bulk = new BulkRequest();
        for (int i = 0; i < 20; i++) {
            bulk.add(new IndexRequest("warned").source(Map.of("content", OTHER)));
        }
        List<String> sentences = WarningsClusterTests.<BulkResponse>ask(
                coordinator(),
                (client, listener) ->
                        client.bulk(bulk, ActionListener.map(listener, WarningsClusterTests::withoutFailures)));
        assertWarned(sentences);
    }

    /** A search for no ids would read any documents. */
    public void testOfHitsWhoseIdsAreNotWanted() {
        otherScheme();
        String side = "[{'collapse_near_duplicates': {'max_distance': 20, 'verify': {'min_similarity': 0.1}}}]";
        String body =
                "{'query': {'match_all': {}}, 'stored_fields': '_none_', 'search_pipeline': {'request_processors': "
                        + side + ", 'response_processors': [{'collapse_near_duplicates': {}}]}}";
        SearchRequest search = prepareSearch(body, "warned").request();
        assertEquals(
                List.of("[collapse_near_duplicates] [verify] could not compare the texts of 8 of 8 hits, which are not"
                        + " hidden (8: [stored_fields] leaves out [_id])"),
                WarningsClusterTests.<SearchResponse>ask(
                        coordinator(), (client, listener) -> client.search(search, listener)));
    }

    /** A cluster may have thousands of mappings. */
    public void testMappingsAreParsedOnceAndNotWhereTheAnswerIsKnown() {
        otherScheme();
        client().index(new IndexRequest("bare")
                        .source(Map.of("content", TRAM))
                        .setRefreshPolicy(RefreshPolicy.IMMEDIATE))
                .actionGet();
        ClusterService real = internalCluster().getInstance(ClusterService.class);
        IndexMetadata index = spy(real.state().metadata().index("warned"));
        AtomicInteger parsed = new AtomicInteger();
        when(index.mapping()).thenAnswer(call -> {
            parsed.incrementAndGet();
            return call.callRealMethod();
        });
        ClusterService service = mock(ClusterService.class);
        Metadata metadata = Metadata.builder()
                .put(index, false)
                .put(real.state().metadata().index("bare"), false)
                .build();
        when(service.state())
                .thenReturn(
                        ClusterState.builder(real.state()).metadata(metadata).build());
        ThreadContext threads = client().threadPool().getThreadContext();
        var cluster = new SearchedIndices.Cluster(service, new IndexNameExpressionResolver(threads), null, threads);
        FingerprintPresence presence = new FingerprintPresence(() -> cluster, () -> client());
        for (List<String> names : List.of(List.of("warned"), List.of("warned", "bare"))) {
            SoughtPrints sought = new SoughtPrints(SearchedPlace.of(names), "simhash", Set.of(), null, Set.of());
            parsed.set(0);
            for (int i = 0; i < 3; i++) {
                PlainActionFuture<Optional<String>> told = new PlainActionFuture<>();
                presence.explain(sought, told::onResponse);
                assertEquals(names.contains("bare"), told.actionGet().isPresent());
                assertEquals(1, parsed.get());
            }
        }
        assertAcked(client().admin().indices().prepareDelete("warned", "bare"));
    }

    public void testNothingIsLeftForTheNextRequestOfAThread() {
        otherScheme();
        Client client = coordinator();
        ThreadContext threads = client.threadPool().getThreadContext();
        try (ThreadContext.StoredContext before = threads.stashContext()) {
            assertNotNull(before);
            client.search(search(near(OTHER))).actionGet();
            assertEquals(Map.of(), threads.getResponseHeaders());
            assertNull(threads.getTransient(RequestWarnings.KEY));
            assertFalse(WarningFilter.isOwn(threads));
        }
    }

    private static BulkResponse withoutFailures(BulkResponse response) {
        assertFalse(response.buildFailureMessage(), response.hasFailures());
        return response;
    }

    private Client coordinator() {
        return internalCluster().coordOnlyNodeClient();
    }

    private static void assertWarned(List<String> sentences) {
        assertEquals(sentences.toString(), 1, sentences.size());
        assertTrue(
                sentences.toString(),
                sentences.getFirst().contains("no document in [warned] has a fingerprint of the scheme [v"));
    }

    /** The sentences that stand in the headers of an answer. */
    private static <Response> List<String> ask(Client client, BiConsumer<Client, ActionListener<Response>> request) {
        ThreadContext threads = client.threadPool().getThreadContext();
        PlainActionFuture<List<String>> headers = new PlainActionFuture<>();
        try (ThreadContext.StoredContext before = threads.stashContext()) {
            assertNotNull(before);
            request.accept(
                    client,
                    ActionListener.map(
                            headers, response -> threads.getResponseHeaders().getOrDefault("Warning", List.of())));
            return headers.actionGet().stream()
                    .map(header -> HeaderWarning.extractWarningValueFromWarningHeader(header, false))
                    .toList();
        } finally {
            assertAcked(client.admin().indices().prepareDelete("warned"));
        }
    }
}
