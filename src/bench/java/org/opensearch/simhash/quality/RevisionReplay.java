/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * Replays the history of documentation pages in seven languages on a real node, in the order of time, and counts ids of groups that change
 * without need. Each step writes the next versions, deletes or replaces some earlier ones, and runs an hourly job, each tenth step a full
 * one. Once each version is a document of its own; once a version replaces the one before; once {@code near_duplicate} gives ids at ingest.
 */
public final class RevisionReplay {

    private static final String INDEX = "docs-pages";
    private static final String JOB = "/_plugins/_simhash/deduplicate/" + INDEX;
    private static final int STEPS = 40;
    private static final int PAGE = 1000;

    private enum Way {
        VERSIONS,
        PAGES,
        AT_INGEST
    }

    private final RestClient client;
    private final Way way;
    private int changed;
    private int needless;
    private int runs;
    private int writtenAgain;

    /** @param order of the write, the oldest first */
    private record Stored(String group, long order) {}

    private RevisionReplay(RestClient client, Way way) {
        this.client = client;
        this.way = way;
    }

    public static void main(String[] args) {
        List<Map<String, Object>> versions =
                new ArrayList<>(DataSets.configured().read("ml_astro_docs", "docs_sample.jsonl"));
        versions.sort(Comparator.comparingLong(version -> ((Number) version.get("time")).longValue()));
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "1g"))) {
            new SampleIndex().configure(cluster.client());
            for (Way way : Way.values()) {
                new RevisionReplay(cluster.client(), way).replay(versions);
            }
        }
    }

    private void replay(List<Map<String, Object>> versions) {
        client.send("DELETE", "/" + INDEX + ",runs", null);
        String pipeline = "{\"processors\":[{\"simhash\":{\"field\":\"text\"}}"
                + (way == Way.AT_INGEST ? ",{\"near_duplicate\":{\"groups\":\"all\",\"verify\":{}}}" : "") + "]}";
        client.must("PUT", "/_ingest/pipeline/pages", pipeline);
        client.must("PUT", "/" + INDEX, "{\"settings\":{\"default_pipeline\":\"pages\",\"number_of_shards\":2}}");
        for (int step = 0; step < STEPS; step++) {
            write(versions.subList(versions.size() * step / STEPS, versions.size() * (step + 1) / STEPS), step);
            run(step % 10 == 9);
        }
        System.out.println(String.format(
                Locale.ROOT,
                "%s: %d runs, %d ids changed, %d of them without need; %d documents written by runs without changes",
                way, runs, changed, needless, writtenAgain));
    }

    private void write(List<Map<String, Object>> versions, int step) {
        StringBuilder bulk = new StringBuilder();
        for (Map<String, Object> version : versions) {
            Object id = version.get(way == Way.PAGES ? "cluster" : "doc_id");
            bulk.append(Json.write(Map.of("index", Map.of("_id", id)))).append('\n');
            bulk.append(Json.write(Map.of("text", version.get("text"), "rank", version.get("time"))))
                    .append('\n');
            if (way != Way.PAGES && step % 3 == 2 && ((Number) version.get("version")).intValue() > 1) {
                // The first version, which survives by default, goes.
                bulk.append(Json.write(Map.of("delete", Map.of("_id", version.get("cluster") + "#0"))))
                        .append('\n');
            }
        }
        Answer answer = client.must("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
        if (Boolean.TRUE.equals(answer.at("errors"))) {
            throw new IllegalStateException(answer.text());
        }
    }

    private void run(boolean isFull) {
        String options = "{\"verify\":{},\"action\":\"tag\",\"groups\":\"all\",\"dest\":{\"index\":\"runs\"}"
                + (isFull ? "" : ",\"new_since\":\"last\"") + "}";
        Map<String, Stored> before = stored();
        client.must("POST", JOB, options);
        Map<String, Stored> after = stored();
        judge(before, after);
        Answer again = client.must("POST", JOB, options);
        writtenAgain += (int) (again.number("tagged") + again.number("cleared"));
        runs++;
    }

    private Map<String, Stored> stored() {
        client.must("POST", "/" + INDEX + "/_refresh", null);
        Map<String, Stored> stored = new TreeMap<>();
        String after = "";
        while (true) {
            Answer page = client.must(
                    "POST",
                    "/" + INDEX + "/_search",
                    "{\"size\":" + PAGE + ",\"seq_no_primary_term\":true,\"_source\":\"simhash.group\","
                            + "\"sort\":[\"rank\",\"_id\"]" + after + "}");
            page.hits().forEach(hit -> stored.put((String) hit.get("_id"), new Stored(
                    (String) Json.at(hit, "_source.simhash.group"), ((Number) hit.get("_seq_no")).longValue())));
            if (page.hits().size() < PAGE) {
                return stored;
            }
            after = ",\"search_after\":" + Json.at(page.hits().getLast(), "sort").toString()
                    .replaceFirst("\\[(\\d+), (.*)]", "[$1,\"$2\"]");
        }
    }

    /** A group keeps the id that most of its members carry, unless more of the carriers are in another group. */
    private void judge(Map<String, Stored> before, Map<String, Stored> after) {
        Map<String, Map<String, Integer>> carriers = new HashMap<>();
        after.forEach((id, stored) -> {
            String old = before.get(id).group();
            if (old != null) {
                carriers.computeIfAbsent(stored.group(), any -> new TreeMap<>()).merge(old, 1, Integer::sum);
                changed += old.equals(stored.group()) ? 0 : 1;
            }
        });
        Set<String> wrong = new HashSet<>();
        carriers.forEach((group, olds) -> olds.forEach((old, count) -> {
            boolean isKept = old.equals(group) || olds.getOrDefault(group, 0) >= count;
            boolean isTaken = carriers.getOrDefault(old, Map.of()).getOrDefault(old, 0) >= count;
            if (isKept == false && isTaken == false) {
                wrong.add(group);
            }
        }));
        needless += wrong.size();
        if (wrong.isEmpty() == false) {
            System.out.println("changed without need: " + new TreeSet<>(wrong));
        }
    }
}
