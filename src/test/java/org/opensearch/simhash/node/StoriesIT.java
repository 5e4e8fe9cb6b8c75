/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The requests that list and count stories, right after ingest and after a job, with the template of the plugin. */
@RealNodes(1)
class StoriesIT {

    private static final String INDEX = "stories";
    private static final int STORIES = 40;
    private static final int PAGE = 7;

    private final RestClient client;

    StoriesIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    @Test
    void testStoriesAreListedAndCounted() {
        client.must(
                "PUT",
                "/_ingest/pipeline/" + INDEX,
                "{\"processors\":[{\"simhash\":{\"field\":\"content\"}},{\"near_duplicate\":{\"groups\":\"all\"}}]}");
        client.must(
                "PUT",
                "/" + INDEX,
                Json.write(Map.of(
                        "settings",
                        Map.of("index.default_pipeline", INDEX, "number_of_shards", 2, "number_of_replicas", 0),
                        "mappings",
                        new SampleIndex().mappings())));
        try {
            int documents = write();
            assertStories(documents);
            // Everything is as a job would write it.
            Answer job = client.must(
                    "POST", "/_plugins/_simhash/deduplicate/" + INDEX, "{\"action\":\"tag\",\"groups\":\"all\"}");
            for (String count : List.of(
                    "tagged", "cleared", "grouped", "groups_new", "groups_merged", "groups_split", "groups_gone")) {
                assertEquals(0, job.number(count), count + " " + job);
            }
            assertStories(documents);
            assertLongestStays();
            Answer untagged = client.must("POST", "/_plugins/_simhash/deduplicate/" + INDEX + "/untag", "{}");
            assertEquals(documents, untagged.number("cleared") + untagged.number("grouped"), untagged.toString());
            for (String field : List.of("group", "duplicate_of")) {
                String query = "{\"query\":{\"exists\":{\"field\":\"simhash." + field + "\"}}}";
                assertEquals(
                        0, client.must("POST", "/" + INDEX + "/_count", query).number("count"), field);
            }
        } finally {
            client.must("DELETE", "/" + INDEX, null);
            client.must("DELETE", "/_ingest/pipeline/" + INDEX, null);
        }
    }

    /** By the field that the template of the plugin gives doc values. */
    private void assertLongestStays() {
        String text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
        client.must("PUT", "/" + INDEX + "/_doc/a-short?refresh=true", Json.write(Map.of("content", text)));
        client.must("PUT", "/" + INDEX + "/_doc/b-long?refresh=true", Json.write(Map.of("content", text + " fifteen")));
        Answer job = client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + INDEX,
                "{\"max_distance\":16,\"query\":{\"ids\":{\"values\":[\"a-short\",\"b-long\"]}},"
                        + "\"survivor\":[{\"field\":\"simhash.features\",\"order\":\"desc\"}]}");
        assertEquals("b-long", job.string("examples.0.survivor.id"), job.toString());
        client.must("DELETE", "/" + INDEX + "/_doc/a-short", null);
        client.must("DELETE", "/" + INDEX + "/_doc/b-long?refresh=true", null);
    }

    /** Story n has n % 4 + 1 equal texts, in several bulks. Returns the number of documents. */
    private int write() {
        int documents = 0;
        for (int copy = 0; copy < 4; copy++) {
            StringBuilder bulk = new StringBuilder();
            for (int story = copy; story < STORIES; story++) {
                if (story % 4 >= copy) {
                    Random words = new Random(story);
                    StringBuilder text = new StringBuilder();
                    for (int word = 0; word < 60; word++) {
                        text.append(Long.toString(words.nextLong() >>> 30, 36)).append(' ');
                    }
                    bulk.append("{\"index\":{\"_id\":\"" + copy + "-" + story + "\"}}\n{\"story\":" + story
                            + ",\"copy\":" + copy + ",\"content\":\"" + text + "\"}\n");
                    documents++;
                }
            }
            Answer answer =
                    client.must("POST", "/" + INDEX + "/_bulk?filter_path=errors,items.*.error", bulk.toString());
            assertEquals(false, answer.at("errors"), answer.toString());
            if (copy == 1) {
                client.must("POST", "/" + INDEX + "/_refresh", null);
            }
        }
        client.must("POST", "/" + INDEX + "/_refresh", null);
        return documents;
    }

    private void assertStories(int documents) {
        // Whatever else a search filters by: here the survivors of all stories with copies.
        for (int copy : List.of(0, 1, 3)) {
            Set<Object> listed = new HashSet<>();
            int versions = 0;
            for (int from = 0; ; from += PAGE) {
                Answer page = client.must(
                        "POST",
                        "/" + INDEX + "/_search",
                        "{\"from\":" + from + ",\"size\":" + PAGE
                                + ",\"sort\":[\"story\"],\"query\":{\"range\":{\"copy\":{\"gte\":"
                                + copy
                                + "}}},\"collapse\":{\"field\":\"simhash.group\",\"inner_hits\":{\"name\":\"versions\",\"size\":10}},"
                                + "\"aggs\":{\"stories\":{\"cardinality\":{\"field\":\"simhash.group\"}},"
                                + "\"largest\":{\"terms\":{\"field\":\"simhash.group\",\"size\":1}}}}");
                List<?> hits = (List<?>) page.at("hits.hits");
                int number = (int) IntStream.range(0, STORIES)
                        .filter(story -> story % 4 >= copy && story >= copy)
                        .count();
                assertEquals(number, page.number("aggregations.stories.value"), page.toString());
                Map<?, ?> largest = (Map<?, ?>) ((List<?>) page.at("aggregations.largest.buckets")).getFirst();
                assertEquals(4 - copy, ((Number) largest.get("doc_count")).intValue());
                if (hits.isEmpty()) {
                    assertEquals(number, listed.size());
                    break;
                }
                for (Object hit : hits) {
                    assertTrue(listed.add(Json.at(hit, "_source.story")), "twice: " + hit);
                    Object inner = Json.at(hit, "inner_hits.versions.hits.hits");
                    for (Object version : (List<?>) inner) {
                        assertEquals(Json.at(hit, "_source.story"), Json.at(version, "_source.story"));
                        versions++;
                    }
                }
            }
            if (copy == 0) {
                assertEquals(documents, versions);
            }
        }
    }
}
