/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.opensearch.simhash.node.BrokenSetup.TEXT;
import static org.opensearch.simhash.node.BrokenSetup.document;
import static org.opensearch.simhash.node.BrokenSetup.index;
import static org.opensearch.simhash.node.BrokenSetup.pipeline;

import java.util.List;

/**
 * An index whose fingerprint is mapped wrong, and which is odd in other ways.
 *
 * @param name also that of the index, after {@code check-}
 * @param field of the fingerprint
 * @param copy the name of the copy; in place of it, what the words say that stand for one
 * @param requests that make it; {@code $} is the name of the index
 */
record OddIndex(String name, String field, String copy, List<String> requests) {

    private static final String WRONG = "\"simhash\": {\"properties\": {\"bits\": {\"type\": \"double\"}}}";
    private static final String ONE = "\"number_of_replicas\": 0";
    private static final String BODY = "\"content\": \"" + TEXT + "\"";

    private static OddIndex of(String name, String... requests) {
        return new OddIndex(name, "simhash", "$-remapped", List.of(requests));
    }

    private static String create(String settings, String mappings, String aliases) {
        return "PUT /$\n{\"settings\": {" + ONE + settings + "}, \"aliases\": {" + aliases + "}, \"mappings\": {"
                + mappings + "}}";
    }

    private static String properties(String more) {
        return "\"properties\": {\"content\": {\"type\": \"text\", \"analyzer\": \"english\"}, " + more + WRONG + "}";
    }

    private static String put(String id, String query, String more) {
        return "PUT /$/_doc/" + id + "?refresh=true" + query + "\n{" + BODY + more + "}";
    }

    private static final String WRITING = pipeline("{\"simhash\": {\"field\": \"content\"}}");
    private static final String BY_DEFAULT = ", \"index.default_pipeline\": \"$\"";

    static List<OddIndex> all() {
        return List.of(
                of(
                        "analysis",
                        WRITING,
                        create(
                                BY_DEFAULT
                                        + ", \"similarity\": {\"flat\": {\"type\": \"BM25\", \"b\": 0}}, \"analysis\": {\"char_filter\": {\"and\":"
                                        + " {\"type\": \"mapping\", \"mappings\": [\"& => and\"]}}, \"filter\": {\"same\": {\"type\": \"synonym\","
                                        + " \"synonyms\": [\"tram, streetcar\", \"a\\nb => c\"]}}, \"normalizer\": {\"low\": {\"type\": \"custom\","
                                        + " \"filter\": [\"lowercase\"]}}, \"analyzer\": {\"own\": {\"type\": \"custom\", \"tokenizer\": \"standard\","
                                        + " \"char_filter\": [\"and\"], \"filter\": [\"lowercase\", \"same\"]}}}",
                                properties(
                                        "\"title\": {\"type\": \"text\", \"analyzer\": \"own\", \"similarity\": \"flat\", \"fields\": {\"low\":"
                                                + " {\"type\": \"keyword\", \"normalizer\": \"low\", \"ignore_above\": 20}}},"),
                                ""),
                        put("1", "", ", \"title\": \"Tram & Bus\"")),
                of(
                        "routed",
                        WRITING,
                        create(
                                BY_DEFAULT
                                        + ", \"number_of_shards\": 3, \"index.routing_partition_size\": 2, \"index.number_of_routing_shards\": 6",
                                "\"_routing\": {\"required\": true}, " + properties(""),
                                ""),
                        put("1", "&routing=a", ""),
                        put("2", "&routing=b", "")),
                of(
                        "sorted",
                        WRITING,
                        create(
                                BY_DEFAULT
                                        + ", \"index.sort.field\": [\"day\", \"code\"], \"index.sort.order\": [\"desc\", \"asc\"], \"index.codec\":"
                                        + " \"best_compression\"",
                                properties(
                                        "\"day\": {\"type\": \"date\", \"format\": \"dd/MM/yyyy||epoch_second\"}, \"code\": {\"type\": \"keyword\"},"),
                                ""),
                        put("1", "", ", \"day\": \"07/02/2026\", \"code\": \"007\""),
                        put("2", "", ", \"day\": 1767225600, \"code\": \"12\"")),
                of(
                        "aliases",
                        WRITING,
                        create(
                                BY_DEFAULT,
                                properties("\"tenant\": {\"type\": \"keyword\"},"),
                                "\"$-all\": {\"is_write_index\": true}, \"$-one\": {\"filter\": {\"term\": {\"tenant\": \"a\"}}, \"index_routing\":"
                                        + " \"x\", \"search_routing\": \"x,y\"}, \"$-hidden\": {\"is_hidden\": true}"),
                        put("1", "", ", \"tenant\": \"a\"")),
                of(
                        "parents",
                        WRITING,
                        create(
                                BY_DEFAULT,
                                properties(
                                        "\"part\": {\"type\": \"join\", \"relations\": {\"page\": [\"note\", \"mark\"]}}, \"people\": {\"type\":"
                                                + " \"nested\", \"dynamic\": false, \"properties\": {\"name\": {\"type\": \"keyword\"}}},"),
                                ""),
                        put(
                                "1",
                                "",
                                ", \"part\": \"page\", \"people\": [{\"name\": \"Ann\", \"age\": 7}, {\"name\": \"Bo\"}]"),
                        put("2", "&routing=1", ", \"part\": {\"name\": \"note\", \"parent\": \"1\"}")),
                of(
                        "strict",
                        WRITING,
                        create(
                                BY_DEFAULT + ", \"index.mapping.total_fields.limit\": 40",
                                "\"dynamic\": \"strict_allow_templates\", \"date_detection\": false, \"_meta\": {\"owner\": \"press\"},"
                                        + " \"dynamic_templates\": [{\"counts\": {\"match\": \"n_*\", \"mapping\": {\"type\": \"short\"}}},"
                                        + " {\"segments\": {\"path_match\": \"simhash.*\", \"mapping\": {\"type\": \"keyword\"}}}], "
                                        + properties(""),
                                ""),
                        put("1", "", ", \"n_pages\": 7")),
                of(
                        "pipelines",
                        WRITING.replace(
                                "[", "[{\"set\": {\"field\": \"seen\", \"value\": \"{{_ingest.timestamp}}\"}}, "),
                        "PUT /_ingest/pipeline/$-last\n{\"processors\": [{\"append\": {\"field\": \"passes\", \"value\": \"x\"}}]}",
                        "PUT /_search/pipeline/$-shown\n{\"response_processors\": [{\"rename_field\": {\"field\": \"secret\","
                                + " \"target_field\": \"shown\"}}]}",
                        create(
                                BY_DEFAULT
                                        + ", \"index.final_pipeline\": \"$-last\", \"index.search.default_pipeline\": \"$-shown\"",
                                properties(""),
                                ""),
                        put("1", "", ", \"secret\": \"x\"")),
                of(
                        "types",
                        WRITING,
                        create(
                                BY_DEFAULT + ", \"index.mapping.ignore_malformed\": true",
                                "\"derived\": {\"words\": {\"type\": \"long\", \"script\": {\"source\":"
                                        + " \"emit(params._source['content'].length())\"}}}, "
                                        + properties(
                                                "\"place\": {\"type\": \"geo_point\"}, \"price\": {\"type\": \"scaled_float\", \"scaling_factor\": 100},"
                                                        + " \"net\": {\"type\": \"ip_range\"}, \"any\": {\"type\": \"flat_object\"}, \"raw\": {\"type\": \"object\","
                                                        + " \"enabled\": false}, \"state\": {\"type\": \"keyword\", \"null_value\": \"none\"}, \"all\": {\"type\": \"text\"},"
                                                        + " \"name\": {\"type\": \"keyword\", \"copy_to\": \"all\"}, \"called\": {\"type\": \"alias\", \"path\": \"name\"},"),
                                ""),
                        put(
                                "1",
                                "",
                                ", \"place\": \"41.12,-71.34\", \"price\": \"7.25\", \"net\": \"10.0.0.0/8\", \"any\": {\"a\": 1}, \"raw\": [1,"
                                        + " {\"b\": \"x\"}], \"state\": null, \"name\": \"007\"")),
                new OddIndex(
                        "rolled-000001",
                        "simhash",
                        "check-rolled-remapped-000001",
                        List.of(
                                WRITING,
                                create(
                                        BY_DEFAULT + ", \"index.hidden\": true",
                                        properties(""),
                                        "\"$-all\": {\"is_write_index\": true}"),
                                put("1", "", ""))),
                of(
                        "blocked",
                        WRITING,
                        create(
                                BY_DEFAULT + ", \"index.refresh_interval\": \"-1\", \"index.max_result_window\": 50",
                                properties(""),
                                ""),
                        put("1", "&version=77&version_type=external", ""),
                        "PUT /$/_settings\n{\"index.blocks.write\": true}"),
                new OddIndex(
                        "inner",
                        "meta.print",
                        "$-remapped",
                        List.of(
                                pipeline("{\"simhash\": {\"field\": \"content\", \"target_field\": \"meta.print\"}}"),
                                create(
                                        BY_DEFAULT,
                                        properties(
                                                "\"meta\": {\"dynamic\": \"strict\", \"properties\": {\"rank\": {\"type\": \"byte\"}, \"print\":"
                                                        + " {\"type\": \"object\", \"dynamic\": \"true\", \"properties\": {\"bits\": {\"type\": \"text\"}, \"note\":"
                                                        + " {\"type\": \"keyword\"}}}}},"),
                                        ""),
                                put("1", "", ", \"meta\": {\"rank\": 7, \"print\": {\"note\": \"own\"}}"))),
                new OddIndex(
                        "sketched",
                        "minhash",
                        "$-remapped",
                        List.of(
                                pipeline("{\"minhash\": {\"field\": \"content\"}}"),
                                create(BY_DEFAULT, "\"properties\": {\"content\": {\"type\": \"text\"}}", ""),
                                document(""))),
                new OddIndex(
                        "own",
                        "simhash",
                        "[simhash] is a field of the index's own: POST /_plugins/_simhash/setup/$ gives the fingerprint another"
                                + " [target_field].",
                        List.of(
                                index("", "\"properties\": {\"simhash\": {\"type\": \"keyword\"}}"),
                                "PUT /$/_doc/1?refresh=true\n{\"simhash\": \"abc\"}")),
                words(
                        "excluding",
                        "has [_source] {excludes=[secret]}",
                        create("", "\"_source\": {\"excludes\": [\"secret\"]}, " + properties(""), "")),
                words(
                        "appended",
                        "is append-only",
                        create(", \"index.append_only.enabled\": true", properties(""), "")),
                words(
                        "read-only",
                        "is read-only, so that its aliases cannot move",
                        create(", \"index.blocks.read_only\": true", properties(""), "\"$-all\": {}")),
                words(
                        "full-disk",
                        "is read-only, so that its aliases cannot move",
                        create(", \"index.blocks.read_only_allow_delete\": true", properties(""), "\"$-all\": {}")),
                words(
                        "stream",
                        "belongs to a data stream",
                        "PUT /_index_template/$\n{\"index_patterns\": [\"$\"], \"priority\": 900, \"data_stream\": {}, \"template\":"
                                + " {\"mappings\": {" + properties("") + "}}}",
                        "PUT /_data_stream/$\n"));
    }

    private static OddIndex words(String name, String obstacle, String... requests) {
        String words =
                "No copy can be like the index, which " + obstacle + ". Change that, or index the documents again, from"
                        + " where they came, into one that maps [simhash] as the plugin's config/index-template.json does.";
        return new OddIndex(name, "simhash", words, List.of(requests));
    }
}
