/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The recipes of docs/choosing.md beyond what the page shows, and the pipelines of config/ that they are. */
@RealNodes(1)
class RecipesIT {

    private static final String HELPERS = "/_plugins/_simhash/";
    private static final String PUT_PIPELINE = "/_ingest/pipeline/";

    private static final String MAIL =
            "The committee for the harbour met on Monday and agreed on the budget for the new"
                    + " pier. The pier will be ninety metres long and carries two cranes. Fishermen asked for a slip, and the engineer"
                    + " promised to look for a place. The next meeting is in the second week of March at the yacht club.";

    private static final List<String> OWN =
            List.of(("Thank you for the note I will be there with the drawings but the list of owners"
                            + " is not complete yet because three of them have moved away and the registry answers only by post")
                    .split(" "));

    /** {@code config/pipeline-<name>.json}. */
    private static final List<String> FILES = List.of(
            "news", "web-pages", "products", "logs", "mails", "training-data", "versions", "questions", "facts");

    private final RestClient client;
    /** Those that the page puts, and those of config/, by name. */
    private final Map<String, String> pipelines = new TreeMap<>();

    RecipesIT(RealCluster cluster) throws IOException {
        this.client = cluster.client();
        for (var request : ReadmeRequests.parse(Files.readString(Path.of("docs/choosing.md")))) {
            if (request.path() != null && request.path().startsWith(PUT_PIPELINE)) {
                pipelines.put(request.path().substring(PUT_PIPELINE.length()), request.body());
            }
        }
        for (String name : FILES) {
            pipelines.put("choosing-" + name, Files.readString(Path.of("config", "pipeline-" + name + ".json")));
        }
    }

    @BeforeEach
    void put() {
        pipelines.forEach((name, body) -> client.must("PUT", PUT_PIPELINE + name, body));
    }

    @AfterEach
    void remove() {
        client.send("DELETE", "/recipes,choosing-*", null);
        client.send("DELETE", "/_ingest/pipeline/choosing-*", null);
    }

    /** No index has the pipeline yet: people look at pairs of texts before they index. */
    @Test
    void testEachRunsInHelpersByTheNameOfItsPipeline() {
        client.must("PUT", "/recipes/_doc/1?refresh=true", Json.write(Map.of("content", MAIL, "body", MAIL)));
        client.must("PUT", "/recipes/_doc/2?refresh=true", Json.write(Map.of("content", MAIL, "body", MAIL)));
        for (String name : pipelines.keySet()) {
            if (pipelines.get(name).contains("\"simhash\": {") == false) {
                continue; // sketches alone
            }
            Answer made =
                    client.must("POST", HELPERS + "fingerprint", Json.write(Map.of("pipeline", name, "text", MAIL)));
            assertNotNull(made.at("hash"), name + made.text());
            Answer compared = client.must(
                    "POST",
                    HELPERS + "compare",
                    Json.write(Map.of("pipeline", name, "a", Map.of("text", MAIL), "b", Map.of("text", MAIL))));
            assertEquals(0, compared.number("distance"), name + compared.text());
            Answer weights =
                    client.must("POST", HELPERS + "feature_weights/recipes", Json.write(Map.of("pipeline", name)));
            assertNotNull(weights.at("feature_weights"), name + weights.text());
        }
        assertTrue(pipelines.size() >= 10, pipelines.keySet().toString());
    }

    /**
     * The part of an id before its dot says what belongs together, in ten documents for each pipeline of config/; the first line
     * of their file is the job of the recipe.
     */
    @Test
    void testEachPipelineOfConfigFindsWhatBelongsTogether() throws IOException {
        for (String name : FILES) {
            List<String> lines = Files.readAllLines(Path.of("src/test/resources/recipes", name + ".ndjson"));
            index(name, lines.subList(1, lines.size()));
            Answer answer =
                    client.must("POST", "/_plugins/_simhash/deduplicate/recipes", Json.write(object(lines.getFirst())));
            Map<String, Set<String>> groups = new TreeMap<>();
            for (Object group : (List<?>) answer.at("examples")) {
                String survivor = (String) Json.at(group, "survivor.id");
                Set<String> ids = new TreeSet<>(Set.of(survivor));
                ((List<?>) Json.at(group, "members")).forEach(member -> ids.add((String) Json.at(member, "id")));
                groups.put(survivor.replaceFirst("[.].*", ""), ids);
            }
            assertEquals(together(lines.subList(1, lines.size())), groups, name + ": " + answer.text());
            if (name.equals("mails")) {
                assertEquals("meet.1", client.get("/recipes/_doc/meet.2").at("_source.near_duplicate.id"));
                assertNull(client.get("/recipes/_doc/thanks.1").at("_source.near_duplicate"));
            }
            client.must("DELETE", "/recipes", null);
        }
    }

    /** A test text that stands in a training text is found with its place; one that only tells of the same is not. */
    @Test
    void testTestTextsInTrainingDataAreFound() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("src/test/resources/recipes/training-data.ndjson"));
        index("training-data", lines.subList(1, lines.size()));
        String text = "a farmer has seventeen sheep, and sells all but nine of them at the market in the next valley."
                + " How many does she have?";
        Answer found = client.must(
                "POST",
                "/recipes/_search",
                Json.write(Map.of(
                        "query", Map.of("passages", Map.of("text", text, "min_words", 15)),
                        "ext", Map.of("simhash", Map.of("evidence", true)))));
        assertEquals(1, found.number("hits.total.value"), found.text());
        assertEquals("quiz.1", found.at("hits.hits.0._id"), found.text());
        Answer none = client.must(
                "POST",
                "/recipes/_search",
                Json.write(Map.of(
                        "query",
                        Map.of(
                                "passages",
                                Map.of(
                                        "text",
                                        "Of seventeen sheep a farmer sells some, and keeps nine: how many does"
                                                + " the farmer take home from the market in the valley?")))));
        assertEquals(0, none.number("hits.total.value"), none.text());
    }

    /** One line, one page. */
    @Test
    void testAddressesOfOnePageHaveOneKey() {
        List<List<String>> pages = List.of(
                List.of(
                        "https://www.example.org/tram?utm_source=feed",
                        "http://EXAMPLE.org:80/tram#comments",
                        "//example.org/tram/?utm_source=feed&utm_medium=mail&fbclid=x1"),
                List.of("https://example.org/a?b=2&a=1", "HTTPS://example.org:443/a/?UTM_id=7&a=1&&b=2"),
                List.of("https://example.org/%7euser/%c3%a9?q=%2f", "https://example.org/~user/%C3%A9?q=%2F&gclid=1"),
                List.of("https://example.org/~user/%C3%A9?q=/"),
                List.of("https://example.org:8443/tram"),
                List.of("https://example.org", "example.org/", "https://example.org/?utm_source=feed"),
                List.of("%", "%?"));
        Set<Object> keys = new HashSet<>();
        for (List<String> addresses : pages) {
            Set<Object> ofPage = new HashSet<>();
            for (String address : addresses) {
                Answer made = client.must(
                        "POST",
                        PUT_PIPELINE + "choosing-web-pages/_simulate",
                        Json.write(Map.of("docs", List.of(Map.of("_source", Map.of("url", address, "page", "a"))))));
                ofPage.add(made.at("docs.0.doc._source.url_key"));
            }
            assertEquals(1, ofPage.size(), ofPage.toString());
            assertTrue(keys.addAll(ofPage), ofPage.toString());
        }
        assertFalse(keys.contains(null));
    }

    private void index(String name, List<String> documents) {
        client.must(
                "PUT",
                "/recipes",
                Json.write(Map.of(
                        "settings",
                        Map.of("index.default_pipeline", "choosing-" + name),
                        "mappings",
                        new SampleIndex().mappings())));
        for (String line : documents) {
            Map<String, Object> document = object(line);
            client.must("PUT", "/recipes/_doc/" + document.remove("_id"), Json.write(document));
        }
        client.must("POST", "/recipes/_refresh", null);
    }

    /** Groups of two and more, by the part of the id before the dot. */
    private static Map<String, Set<String>> together(List<String> documents) {
        Map<String, Set<String>> groups = new TreeMap<>();
        for (String line : documents) {
            String id = (String) object(line).get("_id");
            groups.computeIfAbsent(id.replaceFirst("[.].*", ""), group -> new TreeSet<>())
                    .add(id);
        }
        groups.values().removeIf(ids -> ids.size() < 2);
        return groups;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(String line) {
        return (Map<String, Object>) Json.parse(line);
    }

    /** As the page says: few own words are within 11 bits, a paragraph is not, whatever {@code containment} would say. */
    @Test
    void testOwnWordsAboveAQuotedMail() {
        client.must(
                "PUT", "/_ingest/pipeline/choosing-sketch", "{\"processors\": [{\"minhash\": {\"field\": \"body\"}}]}");
        client.must(
                "PUT",
                "/choosing-replies",
                "{\"mappings\": {\"properties\": {\"minhash\": {\"properties\": {\"bands\": {\"type\": \"keyword\"},"
                        + " \"sketch\": {\"type\": \"binary\", \"doc_values\": true}, \"digest\": {\"type\": \"keyword\"},"
                        + " \"size\": {\"type\": \"integer\"}, \"scheme\": {\"type\": \"keyword\"}}}}}}");
        client.must("PUT", "/recipes", "{\"settings\": {\"index.default_pipeline\": \"choosing-mails\"}}");
        client.must("PUT", "/recipes/_doc/first?refresh=true", Json.write(Map.of("body", MAIL)));
        for (int words : List.of(5, 20, 35)) {
            String body = String.join(" ", OWN.subList(0, words))
                    + "\n\n-----Original Message-----\nFrom: Maria\nSent: Monday\nSubject: Meeting\n\n" + MAIL;
            client.must("PUT", "/recipes/_doc/" + words + "?refresh=true", Json.write(Map.of("body", body)));
            Answer reply = client.get("/recipes/_doc/" + words);
            if (words != 20) { // which depends on the words
                assertEquals(
                        words < 20 ? "first" : null,
                        reply.at("_source.near_duplicate.id"),
                        words + " own words: " + reply.text());
            }
            client.must("DELETE", "/recipes/_doc/" + words + "?refresh=true", null);
            client.must(
                    "PUT",
                    "/choosing-replies/_doc/" + words + "?refresh=true&pipeline=choosing-sketch",
                    Json.write(Map.of("body", body)));
        }
        Answer inside = client.must(
                "POST",
                "/choosing-replies/_search",
                Json.write(Map.of(
                        "query",
                        Map.of("minhash", Map.of("text", MAIL, "pipeline", "choosing-sketch", "containment", true)))));
        assertEquals(3, inside.number("hits.total.value"), inside.text());
    }
}
