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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@code docs/clients.md} shows runs, with the clients themselves where they can be had; and what JavaScript rounds is mended. */
@RealNodes(1)
class ClientsIT {

    private static final Path PROJECT = Path.of(System.getProperty("project.basedir"));
    private static final String CLIENT = "@opensearch-project/opensearch";
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
        return blocks(language).getFirst();
    }

    private static List<String> blocks(String language) throws IOException {
        String page = Files.readString(PROJECT.resolve("docs/clients.md"));
        return Pattern.compile("^```" + language + "\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    @Test
    void testJavaScriptOfTheDocumentationRuns() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(PROJECT.resolve("target/npm"));
        requirePackage(folder, "the JavaScript of docs/clients.md", CLIENT, "3.9.0");
        String script =
                block("js").replace("http://localhost:9200", client.address().toString());
        Files.writeString(folder.resolve("client.mjs"), script);
        assertEquals("", run(folder, "node", "client.mjs"));
    }

    @Test
    void testPythonOfTheDocumentationRuns() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(PROJECT.resolve("target/python"));
        if (Commands.has("python3") == false
                || run(folder, "python3", "-c", "import requests").isEmpty() == false) {
            skip("the Python of docs/clients.md", "install Debian's package python3-requests");
        }
        String script = block("python")
                .replace("http://localhost:9200", client.address().toString());
        Files.writeString(folder.resolve("client.py"), script);
        assertEquals("", run(folder, "python3", "client.py"));
    }

    @Test
    void testPandasOfTheDocumentationRuns() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(PROJECT.resolve("target/python"));
        String packages = folder.resolve("packages").toString();
        boolean isThere = Files.exists(folder.resolve("packages/pandas"));
        if (Commands.has("python3") == false
                || (isThere == false
                        && run(folder, pip("install", "-q", "--no-compile", "-t", packages, "pandas", "requests"))
                                        .isEmpty()
                                == false)) {
            skip("the pandas of docs/clients.md", "python3 with pip cannot install pandas");
        }
        String script = "import sys\nsys.path.insert(0, '" + packages + "')\n"
                + (block("python") + blocks("python").get(1))
                        .replace("http://localhost:9200", client.address().toString());
        Files.writeString(folder.resolve("pandas-client.py"), script);
        assertEquals("", run(folder, "python3", "pandas-client.py"));
    }

    /** It asks five times for each package where an index does not answer, also if another index has all of them. */
    private static String[] pip(String... arguments) {
        return Stream.concat(Stream.of("python3", "-m", "pip", "--retries", "1"), Stream.of(arguments))
                .toArray(String[]::new);
    }

    /** Skips what needs a package of npm, and says so aloud, where there is no Node.js, or no registry to get it from. */
    static void requirePackage(Path folder, String what, String name, String version)
            throws IOException, InterruptedException {
        boolean hasNode = Commands.has("node") && Commands.has("npm");
        if (hasNode == false) {
            skip(what, "node and npm are not on this machine");
        }
        if (Files.exists(folder.resolve("node_modules").resolve(name)) == false) {
            Files.writeString(folder.resolve("package.json"), "{\"private\": true}");
            String pinned = name + "@" + version;
            String answer =
                    run(folder, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", pinned);
            if (answer.isEmpty() == false) {
                skip(what, "npm cannot install " + pinned + ": " + answer);
            }
        }
    }

    /** Says loudly that a test does not run, and why. */
    static void skip(String what, String reason) {
        System.err.println("SKIPPED: " + what + " was not run: " + reason);
        assumeTrue(false, reason);
    }

    /** What a command prints when it fails; nothing when it does not. */
    static String run(Path folder, String... command) throws IOException, InterruptedException {
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
    void testBitsThatAreLeftOutAreMadeOfTheHash() {
        client.must(
                "PUT",
                "/_ingest/pipeline/client-trip",
                "{\"processors\": [{\"near_duplicate\": {\"index\": \"client-trip\", \"action\": \"tag\"}}]}");
        client.must("PUT", "/client-trip", "{\"settings\": {\"index.default_pipeline\": \"client-trip\"}}");
        client.must(
                "PUT",
                "/client-trip/_doc/0?refresh=true",
                "{\"simhash\": {\"hash\": \"fffffffffffffffe\", \"scheme\": \"given-x\", \"segment_0\": \"ffff\"}}");
        assertEquals(-2, client.get("/client-trip/_doc/0").number("_source.simhash.bits"));
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

    /** A dump that read all numbers as doubles, loaded by nothing but bulk requests, is searched and cleaned as the original. */
    @Test
    void testADumpByAClientThatRoundsIsLoadedWhole() {
        client.must(
                "PUT",
                "/_ingest/pipeline/client-text",
                "{\"processors\": [{\"simhash\": {\"field\": \"content\", \"bits\": false}}]}");
        SampleIndex sample = new SampleIndex();
        List<String> words = sample.words("en");
        String mappings = Json.write(properties(sample.mappings()));
        for (String index : List.of("client-made", "client-loaded")) {
            client.must("PUT", "/" + index, "{\"mappings\": " + mappings + "}");
        }
        for (int i = 0; i < 40; i++) {
            Random random = new Random(i / 2);
            String text = IntStream.range(0, 80)
                    .mapToObj(word -> words.get(random.nextInt(words.size())))
                    .collect(Collectors.joining(" ", "", i % 2 == 0 ? "" : " today"));
            client.must(
                    "PUT",
                    "/client-made/_doc/" + i + "?refresh=true&pipeline=client-text",
                    Json.write(Map.of("content", text, "rank", i)));
        }
        StringBuilder dump = new StringBuilder();
        client.must("POST", "/client-made/_search?size=100", "{}")
                .hits()
                .forEach(hit -> dump.append("{\"index\":{\"_id\":\"" + Json.at(hit, "_id") + "\"}}\n")
                        .append(Json.write(properties(asDoubles(Json.at(hit, "_source")))))
                        .append('\n'));
        client.must("POST", "/client-loaded/_bulk?refresh=true", dump.toString());
        Answer check = client.get("/_plugins/_simhash/check/client-loaded");
        assertEquals(false, check.text().contains("rounded_bits"), check.text());
        for (int i = 0; i < 40; i++) {
            String query = "{\"size\": 100, \"query\": {\"simhash\": {\"index\": \"client-made\", \"id\": \"" + i
                    + "\", \"max_distance\": 10}}}";
            // Where it stands, the document itself is left out.
            Set<String> near = new HashSet<>(ids(client.must("POST", "/client-made/_search", query)));
            near.add(String.valueOf(i));
            assertEquals(near, ids(client.must("POST", "/client-loaded/_search", query)));
        }
        String job =
                "{\"max_distance\": 10, \"survivor\": [{\"field\": \"rank\"}], \"action\": \"delete\", \"archive\": false}";
        Answer made = client.must("POST", "/_plugins/_simhash/deduplicate/client-made", job);
        Answer loaded = client.must("POST", "/_plugins/_simhash/deduplicate/client-loaded", job);
        assertEquals(20, made.number("deleted"), made.text());
        assertEquals(20, loaded.number("deleted"), loaded.text());
        client.must("POST", "/client-*/_refresh", null);
        Set<String> left = ids(client.must("POST", "/client-loaded/_search?size=100", "{}"));
        assertEquals(ids(client.must("POST", "/client-made/_search?size=100", "{}")), left);
    }

    @SuppressWarnings("unchecked") // from JSON
    private static Map<String, Object> properties(Object mappings) {
        return (Map<String, Object>) mappings;
    }

    private static Set<String> ids(Answer found) {
        return Set.copyOf(found.ids());
    }

    /** As JavaScript reads it. */
    private static Object asDoubles(Object json) {
        if (json instanceof Map<?, ?> object) {
            Map<String, Object> read = new HashMap<>();
            object.forEach((name, value) -> read.put((String) name, asDoubles(value)));
            return read;
        }
        return json instanceof Number number
                ? (Object) BigDecimal.valueOf(number.doubleValue()).toBigInteger()
                : json;
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
