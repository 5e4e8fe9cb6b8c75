/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.deduplicate.DeletingTestCase;

/** Rounds take fewer documents where links do not fit, down to one. */
public class LinkRoundsTests extends DeletingTestCase {

    /** With several fingerprints each: each one is near all of the other document. */
    public void testTheLinksOfOneDocumentHaveToFit() {
        createIndex(INDEX);
        for (int id = 1; id <= 2; id++) {
            List<Map<String, Object>> prints = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                for (int j = 0; j < i; j++) {
                    prints.add(Map.of("bits", (1L << i) | (1L << j) | (1L << (30 + id)), "scheme", "v1-a"));
                }
            }
            client().prepareIndex(INDEX)
                    .setId("" + id)
                    .setSource(Map.of("simhash", prints))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        allow("16kb");
        try {
            Exception e = expectThrows(
                    IllegalArgumentException.class, () -> run("{\"max_distance\":6}", Float.POSITIVE_INFINITY, 100));
            assertEquals(
                    "[max_distance] must be smaller, or [plugins.simhash.deduplicate.memory] larger: the links of one"
                            + " document are more than the 16384 that fit, got: 6",
                    e.getMessage());
        } finally {
            allow(null);
        }
    }
}
