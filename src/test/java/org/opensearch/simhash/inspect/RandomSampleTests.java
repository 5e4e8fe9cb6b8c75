/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.opensearch.action.OriginalIndices;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchShardTarget;
import org.opensearch.search.builder.SearchSourceBuilder;

/** The searches that find a sample. */
class RandomSampleTests {

    private final AtomicLong taken = new AtomicLong();

    @Test
    void testTheLeastScoreIsThatOfTheLastDocumentOfTheSample() {
        RandomSample sample = sample(5, 2, 3);
        assertTrue(sample.addScores(hits(0.9f, 0.7f)));
        assertTrue(sample.addScores(hits(0.6f, 0.5f)));
        assertFalse(sample.addScores(hits(0.4f, 0.3f)));
        List<SearchSourceBuilder> searches = documents(sample);
        assertEquals(
                List.of(2, 2, 1),
                searches.stream().map(SearchSourceBuilder::size).toList());
        for (SearchSourceBuilder search : searches) {
            assertEquals(0.4f, ((FunctionScoreQueryBuilder) search.query()).getMinScore());
        }
    }

    @Test
    void testAPageThatIsNotFullIsTheLast() {
        RandomSample sample = sample(5, 2, 3);
        assertTrue(sample.addScores(hits(0.9f, 0.7f)));
        assertFalse(sample.addScores(hits(0.2f)));
        assertEquals(2, documents(sample).size());
    }

    @Test
    void testDocumentsOfOneIdAreReadTogetherEachOnce() {
        RandomSample sample = sample(100, 1000, 3);
        assertFalse(sample.addScores(hits("b/x", "a/x", "a/y", "a/x")));
        List<SearchSourceBuilder> searches = documents(sample);
        assertEquals(1, searches.size());
        assertEquals(4, searches.get(0).size());
        String query = searches.get(0).query().toString();
        assertEquals(3, query.split("\"[xy]\"", -1).length - 1, query);
    }

    /** Its shards know the index by both names only. */
    @Test
    void testDocumentsOfAnotherClusterAreReadThere() {
        RandomSample sample = sample(100, 1000, 3);
        assertFalse(sample.addScores(new SearchHit[] {hit("far", "docs", "x", 1), hit(null, "docs", "x", 1)}));
        SearchSourceBuilder search = documents(sample).getFirst();
        assertEquals(2, search.size());
        assertTrue(search.query().toString().contains("\"far:docs\""), search.toString());
    }

    /** Each shard sends a page. */
    @Test
    void testPagesOfScoresAreSmallerOfManyShards() {
        assertEquals(10_000, pageOfScores(100_000, 10_000, 1));
        assertEquals(10_000, pageOfScores(100_000, 10_000, 100));
        assertEquals(1_000, pageOfScores(100_000, 10_000, 1_000));
        assertEquals(50, pageOfScores(100_000, 10_000, 1_000_000));
        assertEquals(17, pageOfScores(100_000, 17, 1_000));
        assertEquals(5, pageOfScores(5, 10_000, 1));
    }

    @Test
    void testNamesAreOnTheAccount() {
        RandomSample sample = sample(100, 1000, 3);
        sample.addScores(hits("b/x", "a/y"));
        assertTrue(taken.get() > 200, taken.toString());
    }

    private int pageOfScores(int size, int mostHits, int shards) {
        return sample(size, mostHits, shards).scores().source().size();
    }

    private RandomSample sample(int size, int mostHits, int shards) {
        return new RandomSample(
                new FeatureWeightsAction.Request(new String[] {"docs"}, new RecipeChoice("p", null), size, 0.2),
                TimeValue.timeValueMinutes(1),
                mostHits,
                shards,
                taken::addAndGet);
    }

    private static List<SearchSourceBuilder> documents(RandomSample sample) {
        List<SearchSourceBuilder> searches = new ArrayList<>();
        sample.documents(new String[] {"body"}).forEachRemaining(search -> searches.add(search.source()));
        return searches;
    }

    private static SearchHit[] hits(float... scores) {
        SearchHit[] hits = new SearchHit[scores.length];
        for (int i = 0; i < scores.length; i++) {
            hits[i] = hit("a", "" + scores[i], scores[i]);
        }
        return hits;
    }

    private static SearchHit[] hits(String... names) {
        return Arrays.stream(names)
                .map(name -> hit(name.substring(0, 1), name.substring(2), 1))
                .toArray(SearchHit[]::new);
    }

    private static SearchHit hit(String index, String id, float score) {
        return hit(null, index, id, score);
    }

    private static SearchHit hit(String cluster, String index, String id, float score) {
        SearchHit hit = new SearchHit(0, id, Map.of(), Map.of());
        hit.score(score);
        hit.shard(new SearchShardTarget("node", new ShardId(index, "_na_", 0), cluster, OriginalIndices.NONE));
        return hit;
    }
}
