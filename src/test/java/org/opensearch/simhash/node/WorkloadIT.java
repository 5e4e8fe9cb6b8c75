/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operations of {@code tools/workload} do what their names say, with the data that its generator writes. */
@RealNodes(1)
class WorkloadIT {

    private static final Path FOLDER = Path.of(System.getProperty("project.basedir"), "tools", "workload");
    private static final String NAME = "simhash-workload";
    private static final int MADE = 100;

    private static final Pattern FILE = Pattern.compile("\\{\\{ benchmark\\.collect\\(parts=\"([^\"]+)\"\\) }}");
    private static final Pattern DEFAULT = Pattern.compile("\\{\\{ \\w+ \\| default\\((\\w+)\\) }}");

    private final RestClient client;

    @TempDir
    Path data;

    WorkloadIT(RealCluster cluster) {
        this.client = cluster.client();
    }

    @AfterEach
    void remove() {
        client.send("DELETE", "/" + NAME, null);
        client.send("DELETE", "/_index_template/" + NAME, null);
        client.send("DELETE", "/_ingest/pipeline/" + NAME, null);
        client.send("DELETE", "/_search/pipeline/" + NAME, null);
    }

    /** As OpenSearch Benchmark renders a file, but for the loop of its schedule. */
    private String rendered(String name) throws IOException {
        String files = FILE.matcher(Files.readString(FOLDER.resolve(name)))
                .replaceAll(found -> Matcher.quoteReplacement(read(found.group(1))));
        return DEFAULT.matcher(files).replaceAll("$1");
    }

    private String read(String name) {
        try {
            return Files.readString(
                    name.startsWith("data/") ? data.resolve(name.substring("data/".length())) : FOLDER.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, Map<String, Object>> operations() throws IOException {
        String workload = rendered("workload.json");
        int from = workload.indexOf('[', workload.indexOf("\"operations\""));
        String list = workload.substring(from, workload.lastIndexOf(']', workload.indexOf("\"test_procedures\"")) + 1);
        Map<String, Map<String, Object>> operations = new LinkedHashMap<>();
        for (Object each : (List<?>) Json.parse(list)) {
            @SuppressWarnings("unchecked")
            var operation = (Map<String, Object>) each;
            operations.put((String) operation.get("name"), operation);
        }
        return operations;
    }

    private Answer send(Map<String, ?> operation, String method, String path) {
        return client.must(method, path, body(operation));
    }

    @SuppressWarnings("unchecked")
    private static String body(Map<String, ?> operation) {
        return Json.write((Map<String, ?>) operation.get("body"));
    }

    private static String quoted(Object value) {
        String object = Json.write(Map.of("of", value));
        return object.substring("{\"of\":".length(), object.length() - 1);
    }

    /** How many of the first queries find something. */
    private int found(Map<String, ?> operation, List<?> queries) {
        int found = 0;
        for (Object query : queries.subList(0, MADE)) {
            String body = body(operation);
            for (String name : List.of("id", "text", "words")) {
                body = body.replace("\"$" + name + "\"", quoted(Json.at(query, name)));
            }
            Object pipeline = Json.at(operation, "request-params.search_pipeline");
            String parameters = pipeline == null ? "" : "?search_pipeline=" + pipeline;
            Answer answer = client.must("POST", "/" + NAME + "/_search" + parameters, body);
            found += answer.hits().isEmpty() ? 0 : 1;
        }
        return found;
    }

    @Test
    void testItsOperationsFindWhatTheGeneratorMade() throws Exception {
        if (Commands.has("python3") == false) {
            ClientsIT.skip("the generator of tools/workload", "there is no python3");
        }
        Process generate = new ProcessBuilder(
                        FOLDER.resolve("generate").toString(),
                        "--documents",
                        String.valueOf(MADE),
                        "--near",
                        "0.5",
                        "--to",
                        data.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(generate.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, generate.waitFor(), said);
        Map<String, Map<String, Object>> operations = operations();
        send(operations.get("put-fingerprint-pipeline"), "PUT", "/_ingest/pipeline/" + NAME);
        send(operations.get("put-distinct-pipeline"), "PUT", "/_search/pipeline/" + NAME);
        Map<String, Object> template = operations.get("put-template");
        send(template, (String) template.get("method"), (String) template.get("path"));
        client.must("PUT", "/" + NAME, rendered("index.json"));
        Answer bulk = client.must("POST", "/_bulk?refresh=true", Files.readString(data.resolve("documents.json")));
        assertEquals(false, bulk.at("errors"));
        long documents = ((Number) Json.at(Json.parse(read("data/corpus.json")), "document-count")).longValue();
        assertEquals(documents, client.must("GET", "/" + NAME + "/_count", null).number("count"));

        List<?> queries = (List<?>) Json.parse(read("data/queries.json"));
        assertEquals(MADE, found(operations.get("match"), queries));
        assertEquals(MADE, found(operations.get("match-distinct"), queries));
        assertTrue(found(operations.get("near-text"), queries) > MADE / 2);
        assertTrue(found(operations.get("near-id"), queries) > MADE / 10);
        assertTrue(found(operations.get("near-text-verified"), queries) > MADE / 2);
        Map<String, Object> job = operations.get("deduplicate");
        Answer groups = send(job, (String) job.get("method"), (String) job.get("path"));
        assertEquals(documents, groups.number("documents"));
        assertTrue(groups.number("duplicates") > MADE / 4, groups.text());
    }
}
