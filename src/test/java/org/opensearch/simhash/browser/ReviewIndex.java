/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** Documents with fingerprints, and jobs over them. */
final class ReviewIndex {

    static final String NAME = "review-texts";
    static final String DEST = "review-groups";
    static final String ARCHIVE = "review-removed";
    private static final String PIPELINE = "review";
    private static final int WORDS = 120;

    private final RestClient client;

    ReviewIndex(RestClient client) {
        this.client = client;
    }

    void make() {
        remove();
        client.must("PUT", "/_ingest/pipeline/" + PIPELINE, "{\"processors\":[{\"simhash\":{\"field\":\"content\"}}]}");
        client.must("PUT", "/" + NAME, "{\"settings\":{\"index.default_pipeline\":\"" + PIPELINE + "\"}}");
    }

    void remove() {
        for (String index : List.of(NAME, DEST, ARCHIVE)) {
            client.send("DELETE", "/" + index, null);
        }
        client.send("DELETE", "/_ingest/pipeline/" + PIPELINE, null);
    }

    /** Documents by id, each an object as JSON. */
    void fill(Map<String, String> documents) {
        StringBuilder bulk = new StringBuilder();
        documents.forEach((id, source) -> bulk.append("{\"index\":{\"_id\":")
                .append(Text.quoted(id))
                .append("}}\n")
                .append(source)
                .append("\n"));
        Answer answer = client.must("POST", "/" + NAME + "/_bulk?refresh=true", bulk.toString());
        if (Boolean.TRUE.equals(answer.at("errors"))) {
            throw new IllegalStateException(answer.text());
        }
    }

    /** So many words that nobody knows. */
    static List<String> words(SplittableRandom random) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            words.add("w" + random.nextInt(5_000));
        }
        return words;
    }

    /** Groups of two or three near texts each: {@code g7-a} survives, {@code g7-b} and perhaps {@code g7-c} are near it. */
    void fillGroups(int groups, SplittableRandom random) {
        Map<String, String> documents = new LinkedHashMap<>();
        for (int i = 0; i < groups; i++) {
            List<String> words = words(random);
            for (String member : i % 2 == 0 ? List.of("a", "b") : List.of("a", "b", "c")) {
                words.set(random.nextInt(WORDS), "changed" + random.nextInt(1_000));
                documents.put("g" + i + "-" + member, Json.write(Map.of("content", String.join(" ", words))));
            }
        }
        fill(documents);
    }

    /** The run. */
    String report() {
        String options =
                "{\"max_distance\":16,\"verify\":{\"field\":\"content\",\"min_similarity\":0.5},\"dest\":{\"index\":\""
                        + DEST + "\"}}";
        return client.must("POST", "/_plugins/_simhash/deduplicate/" + NAME, options)
                .string("run");
    }

    Answer apply(String run, String options) {
        client.must("POST", "/" + DEST + "/_refresh", null);
        return client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + NAME + "/apply",
                "{\"dest\":{\"index\":\"" + DEST + "\"},\"run\":\"" + run + "\"," + options + "}");
    }

    /** What is stored, byte for byte. */
    Map<String, String> sources() {
        client.must("POST", "/" + NAME + "/_refresh", null);
        String text = client.must("GET", "/" + NAME + "/_search?size=2000&filter_path=hits.hits._id", null)
                .text();
        Map<String, String> sources = new TreeMap<>();
        for (Map<String, Object> hit : new Answer(200, text).hits()) {
            String id = (String) hit.get("_id");
            sources.put(
                    id, client.must("GET", "/" + NAME + "/_source/" + id, null).text());
        }
        return sources;
    }

    /** Ids of documents with a tag, and of whom they are duplicates. */
    Map<String, String> tags() {
        client.must("POST", "/" + NAME + "/_refresh", null);
        Map<String, String> tags = new TreeMap<>();
        String query = "{\"size\":2000,\"query\":{\"exists\":{\"field\":\"simhash.duplicate_of\"}}}";
        for (Map<String, Object> hit :
                client.must("POST", "/" + NAME + "/_search", query).hits()) {
            tags.put((String) hit.get("_id"), (String) Json.at(hit, "_source.simhash.duplicate_of"));
        }
        return tags;
    }

    Set<String> ids() {
        client.must("POST", "/" + NAME + "/_refresh", null);
        return new TreeSet<>(
                client.must("GET", "/" + NAME + "/_search?size=2000", null).ids());
    }
}
