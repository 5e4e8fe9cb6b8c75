/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.List;

/**
 * A set-up in which near-duplicates are missed, or documents refused.
 *
 * @param name also that of its index, after {@code check-}
 * @param code of the finding that names it
 * @param requests that make it, each {@code METHOD path}, a line break, and a body or none
 * @param isMendable whether a request mends it; else words say what to do
 * @param field the fingerprint that is checked
 */
record BrokenSetup(String name, String code, List<String> requests, boolean isMendable, String field) {

    static final String TEXT =
            "The city council approved the new tram line on Monday. Construction starts in March and takes three years.";

    private static final String PARTS = """
            "hash": {"type": "keyword"}, "bits": {"type": "long", "index": false}, "digest": {"type": "keyword"},
            "features": {"type": "integer"}, "scheme": {"type": "keyword"}, "segment_0": {"type": "keyword"},
            "segment_1": {"type": "keyword"}, "segment_2": {"type": "keyword"}, "segment_3": {"type": "keyword"}""";

    private static final String WITHOUT_SEGMENTS = """
            "properties": {"content": {"type": "text"}, "simhash": {"properties": {
            "bits": {"type": "long", "index": false}, "digest": {"type": "keyword"}, "scheme": {"type": "keyword"}}}}""";

    static BrokenSetup of(String name, String code, String... requests) {
        return new BrokenSetup(name, code, List.of(requests), true, "simhash");
    }

    static BrokenSetup words(String name, String code, String... requests) {
        return new BrokenSetup(name, code, List.of(requests), false, "simhash");
    }

    /** The same of another fingerprint. */
    BrokenSetup in(String other) {
        return new BrokenSetup(name, code, requests, isMendable, other);
    }

    /** Makes an index; {@code $} is its name. */
    static String index(String settings, String mappings) {
        return "PUT /$\n{\"settings\": {" + settings + "}, \"mappings\": {" + mappings + "}}";
    }

    static String whole(String more) {
        return "\"properties\": {\"content\": {\"type\": \"text\"}, \"simhash\": {\"properties\": {" + PARTS + "}}}"
                + more;
    }

    static String with(String part, String definition) {
        return "\"properties\": {\"content\": {\"type\": \"text\"}, \"simhash\": {\"properties\": {"
                + PARTS.replaceFirst("\"" + part + "\": \\{[^}]*\\}", "\"" + part + "\": " + definition) + "}}}";
    }

    static String without(String part) {
        return whole("").replaceFirst("\"" + part + "\": \\{[^}]*\\},", "");
    }

    static String pipeline(String processors) {
        return "PUT /_ingest/pipeline/$\n{\"processors\": [" + processors + "]}";
    }

    static String document(String query) {
        return "PUT /$/_doc/1?refresh=true" + query + "\n{\"content\": \"" + TEXT + "\"}";
    }

    static final String BY_DEFAULT = "\"index.default_pipeline\": \"$\"";
    static final String WRITER = "{\"simhash\": {\"field\": \"content\"}}";
    static final String NEAR = "{\"near_duplicate\": {\"max_distance\": 3}}";

    /** A document as a JavaScript client writes it back. */
    private static String rounded(String hash, String bits) {
        return "PUT /$/_doc/1?refresh=true&pipeline=_none\n{\"content\": \"x\", \"simhash\": {\"hash\": \"" + hash
                + "\", \"bits\": " + bits + ", \"segment_0\": \"" + hash.substring(0, 4) + "\", \"segment_1\": \""
                + hash.substring(4, 8) + "\", \"segment_2\": \"" + hash.substring(8, 12) + "\", \"segment_3\": \""
                + hash.substring(12) + "\", \"digest\": \"00000000000000000000000000000000\", \"features\": 9,"
                + " \"scheme\": \"other\"}}";
    }

    static List<BrokenSetup> all() {
        List<BrokenSetup> all = new ArrayList<>();
        all.add(of(
                "no-mapping",
                "mapping_missing",
                index("", "\"properties\": {\"content\": {\"type\": \"text\"}}"),
                document("")));
        all.add(
                of(
                        "no-segments",
                        "segments_wrong",
                        pipeline(WRITER),
                        index(BY_DEFAULT, "\"dynamic\": false, " + WITHOUT_SEGMENTS),
                        document(""),
                        "PUT /$/_mapping\n{\"properties\": {\"simhash\": {\"properties\": {\"segment_0\": {\"type\": \"keyword\"}, \"segment_1\": {\"type\": \"keyword\"}, \"segment_2\": {\"type\": \"keyword\"}, \"segment_3\": {\"type\": \"keyword\"}}}}}"));
        all.add(of("bits-double", "mapping_wrong", index("", with("bits", "{\"type\": \"double\"}"))));
        all.add(of("bits-keyword", "mapping_wrong", index("", with("bits", "{\"type\": \"keyword\"}"))));
        all.add(of(
                "bits-no-doc-values",
                "mapping_wrong",
                index("", with("bits", "{\"type\": \"long\", \"doc_values\": false}"))));
        all.add(of("digest-text", "mapping_wrong", index("", with("digest", "{\"type\": \"text\"}"))));
        all.add(of(
                "digest-short",
                "mapping_wrong",
                index("", with("digest", "{\"type\": \"keyword\", \"ignore_above\": 10}"))));
        all.add(of(
                "scheme-unindexed",
                "mapping_wrong",
                index("", with("scheme", "{\"type\": \"keyword\", \"index\": false}"))));
        all.add(of("segment-text", "mapping_wrong", index("", with("segment_1", "{\"type\": \"text\"}"))));
        all.add(words(
                "object-text", "mapping_wrong", index("", "\"properties\": {\"simhash\": {\"type\": \"keyword\"}}")));
        all.add(of(
                "object-disabled",
                "mapping_wrong",
                index("", "\"properties\": {\"simhash\": {\"type\": \"object\", \"enabled\": false}}")));
        all.add(of(
                "root-not-dynamic",
                "mapping_not_dynamic",
                index("", "\"dynamic\": false, \"properties\": {\"content\": {\"type\": \"text\"}}"),
                document("")));
        all.add(of(
                "root-strict",
                "mapping_not_dynamic",
                index("", "\"dynamic\": \"strict\", \"properties\": {\"content\": {\"type\": \"text\"}}")));
        all.add(of(
                "object-not-dynamic",
                "mapping_not_dynamic",
                pipeline(WRITER),
                index(BY_DEFAULT, without("segment_2").replace("\"simhash\": {", "\"simhash\": {\"dynamic\": false, ")),
                document("")));
        all.add(of(
                "templates-only",
                "mapping_not_dynamic",
                index(
                        "",
                        "\"dynamic\": \"false_allow_templates\", \"properties\": {\"content\": {\"type\": \"text\"}}"),
                document("")));
        all.add(of("no-pipeline", "no_pipeline", pipeline(WRITER), index("", whole("")), document("")));
        all.add(of("no-pipeline-anywhere", "no_pipeline", index("", whole("")), document("")));
        all.add(of(
                "other-default-pipeline",
                "no_pipeline",
                pipeline("{\"set\": {\"field\": \"seen\", \"value\": true}}"),
                index(BY_DEFAULT, whole("")),
                document("")));
        all.add(of("pipeline-gone", "no_pipeline", index(BY_DEFAULT, whole(""))));
        all.add(of(
                "other-target",
                "no_pipeline",
                pipeline("{\"simhash\": {\"field\": \"content\", \"target_field\": \"print\"}}"),
                index(BY_DEFAULT, whole(""))));
        all.add(of("near-first", "processor_order", pipeline(NEAR + "," + WRITER), index(BY_DEFAULT, whole(""))));
        all.add(of(
                "near-other-field",
                "processor_order",
                pipeline("{\"simhash\": {\"field\": \"content\", \"target_field\": \"print\"}}," + NEAR),
                index(BY_DEFAULT, whole(""))));
        all.add(of(
                "reader-first",
                "processor_order",
                pipeline(
                        "{\"copy\": {\"source_field\": \"simhash.hash\", \"target_field\": \"seen\", \"ignore_missing\": true}},"
                                + WRITER),
                index(BY_DEFAULT, whole(""))));
        all.add(of(
                "template-reader-first",
                "processor_order",
                pipeline("{\"set\": {\"field\": \"seen\", \"value\": \"{{simhash.hash}}\"}}," + WRITER),
                index(BY_DEFAULT, whole(""))));
        all.add(of(
                "writer-in-final",
                "processor_order",
                pipeline(NEAR),
                "PUT /_ingest/pipeline/$-final\n{\"processors\": [" + WRITER + "]}",
                index(BY_DEFAULT + ", \"index.final_pipeline\": \"$-final\"", whole(""))));
        all.add(of(
                "near-calls-writer-late",
                "processor_order",
                "PUT /_ingest/pipeline/$-inner\n{\"processors\": [" + WRITER + "]}",
                pipeline(NEAR + ", {\"pipeline\": {\"name\": \"$-inner\"}}"),
                index(BY_DEFAULT, whole(""))));
        all.add(of(
                "some-without",
                "not_fingerprinted",
                pipeline(WRITER),
                index(BY_DEFAULT, whole("")),
                document("&pipeline=_none")));
        all.add(of(
                "half-migrated",
                "not_fingerprinted",
                pipeline(WRITER),
                index("", whole("")),
                document(""),
                "PUT /$/_settings\n{" + BY_DEFAULT + "}",
                document("").replace("_doc/1", "_doc/2")));
        all.add(of(
                "other-recipe",
                "other_scheme",
                pipeline(WRITER),
                index(BY_DEFAULT, whole("")),
                document(""),
                pipeline("{\"simhash\": {\"field\": \"content\", \"max_shingle_size\": 3}}")));
        all.add(of(
                "two-recipes",
                "other_scheme",
                pipeline(WRITER),
                "PUT /_ingest/pipeline/$-other\n{\"processors\": [{\"simhash\": {\"field\": \"content\", \"weighting\": \"tf\"}}]}",
                index(BY_DEFAULT, whole("")),
                document(""),
                document("&pipeline=$-other").replace("_doc/1", "_doc/2")));
        all.add(of(
                "rounded",
                "rounded_bits",
                pipeline(WRITER),
                index(BY_DEFAULT, whole("")),
                rounded("1122334455667788", "1234605616436508700")));
        all.add(of(
                "rounded-negative",
                "rounded_bits",
                pipeline(WRITER),
                index(BY_DEFAULT, whole("")),
                rounded("f122334455667788", "-1071218777564840100")));
        all.add(of(
                "rounded-exponent",
                "rounded_bits",
                pipeline(WRITER),
                index(BY_DEFAULT, whole("")),
                rounded("1122334455667788", "1.2346056164365087e18")));
        all.add(of(
                "wrong-segment",
                "segments_wrong",
                pipeline(WRITER),
                index(BY_DEFAULT, whole("")),
                rounded("1122334455667788", "1234605616436508552")
                        .replace("\"segment_1\": \"3344\"", "\"segment_1\": \"ffff\"")));
        all.add(of(
                "tag-refused",
                "strict_mapping",
                pipeline(WRITER + "," + NEAR),
                index(BY_DEFAULT, "\"dynamic\": \"strict\", " + whole(""))));
        all.add(of(
                "tag-lost",
                "strict_mapping",
                pipeline(WRITER + "," + NEAR),
                index(BY_DEFAULT, "\"dynamic\": false, " + whole(""))));
        all.add(of(
                "tag-elsewhere",
                "strict_mapping",
                pipeline(WRITER + ", {\"near_duplicate\": {\"target_field\": \"marks.near\"}}"),
                index(BY_DEFAULT, "\"dynamic\": \"strict\", " + whole(""))));
        all.add(of(
                "never-refreshed",
                "window_shorter_than_refresh",
                pipeline(WRITER + "," + NEAR),
                index(BY_DEFAULT + ", \"index.refresh_interval\": -1", whole(""))));
        all.add(of(
                "seldom-refreshed",
                "window_shorter_than_refresh",
                pipeline(WRITER + "," + NEAR),
                index(BY_DEFAULT + ", \"index.refresh_interval\": \"2h\"", whole(""))));
        all.add(words(
                "no-source",
                "source_incomplete",
                pipeline(WRITER),
                index(BY_DEFAULT, whole(", \"_source\": {\"enabled\": false}"))));
        all.add(words(
                "text-left-out",
                "source_incomplete",
                pipeline(WRITER),
                index(BY_DEFAULT, whole(", \"_source\": {\"excludes\": [\"content\"]}"))));
        all.add(words(
                "sorted",
                "sorted_by_bits",
                pipeline(WRITER),
                index(BY_DEFAULT + ", \"index.sort.field\": \"simhash.bits\"", whole(""))));
        all.add(of(
                "before-template",
                "template_not_used",
                pipeline(WRITER),
                index("", whole("")),
                "PUT /_index_template/$\n{\"index_patterns\": [\"$*\"], \"priority\": 700, \"template\": {\"settings\": {"
                        + BY_DEFAULT + "}}}"));
        all.add(of(
                "shadowed-template",
                "template_not_used",
                pipeline(WRITER),
                "PUT /_index_template/$\n{\"index_patterns\": [\"$*\"], \"priority\": 701, \"template\": {\"settings\": {"
                        + BY_DEFAULT + "}}}",
                "PUT /_index_template/$-above\n{\"index_patterns\": [\"$*\"], \"priority\": 702, \"template\": {}}",
                index("", whole(""))));
        all.add(
                of(
                        "stale",
                        "stale_fingerprint",
                        pipeline(WRITER),
                        index(BY_DEFAULT, whole("")),
                        document(""),
                        "POST /$/_bulk?refresh=true\n{\"update\": {\"_id\": \"1\"}}\n{\"doc\": {\"content\": \"Bake the bread at 230 degrees for ten minutes, then turn the oven down to 200 degrees.\"}}\n"));
        all.add(words(
                "language",
                "unknown_language",
                pipeline("{\"simhash\": {\"field\": \"content\", \"language_field\": \"lang\"}}"),
                index(BY_DEFAULT, whole("")),
                document("").replace("{\"content\"", "{\"lang\": \"german\", \"content\"")));
        all.add(of("closed", "not_searchable", pipeline(WRITER), index(BY_DEFAULT, whole("")), "POST /$/_close\n"));
        return all;
    }
}
