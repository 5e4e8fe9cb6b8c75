/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.restspec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.node.Json;

/** The specification of one request, in the JSON form of OpenSearch's own. */
record RestSpec(String name, List<Place> places, Set<String> params, Map<String, Object> fields) {

    static final Path FOLDER =
            Path.of(System.getProperty("project.basedir", "."), "src", "test", "resources", "rest-api-spec");

    /** One path and the methods that it takes. */
    record Place(String path, Set<String> methods, Set<String> parts) {}

    /**
     * What is sent.
     *
     * @param body null without one
     * @param route the method and the path before its parts got values
     */
    record Sent(String method, String path, String body, String route) {}

    /** The specifications in a folder, by name. */
    static Map<String, RestSpec> in(String folder) {
        try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
            Map<String, RestSpec> specs = new TreeMap<>();
            files.sorted().map(RestSpec::read).forEach(spec -> specs.put(spec.name, spec));
            return specs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RestSpec read(Path file) {
        try {
            Map<String, Object> whole = map(Json.parse(Files.readString(file)));
            String name = whole.keySet().iterator().next();
            if (file.endsWith(name + ".json") == false || whole.size() != 1) {
                throw new AssertionError(file + " must have one request, with its name, got: " + whole.keySet());
            }
            Map<String, Object> fields = map(whole.get(name));
            List<Place> places = ((List<?>) map(fields.get("url")).get("paths"))
                    .stream().map(RestSpec::place).toList();
            Set<String> params = map(fields.getOrDefault("params", Map.of())).keySet();
            return new RestSpec(name, places, params, fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Place place(Object path) {
        Map<String, Object> place = map(path);
        Set<String> methods =
                ((List<?>) place.get("methods")).stream().map(Object::toString).collect(Collectors.toSet());
        return new Place(
                place.get("path").toString(),
                methods,
                map(place.getOrDefault("parts", Map.of())).keySet());
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    /** The page of the documentation. */
    String page() {
        return map(fields.get("documentation")).get("url").toString();
    }

    Object defaultOf(String param) {
        Map<String, Object> described = map(map(fields.get("params")).get(param));
        return described.containsKey("default")
                ? described.get("default")
                : ((List<?>) described.get("options")).getFirst();
    }

    boolean hasBody() {
        return fields.containsKey("body");
    }

    /**
     * A request with these arguments.
     *
     * @param arguments parts of the path, parameters and {@code body}
     * @throws AssertionError if the specification has no such request
     */
    Sent request(Map<String, Object> arguments) {
        Place place = places.stream()
                .filter(one -> arguments.keySet().containsAll(one.parts()))
                .max(Comparator.comparingInt(one -> one.parts().size()))
                .orElseThrow(() -> new AssertionError(name + " has no path with " + arguments.keySet()));
        Set<String> unknown = new TreeSet<>(arguments.keySet());
        unknown.removeAll(place.parts());
        unknown.removeAll(params);
        unknown.remove("body");
        if (unknown.isEmpty() == false || (arguments.containsKey("body") && hasBody() == false)) {
            throw new AssertionError(name + " does not have " + unknown + " of " + arguments.keySet());
        }
        String path = place.path();
        for (String part : place.parts()) {
            path = path.replace("{" + part + "}", encoded(arguments.get(part)));
        }
        String query = arguments.entrySet().stream()
                .filter(entry -> params.contains(entry.getKey()))
                .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
                .sorted()
                .collect(Collectors.joining("&"));
        Object body = arguments.get("body");
        String method = place.methods().contains("POST") && body != null
                ? "POST"
                : place.methods().stream().sorted().findFirst().orElseThrow();
        return new Sent(
                method,
                query.isEmpty() ? path : path + "?" + query,
                body == null ? null : body instanceof String text ? text : Json.write(map(body)),
                method + " " + place.path());
    }

    private static String encoded(Object value) {
        return URLEncoder.encode(value.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    }
}
