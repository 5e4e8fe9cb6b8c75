/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@link CollapseCases} on three nodes, three shards with a replica each. */
@RealNodes(value = 3, takesLong = true)
class CollapseThreeNodesIT extends CollapseCases {

    CollapseThreeNodesIT(RealCluster cluster) {
        super(cluster, 3, 1);
    }

    @Test
    void testThreeShardsGiveWhatOneGives() {
        fill("docs-collapse-one", 1, 0);
        for (String words : List.of("astro", "deploy your site", "Markdown", "server build", "文件", "la página")) {
            for (int from : List.of(0, 10, 25)) {
                String search = Json.write(Map.of(
                        "query", Map.of("match", Map.of("content", words)),
                        "sort", List.of("_score", Map.of("_id", "asc")),
                        "from", from,
                        "search_pipeline", pipeline(10, 6)));
                Answer one = client.must("POST", searchPath("docs-collapse-one"), search);
                Answer three = client.must("POST", searchPath(INDEX), search);
                assertEquals(one.ids(), three.ids(), words);
                for (int i = 0; i < one.hits().size(); i++) {
                    assertEquals(hidden(one.hits().get(i)), hidden(three.hits().get(i)));
                }
                assertEquals(one.at("ext"), three.at("ext"));
            }
        }
    }
}
