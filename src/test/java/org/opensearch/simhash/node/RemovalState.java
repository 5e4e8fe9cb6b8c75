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
 * @param archived ids of the documents that the archive has copies of
 */
record RemovalState(Set<String> left, Set<String> archived) {

    private static final int PAGE = 10_000;

    /** Makes visible what was written, and reads it; an archive that does not exist is empty. */
    static RemovalState read(RestClient client, String index, String archive) {
        boolean isThere = client.get("/" + archive).ok();
        return new RemovalState(
                ids(client, index, "_id"), isThere ? ids(client, archive, "_source.simhash_archive.id") : Set.of());
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

    private static Set<String> ids(RestClient client, String name, String path) {
        Set<String> ids = new HashSet<>();
        var search = Map.of("size", PAGE, "_source", List.of("simhash_archive.id"), "sort", List.of("_doc"));
        AllHits.forEach(client, name, search, hit -> ids.add((String) Json.at(hit, path)));
        return ids;
    }
}
