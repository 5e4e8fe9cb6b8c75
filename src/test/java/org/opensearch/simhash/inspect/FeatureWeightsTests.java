/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The shares of features in a sample of documents, on a node in this JVM. */
public class FeatureWeightsTests extends OpenSearchSingleNodeTestCase {

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, CommonAnalysisModulePlugin.class);
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
        Map<String, Object> answer = weights(Map.of("field", "body", "max_shingle_size", 1, "analyzer", analyzer), 0.5);
        assertEquals(3, answer.get("documents"));
        double factor = 0.58; // ln(2/3) / ln(1/2)
        assertEquals(Map.of("menu", factor, "home", factor), answer.get("feature_weights"));
    }

    private void index(String text) {
        client().prepareIndex("docs")
                .setSource(Map.of("body", text))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private Map<String, Object> weights(Map<String, Object> config, double maxShare) throws Exception {
        FeatureWeightsAction.Request request =
                new FeatureWeightsAction.Request(new String[] {"docs"}, new RecipeChoice(null, config), 1000, maxShare);
        FeatureWeightsAction.Response proposed =
                client().execute(FeatureWeightsAction.INSTANCE, request).actionGet();
        try (XContentBuilder json = JsonXContent.contentBuilder()) {
            String answer = proposed.toXContent(json, null).toString();
            return XContentHelper.convertToMap(JsonXContent.jsonXContent, answer, false);
        }
    }
}
