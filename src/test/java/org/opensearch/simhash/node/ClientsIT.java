/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@code docs/clients.md} shows runs, with the clients themselves where they can be had; and what JavaScript rounds is mended. */
@RealNodes(1)
class ClientsIT {

    private static final Path PROJECT = Path.of(System.getProperty("project.basedir"));
    private static final String PACKAGE = "@opensearch-project/opensearch@3.9.0";
    private static final Pattern BITS = Pattern.compile("\"bits\":(-?[0-9]+)");
    private static final String TEXT =
            "The city council approved the new tram line on Monday. Construction starts in March and takes three years.";

    private final RestClient client;

    ClientsIT(RealCluster cluster) {
        this.client = cluster.client();
    }

    @AfterEach
    void remove() {
        client.send("DELETE", "/client-*", null);
        client.send("DELETE", "/_ingest/pipeline/client-*", null);
    }

    private static String block(String language) throws IOException {
        String page = Files.readString(PROJECT.resolve("docs/clients.md"));
        Matcher block = Pattern.compile("^```" + language + "\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(page);
        assertTrue(block.find(), "no " + language + " in docs/clients.md");
        return block.group(1);
    }

    @Test
    void testJavaScriptOfTheDocumentationRuns() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(PROJECT.resolve("target/npm"));
        requireClient(folder);
        String script =
                block("js").replace("http://localhost:9200", client.address().toString());
        Files.writeString(folder.resolve("client.mjs"), script);
        assertEquals("", run(folder, "node", "client.mjs"));
    }

    /** Skipped, and said aloud, where there is no Node.js, or no registry to get its client from. */
    private static void requireClient(Path folder) throws IOException, InterruptedException {
        boolean hasNode = Commands.has("node") && Commands.has("npm");
        if (hasNode == false) {
            skip("node and npm are not on this machine");
        }
        if (Files.exists(folder.resolve("node_modules/@opensearch-project/opensearch")) == false) {
            Files.writeString(folder.resolve("package.json"), "{\"private\": true}");
            String answer = run(folder, "npm", "install", "--no-audit", "--no-fund", "--silent", PACKAGE);
            if (answer.isEmpty() == false) {
                skip("npm cannot install " + PACKAGE + ": " + answer);
            }
        }
    }

    private static void skip(String reason) {
        System.err.println("SKIPPED: the JavaScript of docs/clients.md was not run: " + reason);
        assumeTrue(false, reason);
    }

    /** What a command prints when it fails; nothing when it does not. */
    private static String run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : output;
    }

    /** As JavaScript writes what it has read: the number that is nearest in 64 bits with 53 of precision. */
    private static String rounded(String source) {
        Matcher bits = BITS.matcher(source);
        return bits.replaceAll(found -> {
            double number = Long.parseLong(found.group(1));
            String shortest = Double.toString(number);
            return "\"bits\":" + new BigDecimal(shortest).toBigInteger();
        });
    }

    @Test
    void testARoundTripThroughAPipelineLosesNothing() {
        for (String processor :
                List.of("{\"near_duplicate\": {}}", "{\"near_duplicate\": {\"index\": \"client-trip\"}}")) {
            client.must(
                    "PUT",
                    "/_ingest/pipeline/client-made",
                    "{\"processors\": [{\"simhash\": {\"field\": \"content\"}}, {\"remove\": {\"field\": \"content\"}}]}");
            client.must("PUT", "/_ingest/pipeline/client-trip", "{\"processors\": [" + processor + "]}");
            client.must("PUT", "/client-trip", "{\"settings\": {\"index.default_pipeline\": \"client-trip\"}}");
            for (int i = 0; i < 20; i++) {
                String id = "/client-trip/_doc/" + i + "?refresh=true";
                client.must("PUT", id + "&pipeline=client-made", Json.write(Map.of("content", i + " " + TEXT)));
                Answer made = client.get(id);
                String source = made.text().replaceFirst("^.*\"_source\":", "").replaceFirst("}$", "");
                client.must("PUT", id, rounded(source));
                Answer written = client.get(id);
                assertEquals(made.at("_source.simhash"), written.at("_source.simhash"), processor);
                // The same in one object of names with dots, as flattened documents have them.
                String dotted = rounded(source)
                        .replaceAll("\"(hash|bits|segment_.|digest|features|scheme)\":", "\"simhash.$1\":")
                        .replaceAll("\"simhash\":\\{|}", "");
                client.must("PUT", id, dotted + "}");
                assertEquals(
                        made.number("_source.simhash.bits"),
                        client.get(id).number("_source.simhash.bits"),
                        processor + dotted);
            }
            remove();
        }
    }

    @Test
    void testJavaOfTheDocumentationIsWhatRuns() throws IOException {
        String source =
                Files.readString(PROJECT.resolve("src/test/java/org/opensearch/simhash/node/JavaClientIT.java"));
        assertTrue(
                withoutSpace(source).contains(withoutSpace(block("java"))),
                "the Java of docs/clients.md is not that of JavaClientIT");
    }

    /** However the formatter breaks lines. */
    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }
}
