/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.opensearch.simhash.node.BrokenSetup.BY_DEFAULT;
import static org.opensearch.simhash.node.BrokenSetup.TEXT;
import static org.opensearch.simhash.node.BrokenSetup.document;
import static org.opensearch.simhash.node.BrokenSetup.index;
import static org.opensearch.simhash.node.BrokenSetup.pipeline;

import java.util.List;

/** Set-ups in which sketches are missed. */
final class BrokenSketchSetup {

    static final String WRITER = "{\"minhash\": {\"field\": \"content\"}}";

    private static final String READER = "{\"script\": {\"source\": \"ctx.seen = ctx.minhash?.scheme\"}}";

    private static final String PARTS = """
            "bands": {"type": "keyword", "doc_values": false}, "sketch": {"type": "binary", "doc_values": true},
            "digest": {"type": "keyword"}, "size": {"type": "integer"}, "scheme": {"type": "keyword"}""";

    private BrokenSketchSetup() {}

    static String whole() {
        return with("scheme", "{\"type\": \"keyword\"}");
    }

    private static String with(String part, String definition) {
        return "\"properties\": {\"content\": {\"type\": \"text\"}, \"minhash\": {\"properties\": {"
                + PARTS.replaceFirst("\"" + part + "\": \\{[^}]*\\}", "\"" + part + "\": " + definition) + "}}}";
    }

    private static String without(String part) {
        return whole().replaceFirst("\"" + part + "\": \\{[^}]*\\},", "");
    }

    private static BrokenSetup of(String name, String code, String... requests) {
        return new BrokenSetup("sketch-" + name, code, List.of(requests), true, "minhash");
    }

    private static String stored(String object) {
        return "PUT /$/_doc/1?refresh=true&pipeline=_none\n{\"content\": \"" + TEXT + "\", \"minhash\": {" + object
                + "}}";
    }

    static List<BrokenSetup> all() {
        String update = "POST /$/_bulk?refresh=true\n{\"update\": {\"_id\": \"1\"}}\n{\"doc\": {\"content\": \""
                + TEXT.replace("tram", "bus") + "\"}}\n";
        String other = "{\"minhash\": {\"field\": \"content\", \"permutations\": 64, \"bands\": 16}}";
        return List.of(
                of("no-mapping", "mapping_missing", pipeline(WRITER), index(BY_DEFAULT, "")),
                of("no-bands", "mapping_missing", index("", without("bands"))),
                of("dynamic", "mapping_wrong", pipeline(WRITER), index(BY_DEFAULT, ""), document("")),
                of("bands-text", "mapping_wrong", index("", with("bands", "{\"type\": \"text\"}"))),
                of("sketch-keyword", "mapping_wrong", index("", with("sketch", "{\"type\": \"keyword\"}"))),
                of("sketch-no-doc-values", "mapping_wrong", index("", with("sketch", "{\"type\": \"binary\"}"))),
                of("digest-text", "mapping_wrong", index("", with("digest", "{\"type\": \"text\"}"))),
                of(
                        "object-flat",
                        "mapping_wrong",
                        index("", "\"properties\": {\"minhash\": {\"type\": \"flat_object\"}}")),
                of(
                        "not-dynamic",
                        "mapping_not_dynamic",
                        index("", "\"dynamic\": false, \"properties\": {\"content\": {\"type\": \"text\"}}")),
                of("no-pipeline", "no_pipeline", index("", whole()), document("")),
                of(
                        "only-simhash",
                        "no_pipeline",
                        pipeline(BrokenSetup.WRITER),
                        index(BY_DEFAULT, whole()),
                        document("")),
                of("order", "processor_order", pipeline(READER + ", " + WRITER), index(BY_DEFAULT, whole())),
                of(
                        "not-sketched",
                        "not_fingerprinted",
                        pipeline(WRITER),
                        index(BY_DEFAULT, whole()),
                        document("&pipeline=_none")),
                of(
                        "other-scheme",
                        "other_scheme",
                        pipeline(other),
                        index(BY_DEFAULT, whole()),
                        document(""),
                        pipeline(WRITER)),
                of("stale", "stale_fingerprint", pipeline(WRITER), index(BY_DEFAULT, whole()), document(""), update),
                of(
                        "bands-of-another",
                        "bands_wrong",
                        pipeline(WRITER),
                        index(BY_DEFAULT, whole()),
                        stored("\"sketch\": \"AAAACQECAwQ=\", \"bands\": [\"004321\"], \"scheme\": \"x\"")),
                of(
                        "bands-missing",
                        "bands_wrong",
                        pipeline(WRITER),
                        index(BY_DEFAULT, whole()),
                        stored("\"sketch\": \"AAAACQECAwQ=\", \"scheme\": \"x\"")),
                new BrokenSetup(
                        "sketch-source",
                        "source_incomplete",
                        List.of(
                                pipeline(WRITER),
                                index(BY_DEFAULT, "\"_source\": {\"excludes\": [\"content\"]}, " + whole()),
                                document("")),
                        false,
                        "minhash"),
                of(
                        "template",
                        "template_not_used",
                        pipeline(WRITER),
                        index("", whole()),
                        "PUT /_index_template/$\n{\"index_patterns\": [\"$*\"], \"priority\": 800, \"template\":"
                                + " {\"settings\": {" + BY_DEFAULT + "}}}"));
    }
}
