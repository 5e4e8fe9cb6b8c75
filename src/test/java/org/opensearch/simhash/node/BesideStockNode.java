/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What installing the plugin changes for requests that do not use it: nothing. Some hundred of them go to a node with it and to one
 * without it, and have the same answers.
 */
class BesideStockNode {

    /** What tells a time, a node or a random name. */
    private static final Set<String> OF_THE_MOMENT = Set.of(
            "took",
            "ingest_took",
            "_node",
            "node",
            "_scroll_id",
            "pit_id",
            "id",
            "creation_time",
            "creation_date",
            "uuid",
            "index_uuid",
            "timestamp",
            "took_millis");

    /** The name of an index' files, and a hash code of Java. */
    private static final Pattern RANDOM = Pattern.compile("/[\\w-]{22}\\]|@[0-9a-f]+");

    private static final List<String> WORDS =
            List.of("tram", "bridge", "council", "harbour", "bread", "oven", "winter", "road", "station", "quay");

    private static final List<String> QUERIES = List.of(
            "{\"match_all\":{}}",
            "{\"match\":{\"text\":\"tram bridge\"}}",
            "{\"match\":{\"text\":{\"query\":\"tram bridge\",\"operator\":\"and\"}}}",
            "{\"match_phrase\":{\"text\":\"tram bridge\"}}",
            "{\"multi_match\":{\"query\":\"oven\",\"fields\":[\"text\",\"tag\"]}}",
            "{\"query_string\":{\"query\":\"text:road OR tag:even\"}}",
            "{\"simple_query_string\":{\"query\":\"road +winter\"}}",
            "{\"term\":{\"tag\":\"even\"}}",
            "{\"terms\":{\"number\":[1,5,7]}}",
            "{\"range\":{\"number\":{\"gte\":3,\"lt\":9}}}",
            "{\"range\":{\"day\":{\"gte\":\"2026-01-05\"}}}",
            "{\"prefix\":{\"text\":\"har\"}}",
            "{\"wildcard\":{\"text\":\"b*d*\"}}",
            "{\"fuzzy\":{\"text\":\"brigde\"}}",
            "{\"regexp\":{\"text\":\"t.am\"}}",
            "{\"exists\":{\"field\":\"day\"}}",
            "{\"ids\":{\"values\":[\"1\",\"3\"]}}",
            "{\"bool\":{\"must\":[{\"match\":{\"text\":\"quay\"}}],\"must_not\":[{\"term\":{\"tag\":\"odd\"}}]}}",
            "{\"constant_score\":{\"filter\":{\"term\":{\"tag\":\"odd\"}}}}",
            "{\"function_score\":{\"query\":{\"match_all\":{}},\"field_value_factor\":{\"field\":\"number\"}}}",
            "{\"dis_max\":{\"queries\":[{\"match\":{\"text\":\"tram\"}},{\"match\":{\"text\":\"oven\"}}]}}",
            "{\"nested\":{\"path\":\"parts\",\"query\":{\"term\":{\"parts.name\":\"p1\"}}}}",
            "{\"more_like_this\":{\"fields\":[\"text\"],\"like\":\"tram bridge oven\",\"min_term_freq\":1,"
                    + "\"min_doc_freq\":1}}",
            "{\"script\":{\"script\":\"doc['number'].value > 4\"}}",
            "{\"wrapper\":{\"query\":\"eyJtYXRjaF9hbGwiOnt9fQ==\"}}",
            "{\"no_such_query\":{}}",
            "{\"match\":{\"text\":{\"no_such_option\":1}}}",
            "{\"range\":{\"number\":{\"gte\":\"x\"}}}");

    private static final List<String> OPTIONS = List.of(
            "",
            ",\"size\":2,\"from\":1,\"track_total_hits\":false",
            ",\"sort\":[{\"number\":\"desc\"},\"_doc\"],\"_source\":[\"tag\"]",
            ",\"aggs\":{\"tags\":{\"terms\":{\"field\":\"tag\"},\"aggs\":{\"most\":{\"max\":{\"field\":\"number\"}}}}}",
            ",\"highlight\":{\"fields\":{\"text\":{}}},\"explain\":true,\"version\":true",
            ",\"collapse\":{\"field\":\"tag\"},\"fields\":[\"number\"],\"docvalue_fields\":[\"day\"]",
            ",\"rescore\":{\"window_size\":5,\"query\":{\"rescore_query\":{\"match\":{\"text\":\"tram\"}}}}",
            ",\"post_filter\":{\"term\":{\"tag\":\"even\"}},\"min_score\":0.1,\"profile\":false",
            ",\"no_such_option\":1");

    private record Sent(String method, String path, String body) {}

    private final List<Sent> requests = new ArrayList<>();

    private void send(String method, String path, String body) {
        requests.add(new Sent(method, path, body));
    }

    private static String document(int i) {
        return String.format(
                Locale.ROOT,
                "{\"text\":\"%s %s %s\",\"tag\":\"%s\",\"number\":%d,\"day\":\"2026-01-%02d\",\"parts\":[{\"name\":\"p%d\"}]}",
                WORDS.get(i % 10),
                WORDS.get((i * 3 + 1) % 10),
                WORDS.get((i * 7 + 2) % 10),
                i % 2 == 0 ? "even" : "odd",
                i,
                i + 1,
                i % 3);
    }

    private void setUp() {
        send(
                "PUT",
                "/stock",
                // No merge or refresh of its own: numbers of Lucene's documents and scores depend on them.
                "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0,\"refresh_interval\":\"-1\","
                        + "\"merge.policy.segments_per_tier\":100,\"merge.policy.deletes_pct_allowed\":50},\"mappings\":{\"properties\":{"
                        + "\"text\":{\"type\":\"text\"},\"tag\":{\"type\":\"keyword\"},\"number\":{\"type\":\"integer\"},"
                        + "\"day\":{\"type\":\"date\"},\"parts\":{\"type\":\"nested\",\"properties\":{\"name\":"
                        + "{\"type\":\"keyword\"}}}}}}");
        send("PUT", "/stock", "{}");
        send("PUT", "/_ingest/pipeline/sets", "{\"processors\":[{\"set\":{\"field\":\"set\",\"value\":1}}]}");
        send(
                "PUT",
                "/_ingest/pipeline/drops",
                "{\"processors\":[{\"drop\":{\"if\":\"ctx.number % 3 == 0\"}},{\"uppercase\":{\"field\":\"tag\"}}]}");
        send(
                "PUT",
                "/_ingest/pipeline/fails",
                "{\"processors\":[{\"fail\":{\"if\":\"ctx.number % 3 == 0\",\"message\":\"no {{number}}\"}}]}");
        send("PUT", "/_ingest/pipeline/wrong", "{\"processors\":[{\"no_such_processor\":{}}]}");
        send("GET", "/_ingest/pipeline/sets", null);
        send(
                "PUT",
                "/_search/pipeline/renames",
                "{\"response_processors\":[{\"rename_field\":{\"field\":\"tag\",\"target_field\":\"label\"}}]}");
        send("PUT", "/_index_template/streams", "{\"index_patterns\":[\"stream*\"],\"data_stream\":{}}");
        send("PUT", "/_cluster/settings", "{\"transient\":{\"action.destructive_requires_name\":\"false\"}}");
    }

    private void write() {
        for (int i = 0; i < 12; i++) {
            send("PUT", "/stock/_doc/" + i + "?refresh=true", document(i));
        }
        send("PUT", "/stock/_create/1", document(1));
        send("PUT", "/stock/_doc/1?if_seq_no=99&if_primary_term=1", document(1));
        send("PUT", "/stock/_doc/x", "{\"number\":\"no number\"}");
        send("PUT", "/stock/_doc/x", "no JSON");
        for (String pipeline : List.of("", "?pipeline=sets", "?pipeline=drops", "?pipeline=fails", "?pipeline=none")) {
            StringBuilder bulk = new StringBuilder();
            for (int i = 20; i < 32; i++) {
                String operation =
                        List.of("index", "create", "update", "delete").get(i % 4);
                bulk.append("{\"" + operation + "\":{\"_index\":\"stock\",\"_id\":\"" + i % 9 + "\"}}\n");
                if (operation.equals("update")) {
                    bulk.append("{\"doc\":{\"number\":" + i + "},\"doc_as_upsert\":true}\n");
                } else if (operation.equals("delete") == false) {
                    bulk.append(document(i % 12) + "\n");
                }
            }
            send("POST", "/_bulk" + pipeline + (pipeline.isEmpty() ? "?" : "&") + "refresh=true", bulk.toString());
            send("GET", "/stock/_search?size=50&sort=_id", null);
        }
        send("POST", "/_bulk", "{\"index\":{}}\n{}\n");
        send("POST", "/_bulk", "{\"no_such\":{}}\n");
        send("POST", "/stock/_update/1", "{\"doc\":{\"tag\":\"odd\"}}");
        send("POST", "/stock/_update/1", "{\"doc\":{\"tag\":\"odd\"}}");
        send("POST", "/stock/_update/1", "{\"script\":\"ctx._source.number += 100\"}");
        send("POST", "/stock/_update/none", "{\"doc\":{}}");
        send("POST", "/stock/_update/up", "{\"doc\":{\"tag\":\"odd\"},\"doc_as_upsert\":true}");
        send("DELETE", "/stock/_doc/up", null);
        send("DELETE", "/stock/_doc/up", null);
        send("POST", "/stock/_update_by_query?refresh=true&pipeline=sets", "{\"query\":{\"term\":{\"tag\":\"even\"}}}");
        send("POST", "/stock/_delete_by_query?refresh=true", "{\"query\":{\"term\":{\"number\":5}}}");
        send(
                "POST",
                "/_reindex?refresh=true",
                "{\"source\":{\"index\":\"stock\"},\"dest\":{\"index\":\"stock-copy\",\"pipeline\":\"drops\"}}");
        send("PUT", "/stream-1/_create/a?refresh=true", "{\"@timestamp\":\"2026-01-01\",\"tag\":\"even\"}");
        send("POST", "/stream-1/_rollover", null);
        send("GET", "/stream-1/_search", null);
    }

    private void read() {
        for (int i = 0; i < 3; i++) {
            send("GET", "/stock/_doc/" + i, null);
            send("GET", "/stock/_source/" + i + "?_source_includes=tag", null);
            send("GET", "/stock/_explain/" + i, "{\"query\":" + QUERIES.get(1) + "}");
        }
        send("GET", "/stock/_doc/none", null);
        send("GET", "/none/_doc/1", null);
        send("POST", "/_mget", "{\"docs\":[{\"_index\":\"stock\",\"_id\":\"1\"},{\"_index\":\"none\",\"_id\":\"1\"}]}");
        StringBuilder several = new StringBuilder();
        for (String query : QUERIES) {
            for (String option : OPTIONS) {
                send("POST", "/stock/_search", "{\"query\":" + query + option + "}");
            }
            send("GET", "/stock*/_count", "{\"query\":" + query + "}");
            send("GET", "/stock/_validate/query?explain=true", "{\"query\":" + query + "}");
            several.append("{\"index\":\"stock\"}\n{\"query\":" + query + "}\n");
        }
        send("POST", "/_msearch", several.toString());
        send("POST", "/stock/_search?search_pipeline=renames", "{\"query\":{\"match_all\":{}}}");
        send("POST", "/stock/_search?search_pipeline=none", "{}");
        send("POST", "/stock/_search?scroll=1m", "{\"size\":2}");
        send("POST", "/none/_search", "{}");
        send("POST", "/_analyze", "{\"analyzer\":\"standard\",\"text\":\"The tram\"}");
        send("POST", "/_analyze", "{\"analyzer\":\"none\",\"text\":\"The tram\"}");
        send("GET", "/stock/_termvectors/1?fields=text", null);
        send("GET", "/stock/_field_caps?fields=*", null);
        for (String pipeline : List.of("sets", "drops", "fails", "none")) {
            send(
                    "POST",
                    "/_ingest/pipeline/" + pipeline + "/_simulate",
                    "{\"docs\":[{\"_source\":" + document(3) + "},{\"_source\":" + document(4) + "}]}");
        }
    }

    private void administrate() {
        send("GET", "/stock/_mapping", null);
        send("PUT", "/stock/_mapping", "{\"properties\":{\"number\":{\"type\":\"text\"}}}");
        send("PUT", "/stock/_settings", "{\"index.refresh_interval\":\"5s\"}");
        send("PUT", "/stock/_settings", "{\"index.number_of_shards\":2}");
        send("POST", "/_aliases", "{\"actions\":[{\"add\":{\"index\":\"stock\",\"alias\":\"other\"}}]}");
        send("GET", "/other/_search", null);
        send("GET", "/_alias/other", null);
        send("POST", "/stock/_close", null);
        send("GET", "/stock/_search", null);
        send("POST", "/stock/_open", null);
        send("POST", "/stock/_forcemerge?max_num_segments=1", null);
        send("GET", "/_resolve/index/st*", null);
        send("GET", "/_no_such_endpoint", null);
        send("POST", "/stock/_doc/1", null);
        send("DELETE", "/stock-copy", null);
        send("DELETE", "/none", null);
        send("DELETE", "/_data_stream/stream-1", null);
        send("DELETE", "/_ingest/pipeline/none", null);
    }

    @Test
    void testOtherRequestsHaveTheSameAnswers() {
        setUp();
        write();
        read();
        administrate();
        assertTrue(requests.size() > 300, "requests: " + requests.size());
        Distribution build = Distribution.ofTheBuild();
        Distribution stock = new Distribution(build.stock(), null, build.work());
        try (RealCluster with = RealCluster.start(build, NodeOptions.quick(1));
                RealCluster without = RealCluster.start(stock, NodeOptions.quick(1))) {
            assertTrue(with.client().get("/_cat/plugins").text().contains("simhash"));
            assertEquals("", without.client().get("/_cat/plugins").text());
            Set<Integer> statuses = new TreeSet<>();
            List<String> differences = new ArrayList<>();
            for (Sent sent : requests) {
                Answer expected = without.client().send(sent.method(), sent.path(), sent.body());
                Answer found = with.client().send(sent.method(), sent.path(), sent.body());
                if (lasting(expected).equals(lasting(found)) == false) {
                    differences.add(difference(
                            sent, lasting(expected).toString(), lasting(found).toString()));
                }
                statuses.add(found.status());
            }
            assertEquals("", String.join("\n", differences));
            assertTrue(statuses.containsAll(Set.of(200, 201, 400, 404, 409)), statuses.toString());
        }
    }

    private static String difference(Sent sent, String without, String with) {
        int at = 0;
        while (at < Math.min(without.length(), with.length()) && without.charAt(at) == with.charAt(at)) {
            at++;
        }
        int from = Math.max(0, at - 80);
        return sent.method() + " " + sent.path() + "\n  without: "
                + without.substring(from, Math.min(without.length(), at + 120)) + "\n  with:    "
                + with.substring(from, Math.min(with.length(), at + 120));
    }

    private static Object lasting(Answer answer) {
        Object body = answer.text().startsWith("{") ? lasting(answer.json()) : lasting((Object) answer.text());
        return List.of(answer.status(), body, answer.warnings());
    }

    private static Object lasting(Object json) {
        if (json instanceof Map<?, ?> object) {
            Map<String, Object> kept = new TreeMap<>();
            object.forEach((name, value) -> {
                if (OF_THE_MOMENT.contains(name.toString()) == false) {
                    kept.put(name.toString(), lasting(value));
                }
            });
            return kept;
        }
        if (json instanceof String text) {
            return RANDOM.matcher(text).replaceAll("?");
        }
        return json instanceof List<?> list
                ? list.stream().map(BesideStockNode::lasting).toList()
                : json;
    }
}
