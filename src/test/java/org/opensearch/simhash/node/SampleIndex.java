/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The index {@value #NAME}: pipeline and template from {@code config/}, documents from the sample corpus. Demo and tests
 * use the same files as the users.
 */
public final class SampleIndex {

    public static final String NAME = "docs";
    public static final String PIPELINE = "fingerprint";
    public static final String SEARCH_PIPELINE = "distinct";

    private static final int BULK = 100;

    private final Path project = Path.of(System.getProperty("project.basedir"));

    /** {@code config/<name>.json}, as it stands. */
    public String config(String name) {
        return read(project.resolve("config").resolve(name + ".json"));
    }

    /** Those of {@code config/index-template.json}. */
    public Object mappings() {
        return Json.at(Json.parse(config("index-template")), "template.mappings");
    }

    /** The documents by id, in the order of the file. */
    public Map<String, Map<String, Object>> documents() {
        List<String> lines = lines();
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i += 2) {
            String id = (String) Json.at(Json.parse(lines.get(i)), "index._id");
            @SuppressWarnings("unchecked")
            var document = (Map<String, Object>) Json.parse(lines.get(i + 1));
            documents.put(id, document);
        }
        return documents;
    }

    /** The words of all texts in these languages, in order: what is taken from it at random is as frequent as there. */
    public List<String> words(String... languages) {
        return documents().values().stream()
                .filter(document -> List.of(languages).contains(document.get("language")))
                .flatMap(document -> Arrays.stream(((String) document.get("content")).split("\\s+", -1)))
                .toList();
    }

    /** Pipelines and template, as in the README. */
    public void configure(RestClient client) {
        client.must("PUT", "/_ingest/pipeline/" + PIPELINE, config("ingest-pipeline"));
        client.must("PUT", "/_index_template/" + NAME, config("index-template"));
        client.must("PUT", "/_search/pipeline/" + SEARCH_PIPELINE, config("search-pipeline"));
    }

    /**
     * Indexes the corpus and makes it searchable.
     *
     * @param progress told the number of documents indexed so far, after each bulk request
     * @throws IllegalStateException when a document was refused
     */
    public void fill(RestClient client, String index, IntConsumer progress) {
        List<String> lines = lines();
        for (int from = 0; from < lines.size(); from += 2 * BULK) {
            List<String> part = lines.subList(from, Math.min(from + 2 * BULK, lines.size()));
            Answer answer = client.must("POST", "/" + index + "/_bulk", String.join("\n", part) + "\n");
            if ((boolean) answer.at("errors")) {
                throw new IllegalStateException("documents were refused: " + answer.text());
            }
            progress.accept((from + part.size()) / 2);
        }
        client.must("POST", "/" + index + "/_refresh", null);
    }

    /** Takes away what {@link #configure} and {@link #fill} made, if anything. */
    public void remove(RestClient client) {
        client.send("DELETE", "/" + NAME, null);
        client.send("DELETE", "/_index_template/" + NAME, null);
        client.send("DELETE", "/_ingest/pipeline/" + PIPELINE, null);
        client.send("DELETE", "/_search/pipeline/" + SEARCH_PIPELINE, null);
    }

    private List<String> lines() {
        return read(project.resolve("src/test/resources/sample/docs.ndjson"))
                .lines()
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
