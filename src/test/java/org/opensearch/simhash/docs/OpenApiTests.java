/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.node.Json;
import org.opensearch.test.OpenSearchTestCase;

/**
 * {@code tools/openapi/simhash.yaml} is the API in the form of OpenSearch's own specification: the requests of the REST test specification,
 * which has all routes of the plugin, with the options of the tables in docs/. {@code -Dopenapi.update=true} writes it anew.
 */
public class OpenApiTests extends OpenSearchTestCase {

    private static final Path PROJECT = Path.of(System.getProperty("project.basedir", "."));
    private static final Path FILE = PROJECT.resolve("tools/openapi/simhash.yaml");
    private static final Path SPECS = PROJECT.resolve("src/test/resources/rest-api-spec/api");

    /** The section with the table of a body's options, by request; the page is that of the request. */
    private static final Map<String, String> BODIES = Map.of(
            "simhash.deduplicate", "Options",
            "simhash.setup", "Options",
            "simhash.restore", "Restore",
            "simhash.untag", "Untag",
            "simhash.apply", "Apply",
            "simhash.calibrate", "Options",
            "simhash.fingerprint", "fingerprint",
            "simhash.compare", "compare",
            "simhash.blocks", "Blocks",
            "simhash.feature_weights", "feature_weights");

    private final Map<String, Object> paths = new TreeMap<>();
    private final Map<String, Object> parameters = new TreeMap<>();
    private final Map<String, Object> bodies = new TreeMap<>();
    private final Map<String, Object> schemas = new TreeMap<>();

    public void testIsThatOfTheCode() throws IOException {
        try (Stream<Path> files = Files.list(SPECS)) {
            for (Path file : files.sorted().toList()) {
                Map<String, Object> whole = map(Json.parse(Files.readString(file)));
                String name = whole.keySet().iterator().next();
                add(name, map(whole.get(name)));
            }
        }
        assertEquals(BODIES.size(), schemas.size());
        String made = "# SPDX-License-Identifier: Apache-2.0\n# Made by OpenApiTests.\n"
                + yaml(ordered(
                        "openapi",
                        "3.1.0",
                        "info",
                        ordered(
                                "title", "OpenSearch SimHash API",
                                "description", "Near-duplicates of texts and images.",
                                "version", "1.0.0"),
                        "paths",
                        paths,
                        "components",
                        ordered(
                                "requestBodies", bodies,
                                "parameters", parameters,
                                "responses",
                                        Map.of(
                                                "simhash___200",
                                                ordered(
                                                        "description",
                                                        "The answer, as its page of the documentation describes it.",
                                                        "content",
                                                        Map.of(
                                                                "application/json",
                                                                Map.of("schema", Map.of("type", "object"))))),
                                "schemas", schemas)));
        if (Boolean.getBoolean("openapi.update")) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, made);
        }
        assertEquals("renew it with -Dopenapi.update=true", made, Files.readString(FILE));
    }

    private void add(String name, Map<String, Object> spec) {
        Map<String, Object> documentation = map(spec.get("documentation"));
        int number = 0;
        for (Object one : list(map(spec.get("url")).get("paths"))) {
            Map<String, Object> place = map(one);
            Map<String, Object> operations =
                    map(paths.computeIfAbsent((String) place.get("path"), path -> new TreeMap<>()));
            for (Object method : list(place.get("methods"))) {
                List<Object> of = new ArrayList<>();
                map(place.getOrDefault("parts", Map.of()))
                        .forEach((part, described) -> of.add(parameter(name, "path", part, map(described))));
                map(spec.getOrDefault("params", Map.of()))
                        .forEach((param, described) -> of.add(parameter(name, "query", param, map(described))));
                Map<String, Object> operation = ordered(
                        "operationId",
                        name + "." + number++,
                        "x-operation-group",
                        name,
                        "x-version-added",
                        "1.0",
                        "description",
                        documentation.get("description") + ".",
                        "externalDocs",
                        Map.of("url", documentation.get("url")));
                if (of.isEmpty() == false) {
                    operation.put("parameters", of);
                }
                if (spec.containsKey("body") && "GET".equals(method) == false) {
                    operation.put("requestBody", reference("requestBodies", name));
                    body(name, (String) documentation.get("url"), map(spec.get("body")));
                }
                operation.put("responses", Map.of("200", reference("responses", "simhash___200")));
                operations.put(method.toString().toLowerCase(Locale.ROOT), operation);
            }
        }
    }

    private Map<String, Object> parameter(String name, String in, String param, Map<String, Object> described) {
        String key = name + "::" + in + "." + param;
        Map<String, Object> schema = new LinkedHashMap<>();
        switch ((String) described.get("type")) {
            case "list" -> {
                schema.put("type", "array");
                schema.put("items", Map.of("type", "string"));
            }
            case "enum" -> {
                schema.put("type", "string");
                schema.put("enum", described.get("options"));
            }
            case "time" -> schema.put("type", "string");
            default -> schema.put("type", described.get("type"));
        }
        if (described.containsKey("default")) {
            schema.put("default", described.get("default"));
        }
        Map<String, Object> made =
                ordered("name", param, "in", in, "description", described.get("description") + ".", "schema", schema);
        if (in.equals("path")) {
            made.put("required", true);
            made.put("style", "simple");
        }
        parameters.put(key, made);
        return reference("parameters", key);
    }

    private void body(String name, String page, Map<String, Object> described) {
        Object schema = Map.of("type", "object");
        String section = BODIES.get(name);
        if (section != null) {
            String key = name + "__body";
            schema = reference("schemas", key);
            Map<String, Object> options = new TreeMap<>();
            OptionTable table = OptionTable.all().stream()
                    .filter(one -> ("docs/" + one.page()).equals(page)
                            && one.section().equals(section)
                            && one.head().equals("option"))
                    .findFirst()
                    .orElseThrow();
            table.names().forEach(option -> options.put(option, Map.of("description", "See " + page + ".")));
            schemas.put(key, ordered("type", "object", "properties", options, "additionalProperties", false));
        }
        bodies.put(
                name,
                ordered(
                        "description",
                        described.get("description") + ".",
                        "required",
                        described.getOrDefault("required", false),
                        "content",
                        Map.of("application/json", Map.of("schema", schema))));
    }

    private static Map<String, Object> reference(String kind, String name) {
        return Map.of("$ref", "#/components/" + kind + "/" + name);
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> ordered = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            ordered.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return ordered;
    }

    private static String yaml(Map<String, Object> document) throws IOException {
        try (XContentBuilder builder = XContentFactory.yamlBuilder()) {
            return builder.map(document).toString().replaceFirst("^---\n", "");
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static List<?> list(Object value) {
        return (List<?>) value;
    }
}
