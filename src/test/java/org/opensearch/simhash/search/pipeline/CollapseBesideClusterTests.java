/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertNoFailures;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.QueryRescoreMode;
import org.opensearch.search.rescore.QueryRescorerBuilder;
import org.opensearch.simhash.ClusterTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** What a collapsed search asks for beside its hits, and gets as if they were not more than the page. */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class CollapseBesideClusterTests extends ClusterTestCase {

    private static final int DOCUMENTS = 200;

    private static final String PROPERTIES = "{'properties':{'rank':{'type':'integer'},'simhash':{'properties':{"
            + "'bits':{'type':'long','index':false},'digest':{'type':'keyword'},'scheme':{'type':'keyword'}}}}}";

    /** Each document of an odd rank is a near-duplicate of the one before it. */
    private void index() {
        assertAcked(client().admin()
                .indices()
                .prepareCreate("prints")
                .setSettings(Map.of("index.number_of_shards", 1, "index.number_of_replicas", 0))
                .setMapping(PROPERTIES.replace('\'', '"')));
        BulkRequestBuilder bulk = client().prepareBulk();
        long bits = 0;
        for (int rank = 0; rank < DOCUMENTS; rank++) {
            bits = rank % 2 == 0 ? randomLong() : bits ^ 1;
            Map<String, Object> print = Map.of("bits", bits, "digest", "digest " + rank, "scheme", "v1-a");
            bulk.add(
                    client().prepareIndex("prints").setId("" + rank).setSource(Map.of("rank", rank, "simhash", print)));
        }
        assertFalse(bulk.get().hasFailures());
        refresh("prints");
    }

    /** The smaller the rank, the higher the score. */
    private static SearchSourceBuilder ranked(int from, int size) {
        return new SearchSourceBuilder()
                .query(QueryBuilders.functionScoreQuery(
                        QueryBuilders.matchAllQuery(),
                        ScoreFunctionBuilders.linearDecayFunction("rank", 0, 500, 0, 0.1)))
                .from(from)
                .size(size);
    }

    private static SearchResponse collapsed(SearchSourceBuilder source) {
        String side = "[{'collapse_near_duplicates':{}}]";
        String pipeline = "{'request_processors':" + side + ",'response_processors':" + side + "}";
        source.searchPipelineSource(
                XContentHelper.convertToMap(JsonXContent.jsonXContent, pipeline.replace('\'', '"'), true));
        SearchResponse response =
                client().search(new SearchRequest("prints").source(source)).actionGet();
        assertNoFailures(response);
        return response;
    }

    private static List<String> ids(SearchResponse response) {
        return Arrays.stream(response.getHits().getHits()).map(SearchHit::getId).toList();
    }

    private static List<String> even(int from, int to) {
        return IntStream.range(from / 2, to / 2).mapToObj(half -> "" + 2 * half).toList();
    }

    public void testARescorerThatLowersScoresSeesAllThatIsLookedAt() {
        index();
        QueryBuilder tenth =
                QueryBuilders.constantScoreQuery(QueryBuilders.matchAllQuery()).boost(0.1f);
        for (QueryRescoreMode mode : List.of(QueryRescoreMode.Multiply, QueryRescoreMode.Min, QueryRescoreMode.Avg)) {
            QueryRescorerBuilder lowering = new QueryRescorerBuilder(tenth).setScoreMode(mode);
            SearchSourceBuilder source = ranked(0, 10).addRescorer(lowering);
            assertEquals(mode.toString(), even(0, 20), ids(collapsed(source)));
            assertNull("the caller's stays the caller's", lowering.windowSize());
            assertSame(lowering, source.rescores().getFirst());
        }
    }

    public void testARescorerSeesNoMoreThanTheIndexAllows() {
        index();
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings("prints")
                .setSettings(Map.of("index.max_rescore_window", 25)));
        QueryBuilder tenth =
                QueryBuilders.constantScoreQuery(QueryBuilders.matchAllQuery()).boost(0.1f);
        SearchResponse page = collapsed(
                ranked(0, 5).addRescorer(new QueryRescorerBuilder(tenth).setScoreMode(QueryRescoreMode.Multiply)));
        assertEquals(even(0, 10), ids(page));
        SearchResponse beyond = collapsed(
                ranked(0, 10).addRescorer(new QueryRescorerBuilder(tenth).setScoreMode(QueryRescoreMode.Multiply)));
        // Of a window of 30 the last five were not seen: 25 is a near-duplicate, but 24 is behind it.
        assertEquals(List.of("25", "26", "28", "0"), ids(beyond).subList(0, 4));
    }

    public void testARescorerThatRaisesScoresLeavesPagesWithoutRepeats() {
        index();
        QueryBuilder late = QueryBuilders.constantScoreQuery(
                        QueryBuilders.rangeQuery("rank").gte(40))
                .boost(5);
        SearchSourceBuilder first = ranked(0, 10).addRescorer(new QueryRescorerBuilder(late));
        SearchSourceBuilder second = ranked(10, 10).addRescorer(new QueryRescorerBuilder(late));
        assertEquals(even(0, 20), ids(collapsed(first)));
        assertEquals(even(20, 40), ids(collapsed(second)));
    }
}
