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
        make("{\"simhash\":{\"field\":\"content\"}}", "");
    }

    void make(String processor, String properties) {
        remove();
        client.must("PUT", "/_ingest/pipeline/" + PIPELINE, "{\"processors\":[" + processor + "]}");
        client.must(
                "PUT",
                "/" + NAME,
                "{\"settings\":{\"index.default_pipeline\":\"" + PIPELINE + "\"},\"mappings\":{\"properties\":{"
                        + properties + "}}}");
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

    private static final List<String> SENTENCES = List.of(
            "The city council approved the new tram line on Monday.",
            "Construction between the central station and the university starts in March and takes three years.",
            "The line costs 240 million euros, half of it paid by the state.",
            "Opponents had collected eleven thousand signatures against felling the old plane trees along the avenue.",
            "Shops along the route get help while the street is closed.",
            "The first trams will run every six minutes from five in the morning until midnight.",
            "A bridge over the river must be widened before the rails can be laid.",
            "Residents were invited to four evenings at which engineers explained noise and vibration.",
            "Thirty vehicles were ordered together with two other cities.",
            "The depot will be built on the ground of the former brewery.",
            "The library opens on Sundays from next year, without librarians.",
            "Readers enter with their card, and cameras watch the doors.",
            "A new species of frog was described from the cloud forest.",
            "It is as large as a thumb nail and calls at noon.",
            "The harbour counts fewer containers for the third quarter in a row.",
            "The brown bear was seen near the pass by two hikers.");

    private static final List<String> TITLES = List.of(
            "Council approves tram line",
            "Library opens on Sundays",
            "New frog described",
            "Fewer containers in the harbour",
            "Bear seen near the pass",
            "Brewery becomes depot");

    private static final List<String> SOURCES = List.of("reuters", "dpa", "afp", "ap");

    private static final List<Map.Entry<String, String>> EDITS = List.of(
            Map.entry("March", "October"),
            Map.entry("240 million", "250 million"),
            Map.entry("the state", "the federal government"),
            Map.entry("every six minutes", "every ten minutes"),
            Map.entry("Sundays", "Saturdays"),
            Map.entry("thumb nail", "coin"),
            Map.entry("two hikers", "three hikers"));

    /** Stories of agencies that differ as those do, and one that 60 documents have in three versions. */
    void fillNews() {
        Map<String, String> documents = new LinkedHashMap<>();
        for (int story = 0; story < TITLES.size(); story++) {
            List<String> sentences = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                sentences.add(SENTENCES.get((story * 5 + i) % SENTENCES.size()));
            }
            String text = String.join(" ", sentences);
            int documentsOfStory = story == 3 ? 60 : 2 + story % 3;
            for (int i = 0; i < documentsOfStory; i++) {
                String own = text;
                int edits = story == 3 ? i % 3 : i * 2;
                for (int edit = 0; edit < edits; edit++) {
                    Map.Entry<String, String> change = EDITS.get((story + edit) % EDITS.size());
                    own = own.replace(change.getKey(), change.getValue());
                }
                Map<String, Object> document = new LinkedHashMap<>();
                document.put("title", TITLES.get(story));
                document.put("published", "2026-11-0" + (1 + (story + i) % 9));
                document.put("source", SOURCES.get(i % SOURCES.size()));
                document.put("content", own);
                documents.put("story-" + story + "-" + i, Json.write(document));
            }
        }
        fill(documents);
    }

    /** The run. */
    String report() {
        return report("\"max_distance\":16,\"verify\":{\"field\":\"content\",\"min_similarity\":0.5}");
    }

    String report(String options) {
        String dest = ",\"dest\":{\"index\":\"" + DEST + "\"}}";
        return client.must("POST", "/_plugins/_simhash/deduplicate/" + NAME, "{" + options + dest)
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
