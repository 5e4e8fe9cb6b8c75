/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.opensearch.simhash.node.AllHits;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/**
 * What a corpus has.
 *
 * @param stored texts by {@link Operation#document}
 * @param archived texts of the archive
 */
record Remains(Map<String, Text> stored, Set<Text> archived) {

    private static final int PAGE = 5_000;

    /** Makes visible what was written, and reads it from all shards. */
    static Remains read(RestClient client, Corpus corpus) {
        Map<String, Text> stored = new HashMap<>();
        visit(client, corpus.index(), (id, text) -> stored.put(corpus.index() + "/" + id, text));
        Set<Text> archived = new HashSet<>();
        if (client.get("/" + corpus.archive()).ok()) {
            visit(client, corpus.archive(), (id, text) -> archived.add(text));
        }
        return new Remains(stored, archived);
    }

    private static void visit(RestClient client, String index, BiConsumer<String, Text> visitor) {
        // The archive indexes no texts to search for.
        Map<String, Object> search = Map.of("size", PAGE, "sort", List.of("_doc"), "_source", List.of("text"));
        AllHits.forEach(client, index, search, hit -> {
            if (Json.at(hit, "_source.text") instanceof String text) {
                visitor.accept((String) hit.get("_id"), Text.parse(text));
            }
        });
    }
}
