/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.IDN;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
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

    /** One line, one page; and the key of a key is that key. */
    @Test
    void testAddressesOfOnePageHaveOneKey() {
        List<List<String>> pages = List.of(
                List.of(
                        "https://www.example.org/tram?utm_source=feed",
                        "http://EXAMPLE.org:80/tram#comments",
                        "//example.org/tram/?utm_source=feed&utm_medium=mail&fbclid=x1",
                        "  HTTPS://WWW.Example.org.:443/tram/?&&\n",
                        "https://example.org:/%74r%61m?%75tm_source=a;b",
                        "http://example.org:080/./line/../tram;jsessionid=1A?PHPSESSID=2&amp;gclid=3"),
                List.of("https://example.org/Tram", "https://example.org/Tram?_ga=1&MTM_campaign=2"),
                List.of("https://example.org/utm_source"),
                List.of("https://example.org:80/tram", "HTTPS://example.org:80/tram/"),
                List.of("http://example.org:443/tram"),
                List.of("https://example.org:8443/tram"),
                List.of(
                        "https://example.org/a?b=2&a=1",
                        "HTTPS://example.org:443/a/?UTM_id=7&a=1&&b=2",
                        "https://example.org/a?%61=1&dclid=1&b=2&msclkid",
                        "https://example.org/a?b=2&a=1&utm_campaign=x"),
                List.of("https://example.org/a?b=2&a=1&a=2", "https://example.org/a?a=1&b=2&a=2"),
                List.of("https://example.org/a?b=2&a=2&a=1"),
                List.of("https://example.org/a?b=2&A=1"),
                List.of("https://example.org/a?a"),
                List.of("https://example.org/a?a=", "https://example.org/a?&a=&"),
                List.of(
                        "https://example.org/a?p=5",
                        "https://example.org/a?utm_source=x;p=5&",
                        "//example.org/a?p=5;gclid=x"),
                List.of("https://example.org/a?p=5;q=6"),
                List.of("https://example.org/a?p=6;q=5"),
                List.of("https://example.org/a?t[]=1&t[]=2", "https://example.org/a?t%5b%5D=1&t%5B%5d=2"),
                List.of("https://example.org/a?tu=1&t[a]=2&t%5Ba%5D=3", "https://example.org/a?t%5Ba%5D=2&tu=1&t[a]=3"),
                List.of("https://example.org/a%\u0662\u0660"),
                List.of("https://example.org/a%20"),
                List.of("https://example.org/%7euser/%c3%a9?q=%2f", "https://example.org/~user/\u00e9?q=%2F&gclid=1"),
                List.of("https://example.org/~user/%C3%A9?q=/"),
                List.of("https://example.org/100%", "https://example.org/100%25"),
                List.of("https://example.org/%2541", "https://example.org/%%34%31"),
                List.of("https://example.org", "example.org/", "https://example.org/?utm_source=feed"),
                List.of("http://[2001:DB8::80]:80/x", "https://[2001:db8::80]/x/", "//[2001:db8::80]:443/x?yclid=1"),
                List.of("http://[2001:DB8::80]:8080/x", "http://[2001:db8::80]:8080/x#y"),
                List.of("https://User:Pw@Example.org/x", "https://User:Pw@www.example.org:443/x/"),
                List.of("https://user:pw@example.org/x"),
                List.of(
                        "https://b\u00fccher.example",
                        "http://B\u00dcCHER.example./",
                        "XN--BCHER-KVA.example",
                        "b%c3%bccher.example"),
                List.of(
                        "https://\u4f8b\u3048.\u30c6\u30b9\u30c8/a",
                        "https://" + IDN.toASCII("\u4f8b\u3048") + "\u3002" + IDN.toASCII("\u30c6\u30b9\u30c8")
                                + "/a/"),
                List.of("https://www.example"),
                List.of("https://example"),
                List.of("ftp://example.org/tram"),
                List.of("mailto:Ann@example.org"),
                List.of("mailto:ann@example.org"),
                List.of("localhost:9200/a", "http://localhost:9200/a"),
                List.of("/tram"),
                List.of("%", "%?"));
        Set<Object> keys = new HashSet<>();
        for (List<String> addresses : pages) {
            Set<Object> ofPage = new HashSet<>(keys(addresses));
            assertEquals(1, ofPage.size(), addresses + " have " + ofPage);
            assertFalse(ofPage.contains(null), addresses.toString());
            assertEquals(List.copyOf(ofPage), keys(ofPage));
            assertTrue(keys.addAll(ofPage), addresses + " have the key of another page: " + ofPage);
        }
    }

    @Test
    void testNoAddressLosesItsDocument() {
        List<Object> addresses =
                new ArrayList<>(List.of("", " ", "#top", "?utm_source=x", "https://", "//:", "http://@/"));
        addresses.addAll(Arrays.asList(null, 5, List.of("https://example.org"), Map.of("full", "https://example.org")));
        addresses.add("data:image/png;base64," + "A/".repeat(500_000));
        addresses.add("https://example.org/" + "\u4f8b".repeat(20_000));
        assertEquals(Collections.nCopies(addresses.size(), null), keys(addresses));
        List<String> broken = List.of(
                "http://[::1",
                "http://a:b:c/",
                "http://%ff%zz/",
                "::",
                "https://" + "\u00fc".repeat(64) + ".example",
                "http://\ud800/");
        assertFalse(keys(broken).contains(null));
        addresses.addAll(broken);
        addresses.add("https://example.org/" + "a/".repeat(16_000) + "?" + "&".repeat(500));
        client.must(
                "PUT",
                "/recipes",
                Json.write(Map.of(
                        "settings",
                        Map.of("index.default_pipeline", "choosing-web-pages"),
                        "mappings",
                        Map.of("dynamic", false, "properties", Map.of("url_key", Map.of("type", "keyword"))))));
        for (int i = 0; i < addresses.size(); i++) {
            Map<String, Object> document = new HashMap<>(Map.of("url_key", "of an earlier address", "page", MAIL));
            document.put("url", addresses.get(i));
            client.must("PUT", "/recipes/_doc/" + i + "?refresh=true", Json.write(document));
        }
        Answer found = client.must("POST", "/recipes/_search", "{\"query\": {\"exists\": {\"field\": \"url_key\"}}}");
        assertEquals(broken.size() + 1, found.number("hits.total.value"), found.text());
    }

    /** Of each address, null where it has none. */
    private List<Object> keys(Collection<?> addresses) {
        List<Object> documents = new ArrayList<>();
        for (Object address : addresses) {
            Map<String, Object> source = new HashMap<>(Map.of("page", "a"));
            source.put("url", address);
            documents.add(Map.of("_source", source));
        }
        Answer made = client.must(
                "POST", PUT_PIPELINE + "choosing-web-pages/_simulate", Json.write(Map.of("docs", documents)));
        List<Object> keys = new ArrayList<>();
        for (Object document : (List<?>) made.at("docs")) {
            keys.add(Json.at(document, "doc._source.url_key"));
        }
        return keys;
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
