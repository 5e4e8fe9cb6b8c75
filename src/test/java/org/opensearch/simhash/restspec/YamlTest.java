/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.restspec;

import static org.opensearch.simhash.restspec.RestSpec.map;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.opensearch.common.xcontent.yaml.YamlXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/**
 * A test of requests in the YAML form of OpenSearch's own: {@code do}, {@code catch}, {@code set}, {@code match},
 * {@code is_true}, {@code is_false}, {@code length}, {@code gt}, {@code gte}, {@code lt}, {@code lte}.
 *
 * @param setup steps before the test; {@code teardown} after it, also if it fails
 */
record YamlTest(String name, List<?> setup, List<?> steps, List<?> teardown) {

    private static final Map<String, Integer> STATUS =
            Map.of("bad_request", 400, "forbidden", 403, "missing", 404, "conflict", 409);

    /** All tests, in files of the folder {@code test} and below. */
    static List<YamlTest> all() {
        try (Stream<Path> files = Files.walk(RestSpec.FOLDER.resolve("test"))) {
            return files.filter(file -> file.toString().endsWith(".yml"))
                    .sorted()
                    .flatMap(file -> read(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<YamlTest> read(Path file) {
        Map<String, List<?>> sections = new LinkedHashMap<>();
        try {
            for (String document : Files.readString(file).split("(?m)^---$", -1)) {
                if (document.isBlank() == false) {
                    try (var parser = YamlXContent.yamlXContent.createParser(
                            NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, document)) {
                        parser.mapOrdered().forEach((section, steps) -> sections.put(section, (List<?>) steps));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
        List<?> setup = Objects.requireNonNullElse(sections.remove("setup"), List.of());
        List<?> teardown = Objects.requireNonNullElse(sections.remove("teardown"), List.of());
        return sections.entrySet().stream()
                .map(section -> new YamlTest(
                        file.getParent().getFileName() + ": " + section.getKey(), setup, section.getValue(), teardown))
                .toList();
    }

    /** Methods and paths of the requests that the test itself sends, and that succeed. */
    Stream<String> routes(Map<String, RestSpec> specs) {
        return steps.stream()
                .map(step -> map(step).get("do"))
                .filter(Objects::nonNull)
                .map(RestSpec::map)
                .filter(sent -> sent.containsKey("catch") == false && specs.containsKey(request(sent)))
                .map(sent -> specs.get(request(sent)).request(arguments(sent)).route());
    }

    private static Map<String, Object> arguments(Map<String, Object> sent) {
        return map(Objects.requireNonNullElse(sent.get(request(sent)), Map.of()));
    }

    private static String request(Map<String, Object> sent) {
        return sent.keySet().stream()
                .filter(key -> key.equals("catch") == false)
                .findFirst()
                .orElseThrow();
    }

    void run(RestClient client, Map<String, RestSpec> specs) {
        Run run = new Run(client, specs);
        try {
            setup.forEach(run::step);
            steps.forEach(run::step);
        } finally {
            teardown.forEach(run::step);
        }
    }

    private static final class Run {

        private final RestClient client;
        private final Map<String, RestSpec> specs;
        private final Map<String, Object> kept = new HashMap<>();
        private Answer answer;

        Run(RestClient client, Map<String, RestSpec> specs) {
            this.client = client;
            this.specs = specs;
        }

        void step(Object step) {
            map(step).forEach((kind, of) -> {
                switch (kind) {
                    case "do" -> send(map(of));
                    case "set" -> map(of).forEach((path, name) -> kept.put("$" + name, at(path)));
                    case "is_true" -> require(isTrue(at(of.toString())), kind, of);
                    case "is_false" -> require(isTrue(at(of.toString())) == false, kind, of);
                    default -> map(of).forEach((path, expected) -> check(kind, path, filled(expected)));
                }
            });
        }

        private void send(Map<String, Object> sent) {
            String name = request(sent);
            RestSpec spec = specs.get(name);
            if (spec == null) {
                throw new AssertionError("no specification of " + name);
            }
            RestSpec.Sent request = spec.request(map(filled(arguments(sent))));
            answer = client.send(request.method(), request.path(), request.body());
            Object caught = sent.get("catch");
            if (caught == null) {
                require(answer.status() < 300, "do", request);
            } else if (caught.toString().startsWith("/")) {
                require(answer.status() >= 400 && isLike(answer.text(), caught.toString()), "catch", caught);
            } else {
                require(STATUS.get(caught.toString()).equals(answer.status()), "catch", caught);
            }
        }

        private void check(String kind, String path, Object expected) {
            Object found = at(path);
            boolean holds = switch (kind) {
                case "match" -> isEqual(expected, found);
                case "length" -> ((Number) expected).intValue() == size(found);
                case "gt" -> number(found) > number(expected);
                case "gte" -> number(found) >= number(expected);
                case "lt" -> number(found) < number(expected);
                case "lte" -> number(found) <= number(expected);
                default -> throw new AssertionError("no such step: " + kind);
            };
            require(holds, kind, path + ": " + expected + ", but is " + found);
        }

        private void require(boolean holds, String kind, Object what) {
            if (holds == false) {
                throw new AssertionError(kind + " " + what + " of the answer " + answer);
            }
        }

        private Object at(String path) {
            return path.equals("$body")
                    ? answer.text()
                    : Json.at(answer.json(), filled(path).toString());
        }

        private static boolean isTrue(Object value) {
            return value != null && List.of("", "false", "0").contains(value.toString()) == false;
        }

        private static boolean isEqual(Object expected, Object found) {
            if (expected instanceof String text && text.strip().startsWith("/") && found instanceof String) {
                return isLike(found.toString(), text.strip());
            }
            boolean areNumbers = expected instanceof Number && found instanceof Number;
            return areNumbers ? number(expected) == number(found) : Objects.equals(expected, found);
        }

        private static boolean isLike(String text, String pattern) {
            return Pattern.compile(pattern.substring(1, pattern.lastIndexOf('/')), Pattern.COMMENTS)
                    .matcher(text)
                    .find();
        }

        private static double number(Object value) {
            return ((Number) value).doubleValue();
        }

        private static int size(Object value) {
            return switch (value) {
                case List<?> list -> list.size();
                case Map<?, ?> object -> object.size();
                default -> value.toString().length();
            };
        }

        /** With what {@code set} kept, in place of {@code $name}. */
        private Object filled(Object value) {
            return switch (value) {
                case Map<?, ?> object -> {
                    Map<String, Object> copy = new LinkedHashMap<>();
                    object.forEach((key, of) -> copy.put(key.toString(), filled(of)));
                    yield copy;
                }
                case List<?> list -> {
                    List<Object> copy = new ArrayList<>();
                    list.forEach(one -> copy.add(filled(one)));
                    yield copy;
                }
                case String text -> kept.getOrDefault(text, text);
                case null -> null;
                default -> value;
            };
        }
    }
}
