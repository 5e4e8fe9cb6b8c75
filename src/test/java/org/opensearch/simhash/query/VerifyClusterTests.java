/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.search.SearchHit;

/** Texts of near documents compared: prepared by which recipe, and read from where. */
public class VerifyClusterTests extends SimHashClusterTestCase {

    private static final String TEXT =
            "The quick brown fox jumps over the lazy dog, and then it runs away over the green hills into the dark forest.";

    private static final String VERIFY = ", 'verify': {'field': 'content'}";

    /** One for pages, one for all else. */
    private static final String BY_TYPE = """
            {'simhash': {'field': 'content', 'if': 'ctx.type != "html"'}},
            {'simhash': {'field': 'content', 'if': 'ctx.type == "html"', 'html': 'text'}}""".replace("\"", "\\\"");

    public void testTextsArePreparedByTheRecipeThatMadeTheFingerprint() {
        pipeline("by_type", "{'processors': [" + BY_TYPE + "]}");
        smallIndex("plain", "index.default_pipeline", "by_type");
        putAll(
                "plain",
                Map.of(
                        "plain", Map.of("content", TEXT, "type", "text"),
                        "p", Map.of("content", markedUp("p"), "type", "html"),
                        "b", Map.of("content", markedUp("b"), "type", "html"),
                        "other", Map.of("content", markedUp("p").replace("fox", "hare"), "type", "html")));
        assertEquals(Map.of("b", 1f, "plain", 1f), scores(near("'id': 'p', 'max_distance': 0" + VERIFY, "plain")));
        assertEquals(
                "a recipe for each",
                Map.of("p", 1f, "b", 1f, "plain", 1f),
                scores(near("'text': '" + TEXT + "', 'max_distance': 0" + VERIFY, "plain")));
        for (SearchHit hit : prepareSearch("{'query': {'simhash': {'text': '" + TEXT + "'" + VERIFY + "}}}", "plain")
                .setExplain(true)
                .get()
                .getHits()) {
            assertEquals(hit.getScore(), hit.getExplanation().getValue().floatValue(), 0);
        }
    }

    public void testTextsOnTheirWayInArePreparedByTheRecipeThatMadeTheFingerprint() {
        pipeline(
                "by_type",
                "{'processors': [" + BY_TYPE
                        + ", {'near_duplicate': {'max_distance': 30, 'verify': {'field': 'content', 'min_similarity': 0.5}}}]}");
        smallIndex("plain", "index.default_pipeline", "by_type");
        for (String tag : List.of("p", "b", "i")) {
            put("plain", tag, "content", markedUp(tag).replace("fox", "fox" + tag), "type", "html");
            if (tag.equals("b")) {
                refresh("plain");
            }
        }
        refresh("plain");
        assertEquals(Set.of("b", "i"), ids(search("{'query': {'exists': {'field': 'near_duplicate.id'}}}", "plain")));
    }

    /** Without its markup the text as it is; with it another. */
    private static String markedUp(String tag) {
        return ("<TAG>" + TEXT.replace(" ", "</TAG> <TAG>") + "</TAG>").replace("TAG", tag);
    }
}
