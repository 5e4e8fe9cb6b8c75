/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which documents are where, after a job that deletes into an archive.
 *
 * @param left ids in the index
 * @param archived ids in the archive
 */
record RemovalState(Set<String> left, Set<String> archived) {

    private static final int PAGE = 10_000;

    /** Makes visible what was written, and reads it; an archive that does not exist is empty. */
    static RemovalState read(RestClient client, String index, String archive) {
        boolean isThere = client.get("/" + archive).ok();
        return new RemovalState(ids(client, index), isThere ? ids(client, archive) : Set.of());
    }

    /** Of the documents that were loaded, those that are in neither. */
    Set<String> lost(int documents) {
        Set<String> lost = new TreeSet<>();
        for (int i = 0; i < documents; i++) {
            String id = String.valueOf(i);
            if (left.contains(id) == false && archived.contains(id) == false) {
                lost.add(id);
            }
        }
        return lost;
    }

    private static Set<String> ids(RestClient client, String name) {
        Set<String> ids = new HashSet<>();
        client.must("POST", "/" + name + "/_refresh", null);
        String search = "/" + name + "/_search?scroll=1m&allow_partial_search_results=false";
        Answer page = client.must("POST", search, "{\"size\":" + PAGE + ",\"_source\":false,\"sort\":[\"_doc\"]}");
        for (List<String> found = page.ids(); found.isEmpty() == false; found = page.ids()) {
            ids.addAll(found);
            Map<String, String> next = Map.of("scroll", "1m", "scroll_id", page.string("_scroll_id"));
            page = client.must("POST", "/_search/scroll", Json.write(next));
        }
        client.must("DELETE", "/_search/scroll", Json.write(Map.of("scroll_id", page.string("_scroll_id"))));
        return ids;
    }
}
