/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An index of somebody who has just installed the plugin: each of its texts has two versions.
 *
 * @param create what makes it: {@code METHOD path body}
 * @param document of a text
 * @param firstVersions versions of the first text
 */
public record NewIndex(String name, String create, Function<String, Map<String, Object>> document, int firstVersions) {

    private static final int TEXTS = 30;
    private static final int WORDS = 240;

    /** Pages with nested objects; a strict mapping with routing and a field named as ours; products; a data stream; a case file. */
    public static Stream<NewIndex> five(String prefix) {
        String frame = "<nav>" + "<a href=\"/a/b\">a link of the frame</a> ".repeat(60) + "</nav>";
        String nested = "{\"mappings\":{\"properties\":{\"parts\":{\"type\":\"nested\"}}}}";
        String strict =
                "{\"mappings\":{\"dynamic\":\"strict\",\"_routing\":{\"required\":true},\"properties\":{\"simhash\":"
                        + "{\"type\":\"keyword\"},\"body\":{\"type\":\"text\"}}}}";
        String stream = prefix + "stream";
        return Stream.of(
                new NewIndex(prefix + "html", "PUT /" + prefix + "html " + nested, text -> page(frame, text), 2),
                new NewIndex(
                        prefix + "strict",
                        "PUT /" + prefix + "strict " + strict,
                        text -> Map.of("body", text, "simhash", "its own"),
                        2),
                new NewIndex(
                        prefix + "products",
                        "PUT /" + prefix + "products {}",
                        text -> Map.of(
                                "products",
                                List.of(Map.of("name", "a", "about", text), Map.of("about", text + " again"))),
                        2),
                new NewIndex(
                        stream,
                        "PUT /_index_template/" + stream + " {\"index_patterns\":[\"" + stream
                                + "\"],\"data_stream\":{}}",
                        text -> Map.of("@timestamp", "2026-01-01T00:00:00Z", "message", text),
                        2),
                new NewIndex(
                        prefix + "casefile", "PUT /" + prefix + "casefile {}", text -> Map.of("contract", text), 200));
    }

    private static Map<String, Object> page(String frame, String text) {
        String html = "<!doctype html><html><body>" + frame + "<main><p>" + text + "</p></main></body></html>";
        return Map.of("page", html, "parts", List.of(Map.of("n", 1), Map.of("n", 2)));
    }

    /** Makes it with its documents, whose ids are the number of the text and that of the version. Returns how many there are. */
    public int make(RestClient client) {
        String[] request = create.split(" ", 3);
        client.must(request[0], request[1], request[2]);
        Random random = new Random(1);
        List<String> known = new SampleIndex().words("en");
        StringBuilder bulk = new StringBuilder();
        int documents = 0;
        for (int i = 0; i < TEXTS; i++) {
            List<String> words = new ArrayList<>();
            while (words.size() < WORDS) {
                words.add(known.get(random.nextInt(known.size())).replaceAll("\\W", ""));
            }
            for (int version = 0; version < (i == 0 ? firstVersions : 2); version++, documents++) {
                Map<String, Object> action = new HashMap<>(Map.of("_id", i + "-" + version));
                if (create.contains("_routing")) {
                    action.put("routing", i + "-" + version);
                }
                bulk.append(Json.write(Map.of("create", action))).append('\n');
                bulk.append(Json.write(document.apply(String.join(" ", words)))).append('\n');
                // Each changes another word than those before.
                words.set(WORDS - 3 - version, "v" + version);
            }
        }
        Answer filled = client.must("POST", "/" + name + "/_bulk?refresh=true", bulk.toString());
        if (Boolean.FALSE.equals(filled.at("errors")) == false) {
            throw new IllegalStateException(filled.text());
        }
        return documents;
    }
}
