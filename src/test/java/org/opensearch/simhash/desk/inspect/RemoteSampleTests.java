/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.AbstractMultiClustersTestCase;

/** Samples of indices of another cluster, with an index of one name in each. */
public class RemoteSampleTests extends AbstractMultiClustersTestCase {

    private static final String REMOTE = "remote";

    @Override
    protected Collection<String> remoteClusterAlias() {
        return List.of(REMOTE);
    }

    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins(String cluster) {
        return List.of(SimHashPlugin.class);
    }

    private void index(String cluster, int documents) {
        for (int i = 0; i < documents; i++) {
            client(cluster)
                    .prepareIndex("docs")
                    .setId("" + i)
                    .setSource(Map.of("body", "shared words of " + cluster))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
    }

    private int documents(String... indices) throws IOException {
        RecipeChoice recipe = new RecipeChoice(null, Map.of("field", "body"));
        return (Integer) client().execute(
                        FeatureWeightsAction.INSTANCE, new FeatureWeightsAction.Request(indices, recipe, 100, 0.2))
                .actionGet()
                .asMap()
                .get("documents");
    }

    public void testDocumentsOfAllClustersAreRead() throws IOException {
        index(LOCAL_CLUSTER, 3);
        index(REMOTE, 4);
        assertEquals(3, documents("docs"));
        assertEquals(4, documents(REMOTE + ":docs*"));
        assertEquals(7, documents("docs", REMOTE + ":docs*"));
    }
}
