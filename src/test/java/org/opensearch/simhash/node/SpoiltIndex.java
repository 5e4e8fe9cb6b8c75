/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.opensearch.simhash.node.BrokenSetup.BY_DEFAULT;
import static org.opensearch.simhash.node.BrokenSetup.NEAR;
import static org.opensearch.simhash.node.BrokenSetup.TEXT;
import static org.opensearch.simhash.node.BrokenSetup.WRITER;
import static org.opensearch.simhash.node.BrokenSetup.index;
import static org.opensearch.simhash.node.BrokenSetup.pipeline;
import static org.opensearch.simhash.node.BrokenSetup.whole;
import static org.opensearch.simhash.node.BrokenSetup.without;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An index with several mistakes, to which documents can be written.
 *
 * @param requests that make it; {@code $} is its name
 * @param document that it takes, a body without braces
 */
record SpoiltIndex(String name, String document, List<String> requests) {

    private static final String CONTENT = "\"content\": \"" + TEXT + "\"";

    private static final String TITLE = "{\"title\": {\"type\": \"text\"}, ";

    private static final String STRICT = "\"dynamic\": \"strict\", \"properties\": {\"content\": {\"type\": \"text\"},"
            + " \"title\": {\"type\": \"text\"}}";

    private static SpoiltIndex of(String name, String document, String... requests) {
        return new SpoiltIndex(name, document, List.of(requests));
    }

    private static String put(String name, String processors) {
        return "PUT /_ingest/pipeline/" + name + "\n{\"processors\": [" + processors + "]}";
    }

    static List<SpoiltIndex> all() {
        String set = "{\"set\": {\"field\": \"title\", \"value\": \"t\"}}";
        String near = "{\"near_duplicate\": {\"max_distance\": 3}}";
        String body = "\"body\": \"" + TEXT + "\"";
        String lenient = WRITER.replace("}}", ", \"ignore_missing\": true}}");
        String tagged = pipeline(lenient + ", " + near);
        return Stream.of(mistakes(set, near, body, lenient), others(body, lenient), documents(tagged))
                .flatMap(List::stream)
                .toList();
    }

    /** Kinds of names, of pipelines that others use, and of what those write. */
    private static List<SpoiltIndex> others(String body, String lenient) {
        return List.of(
                of("alias", CONTENT, index("", STRICT).replace("PUT /$", "PUT /$-one"), alias()),
                of(
                        "stream",
                        CONTENT + ", \"@timestamp\": \"2026-01-01\"",
                        "PUT /_index_template/$\n{\"index_patterns\": [\"$\"], \"priority\": 778, \"data_stream\": {},"
                                + " \"template\": {\"mappings\": {"
                                + STRICT.replace("\"content\"", "\"@timestamp\": {\"type\": \"date\"}, \"content\"")
                                + "}}}",
                        "PUT /_data_stream/$\n"),
                of(
                        "stream-mistyped",
                        CONTENT + ", \"@timestamp\": \"2026-01-01\"",
                        put("$-a", lenient.replace("content", "contend")),
                        "PUT /_index_template/$\n{\"index_patterns\": [\"$\"], \"priority\": 779, \"data_stream\": {},"
                                + " \"template\": {\"settings\": {\"index.default_pipeline\": \"$-a\"}}}",
                        "PUT /_data_stream/$\n",
                        "POST /$/_doc?refresh=true\n{" + CONTENT + ", \"@timestamp\": \"2026-01-01\"}",
                        "POST /$/_rollover\n"),
                of(
                        "others-image",
                        CONTENT,
                        put(
                                "$-a",
                                "{\"image_hash\": {\"field\": \"content\", \"target_field\": \"simhash\","
                                        + " \"ignore_missing\": true}}"),
                        index("", STRICT)),
                of(
                        "others-hash",
                        CONTENT,
                        put(
                                "$-a",
                                "{\"simhash\": {\"hash_field\": \"content\", \"hash_scheme\": \"a\","
                                        + " \"ignore_missing\": true}}"),
                        index("", STRICT)),
                of(
                        "others-condition",
                        CONTENT,
                        put("$-a", lenient.replace("{\"field", "{\"if\": \"ctx.title == 'x'\", \"field")),
                        index("", STRICT)),
                of(
                        "others-segments",
                        CONTENT,
                        put("$-a", lenient.replace("}}", ", \"segments\": 8}}")),
                        index("", "\"dynamic\": \"strict\", " + whole("").replace("{\"content", TITLE + "\"content"))),
                of(
                        "others-number",
                        body,
                        put("$-a", lenient),
                        index(
                                "",
                                "\"properties\": {\"content\": {\"type\": \"object\"}, \"body\": {\"type\": \"text\"}}")),
                of(
                        "copied-text",
                        "\"headline\": \"" + TEXT + "\"",
                        index(
                                "",
                                "\"properties\": {\"headline\": {\"type\": \"text\", \"copy_to\": \"body\"}, \"body\":"
                                        + " {\"type\": \"text\"}, \"title\": {\"type\": \"keyword\"}}")),
                of(
                        "without-hash",
                        CONTENT,
                        index(
                                "",
                                "\"dynamic\": \"strict\", "
                                        + without("hash").replace("{\"content", TITLE + "\"content"))),
                of(
                        "conditional",
                        CONTENT,
                        pipeline(WRITER.replace("{\"field", "{\"if\": \"ctx.content != null\", \"field")),
                        index(BY_DEFAULT, STRICT.replace("\"strict\"", "false"))));
    }

    /** Documents that are wrong in all ways that a request mends. */
    private static List<SpoiltIndex> documents(String tagged) {
        String stored = "PUT /$/_doc/ID?refresh=true&pipeline=_none\n{\"content\": \"x\", \"simhash\": {\"hash\":"
                + " \"1122334455667788\", \"bits\": 1234605616436508552, \"segment_0\": \"1122\", \"segment_1\": \"3344\","
                + " \"segment_2\": \"5566\", \"segment_3\": \"7788\", \"scheme\": \"other\"}}";
        return List.of(of(
                "documents",
                CONTENT,
                tagged,
                index(BY_DEFAULT, ""),
                stored.replace("ID", "rounded").replace("508552", "508700"),
                stored.replace("ID", "sliced").replace("3344\",", "ffff\","),
                stored.replace("ID", "of-nothing").replace("\"content\": \"x\", ", ""),
                "PUT /$/_doc/without?refresh=true&pipeline=_none\n{" + CONTENT + "}",
                "PUT /$/_doc/stale?refresh=true\n{" + CONTENT + "}",
                "POST /$/_bulk?refresh=true\n{\"update\": {\"_id\": \"stale\"}}\n{\"doc\": {\"content\": \"Bake the bread at"
                        + " 230 degrees for ten minutes, then turn the oven down to 200 degrees and wait.\"}}\n",
                "POST /$/_update/stale?refresh=true\n{\"script\": \"ctx._source.simhash.duplicate_of = 'gone'\"}",
                "DELETE /$/_doc/of-nothing?refresh=true\n"));
    }

    private static String alias() {
        return "POST /_aliases\n{\"actions\": [{\"add\": {\"index\": \"$-one\", \"alias\": \"$\"}}]}";
    }

    private static List<SpoiltIndex> mistakes(String set, String near, String body, String lenient) {
        return List.of(
                of("nothing", CONTENT, index("", "")),
                of("strict", CONTENT, index("", STRICT)),
                of("not-dynamic", CONTENT, index("", STRICT.replace("\"strict\"", "false"))),
                // Pipelines of others read other fields.
                of(
                        "others-pipeline",
                        body,
                        put("$-a", WRITER),
                        index("", "\"properties\": {\"body\": {\"type\": \"text\"}}")),
                // Pipelines of others do other things.
                of("others-drop", CONTENT, put("$-a", lenient + ", {\"drop\": {}}"), index("", STRICT)),
                // A pipeline has the name of the one that is missing.
                of(
                        "name-taken",
                        CONTENT,
                        put("fingerprint-$", set),
                        put("$-first", set),
                        index("\"index.default_pipeline\": \"$-first\"", STRICT)),
                of(
                        "both-taken",
                        CONTENT,
                        put("$-first", set),
                        put("$-last", set),
                        index("\"index.default_pipeline\": \"$-first\", \"index.final_pipeline\": \"$-last\"", STRICT)),
                of(
                        "late-writer",
                        CONTENT,
                        pipeline(near + ", {\"simhash\": {\"field\": \"content\", \"ignore_missing\": true}}"),
                        index(
                                BY_DEFAULT,
                                "\"dynamic\": \"strict\", "
                                        + whole("")
                                                .replace(
                                                        "\"simhash\"",
                                                        "\"title\": {\"type\": \"text\"}, \"simhash\""))),
                of(
                        "mistyped",
                        CONTENT,
                        pipeline("{\"simhash\": {\"field\": \"contend\", \"ignore_missing\": true}}, " + NEAR),
                        index(BY_DEFAULT, STRICT)),
                of(
                        "template-late",
                        CONTENT,
                        put("$-a", "{\"simhash\": {\"field\": \"headline\"}}"),
                        index("\"index.refresh_interval\": \"2h\"", STRICT),
                        "PUT /_index_template/$\n{\"index_patterns\": [\"$*\"], \"priority\": 777, \"template\":"
                                + " {\"settings\": {\"index.default_pipeline\": \"$-a\"}}}"),
                of(
                        "half-strict-tag",
                        CONTENT,
                        pipeline(
                                "{\"simhash\": {\"field\": \"content\", \"ignore_missing\": true}}, {\"near_duplicate\":"
                                        + " {\"target_field\": \"near\", \"verify\": {\"field\": \"contents\"}}}"),
                        index(
                                BY_DEFAULT,
                                "\"dynamic\": \"strict\", \"properties\": {\"content\": {\"type\": \"text\"}, \"title\":"
                                        + " {\"type\": \"text\"}, \"simhash\": {\"dynamic\": true, \"properties\":"
                                        + " {\"bits\": {\"type\": \"long\"}}}}")));
    }

    /** Follows what the answers of {@code check} say. */
    static final class Mending {

        private static final Pattern REQUEST = Pattern.compile("(GET|PUT|POST|DELETE) (\\S+)\\n?(.*)", Pattern.DOTALL);
        private static final int MOST_MENDS = 12;

        private final RestClient client;
        private final SpoiltIndex spoilt;
        private final String index;
        private int written;

        Mending(RestClient client, SpoiltIndex spoilt) {
            this.client = client;
            this.spoilt = spoilt;
            this.index = "check-" + spoilt.name();
        }

        void untilOk() {
            spoilt.requests().forEach(request -> send(request.replace("$", index)));
            write("after nothing");
            StringBuilder followed = new StringBuilder();
            for (int i = 0; i < MOST_MENDS; i++) {
                Answer answer = client.must("GET", "/_plugins/_simhash/check/" + index, null);
                if (answer.string("status").equals("ok")) {
                    assertTrue(answer.number("fingerprinted") >= 1, answer.text());
                    return;
                }
                String mend = answer.string("findings.0.mend");
                for (String request : mend.split("\n\n", -1)) {
                    followed.append(request).append('\n');
                    send(request);
                    write(request);
                }
            }
            throw new AssertionError("not ok after " + followed);
        }

        private void send(String text) {
            Matcher request = REQUEST.matcher(text);
            assertTrue(request.matches(), text);
            client.must(request.group(1), request.group(2), request.group(3).isBlank() ? null : request.group(3));
        }

        /** Texts without a near one, with one, and none. */
        private void write(String after) {
            written++;
            for (String source : List.of(
                    "{" + spoilt.document() + "}",
                    "{" + spoilt.document() + ", \"title\": \"number " + written + "\"}",
                    spoilt.document().contains("@timestamp")
                            ? "{\"title\": \"no other text\", \"@timestamp\": \"2026-01-01\"}"
                            : "{\"title\": \"no other text\"}")) {
                Answer answer = client.send("POST", "/" + index + "/_doc?refresh=true", source);
                assertEquals(201, answer.status(), after + "\n" + answer.text());
                assertEquals(
                        Map.of("_id", answer.string("_id")),
                        Map.of(
                                "_id",
                                client.must(
                                                "GET",
                                                "/" + answer.string("_index") + "/_doc/" + answer.string("_id"),
                                                null)
                                        .string("_id")));
            }
        }
    }
}
