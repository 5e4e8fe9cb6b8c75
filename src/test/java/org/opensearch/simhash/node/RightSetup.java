/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.opensearch.simhash.node.BrokenSetup.BY_DEFAULT;
import static org.opensearch.simhash.node.BrokenSetup.NEAR;
import static org.opensearch.simhash.node.BrokenSetup.TEXT;
import static org.opensearch.simhash.node.BrokenSetup.WRITER;
import static org.opensearch.simhash.node.BrokenSetup.index;
import static org.opensearch.simhash.node.BrokenSetup.pipeline;
import static org.opensearch.simhash.node.BrokenSetup.whole;

import java.util.List;

/**
 * A set-up as the documentation has it, of which nothing is wrong.
 *
 * @param name also that of its index, after {@code check-}
 * @param checked what is checked, where {@code $} is the index
 * @param field the fingerprint
 * @param requests that make it; {@code $} is the name of the index
 */
record RightSetup(String name, String checked, String field, List<String> requests) {

    /** A PNG of 16 by 16 pixels. */
    private static final String IMAGE =
            "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAABG0lEQVR42gEQAe/+AAAQIDBAUGBwgJCgsMDQ4PAABx"
                    + "cnN0dXZ3eHl6e3x9fn9wAOHi4+Tl5ufo6err7O3u7+ABUFNSVVRXVllYW1pdXF9eUAHAw8LFxMfGycjLys3Mz87AAj"
                    + "MwMTY3NDU6Ozg5Pj88PTACo6ChpqekpaqrqKmur6ytoAMSERAXFhUUGxoZGB8eHRwQA4KBgIeGhYSLiomIj46NjIAD"
                    + "8vHw9/b19Pv6+fj//v388ARlZmdgYWJjbG1ub2hpamtgBNXW19DR0tPc3d7f2Nna29AFREdGQUBDQk1MT05JSEtKQA"
                    + "W0t7axsLOyvby/vrm4u7qwBickJSIjICEuLywtKisoKSAGl5SVkpOQkZ6fnJ2am5iZmILn+BywxMYwAAAABJRU5Erk"
                    + "Jggg==";

    private static RightSetup in(String field, String name, String... requests) {
        return new RightSetup(name, "$", field, List.of(requests));
    }

    private static RightSetup of(String name, String... requests) {
        return in("simhash", name, requests);
    }

    private static String put(String id, String source) {
        return "PUT /$/_doc/" + id + "?refresh=true\n{" + source + "}";
    }

    private static String text(String more) {
        return "\"content\": \"" + TEXT + "\"" + more;
    }

    private static String named(String name, String processors) {
        return "PUT /_ingest/pipeline/" + name + "\n{\"processors\": [" + processors + "]}";
    }

    static List<RightSetup> all() {
        String element = "{\"foreach\": {\"field\": \"parts\", \"ignore_missing\": true, \"processor\": {\"simhash\":"
                + " {\"field\": \"_ingest._value.content\", \"target_field\": \"_ingest._value.print\"}}}}";
        String hashes =
                "{\"simhash\": {\"hash_field\": \"phash\", \"hash_scheme\": \"a\", \"target_field\": \"picture\"}}";
        String documents =
                "\"parts\": [{\"content\": \"" + TEXT + "\"}, {\"content\": \"" + TEXT.replace("March", "May") + "\"}]";
        return List.of(
                of(
                        "strict",
                        pipeline(WRITER),
                        index(BY_DEFAULT, "\"dynamic\": \"strict\", " + whole("")),
                        put("1", text(""))),
                of(
                        "not-dynamic",
                        pipeline(WRITER),
                        index(BY_DEFAULT, "\"dynamic\": false, " + whole("")),
                        put("1", text(""))),
                of("short-only", pipeline(WRITER), index(BY_DEFAULT, ""), put("1", "\"content\": \"short\"")),
                of(
                        "eight-segments",
                        pipeline("{\"simhash\": {\"field\": \"content\", \"segments\": 8}}"),
                        index(BY_DEFAULT, ""),
                        put("1", text(""))),
                of(
                        "missing-texts",
                        pipeline("{\"simhash\": {\"field\": \"content\", \"ignore_missing\": true}}, " + NEAR),
                        index(BY_DEFAULT, ""),
                        put("1", text("")),
                        put("2", "\"title\": \"no text\"")),
                of(
                        "several-fields",
                        pipeline("{\"simhash\": {\"fields\": [\"title^3\", \"content\"], \"ignore_missing\": true}}"),
                        index(BY_DEFAULT, ""),
                        put("1", text(", \"title\": \"Tram\"")),
                        put("2", text(""))),
                of(
                        "languages",
                        pipeline("{\"simhash\": {\"field\": \"content\", \"language_field\": \"lang\","
                                + " \"language_detection\": true, \"analyzers\": {\"de\": \"german\"}}}"),
                        index(BY_DEFAULT, ""),
                        put("1", text(", \"lang\": \"en\"")),
                        put("2", text(", \"lang\": \"zh-Hant\"")),
                        put("3", text(", \"lang\": null")),
                        put("4", text(""))),
                of(
                        "conditions",
                        pipeline("{\"simhash\": {\"if\": \"ctx.lang == 'en'\", \"field\": \"content\", \"analyzer\":"
                                + " \"english\"}}, {\"simhash\": {\"if\": \"ctx.lang == 'de'\", \"field\": \"content\","
                                + " \"analyzer\": \"german\"}}"),
                        index(BY_DEFAULT, whole("")),
                        put("1", text(", \"lang\": \"en\"")),
                        put("2", text(", \"lang\": \"de\"")),
                        put("3", text(", \"lang\": \"fr\""))),
                in(
                        "picture",
                        "hashes",
                        pipeline(hashes),
                        index(BY_DEFAULT, ""),
                        put("1", "\"phash\": \"1122334455667788\"")),
                in(
                        "picture",
                        "hashes-mapped",
                        pipeline(hashes),
                        index(
                                BY_DEFAULT,
                                "\"dynamic\": false, "
                                        + whole("")
                                                .replace("simhash", "picture")
                                                .replace("\"digest\": {\"type\": \"keyword\"},", "")),
                        put("1", "\"phash\": \"1122334455667788\"")),
                in(
                        "picture",
                        "images",
                        pipeline("{\"image_hash\": {\"field\": \"image\", \"target_field\": \"picture\"}}"),
                        index(BY_DEFAULT, "\"properties\": {\"image\": {\"type\": \"binary\"}}"),
                        put("1", "\"image\": \"" + IMAGE + "\"")),
                in(
                        "parts.print",
                        "nested",
                        pipeline(element),
                        index(BY_DEFAULT, "\"properties\": {\"parts\": {\"type\": \"nested\"}}"),
                        put("1", documents)),
                in(
                        "minhash",
                        "sketch-verified",
                        pipeline(BrokenSketchSetup.WRITER),
                        index(BY_DEFAULT, "\"dynamic\": \"strict\", " + BrokenSketchSetup.whole()),
                        put("1", text(""))),
                in(
                        "print",
                        "sketch-elsewhere",
                        pipeline("{\"minhash\": {\"field\": \"content\", \"target_field\": \"print\"}}"),
                        index(BY_DEFAULT, BrokenSketchSetup.whole().replace("minhash", "print")),
                        put("1", text(""))),
                in("parts.print", "elements", pipeline(element), index(BY_DEFAULT, ""), put("1", documents)),
                in(
                        "print",
                        "renamed",
                        pipeline("{\"simhash\": {\"field\": \"content\", \"target_field\": \"made\"}},"
                                + " {\"rename\": {\"field\": \"made\", \"target_field\": \"print\"}}"),
                        index(BY_DEFAULT, ""),
                        put("1", text(""))),
                of(
                        "called",
                        named("$-inner", WRITER),
                        pipeline("{\"pipeline\": {\"name\": \"$-inner\"}}, " + NEAR),
                        index(BY_DEFAULT, ""),
                        put("1", text(""))),
                of(
                        "final",
                        pipeline("{\"set\": {\"field\": \"seen\", \"value\": true}}"),
                        named("$-final", WRITER + ", " + NEAR),
                        index(BY_DEFAULT + ", \"index.final_pipeline\": \"$-final\"", ""),
                        put("1", text(""))),
                of(
                        "written-first",
                        pipeline(WRITER),
                        named("$-final", NEAR),
                        index(BY_DEFAULT + ", \"index.final_pipeline\": \"$-final\"", ""),
                        put("1", text(""))),
                of(
                        "verified",
                        pipeline(WRITER + ", {\"near_duplicate\": {\"verify\": {\"field\": \"content\"}}}"),
                        index(
                                BY_DEFAULT,
                                whole("").replace("{\"type\": \"text\"}", "{\"type\": \"text\", \"index\": false}")),
                        put("1", text(""))),
                new RightSetup(
                        "alias",
                        "$-filtered",
                        "simhash",
                        List.of(
                                pipeline(WRITER + ", {\"near_duplicate\": {\"index\": \"$-filtered\"}}"),
                                index(BY_DEFAULT, ""),
                                "POST /_aliases\n{\"actions\": [{\"add\": {\"index\": \"$\", \"alias\": \"$-filtered\","
                                        + " \"filter\": {\"exists\": {\"field\": \"content\"}}}}]}",
                                put("1", text("")))),
                of(
                        "stream",
                        pipeline(WRITER + ", " + NEAR),
                        "PUT /_index_template/$\n{\"index_patterns\": [\"$*\"], \"priority\": 800, \"data_stream\": {},"
                                + " \"template\": {\"settings\": {" + BY_DEFAULT + "}}}",
                        "PUT /_data_stream/$\n",
                        "POST /$/_doc?refresh=true\n{\"@timestamp\": \"2026-01-01T00:00:00Z\", " + text("") + "}"),
                in(
                        "simhash_new",
                        "two-recipes",
                        pipeline(WRITER + ", {\"simhash\": {\"field\": \"content\", \"max_shingle_size\": 3,"
                                + " \"target_field\": \"simhash_new\"}}"),
                        index(BY_DEFAULT, ""),
                        put("1", text(""))));
    }
}
