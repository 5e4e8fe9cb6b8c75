/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is malformed is the mistake of the request (HTTP 400), and what is mistyped is said when it is put. */
@RealNodes(1)
class OddRequestsIT {

    private final RestClient client;

    OddRequestsIT(RealCluster cluster) {
        this.client = cluster.client();
    }

    @AfterEach
    void remove() {
        client.send("DELETE", "/odd-*", null);
        client.send("DELETE", "/_ingest/pipeline/odd", null);
        client.send("DELETE", "/_search/pipeline/odd", null);
    }

    private void assertRefused(String method, String path, String body, String reason) {
        Answer answer = client.send(method, path, body);
        assertEquals(400, answer.status(), method + " " + path + " " + body + ": " + answer.text());
        assertTrue(answer.reason().contains(reason), answer.text());
    }

    private static String foreach(String processor) {
        return "{\"processors\": [{\"foreach\": {\"field\": \"a\", \"processor\": " + processor + "}}]}";
    }

    @Test
    void testAProcessorThatIsNoObjectIsRefused() {
        String rule = "must have processors, each an object with the options of its type, got: ";
        for (String pipeline : List.of(
                "{\"processors\": [null]}",
                "{\"processors\": [{\"simhash\": {\"field\": \"a\"}}, null]}",
                "{\"processors\": [\"simhash\"]}",
                "{\"processors\": [[]]}",
                "{\"processors\": [], \"on_failure\": [null]}",
                "{\"processors\": [{\"simhash\": {\"field\": \"a\", \"on_failure\": [7]}}]}",
                foreach("null"),
                foreach("7"),
                foreach("{\"set\": null}"),
                foreach("{\"script\": \"ctx.a = 1\"}"),
                foreach("{\"foreach\": {\"field\": \"b\", \"processor\": null}}"),
                foreach("{\"simhash\": {\"field\": \"_ingest._value\", \"on_failure\": [null]}}"))) {
            assertRefused("PUT", "/_ingest/pipeline/odd", pipeline, rule);
            assertRefused(
                    "POST",
                    "/_ingest/pipeline/_simulate",
                    "{\"pipeline\": " + pipeline + ", \"docs\": [{\"_source\": {}}]}",
                    rule);
        }
        for (String type : List.of("simhash", "minhash", "image_hash", "near_duplicate")) {
            assertRefused(
                    "PUT", "/_ingest/pipeline/odd", "{\"processors\": [{\"" + type + "\": null}]}", "cannot be null");
        }
        client.must("PUT", "/odd-docs/_doc/1?refresh=true", "{\"a\": 1}");
        for (String pipeline : List.of(
                "{\"response_processors\": [null]}",
                "{\"request_processors\": [{\"collapse_near_duplicates\": {}}], \"response_processors\": [null]}",
                "{\"response_processors\": [{\"collapse_near_duplicates\": null}]}")) {
            assertRefused("PUT", "/_search/pipeline/odd", pipeline, rule);
            assertRefused("POST", "/odd-docs/_search", "{\"search_pipeline\": " + pipeline + "}", rule);
        }
    }

    @Test
    void testATimeoutThatLeavesNoTimeIsRefused() {
        for (String timeout : List.of("0", "-1", "0ms", "-1ms")) {
            for (String path : List.of("stats", "metrics")) {
                assertRefused(
                        "GET",
                        "/_plugins/_simhash/" + path + "?timeout=" + timeout,
                        null,
                        "[timeout] must be greater than 0, got: ");
            }
        }
    }

    @Test
    void testADecisionOfAnotherFormIsRefused() {
        client.must("PUT", "/_ingest/pipeline/odd", "{\"processors\": [{\"simhash\": {\"field\": \"content\"}}]}");
        client.must("PUT", "/odd-docs", "{\"settings\": {\"index.default_pipeline\": \"odd\"}}");
        for (int i = 0; i < 2; i++) {
            client.must("PUT", "/odd-docs/_doc/" + i + "?refresh=true", "{\"content\": \"" + BrokenSetup.TEXT + "\"}");
        }
        client.must("POST", "/_plugins/_simhash/deduplicate/odd-docs", "{\"dest\": {\"index\": \"odd-groups\"}}");
        client.must("POST", "/odd-groups/_refresh", null);
        String group = client.must(
                        "POST",
                        "/odd-groups/_search?seq_no_primary_term=true",
                        "{\"query\": {\"exists\": {\"field\": \"survivor.id\"}}}")
                .string("hits.hits.0._id");
        Answer stored = client.must("GET", "/odd-groups/_doc/" + group, null);
        String head = "{\"index\": \"odd-groups\", \"group\": \"" + group + "\", \"if_seq_no\": "
                + stored.number("_seq_no") + ", \"if_primary_term\": " + stored.number("_primary_term") + ", ";
        String deep = "{\"a\": ".repeat(900) + "1" + "}".repeat(900);
        String place = "\"chosen_survivor\": {\"index\": \"odd-docs\", \"id\": \"0\", \"routing\": ";
        for (String wrong : List.of(
                "\"decision\": " + deep,
                "\"decision\": [\"accepted\"]",
                "\"decision\": 1",
                "\"rejected\": " + deep,
                "\"rejected\": [[\"1\"]]",
                "\"rejected\": [null]",
                place + deep + "}",
                place + "[\"x\"]}",
                place + "7}",
                "\"chosen_survivor\": " + deep,
                "\"chosen_survivor\": [\"0\"]")) {
            Answer answer = client.send("POST", "/_plugins/_simhash/review/odd-groups/decide", head + wrong + "}");
            assertEquals(400, answer.status(), wrong.substring(0, Math.min(90, wrong.length())) + answer.text());
            assertTrue(answer.text().length() < 5_000, answer.text());
        }
        client.must("POST", "/_plugins/_simhash/review/odd-groups/decide", head + "\"decision\": \"accepted\"}");
    }

    @Test
    void testAMistypedIndexIsSaidWhenThePipelineIsPut() {
        String near =
                "{\"processors\": [{\"simhash\": {\"field\": \"content\"}}, {\"near_duplicate\": {\"index\": %s}}]}";
        client.must("PUT", "/odd-docs", null);
        for (String there :
                List.of("\"odd-docs\"", "\"odd-*\"", "[\"odd-do*\", \"-odd-docs\"]", "\"_all\"", "\"<odd-{now/d}>\"")) {
            assertEquals(
                    List.of(),
                    client.must("PUT", "/_ingest/pipeline/odd", String.format(Locale.ROOT, near, there))
                            .warnings());
        }
        for (String mistyped : List.of("\"odd-dosc\"", "[\"odd-docs\", \"odd-dosc\"]", "\"odd-*,odd-dosc\"")) {
            assertEquals(
                    List.of("[index] of [near_duplicate] in pipeline [odd] names [odd-dosc], which does not exist:"
                            + " documents of other indices are refused until it does"),
                    client.must("PUT", "/_ingest/pipeline/odd", String.format(Locale.ROOT, near, mistyped))
                            .warnings());
        }
        Answer refused =
                client.send("PUT", "/odd-docs/_doc/1?pipeline=odd", "{\"content\": \"" + BrokenSetup.TEXT + "\"}");
        assertEquals(404, refused.status(), refused.text());
        assertTrue(
                refused.text()
                        .contains("could not be looked up in [odd-*, odd-dosc], the [index] of [near_duplicate]:"
                                + " no such index [odd-dosc]"),
                refused.text());
    }

    /** As other programs print them. */
    @Test
    void testHashesOfOtherProgramsAreRead() {
        String simhash = "{\"processors\": [{\"simhash\": {\"hash_field\": \"h\", \"hash_format\": \"%s\","
                + " \"hash_scheme\": \"x\"}}]}";
        client.must("PUT", "/_ingest/pipeline/odd", String.format(Locale.ROOT, simhash, "unsigned"));
        client.must("PUT", "/odd-dynamic", "{\"settings\": {\"index.default_pipeline\": \"odd\"}}");
        client.must(
                "PUT",
                "/odd-unsigned",
                "{\"settings\": {\"index.default_pipeline\": \"odd\"},"
                        + " \"mappings\": {\"properties\": {\"h\": {\"type\": \"unsigned_long\"}}}}");
        for (String index : List.of("odd-dynamic", "odd-unsigned")) {
            int id = 0;
            for (String number :
                    List.of("12", "9223372036854775808", "18446744073709551615", "\"18446744073709551615\"")) {
                client.must("PUT", "/" + index + "/_doc/" + ++id + "?refresh=true", "{\"h\": " + number + "}");
            }
            assertEquals("ffffffffffffffff", client.get("/" + index + "/_doc/3").string("_source.simhash.hash"));
        }
        Answer tried = client.must(
                "POST",
                "/_ingest/pipeline/odd/_simulate",
                "{\"docs\": [{\"_source\": {\"h\": 18446744073709551615}}]}");
        assertEquals("ffffffffffffffff", tried.string("docs.0.doc._source.simhash.hash"));
        client.must("PUT", "/_ingest/pipeline/odd", String.format(Locale.ROOT, simhash, "hex"));
        client.must("PUT", "/odd-hex/_doc/1?pipeline=odd", "{\"h\": \"0xf373714acfcf4d0\"}");
        assertEquals("0f373714acfcf4d0", client.get("/odd-hex/_doc/1").string("_source.simhash.hash"));
    }
}
