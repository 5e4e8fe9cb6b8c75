/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.AbstractMultiClustersTestCase;

/** Two clusters in this JVM, both with the plugin, and an index of one name in each. */
public class QueryRemoteClusterTests extends AbstractMultiClustersTestCase {

    private static final String REMOTE = "remote";

    @Override
    protected Collection<String> remoteClusterAlias() {
        return List.of(REMOTE);
    }

    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins(String cluster) {
        return List.of(SimHashPlugin.class);
    }

    public void testADocumentOfAnotherClusterIsAnotherDocument() {
        index(LOCAL_CLUSTER);
        index(REMOTE);
        String query = "{\"simhash\": {\"id\": \"1\", \"index\": \"docs\"}}";
        for (boolean minimizeRoundtrips : new boolean[] {true, false}) {
            SearchRequest request = new SearchRequest("docs", REMOTE + ":docs")
                    .source(new SearchSourceBuilder().query(QueryBuilders.wrapperQuery(query)));
            request.setCcsMinimizeRoundtrips(minimizeRoundtrips);
            assertEquals(Set.of("2", "remote 1", "remote 2"), found(request));
        }
    }

    public void testARemoteClusterHasNoRecipeHere() {
        index(REMOTE);
        for (String source : List.of("\"text\": \"a b c\"", "\"document\": {\"content\": \"a b c\"}")) {
            String query = "{\"simhash\": {" + source + "}}";
            SearchRequest request = new SearchRequest(REMOTE + ":docs")
                    .source(new SearchSourceBuilder().query(QueryBuilders.wrapperQuery(query)));
            request.setCcsMinimizeRoundtrips(false);
            Exception e =
                    expectThrows(Exception.class, () -> client().search(request).actionGet());
            assertEquals(
                    "[text] and [document] need a [pipeline] where only indices of remote clusters are searched, whose"
                            + " recipes are not known here, got: none; or use [hash]",
                    ExceptionsHelper.unwrapCause(e).getMessage());
        }
    }

    /** It is looked up where the search is sent to; the others need not have it. */
    public void testAPipelineOfThisClusterPreparesTextsOfTheOther() {
        String definition = "{\"processors\": [{\"simhash\": {\"field\": \"content\"}}]}";
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline("here", new BytesArray(definition), MediaTypeRegistry.JSON)
                .get());
        String text = "the quick brown fox jumps over the lazy dog and runs away from all of them";
        client().prepareIndex("made")
                .setId("1")
                .setSource(Map.of("content", text))
                .setPipeline("here")
                .get();
        client(REMOTE)
                .prepareIndex("docs")
                .setId("1")
                .setSource(client().prepareGet("made", "1").get().getSourceAsMap())
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        String query = "{\"simhash\": {\"text\": \"" + text
                + "\", \"pipeline\": \"here\", \"max_distance\": 64, \"verify\": {\"field\": \"content\"}}}";
        SearchRequest request = new SearchRequest(REMOTE + ":docs")
                .source(new SearchSourceBuilder().query(QueryBuilders.wrapperQuery(query)));
        request.setCcsMinimizeRoundtrips(false);
        assertEquals(Set.of("remote 1"), found(request));
    }

    private Set<String> found(SearchRequest request) {
        SearchResponse response = client().search(request).actionGet();
        assertEquals(0, response.getFailedShards());
        Set<String> found = new TreeSet<>();
        for (SearchHit hit : response.getHits()) {
            found.add((REMOTE.equals(hit.getClusterAlias()) ? REMOTE + " " : "") + hit.getId());
        }
        return found;
    }

    /** Two near-duplicates. */
    private void index(String cluster) {
        for (int i = 1; i <= 2; i++) {
            client(cluster)
                    .prepareIndex("docs")
                    .setId(Integer.toString(i))
                    .setSource(Map.of("simhash", Map.of("bits", i, "digest", "d" + i, "scheme", "v1-a")))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
    }
}
