/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.opensearch.simhash.node.AllHits;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/**
 * What a corpus has.
 *
 * @param stored texts by {@link Operation#document}
 * @param values of {@link Corpus#OWNERS} of each
 * @param archived copies of the archive
 */
record Remains(Map<String, Text> stored, Map<String, Set<String>> values, List<Copy> archived) {

    /**
     * Of a document that ended, or was to end.
     *
     * @param document as {@link Operation#document}
     * @param survivor for which it ended
     * @param run of the job
     */
    record Copy(String document, Text text, String survivor, String run) {}

    private static final int PAGE = 5_000;

    /** Makes visible what was written, and reads it from all shards. */
    static Remains read(RestClient client, Corpus corpus) {
        Map<String, Text> stored = new HashMap<>();
        Map<String, Set<String>> values = new HashMap<>();
        String path = corpus.index() + "/";
        visit(client, corpus.index(), (hit, text) -> {
            stored.put(path + hit.get("_id"), text);
            values.put(path + hit.get("_id"), values(Json.at(hit, "_source." + Corpus.OWNERS)));
        });
        List<Copy> archived = new ArrayList<>();
        if (client.get("/" + corpus.archive()).ok()) {
            visit(client, corpus.archive(), (hit, text) -> {
                Object from = Json.at(hit, "_source.simhash_archive");
                String survivor = path + Json.at(from, "duplicate_of.id");
                archived.add(new Copy(path + Json.at(from, "id"), text, survivor, (String) Json.at(from, "run")));
            });
        }
        return new Remains(stored, values, archived);
    }

    private static Set<String> values(Object field) {
        return field instanceof List<?> several
                ? several.stream().map(String::valueOf).collect(Collectors.toSet())
                : Set.of(String.valueOf(field));
    }

    private static void visit(RestClient client, String index, BiConsumer<Map<String, Object>, Text> visitor) {
        // The archive indexes no texts to search for.
        Map<String, Object> search = Map.of(
                "size", PAGE, "sort", List.of("_doc"), "_source", List.of("text", Corpus.OWNERS, "simhash_archive"));
        AllHits.forEach(client, index, search, hit -> {
            if (Json.at(hit, "_source.text") instanceof String text) {
                visitor.accept(hit, Text.parse(text));
            }
        });
    }
}
