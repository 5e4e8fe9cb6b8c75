/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The recipes of docs/choosing.md beyond what the page shows. */
@RealNodes(1)
class RecipesIT {

    private static final String HELPERS = "/_plugins/_simhash/";

    private static final String MAIL =
            "The committee for the harbour met on Monday and agreed on the budget for the new"
                    + " pier. The pier will be ninety metres long and carries two cranes. Fishermen asked for a slip, and the engineer"
                    + " promised to look for a place. The next meeting is in the second week of March at the yacht club.";

    private static final List<String> OWN =
            List.of(("Thank you for the note I will be there with the drawings but the list of owners"
                            + " is not complete yet because three of them have moved away and the registry answers only by post")
                    .split(" "));

    private final RestClient client;
    private final List<ReadmeRequests.Request> pipelines;

    RecipesIT(RealCluster cluster) throws IOException {
        this.client = cluster.client();
        this.pipelines = ReadmeRequests.parse(Files.readString(Path.of("docs/choosing.md"))).stream()
                .filter(request -> request.path().startsWith("/_ingest/pipeline/"))
                .toList();
    }

    @BeforeEach
    void put() {
        pipelines.forEach(request -> client.must("PUT", request.path(), request.body()));
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
        int looked = 0;
        for (ReadmeRequests.Request request : pipelines) {
            String name = request.path().substring("/_ingest/pipeline/".length());
            if (request.body().contains("\"simhash\"") == false) {
                continue;
            }
            looked++;
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
        assertTrue(looked >= 10, looked + " of " + pipelines.size());
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
            assertEquals(
                    words < 35 ? "first" : null,
                    reply.at("_source.near_duplicate.id"),
                    words + " own words: " + reply.text());
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
