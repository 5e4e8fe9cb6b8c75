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

    /** Of agencies: a title, a text, and what others write in its place. */
    private record Story(String title, String text, List<Map.Entry<String, String>> edits) {}

    private static final List<Story> STORIES = List.of(
            new Story(
                    "Council approves tram line",
                    "The city council approved the new tram line on Monday. Construction between the central "
                            + "station and the university starts in March and takes three years. The line costs 240 "
                            + "million euros, half of it paid by the state. Opponents had collected eleven thousand "
                            + "signatures against felling the old plane trees along the avenue. Shops along the route "
                            + "get help while the street is closed. The first trams will run every six minutes from "
                            + "five in the morning until midnight.",
                    List.of(
                            Map.entry("March", "October"),
                            Map.entry("240 million", "250 million"),
                            Map.entry("the state", "the federal government"),
                            Map.entry("every six minutes", "every ten minutes"))),
            new Story(
                    "Library opens on Sundays",
                    "The public library opens on Sundays from next year, without librarians. Readers enter "
                            + "with their card, and cameras watch the doors. Books are borrowed and returned at "
                            + "machines, and a guard walks through the halls every two hours. A trial in a branch in "
                            + "the north had doubled the number of visitors on weekends. The staff council agreed after "
                            + "the city had promised that no position would be cut. Coffee is sold at the entrance "
                            + "until four in the afternoon.",
                    List.of(
                            Map.entry("Sundays", "Saturdays"),
                            Map.entry("two hours", "three hours"),
                            Map.entry("the north", "the east"),
                            Map.entry("until four", "until six"))),
            new Story(
                    "New frog described",
                    "Zoologists have described a new species of frog from the cloud forest. It is as large as "
                            + "a thumb nail and calls at noon, when all others are silent. The animals live in the "
                            + "leaves of bromeliads forty metres above the ground, where nobody had looked before. A "
                            + "student heard them while she climbed for ants, and took two years to catch one. The eggs "
                            + "develop without a tadpole that swims. How many there are is unknown, as the forest is "
                            + "cut from the valley upwards.",
                    List.of(
                            Map.entry("a thumb nail", "a coin"),
                            Map.entry("forty metres", "thirty metres"),
                            Map.entry("two years", "three years"),
                            Map.entry("calls at noon", "calls at dusk"))),
            new Story(
                    "Fewer containers in the harbour",
                    "The harbour counts fewer containers for the third quarter in a row. From July to "
                            + "September two million boxes were unloaded, four per cent less than a year before. The "
                            + "operator blames the works at the lock and a strike in spring. Two shipping lines have "
                            + "moved their services to the neighbouring port, where larger ships can turn. A third "
                            + "crane bridge, ordered for next summer, is to bring them back. The dockers' union doubts "
                            + "that and asks for shorter shifts.",
                    List.of(
                            Map.entry("two million boxes", "1.9 million boxes"),
                            Map.entry("next summer", "next autumn"),
                            Map.entry("four per cent", "five per cent"),
                            Map.entry("a strike in spring", "a strike in May"))),
            new Story(
                    "Bear seen near the pass",
                    "A brown bear was seen near the pass by two hikers on Saturday morning. It ate berries at "
                            + "the edge of the path and went into the wood when a dog barked. Rangers found its tracks "
                            + "in the mud and hair on a fence. It is the first one on this side of the ridge for eleven "
                            + "years. Shepherds are asked to bring their flocks into the pens at night. Whoever meets "
                            + "the animal should talk calmly and walk backwards.",
                    List.of(
                            Map.entry("two hikers", "three hikers"),
                            Map.entry("Saturday morning", "Sunday morning"),
                            Map.entry("eleven years", "twelve years"),
                            Map.entry("at night", "in the evening"))),
            new Story(
                    "Brewery becomes depot",
                    "The new tram depot will be built on the ground of the former brewery. The chimney and "
                            + "the brick hall from 1894 stay, because they are protected. Thirty vehicles find room "
                            + "there, and a workshop with six tracks. Neighbours were invited to four evenings at which "
                            + "engineers explained noise and vibration. The soil must be cleaned first, as a dye works "
                            + "stood there before the brewery. Work begins as soon as the last tenant, a climbing club, "
                            + "has moved.",
                    List.of(
                            Map.entry("Thirty vehicles", "Forty vehicles"),
                            Map.entry("four evenings", "three evenings"),
                            Map.entry("six tracks", "eight tracks"),
                            Map.entry("a climbing club", "a skating club"))));

    private static final List<String> SOURCES = List.of("reuters", "dpa", "afp", "ap");

    /** Stories of agencies that differ as those do, and one that 60 documents have in three versions. */
    void fillNews() {
        Map<String, String> documents = new LinkedHashMap<>();
        for (int at = 0; at < STORIES.size(); at++) {
            Story story = STORIES.get(at);
            int documentsOfStory = at == 3 ? 60 : 2 + at % 3;
            for (int i = 0; i < documentsOfStory; i++) {
                String own = story.text();
                for (Map.Entry<String, String> change :
                        story.edits().subList(0, at == 3 ? i % 3 : Math.min(i + i, 4))) {
                    own = own.replace(change.getKey(), change.getValue());
                }
                Map<String, Object> document = new LinkedHashMap<>();
                document.put("title", story.title());
                document.put("published", "2026-11-0" + (1 + (at + i) % 9));
                document.put("source", SOURCES.get(i % SOURCES.size()));
                document.put("content", own);
                documents.put("story-" + at + "-" + i, Json.write(document));
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
