/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The README works, and the pages in docs/ behind it: each of their requests, in order, and the answers that they show. */
@RealNodes(1)
class ReadmeIT {

    /** Stands in a request for the id of a run. */
    private static final String NO_RUN = "…";

    private static final Path PROJECT = Path.of(System.getProperty("project.basedir"));

    /** A block that is no longer seen as one is no request. */
    private static final Set<String> WITH_REQUESTS = Set.of(
            "README.md",
            "docs/calibrate.md",
            "docs/check.md",
            "docs/choosing.md",
            "docs/existing-index.md",
            "docs/helpers.md",
            "docs/images.md",
            "docs/install.md",
            "docs/minhash.md",
            "docs/passages.md",
            "docs/operations.md",
            "docs/processor.md",
            "docs/query.md");

    private final RestClient client;

    ReadmeIT(RealCluster cluster) {
        this.client = cluster.client();
    }

    @BeforeEach
    @AfterEach
    void remove() {
        new SampleIndex().remove(client);
        for (String index :
                List.of("docs-news", "removed-docs", "groups-docs", "articles", "docs-articles", "mails", "letters")) {
            client.send("DELETE", "/" + index, null);
        }
        client.send("DELETE", "/choosing-*", null);
        client.send(
                "PUT",
                "/_cluster/settings",
                "{\"persistent\":{\"cluster.search.enabled_system_generated_factories\":null}}");
        client.send("DELETE", "/restored", null);
        client.send("DELETE", "/_snapshot/backup/first", null);
        client.send("DELETE", "/_snapshot/backup", null);
        for (String pipeline : List.of(
                "choosing-*",
                "passages",
                "unique",
                "helped",
                "tried-out",
                "articles",
                "articles-both",
                "pictures",
                "images",
                "sketch")) {
            client.send("DELETE", "/_ingest/pipeline/" + pipeline, null);
        }
    }

    @Test
    void testRequestsOfTheReadmeWork() throws IOException, InterruptedException {
        String run = NO_RUN;
        for (Path page : pages()) {
            String name = PROJECT.relativize(page).toString();
            var requests = ReadmeRequests.parse(Files.readString(page));
            assertEquals(
                    WITH_REQUESTS.contains(name),
                    requests.stream().anyMatch(request -> request.answer() != null),
                    name);
            for (var request : requests) {
                String place = name + ":" + request.line();
                Answer answer = request.curl() == null
                        ? client.send(request.method(), request.path(), withRun(request.body(), run))
                        : curl(request.curl(), place);
                assertAnswer(request, place, answer);
                if (name.equals("README.md")) {
                    assertEquals(List.of(), answer.warnings(), place);
                }
                if (answer.text().contains("\"run\"") && answer.json().get("run") instanceof String last) {
                    run = last;
                }
            }
        }
    }

    /** A reader puts the id of the last run in the place of {@link #NO_RUN}. */
    private static String withRun(String body, String run) {
        return body == null ? null : body.replace("\"run\": \"" + NO_RUN + "\"", "\"run\": \"" + run + "\"");
    }

    /** The README first: what it makes is there for the others. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(PROJECT.resolve("README.md")));
        try (Stream<Path> docs = Files.list(PROJECT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    @Test
    void testParserFindsRequestsBodiesAndAnswers() {
        var requests = ReadmeRequests.parse("""
                Text, and a block that is not for us.

                ```json
                {"not": "a request"}
                ```

                ```console
                PUT /a
                {
                  "b": 1
                }

                GET /a/_search?q=x
                ```

                ```json answer
                {"took": "...", "hits": [{"x": 1}]}
                ```

                ```sh
                cd somewhere
                curl localhost:9200 \\
                  -d '{}'
                ```
                """);
        assertEquals(3, requests.size());
        assertEquals(new ReadmeRequests.Request(8, "PUT", "/a", "{\n  \"b\": 1\n}\n", null, null), requests.get(0));
        assertEquals(13, requests.get(1).line());
        assertEquals("/a/_search?q=x", requests.get(1).path());
        assertEquals("curl localhost:9200 \\\n  -d '{}'", requests.get(2).curl());

        Object shown = requests.get(1).answer();
        assertTrue(
                ReadmeRequests.agrees(shown, Json.parse("{\"took\":5,\"hits\":[{\"x\":1.0,\"y\":2}],\"more\":true}")));
        assertFalse(ReadmeRequests.agrees(shown, Json.parse("{\"took\":5,\"hits\":[{\"x\":2}]}")));
        assertFalse(ReadmeRequests.agrees(shown, Json.parse("{\"took\":5,\"hits\":[{\"x\":1},{\"x\":1}]}")));
        assertFalse(ReadmeRequests.agrees(shown, Json.parse("{\"hits\":[{\"x\":1}]}")));
        String junk = "```console\nnonsense\n```\n";
        assertThrows(IllegalArgumentException.class, () -> ReadmeRequests.parse(junk));
    }

    @Test
    void testCurlLinesAreReadAsCurlReadsThem() {
        var request = CurlRequest.parse("""
                curl -X PUT 'localhost:9200/a/_doc/1?refresh=true' -H 'content-type: application/json' \\
                  -d '{"b": "c d"}'""", PROJECT);
        assertEquals(new CurlRequest("PUT", "/a/_doc/1?refresh=true", "{\"b\": \"c d\"}"), request);
        var file = CurlRequest.parse("curl localhost:9200/a -d @config/search-pipeline.json", PROJECT);
        assertEquals(new CurlRequest("POST", "/a", new SampleIndex().config("search-pipeline")), file);
        assertEquals(new CurlRequest("GET", "/", null), CurlRequest.parse("curl localhost:9200/", PROJECT));
        assertThrows(
                IllegalArgumentException.class, () -> CurlRequest.parse("curl --insecure localhost:9200/", PROJECT));
    }

    /** By curl, as a reader would do it, or in its place where there is none. */
    private Answer curl(String line, String place) throws IOException, InterruptedException {
        if (Commands.has("curl") == false) {
            CurlRequest curl = CurlRequest.parse(line, PROJECT);
            return client.send(curl.method(), curl.path(), curl.body());
        }
        String command = line.replace("localhost:9200", client.address().getAuthority())
                .replaceFirst("^curl ", "curl --silent --show-error --fail --noproxy '*' ");
        Process curl = new ProcessBuilder(List.of("sh", "-c", command))
                .directory(PROJECT.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, curl.waitFor(), () -> place + ": " + output);
        return new Answer(200, output);
    }

    private static void assertAnswer(ReadmeRequests.Request request, String place, Answer answer) {
        assertTrue(answer.ok(), () -> place + ": " + answer.text());
        if (request.answer() != null) {
            assertTrue(
                    ReadmeRequests.agrees(request.answer(), answer.json()),
                    () -> place + " shows " + request.answer() + " but: " + answer.text());
        }
    }
}
