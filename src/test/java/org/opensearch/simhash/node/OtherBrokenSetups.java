/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.opensearch.simhash.node.BrokenSetup.BY_DEFAULT;
import static org.opensearch.simhash.node.BrokenSetup.NEAR;
import static org.opensearch.simhash.node.BrokenSetup.TEXT;
import static org.opensearch.simhash.node.BrokenSetup.WRITER;
import static org.opensearch.simhash.node.BrokenSetup.document;
import static org.opensearch.simhash.node.BrokenSetup.index;
import static org.opensearch.simhash.node.BrokenSetup.pipeline;
import static org.opensearch.simhash.node.BrokenSetup.whole;
import static org.opensearch.simhash.node.BrokenSetup.with;
import static org.opensearch.simhash.node.BrokenSetup.without;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** More of them: other fields, other places of a fingerprint, other ways to a pipeline. */
final class OtherBrokenSetups {

    private static final String RIGHT = "\"hash\": \"1122334455667788\", \"bits\": 1234605616436508552";
    private static final String ROUNDED = "\"hash\": \"1122334455667788\", \"bits\": 1234605616436508700";
    private static final String SEGMENTS =
            ", \"segment_0\": \"1122\", \"segment_1\": \"3344\", \"segment_2\": \"5566\","
                    + " \"segment_3\": \"7788\", \"scheme\": \"other\"";

    private OtherBrokenSetups() {}

    private static String named(String name, String processors) {
        return "PUT /_ingest/pipeline/" + name + "\n{\"processors\": [" + processors + "]}";
    }

    /** A document that no pipeline sees. */
    private static String stored(String id, String source) {
        return "PUT /$/_doc/" + id + "?refresh=true&pipeline=_none\n{" + source + "}";
    }

    private static String through(String id, String source) {
        return "PUT /$/_doc/" + id + "?refresh=true\n{" + source + "}";
    }

    private static String content(String more) {
        return "\"content\": \"" + TEXT + "\"" + more;
    }

    static List<BrokenSetup> all() {
        List<BrokenSetup> all = new ArrayList<>(ofMappings());
        all.addAll(ofPipelines());
        all.addAll(ofDocuments());
        all.addAll(ofEvidence());
        return all;
    }

    private static List<BrokenSetup> ofMappings() {
        return List.of(
                BrokenSetup.of("bits-integer", "mapping_wrong", index("", with("bits", "{\"type\": \"integer\"}"))),
                BrokenSetup.of("scheme-text", "mapping_wrong", index("", with("scheme", "{\"type\": \"text\"}"))),
                BrokenSetup.of(
                        "object-flat",
                        "mapping_wrong",
                        index("", "\"properties\": {\"simhash\": {\"type\": \"flat_object\"}}")),
                BrokenSetup.of(
                        "object-strict",
                        "mapping_not_dynamic",
                        index(
                                "",
                                without("segment_1")
                                        .replace("\"simhash\": {", "\"simhash\": {\"dynamic\": \"strict\", "))),
                BrokenSetup.of(
                        "more-segments",
                        "mapping_not_dynamic",
                        pipeline("{\"simhash\": {\"field\": \"content\", \"segments\": 8}}"),
                        index(BY_DEFAULT, whole("").replace("\"simhash\": {", "\"simhash\": {\"dynamic\": false, ")),
                        document("")),
                BrokenSetup.of(
                        "strict-without-hash",
                        "mapping_not_dynamic",
                        pipeline(WRITER),
                        index(BY_DEFAULT, "\"dynamic\": \"strict\", " + without("hash"))),
                BrokenSetup.of(
                        "strict-without-features",
                        "mapping_not_dynamic",
                        pipeline(WRITER),
                        index(BY_DEFAULT, "\"dynamic\": \"strict_allow_templates\", " + without("features"))),
                BrokenSetup.of(
                        "strict-other-writer",
                        "strict_mapping",
                        pipeline(WRITER + ", {\"minhash\": {\"field\": \"content\"}}"),
                        index(BY_DEFAULT, "\"dynamic\": \"strict\", " + whole(""))),
                BrokenSetup.of(
                        "tag-strict-templates",
                        "strict_mapping",
                        pipeline(WRITER + "," + NEAR),
                        index(BY_DEFAULT, "\"dynamic\": \"strict_allow_templates\", " + whole(""))),
                BrokenSetup.of(
                        "legacy-template",
                        "template_not_used",
                        pipeline(WRITER),
                        index("", whole("")),
                        "PUT /_template/$\n{\"index_patterns\": [\"$*\"], \"settings\": {" + BY_DEFAULT + "}}"),
                BrokenSetup.of(
                        "refreshed-behind-window",
                        "window_shorter_than_refresh",
                        pipeline(WRITER + "," + NEAR),
                        index(BY_DEFAULT + ", \"index.refresh_interval\": \"90s\"", whole(""))),
                BrokenSetup.of(
                        "reads-blocked",
                        "not_searchable",
                        pipeline(WRITER),
                        index(BY_DEFAULT + ", \"index.blocks.read\": true", whole(""))));
    }

    private static List<BrokenSetup> ofPipelines() {
        String lenient = "{\"simhash\": {\"field\": \"content\", \"ignore_missing\": true}}";
        return List.of(
                // A text pipeline would replace them, and take them from documents without a text.
                BrokenSetup.words(
                        "given-without-pipeline",
                        "no_pipeline",
                        named("$-a", lenient),
                        index("", whole("")),
                        stored("1", content(", \"simhash\": {" + RIGHT + SEGMENTS.replace("other", "given-a") + "}"))),
                BrokenSetup.words(
                        "nameless-without-pipeline",
                        "no_pipeline",
                        named("$-a", lenient),
                        index("", whole("")),
                        stored("1", content(", \"simhash\": {" + RIGHT + SEGMENTS.replace("scheme", "source") + "}"))),
                BrokenSetup.words(
                        "others-without-pipeline",
                        "no_pipeline",
                        named("$-a", lenient),
                        index("", whole("")),
                        stored("1", content(", \"simhash\": {" + RIGHT + SEGMENTS + "}"))),
                BrokenSetup.words(
                        "given-pipeline-gone",
                        "no_pipeline",
                        index(BY_DEFAULT, whole("")),
                        stored("1", content(", \"simhash\": {" + RIGHT + SEGMENTS.replace("other", "given-a") + "}"))),
                BrokenSetup.words(
                        "given-beside-texts",
                        "other_scheme",
                        pipeline(lenient),
                        index(BY_DEFAULT, whole("")),
                        stored("1", content(", \"simhash\": {" + RIGHT + SEGMENTS.replace("other", "given-a") + "}"))),
                BrokenSetup.of("final-gone", "no_pipeline", index("\"index.final_pipeline\": \"$\"", whole(""))),
                BrokenSetup.of(
                        "both-pipelines-taken",
                        "no_pipeline",
                        pipeline("{\"set\": {\"field\": \"seen\", \"value\": true}}"),
                        named("$-final", "{\"set\": {\"field\": \"last\", \"value\": true}}"),
                        index(BY_DEFAULT + ", \"index.final_pipeline\": \"$-final\"", whole("")),
                        document("")),
                BrokenSetup.of(
                        "near-in-called-first",
                        "processor_order",
                        named("$-near", NEAR),
                        pipeline("{\"pipeline\": {\"name\": \"$-near\"}}, " + WRITER),
                        index(BY_DEFAULT, whole(""))),
                BrokenSetup.of(
                        "near-other-field-final",
                        "processor_order",
                        pipeline("{\"simhash\": {\"field\": \"content\", \"target_field\": \"print\"}}"),
                        named("$-final", NEAR),
                        index(BY_DEFAULT + ", \"index.final_pipeline\": \"$-final\"", whole(""))),
                BrokenSetup.of(
                        "script-reader-first",
                        "processor_order",
                        pipeline("{\"script\": {\"source\": \"ctx.seen = ctx.simhash?.hash\"}}, " + WRITER),
                        index(BY_DEFAULT, whole(""))),
                BrokenSetup.of(
                                "near-before-hash",
                                "processor_order",
                                pipeline("{\"near_duplicate\": {\"field\": \"picture\"}},"
                                        + " {\"simhash\": {\"hash_field\": \"phash\", \"hash_scheme\": \"a\","
                                        + " \"target_field\": \"picture\"}}"),
                                index(BY_DEFAULT, ""))
                        .in("picture"),
                BrokenSetup.of(
                        "verifies-nothing",
                        "verify_field",
                        pipeline(WRITER + ", {\"near_duplicate\": {\"verify\": {\"field\": \"contents\"}}}"),
                        index(BY_DEFAULT, whole("")),
                        document("")));
    }

    private static List<BrokenSetup> ofEvidence() {
        String tag = "\"near_duplicate\": {\"properties\": {\"index\": {\"type\": \"keyword\"}, \"id\": {\"type\":"
                + " \"keyword\"}, \"distance\": {\"type\": \"integer\"}, \"similarity\": {\"type\": \"float\"}}}, ";
        String lenient = "\"ignore_missing\": true";
        String hashes = IntStream.range(0, 40)
                .mapToObj(i -> String.format(Locale.ROOT, "{\"index\": {}}\n{\"phash\": \"%08x\"}\n", 0x9E3779B9 * i))
                .collect(Collectors.joining());
        return List.of(
                BrokenSetup.of(
                        "field-mistyped",
                        "field_missing",
                        pipeline("{\"simhash\": {\"field\": \"contnet\", " + lenient + "}}"),
                        index(BY_DEFAULT, whole("")),
                        document("")),
                BrokenSetup.of(
                        "field-elsewhere",
                        "field_missing",
                        pipeline("{\"simhash\": {\"field\": \"body\", " + lenient + "}}"),
                        index(BY_DEFAULT, "\"dynamic\": false, " + whole("")),
                        document("")),
                BrokenSetup.words(
                        "one-field-missing",
                        "field_missing",
                        pipeline("{\"simhash\": {\"fields\": [\"content\", \"titel\"]}}"),
                        index(BY_DEFAULT, whole("")),
                        document("")),
                BrokenSetup.of(
                        "dangling",
                        "dangling_tag",
                        pipeline(WRITER),
                        index(BY_DEFAULT, whole("")),
                        through("1", content("")),
                        through("2", content("")),
                        through("3", content("")),
                        "POST /_plugins/_simhash/deduplicate/$\n{\"action\": \"tag\"}",
                        "DELETE /$/_doc/1?refresh=true\n"),
                BrokenSetup.of(
                        "dangling-at-ingest",
                        "dangling_tag",
                        pipeline(WRITER + ", {\"near_duplicate\": {\"target_field\": \"near.one\"}}"),
                        index(BY_DEFAULT, whole("")),
                        through("1", content("")),
                        through("2", content("")),
                        through("3", content("")),
                        "DELETE /$/_doc/1?refresh=true\n"),
                BrokenSetup.words(
                                "constant",
                                "constant_bits",
                                pipeline("{\"simhash\": {\"hash_field\": \"phash\", \"hash_scheme\": \"a\","
                                        + " \"target_field\": \"picture\"}}"),
                                index(BY_DEFAULT, ""),
                                "POST /$/_bulk?refresh=true\n" + hashes)
                        .in("picture"),
                BrokenSetup.of(
                        "archive-compared",
                        "archive",
                        pipeline(WRITER + ", {\"near_duplicate\": {\"index\": \"$*\"}}"),
                        index(BY_DEFAULT, whole("")),
                        "PUT /$-kept\n{\"mappings\": {\"dynamic\": false, \"properties\": {\"simhash_archive\":"
                                + " {\"properties\": {\"run\": {\"type\": \"keyword\"}}}}}}"),
                BrokenSetup.of(
                        "tag-without-pending",
                        "strict_mapping",
                        pipeline(WRITER + "," + NEAR),
                        index(
                                BY_DEFAULT,
                                "\"dynamic\": \"strict\", "
                                        + whole("")
                                                .replace(
                                                        "\"properties\": {\"content\"",
                                                        "\"properties\": {" + tag + "\"content\""))),
                BrokenSetup.words(
                        "tag-is-text",
                        "strict_mapping",
                        pipeline(WRITER + "," + NEAR),
                        index(
                                BY_DEFAULT,
                                whole("")
                                        .replace(
                                                "\"properties\": {\"content\"",
                                                "\"properties\": {\"near_duplicate\": {\"type\": \"keyword\"}, \"content\""))));
    }

    private static List<BrokenSetup> ofDocuments() {
        String hashes =
                "{\"simhash\": {\"hash_field\": \"phash\", \"hash_scheme\": \"$\", \"target_field\": \"picture\"}}";
        return List.of(
                BrokenSetup.of(
                                "rounded-elsewhere",
                                "rounded_bits",
                                pipeline("{\"simhash\": {\"field\": \"content\", \"target_field\": \"deep.print\"}}"),
                                index(BY_DEFAULT, ""),
                                stored("1", "\"deep\": {\"print\": {" + ROUNDED + SEGMENTS + "}}"))
                        .in("deep.print"),
                BrokenSetup.of(
                        "rounded-with-dots",
                        "rounded_bits",
                        pipeline(WRITER),
                        index(BY_DEFAULT, whole("")),
                        stored(
                                "1",
                                ("{" + ROUNDED + SEGMENTS + "}")
                                        .replaceAll("\"(hash|bits|segment_.|scheme)\":", "\"simhash.$1\":")
                                        .replaceAll("[{}]", ""))),
                BrokenSetup.of(
                        "rounded-in-array",
                        "rounded_bits",
                        pipeline(WRITER),
                        index(BY_DEFAULT, whole("")),
                        stored("1", "\"simhash\": [{" + RIGHT + SEGMENTS + "}, {" + ROUNDED + SEGMENTS + "}]")),
                BrokenSetup.of(
                                "rounded-nested",
                                "rounded_bits",
                                pipeline(
                                        "{\"foreach\": {\"field\": \"parts\", \"processor\": {\"simhash\": {\"field\":"
                                                + " \"_ingest._value.content\", \"target_field\": \"_ingest._value.print\"}}}}"),
                                index(BY_DEFAULT, "\"properties\": {\"parts\": {\"type\": \"nested\"}}"),
                                stored("1", "\"parts\": [{\"print\": {" + ROUNDED + SEGMENTS + "}}]"))
                        .in("parts.print"),
                BrokenSetup.of(
                                "other-hash-scheme",
                                "other_scheme",
                                pipeline(hashes.replace("$", "a")),
                                index(BY_DEFAULT, ""),
                                through("1", "\"phash\": \"1122334455667788\""),
                                pipeline(hashes.replace("$", "b")))
                        .in("picture"),
                BrokenSetup.of(
                                "hashes-without",
                                "not_fingerprinted",
                                pipeline(hashes.replace("$", "a")),
                                index(BY_DEFAULT, ""),
                                stored("1", "\"phash\": \"1122334455667788\""))
                        .in("picture"),
                BrokenSetup.of(
                        "unindexed-text-without",
                        "not_fingerprinted",
                        pipeline(WRITER),
                        index(
                                BY_DEFAULT,
                                whole("")
                                        .replace("{\"type\": \"text\"}", "{\"type\": \"object\", \"enabled\": false}")),
                        stored("1", content(""))),
                BrokenSetup.of(
                                "renamed-without",
                                "not_fingerprinted",
                                pipeline("{\"simhash\": {\"field\": \"content\", \"target_field\": \"made\"}},"
                                        + " {\"rename\": {\"field\": \"made\", \"target_field\": \"print\"}}"),
                                index(BY_DEFAULT, ""),
                                stored("1", content("")))
                        .in("print"),
                BrokenSetup.of(
                        "conditional-without",
                        "not_fingerprinted",
                        pipeline("{\"simhash\": {\"if\": \"ctx.lang == 'en'\", \"field\": \"content\"}}"),
                        index(BY_DEFAULT, whole("")),
                        stored("1", content(", \"lang\": \"en\"")),
                        through("2", content(", \"lang\": \"de\""))),
                BrokenSetup.of(
                        "stale-title",
                        "stale_fingerprint",
                        pipeline("{\"simhash\": {\"fields\": [\"title^3\", \"content\"]}}"),
                        index(BY_DEFAULT, whole("")),
                        through("1", content(", \"title\": \"Tram line\"")),
                        "POST /$/_bulk?refresh=true\n{\"update\": {\"_id\": \"1\"}}\n{\"doc\": {\"title\": \"Another line\"}}\n"));
    }
}
