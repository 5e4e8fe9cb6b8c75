/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.search.CreatePitAction;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.DeletePitAction;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.index.IndexSettings;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.SearchPipelineService;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.simhash.search.query.SimHashExt;
import org.opensearch.test.AbstractMultiClustersTestCase;

/** Two clusters in this JVM. The remote one has no plugin: its hits have no fingerprints to compare, and stay. */
public class CollapseRemoteClusterTests extends AbstractMultiClustersTestCase {

    private static final String REMOTE = "remote";

    @Override
    protected Collection<String> remoteClusterAlias() {
        return List.of(REMOTE);
    }

    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins(String cluster) {
        return cluster.equals(LOCAL_CLUSTER) ? List.of(SimHashPlugin.class) : List.of();
    }

    public void testThePipelineOfTheRequestRunsWhereItWasSent() {
        index(LOCAL_CLUSTER, "here", 0);
        index(REMOTE, "there", 1);
        String side = "[{'collapse_near_duplicates': {}}]";
        String pipeline = "{'request_processors': " + side + ", 'response_processors': " + side + "}";
        for (boolean minimizeRoundtrips : new boolean[] {true, false}) {
            SearchSourceBuilder source = new SearchSourceBuilder().sort("rank", SortOrder.ASC);
            source.searchPipelineSource(
                    XContentHelper.convertToMap(JsonXContent.jsonXContent, pipeline.replace('\'', '"'), true));
            SearchRequest request = new SearchRequest("docs", REMOTE + ":docs").source(source);
            request.setCcsMinimizeRoundtrips(minimizeRoundtrips);
            SearchResponse found = client().search(request).actionGet();
            assertEquals(0, found.getFailedShards());
            assertEquals(
                    List.of("here", "there", "there near", "here far", "there far"),
                    Arrays.stream(found.getHits().getHits())
                            .map(hit -> hit.getId())
                            .toList());
            source.size(0);
            assertEquals(
                    6L,
                    client().search(request)
                            .actionGet()
                            .getHits()
                            .getTotalHits()
                            .value());
        }
    }

    /** The other cluster, which has no plugin, could not read it. */
    public void testWhatASearchAsksForItselfIsNotSentOn() {
        index(LOCAL_CLUSTER, "here", 0);
        index(REMOTE, "there", 1);
        String setting = SearchPipelineService.ENABLED_SYSTEM_GENERATED_FACTORIES_SETTING.getKey();
        Settings.Builder on = Settings.builder().putList(setting, DistinctSearch.FACTORY);
        client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(on)
                .get();
        for (boolean minimizeRoundtrips : new boolean[] {true, false}) {
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .sort("rank", SortOrder.ASC)
                    .size(5)
                    .ext(List.of(new SimHashExt(Map.of("distinct", Map.of("oversample", 1)))));
            SearchRequest request = new SearchRequest("docs", REMOTE + ":docs").source(source);
            request.setCcsMinimizeRoundtrips(minimizeRoundtrips);
            assertEquals(
                    "filled by a further search",
                    List.of("here", "there", "there near", "here far", "there far"),
                    Arrays.stream(client().search(request).actionGet().getHits().getHits())
                            .map(hit -> hit.getId())
                            .toList());
        }
    }

    /** Of an index in another cluster it is not known how many hits it allows. */
    public void testTheWindowIsThatOfEveryIndexOfTheSearch() {
        index(LOCAL_CLUSTER, "here", 0);
        index(REMOTE, "there", 1);
        allowHits("docs", 50_000);
        String today = "<days-{now/d{yyyy.MM.dd|+02:00}}>";
        client().admin().indices().prepareCreate(today).get();
        allowHits(today, 40_000);
        assertEquals(50_000, window(new SearchRequest("docs")));
        assertEquals("a colon, and no cluster", 40_000, window(new SearchRequest("docs", today)));
        assertEquals(10_000, window(new SearchRequest("docs", REMOTE + ":docs")));
        assertEquals(50_000, window(pointInTime("docs")));
        assertEquals(10_000, window(pointInTime("docs", REMOTE + ":docs")));
        client().execute(DeletePitAction.INSTANCE, new DeletePitRequest("_all")).actionGet();
    }

    private int window(SearchRequest request) {
        var cluster = new SearchedIndices.Cluster(
                cluster(LOCAL_CLUSTER).getInstance(ClusterService.class),
                new IndexNameExpressionResolver(new ThreadContext(Settings.EMPTY)),
                cluster(LOCAL_CLUSTER).getInstance(NamedWriteableRegistry.class),
                new ThreadContext(Settings.EMPTY));
        return new SearchSurroundings(() -> cluster).most(IndexSettings.MAX_RESULT_WINDOW_SETTING, request);
    }

    private SearchRequest pointInTime(String... indices) {
        CreatePitRequest create = new CreatePitRequest(TimeValue.timeValueMinutes(1), true, indices);
        String id =
                client().execute(CreatePitAction.INSTANCE, create).actionGet().getId();
        return new SearchRequest().source(new SearchSourceBuilder().pointInTimeBuilder(new PointInTimeBuilder(id)));
    }

    private void allowHits(String index, int most) {
        client().admin()
                .indices()
                .prepareUpdateSettings(index)
                .setSettings(Settings.builder().put("index.max_result_window", most))
                .get();
    }

    /** Two near-duplicates and one other document. */
    private void index(String cluster, String id, int firstRank) {
        String properties = "{\"properties\":{\"rank\":{\"type\":\"integer\"},\"simhash\":{\"properties\":{"
                + "\"bits\":{\"type\":\"long\",\"index\":false},\"digest\":{\"type\":\"keyword\"},"
                + "\"scheme\":{\"type\":\"keyword\"}}}}}";
        client(cluster)
                .admin()
                .indices()
                .prepareCreate("docs")
                .setMapping(properties)
                .get();
        put(cluster, id, firstRank, 0);
        put(cluster, id + " near", firstRank + 2, 1);
        put(cluster, id + " far", firstRank + 4, -1);
    }

    private void put(String cluster, String id, int rank, long bits) {
        client(cluster)
                .prepareIndex("docs")
                .setId(id)
                .setSource(Map.of("rank", rank, "simhash", Map.of("bits", bits, "digest", id, "scheme", "v1-a")))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }
}
