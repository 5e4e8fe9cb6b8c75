/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchScrollRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The shares of features in a sample of documents, on a node in this JVM. */
public class FeatureWeightsTests extends OpenSearchSingleNodeTestCase {

    private static final int SAMPLE = 130;

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, CommonAnalysisModulePlugin.class, RequestHook.class);
    }

    @Override
    public void tearDown() throws Exception {
        RequestHook.clear();
        super.tearDown();
    }

    /** The replacement has a group that the pattern has not: it fails at the first number, behind words that are shared. */
    public void testATextThatCannotBeReadToItsEndDoesNotCount() throws Exception {
        for (String text : List.of("menu home", "menu home", "menu home 1", "menu home 2", "menu home 3", "rest")) {
            index(text);
        }
        Map<String, Object> analyzer = Map.of(
                "tokenizer",
                "whitespace",
                "filter",
                List.of(Map.of("type", "pattern_replace", "pattern", "[0-9]", "replacement", "$1")));
        Map<String, Object> simhash = Map.of("field", "body", "max_shingle_size", 1, "analyzer", analyzer);
        Map<String, Object> pipeline = Map.of("processors", List.of(Map.of("simhash", simhash)));
        try (XContentBuilder json = JsonXContent.contentBuilder().map(pipeline)) {
            client().admin()
                    .cluster()
                    .preparePutPipeline("failing", BytesReference.bytes(json), MediaTypeRegistry.JSON)
                    .get();
        }
        Map<String, Object> answer = weights(new RecipeChoice("failing", null), 1000, 0.5);
        assertEquals(3, answer.get("documents"));
        double factor = 0.58; // ln(2/3) / ln(1/2)
        assertEquals(Map.of("menu", factor, "home", factor), answer.get("feature_weights"));
    }

    /** Each page of a scroll looks at all documents of all shards that were not sent: there were as many as pages of documents. */
    public void testTheSampleIsThatWhichScoresBestByChance() throws Exception {
        fill(400);
        SearchResponse best = client().prepareSearch("docs")
                .setQuery(QueryBuilders.functionScoreQuery(
                        ScoreFunctionBuilders.randomFunction().seed(64).setField("_seq_no")))
                .setSize(SAMPLE)
                .get();
        Map<String, Integer> expected = new TreeMap<>();
        for (SearchHit hit : best.getHits()) {
            for (String word : hit.getSourceAsMap().get("body").toString().split(" ", -1)) {
                expected.merge(word, 1, Integer::sum);
            }
        }
        List<String> searches = new CopyOnWriteArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search) {
                searches.add(search.source().sorts() == null ? "scores" : "documents");
            } else if (request instanceof SearchScrollRequest) {
                searches.add("next");
            }
            return null;
        });
        assertEquals(expected, counts(SAMPLE));
        assertEquals(
                "one way through the index, and pages in its order",
                List.of("scores", "documents", "next", "next", "next"),
                searches);
        RequestHook.clear();
        client().admin()
                .indices()
                .prepareUpdateSettings("docs")
                .setSettings(Map.of("index.max_result_window", 17))
                .get();
        assertEquals("of small pages, too", expected, counts(SAMPLE));
        assertEquals(380, counts(1000).get("all").intValue());
    }

    /** On three shards, some deleted, some written twice. */
    private void fill(int documents) {
        createIndex("docs", Settings.builder().put("index.number_of_shards", 3).build());
        BulkRequestBuilder bulk = client().prepareBulk("docs").setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        for (int i = 0; i < documents; i++) {
            Map<String, Object> source = Map.of("body", "all modulo" + i % 2 + " seventh" + i % 7 + " part" + i / 90);
            bulk.add(new IndexRequest().id("" + i).source(source));
            if (i % 20 == 0) {
                bulk.add(new DeleteRequest().id("" + i));
            } else if (i % 20 == 1) {
                bulk.add(new IndexRequest().id("" + i).source(source));
            }
        }
        assertFalse(bulk.get().hasFailures());
    }

    /** How many documents of the sample have each word. */
    private Map<String, Integer> counts(int sampleSize) throws Exception {
        Map<String, Object> answer =
                weights(new RecipeChoice(null, Map.of("field", "body", "max_shingle_size", 1)), sampleSize, 0.001);
        int documents = (Integer) answer.get("documents");
        Map<String, Integer> counts = new TreeMap<>();
        for (Object feature : (List<?>) answer.get("features")) {
            Map<?, ?> entry = (Map<?, ?>) feature;
            double count = (Double) entry.get("share") * documents;
            counts.put((String) entry.get("feature"), (int) Math.round(count));
        }
        return counts;
    }

    private void index(String text) {
        client().prepareIndex("docs")
                .setSource(Map.of("body", text))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private Map<String, Object> weights(RecipeChoice recipe, int sampleSize, double maxShare) throws Exception {
        FeatureWeightsAction.Request request =
                new FeatureWeightsAction.Request(new String[] {"docs"}, recipe, sampleSize, maxShare);
        return client().execute(FeatureWeightsAction.INSTANCE, request)
                .actionGet()
                .asMap();
    }
}
