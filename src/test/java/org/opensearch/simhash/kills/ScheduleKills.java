/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;

/**
 * A schedule of three real nodes, which are killed at random moments: half of them while they run it. At no time are two runs at
 * work, no time is run twice, and a run completes before two times have passed since the cluster could run it. One thread.
 */
public final class ScheduleKills {

    private static final int NODES = 3;
    private static final NodeOptions OPTIONS = NodeOptions.disturbed(NODES);
    private static final int EVERY_SECONDS = 10;
    private static final int DOCUMENTS = 2_000;
    private static final String SCHEDULE = "/_plugins/_simhash/schedules/killed";

    /** Each document takes about a millisecond. */
    private static final String BODY = "{\"every\": \"" + EVERY_SECONDS
            + "s\", \"index\": \"scheduled\", \"dest\": {\"index\": \"groups-scheduled\"}, \"query\": {\"script\": {\"script\":"
            + " \"long sum = 0; for (int i = 0; i < 50000; ++i) { sum += i % 7; } return sum > 0\"}}}";

    /** For a tick, the detection of a killed node, and the run itself, on a busy machine. */
    private static final int PATIENCE_SECONDS = 60;

    private final RealCluster cluster;
    private final Random random;
    private final List<String> wrong = new ArrayList<>();
    /** The runs that were completed, by the time that was due after them. */
    private final Map<String, Set<String>> completed = new TreeMap<>();

    private int atWork;
    private int dead = -1;

    private ScheduleKills(RealCluster cluster, long seed) {
        this.cluster = cluster;
        this.random = new Random(seed);
    }

    public static void main(String[] args) throws InterruptedException {
        int kills = args.length > 0 ? Integer.parseInt(args[0]) : 50;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime();
        List<String> wrong;
        try (RealCluster cluster = RealCluster.start(Distribution.ofTheBuild(), OPTIONS)) {
            wrong = run(cluster, kills, seed);
        }
        System.out.println(wrong.isEmpty() ? "no run twice, none missed twice" : "WRONG " + wrong);
        if (wrong.isEmpty() == false) {
            System.exit(1);
        }
    }

    /** @return what is wrong */
    static List<String> run(RealCluster cluster, int kills, long seed) throws InterruptedException {
        var test = new ScheduleKills(cluster, seed);
        test.create();
        for (int kill = 0; kill < kills && test.wrong.isEmpty(); kill++) {
            test.kill();
            System.out.printf(
                    Locale.ROOT,
                    "kill %d: %d of them at work, completed %d, missed %s%n",
                    kill + 1,
                    test.atWork,
                    test.completed.size(),
                    test.schedule().at("missed_runs"));
        }
        test.client().must("DELETE", SCHEDULE, null);
        System.out.println("seed " + seed);
        return test.wrong;
    }

    private RestClient client() {
        return cluster.client(dead == 0 ? 1 : 0);
    }

    private void create() throws InterruptedException {
        client().must(
                        "PUT",
                        "/scheduled",
                        "{\"settings\": {\"number_of_shards\": 3, \"number_of_replicas\": 1}, \"mappings\": {\"properties\":"
                                + " {\"simhash\": {\"properties\": {\"bits\": {\"type\": \"long\"},"
                                + " \"scheme\": {\"type\": \"keyword\"}}}}}}");
        var lines = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i++) {
            lines.append("{\"index\": {}}\n{\"simhash\": {\"bits\": ")
                    .append(random.nextLong())
                    .append(", \"scheme\": \"v1-a\"}}\n");
        }
        client().must("POST", "/scheduled/_bulk?refresh=true", lines.toString());
        client().must("PUT", SCHEDULE, BODY);
        awaitCompletion();
    }

    /** Kills a node, watches until a run completes without it, starts it again, and watches until one completes with it. */
    private void kill() throws InterruptedException {
        boolean isWorker = random.nextBoolean();
        long moment = System.nanoTime() + random.nextLong(EVERY_SECONDS * 1_000_000_000L);
        int victim = random.nextInt(NODES);
        while (System.nanoTime() < moment || isWorker) {
            watch();
            Object node = schedule().at("running.node");
            if (isWorker && node != null && System.nanoTime() >= moment) {
                victim = Integer.parseInt(String.valueOf(node).replaceAll("\\D+", ""));
                atWork++;
                break;
            }
        }
        dead = victim;
        cluster.kill(victim);
        awaitCompletion();
        cluster.restart(victim, OPTIONS);
        dead = -1;
        awaitCompletion();
        while (client().send("GET", "/_cluster/health?wait_for_status=green&timeout=60s", null)
                        .ok()
                == false) {
            watch();
        }
    }

    /** Of a run that started from now on, within two times and what the cluster needs. */
    private void awaitCompletion() throws InterruptedException {
        Instant from = Instant.now();
        Instant end = from.plusSeconds(2 * EVERY_SECONDS + PATIENCE_SECONDS);
        while (Instant.now().isBefore(end)) {
            watch();
            Answer schedule = schedule();
            Object started = schedule.at("last_run.started_at");
            if ("completed".equals(schedule.at("last_run.result"))
                    && Instant.parse((String) started).isAfter(from)) {
                return;
            }
        }
        wrong.add("no run since " + from + ": " + schedule().text());
    }

    /** One look at the tasks of all nodes, and one at the schedule: a run takes many times as long as from one to the next. */
    private void watch() throws InterruptedException {
        Thread.sleep(50);
        Set<String> tasks = tasks();
        if (tasks.size() > 1) {
            // One may have ended while another one began, between the answers of two nodes.
            tasks.retainAll(tasks());
            if (tasks.size() > 1) {
                wrong.add("at once: " + tasks);
            }
        }
        Answer schedule = schedule();
        if ("completed".equals(schedule.at("last_run.result")) && schedule.at("running") == null) {
            Set<String> runs = completed.computeIfAbsent(schedule.string("next_run"), next -> new HashSet<>());
            runs.add(schedule.string("last_run.run"));
            if (runs.size() > 1) {
                wrong.add("twice before " + schedule.at("next_run") + ": " + runs);
            }
        }
    }

    private Set<String> tasks() {
        Answer answer = client().send("GET", "/_tasks?actions=indices:data/write/simhash/deduplicate", null);
        Set<String> tasks = new HashSet<>();
        if (answer.at("nodes") instanceof Map<?, ?> nodes) {
            nodes.values().forEach(node -> tasks.addAll(strings(Json.at(node, "tasks"))));
        }
        return tasks;
    }

    private static Set<String> strings(Object tasks) {
        Set<String> names = new HashSet<>();
        ((Map<?, ?>) tasks).keySet().forEach(name -> names.add((String) name));
        return names;
    }

    /** While its only copies are away, the last answer is asked for again. */
    private Answer schedule() {
        Answer answer = client().send("GET", SCHEDULE, null);
        while (answer.ok() == false) {
            answer = client().send("GET", SCHEDULE, null);
        }
        return answer;
    }
}
