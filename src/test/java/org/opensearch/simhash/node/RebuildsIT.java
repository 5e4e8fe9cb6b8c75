/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each line of docs/rebuilds.md: what an index has of its stories and decisions after it was built anew, copied or moved. */
@RealNodes(1)
class RebuildsIT {

    private static final String OLD = "rebuilds-old";
    private static final String NEW = "rebuilds-new";
    private static final String DEST = "groups-rebuilds";
    private static final String TAG = "{\"action\":\"tag\",\"groups\":\"all\",\"max_distance\":11}";
    private static final String WITH_DEST =
            "{\"action\":\"tag\",\"groups\":\"all\",\"max_distance\":11,\"dest\":{\"index\":\"" + DEST + "\"}}";
    private static final String NOT_TAGGED =
            "{\"query\":{\"bool\":{\"must_not\":{\"exists\":{\"field\":\"simhash.duplicate_of\"}}}}}";
    private static final String BLOCKED = "{\"index.blocks.write\":true}";
    private static final String FREE = "\"index.blocks.write\":null,\"index.number_of_replicas\":0";

    private static final String NEWS =
            "The harbour authority closed the northern quay on %s after divers found a crack in"
                    + " the wall. Repairs begin next week and should take four months, the authority said in a statement to the"
                    + " press. Ferries to the islands leave from the southern quay until then.";
    private static final String BREAD =
            "Bake the bread at two hundred degrees for ten minutes, then turn the oven down and"
                    + " bake it for another half an hour, until it sounds hollow when you knock on its bottom. Let it cool on a"
                    + " grid, and do not cut it before the %s.";

    /** A and b were kept apart, b2 is a copy of b, c and d are one story. */
    private static final Map<String, String> TEXTS = new TreeMap<>(Map.of(
            "a", NEWS.replace("%s", "Tuesday"),
            "b", NEWS.replace("%s", "Friday"),
            "b2", NEWS.replace("%s", "Friday"),
            "c", BREAD.replace("%s", "evening"),
            "d", BREAD.replace("%s", "morning")));

    private final RestClient client;

    RebuildsIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    @BeforeEach
    @AfterEach
    void remove() {
        distinct("null");
        client.send("DELETE", "/_data_stream/rebuilds-*", null);
        client.send("DELETE", "/rebuilds-*," + DEST + "?expand_wildcards=all&ignore_unavailable=true", null);
        client.send("DELETE", "/_index_template/rebuilds-*", null);
        client.send("DELETE", "/_snapshot/rebuilds/one", null);
        client.send("DELETE", "/_snapshot/rebuilds", null);
        client.send("DELETE", "/_ingest/pipeline/rebuilds-*", null);
    }

    /** What a document says of its story. */
    private record Said(Object group, Object duplicateOf, Object apart) {}

    private void pipeline(boolean givesGroups) {
        client.must(
                "PUT",
                "/_ingest/pipeline/rebuilds-prints",
                "{\"processors\":[{\"simhash\":{\"field\":\"content\"}}"
                        + (givesGroups ? ",{\"near_duplicate\":{\"groups\":\"all\",\"max_distance\":11}}" : "") + "]}");
    }

    private static String index(int shards) {
        return Json.write(Map.of(
                "settings",
                Map.of(
                        "index.default_pipeline",
                        "rebuilds-prints",
                        "number_of_shards",
                        shards,
                        "number_of_replicas",
                        0),
                "mappings",
                new SampleIndex().mappings()));
    }

    private void send(String index, Map<String, String> texts) {
        StringBuilder bulk = new StringBuilder();
        texts.forEach((id, text) -> bulk.append("{\"create\":{\"_id\":\"" + id + "\"}}\n{\"content\":\"" + text
                + "\",\"@timestamp\":\"2026-11-01\"}\n"));
        Answer answer = client.must(
                "POST", "/" + index + "/_bulk?refresh=true", bulk.toString().replace("create", "index"));
        assertEquals(false, answer.at("errors"), answer.text());
    }

    /** An index whose stories a job found, and where people rejected a and b. */
    private Map<String, Said> decided(boolean givesGroups) {
        pipeline(givesGroups);
        client.must("PUT", "/" + OLD, index(2));
        send(OLD, Map.of("a", TEXTS.get("a"), "b", TEXTS.get("b")));
        job(OLD, WITH_DEST);
        client.must("POST", "/" + DEST + "/_refresh", null);
        client.must(
                "POST",
                "/" + DEST + "/_update_by_query?refresh=true",
                "{\"query\":{\"exists\":{\"field\":\"run\"}},\"script\":{\"source\":\"ctx._source.decision='rejected'\"}}");
        job(OLD, WITH_DEST);
        send(OLD, Map.of("b2", TEXTS.get("b2"), "c", TEXTS.get("c"), "d", TEXTS.get("d")));
        job(OLD, WITH_DEST);
        Map<String, Said> said = said(OLD);
        assertEquals(List.of("b"), said.get("a").apart, said.toString());
        assertEquals(List.of("a"), said.get("b").apart, said.toString());
        assertNotEquals(said.get("a").group, said.get("b").group);
        assertEquals(said.get("b").group, said.get("b2").group);
        assertEquals(said.get("c").group, said.get("d").group);
        return said;
    }

    private Answer job(String path, String options) {
        Answer job = client.must("POST", "/_plugins/_simhash/deduplicate/" + path, options);
        assertEquals(List.of(), job.at("failures"), job.text());
        return job;
    }

    private Map<String, Said> said(String path) {
        client.must("POST", "/" + path + "/_refresh", null);
        Map<String, Said> said = new TreeMap<>();
        Answer found = client.must("POST", "/" + path + "/_search", "{\"size\":100}");
        for (Object hit : (List<?>) found.at("hits.hits")) {
            Map<?, ?> print = (Map<?, ?>) ((Map<?, ?>) ((Map<?, ?>) hit).get("_source")).get("simhash");
            said.put(
                    (String) ((Map<?, ?>) hit).get("_id"),
                    new Said(print.get("group"), print.get("duplicate_of"), print.get("apart")));
        }
        return said;
    }

    /** As before, and a job without dest changes nothing. */
    private void assertStays(Map<String, Said> before, String path) {
        assertEquals(before, said(path), path);
        Answer job = job(path, TAG);
        assertEquals(before, said(path), path + " " + job.text());
        assertTrue(job.number("kept_apart") > 0, path + " " + job.text());
    }

    private void swap() {
        client.must(
                "POST",
                "/_aliases",
                "{\"actions\":[{\"remove\":{\"index\":\"" + OLD + "\",\"alias\":\"rebuilds-now\"}},"
                        + "{\"add\":{\"index\":\"" + NEW + "\",\"alias\":\"rebuilds-now\"}}]}");
    }

    @Test
    void testReindexAndAliasSwap() {
        for (boolean givesGroups : List.of(false, true)) {
            for (String pipeline : List.of("", ",\"pipeline\":\"_none\"")) {
                Map<String, Said> before = decided(givesGroups);
                client.must("POST", "/" + OLD + "/_alias/rebuilds-now", null);
                client.must("PUT", "/" + NEW, index(1));
                client.must(
                        "POST",
                        "/_reindex?refresh=true",
                        "{\"source\":{\"index\":\"" + OLD + "\"},\"dest\":{\"index\":\"" + NEW + "\"" + pipeline
                                + "}}");
                swap();
                assertStays(before, "rebuilds-now");
                assertEquals(1, job("rebuilds-now", WITH_DEST).number("kept_apart"));
                remove();
            }
        }
    }

    @Test
    void testCloneShrinkAndSplit() {
        Map<String, Said> before = decided(true);
        client.must("PUT", "/" + OLD + "/_settings", BLOCKED);
        for (Map.Entry<String, Integer> way :
                Map.of("_clone", 2, "_shrink", 1, "_split", 4).entrySet()) {
            client.must(
                    "PUT",
                    "/" + OLD + "/" + way.getKey() + "/" + NEW + way.getKey() + "?wait_for_active_shards=1",
                    "{\"settings\":{\"index.number_of_shards\":" + way.getValue() + "," + FREE + "}}");
            assertStays(before, NEW + way.getKey());
        }
    }

    @Test
    void testSnapshotUnderAnotherName() {
        Map<String, Said> before = decided(true);
        client.must("PUT", "/_snapshot/rebuilds", "{\"type\":\"fs\",\"settings\":{\"location\":\"rebuilds\"}}");
        client.must(
                "PUT",
                "/_snapshot/rebuilds/one?wait_for_completion=true",
                "{\"indices\":\"" + OLD + "\",\"include_global_state\":false}");
        client.must(
                "POST",
                "/_snapshot/rebuilds/one/_restore?wait_for_completion=true",
                "{\"indices\":\"" + OLD + "\",\"rename_pattern\":\"" + OLD + "\",\"rename_replacement\":\"" + NEW
                        + "\"}");
        assertStays(before, NEW);
    }

    @Test
    void testRollover() {
        for (boolean givesGroups : List.of(false, true)) {
            Map<String, Said> before = decided(givesGroups);
            client.must(
                    "POST",
                    "/_aliases",
                    "{\"actions\":[{\"add\":{\"index\":\"" + OLD
                            + "\",\"alias\":\"rebuilds-now\",\"is_write_index\":true}}]}");
            client.must("POST", "/rebuilds-now/_rollover/" + NEW, index(1));
            assertStays(before, "rebuilds-now");
            // A copy of b comes into the new index.
            send("rebuilds-now", Map.of("b3", TEXTS.get("b")));
            assertEquals(
                    givesGroups ? before.get("b").group : null,
                    said("rebuilds-now").get("b3").group);
            job("rebuilds-now", TAG);
            Map<String, Said> after = said("rebuilds-now");
            assertEquals(before.get("b").group, after.remove("b3").group);
            assertEquals(before, after);
            remove();
        }
    }

    @Test
    void testDataStream() {
        Map<String, Said> before = decided(true);
        client.must(
                "PUT",
                "/_index_template/rebuilds-stream",
                "{\"index_patterns\":[\"rebuilds-stream\"],\"data_stream\":{},\"priority\":500,\"template\":" + index(1)
                        + "}");
        client.must("PUT", "/_data_stream/rebuilds-stream", null);
        client.must(
                "POST",
                "/_reindex?refresh=true",
                "{\"source\":{\"index\":\"" + OLD
                        + "\"},\"dest\":{\"index\":\"rebuilds-stream\",\"op_type\":\"create\"}}");
        assertStays(before, "rebuilds-stream");
        client.must("POST", "/rebuilds-stream/_rollover", null);
        assertStays(before, "rebuilds-stream");
    }

    /** Documents are sent again as the source of truth has them: without the object. */
    @Test
    void testReload() {
        for (boolean givesGroups : List.of(false, true)) {
            Map<String, Said> before = decided(givesGroups);
            send(OLD, TEXTS);
            if (givesGroups) {
                assertStays(before, OLD);
            } else {
                assertEquals(new Said(null, null, null), said(OLD).get("b"));
                assertDecidedAgain(OLD);
            }
            client.must("PUT", "/" + NEW, index(1));
            send(NEW, TEXTS);
            Said a = said(NEW).get("a");
            assertEquals(null, a.apart);
            assertEquals(givesGroups, a.group != null);
            assertDecidedAgain(NEW);
            remove();
        }
    }

    /** A job with the same dest finds decisions by id and digest, and writes them into the documents. */
    private void assertDecidedAgain(String index) {
        job(index, WITH_DEST);
        Map<String, Said> said = said(index);
        assertEquals(List.of("b"), said.get("a").apart, index + said);
        assertEquals(List.of("a"), said.get("b").apart, index + said);
        assertNotEquals(said.get("a").group, said.get("b").group);
        assertStays(said, index);
        assertEquals(
                3,
                new ArrayList<>(said.values())
                        .stream().map(Said::group).distinct().count(),
                said.toString());
    }

    /** A write of another field, by any request. */
    @Test
    void testEdits() {
        for (boolean givesGroups : List.of(false, true)) {
            Map<String, Said> before = decided(givesGroups);
            client.must(
                    "POST",
                    "/" + OLD + "/_update_by_query?refresh=true",
                    "{\"script\":{\"source\":\"ctx._source.label='read'\"}}");
            assertStays(before, OLD);
            client.must("POST", "/" + OLD + "/_update/b?refresh=true", "{\"doc\":{\"label\":\"kept\"}}");
            Map<String, Object> source = new TreeMap<>();
            ((Map<?, ?>) client.get("/" + OLD + "/_doc/a").at("_source"))
                    .forEach((name, value) -> source.put(name.toString(), value));
            client.must("PUT", "/" + OLD + "/_doc/a?refresh=true", Json.write(source));
            assertStays(before, OLD);
            remove();
        }
    }

    /** By the sort of a search, and for filters by a job with the newest as survivor. */
    @Test
    void testTheNewestStandsForItsStory() {
        distinct("[\"simhash_distinct\"]");
        pipeline(true);
        client.must("PUT", "/" + NEW, index(1));
        for (String id : List.of("v1", "v2", "v3")) {
            client.must(
                    "PUT",
                    "/" + NEW + "/_doc/" + id + "?refresh=true",
                    Json.write(Map.of(
                            "content",
                            NEWS.replace("%s", "Tuesday").replace("four", id.replace("v", "")),
                            "at",
                            id.replace("v", "2026-11-0"))));
            String story = "{\"sort\":[{\"at\":\"desc\"}],\"query\":{\"match\":{\"content\":\"quay\"}},";
            assertEquals(List.of(id), ids(story + "\"collapse\":{\"field\":\"simhash.group\"}}"));
            assertEquals(List.of(id), ids(story + "\"ext\":{\"simhash\":{\"distinct\":{\"by\":\"group\"}}}}"));
            job(
                    NEW,
                    "{\"action\":\"tag\",\"groups\":\"all\",\"max_distance\":11,\"survivor\":[{\"field\":\"at\",\"order\":\"desc\"}]}");
            client.must("POST", "/" + NEW + "/_refresh", null);
            assertEquals(List.of(id), ids(NOT_TAGGED));
        }
    }

    /** A filter on the tag hides the story, until the next job; collapse and distinct show it. */
    @Test
    void testASurvivorThatGoesHidesNoStory() {
        distinct("[\"simhash_distinct\"]");
        pipeline(true);
        client.must("PUT", "/" + NEW, index(1));
        send(NEW, Map.of("c", TEXTS.get("c")));
        send(NEW, Map.of("d", TEXTS.get("d")));
        Said before = said(NEW).get("d");
        assertEquals("c", before.duplicateOf);
        client.must("DELETE", "/" + NEW + "/_doc/c?refresh=true", null);
        assertEquals(List.of(), ids(NOT_TAGGED));
        assertEquals(List.of("d"), ids("{\"collapse\":{\"field\":\"simhash.group\"}}"));
        assertEquals(List.of("d"), ids("{\"ext\":{\"simhash\":{\"distinct\":{\"by\":\"group\"}}}}"));
        assertTrue(client.get("/_plugins/_simhash/check/" + NEW).text().contains("\"dangling_tag\""));
        job(NEW, TAG);
        client.must("POST", "/" + NEW + "/_refresh", null);
        assertEquals(List.of("d"), ids(NOT_TAGGED));
    }

    private void distinct(String factories) {
        client.must(
                "PUT",
                "/_cluster/settings",
                "{\"transient\":{\"cluster.search.enabled_system_generated_factories\":" + factories + "}}");
    }

    private List<Object> ids(String search) {
        Answer found = client.must("POST", "/" + NEW + "/_search", search);
        List<Object> ids = new ArrayList<>();
        ((List<?>) found.at("hits.hits")).forEach(hit -> ids.add(((Map<?, ?>) hit).get("_id")));
        return ids;
    }
}
