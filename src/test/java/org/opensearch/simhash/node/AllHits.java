/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.Map;
import java.util.function.Consumer;

/** Reads all documents of an index, however many. */
public final class AllHits {

    private AllHits() {}

    /**
     * Makes visible what was written, and visits each document; all primary shards have to answer.
     *
     * @param search body of the search, with the size of a page
     */
    public static void forEach(
            RestClient client, String index, Map<String, ?> search, Consumer<Map<String, Object>> visitor) {
        client.must("POST", "/" + index + "/_refresh", null);
        String first = "/" + index + "/_search?scroll=1m&allow_partial_search_results=false&preference=_primary";
        Answer page = client.must("POST", first, Json.write(search));
        while (page.hits().isEmpty() == false) {
            page.hits().forEach(visitor);
            Map<String, String> next = Map.of("scroll", "1m", "scroll_id", page.string("_scroll_id"));
            page = client.must("POST", "/_search/scroll", Json.write(next));
        }
        client.must("DELETE", "/_search/scroll", Json.write(Map.of("scroll_id", page.string("_scroll_id"))));
    }
}
