/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * Writes, searches, reads pages and runs jobs on three real nodes at once, kills one of them now and then, and checks every
 * answer while it does and everything that is stored when it ends. Prints what is done every {@value #REPORT_SECONDS}
 * seconds; exit status 1 when anything was wrong.
 *
 * <p>Properties: {@code soak.minutes}, and {@code soak.seed} for the same choices again (not the same order of events).
 */
public final class Soak {

    private static final int REPORT_SECONDS = 15;
    private static final int KILL_EVERY_MILLIS = 40_000;
    private static final int NODES = 3;
    private static final String HEAP = "768m";

    private final Findings findings = new Findings();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Ledger ledger = new Ledger();
    private final Texts texts = new Texts();
    private final SplittableRandom random;
    private final RealCluster cluster;
    private final Run run;

    private Soak(RealCluster cluster, NodeOptions options, long seed) {
        this.cluster = cluster;
        this.random = new SplittableRandom(seed);
        this.run = new Run(new Outages(cluster, options, findings), findings, end);
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int minutes = Integer.parseInt(System.getProperty("soak.minutes"));
        long seed = Long.parseLong(System.getProperty("soak.seed"));
        var production = NodeOptions.production(NODES, HEAP);
        // What has expired is let go of at once, not within a minute.
        var options = new NodeOptions(NODES, production.jvmOptions(), Map.of("search.keep_alive_interval", "5s"));
        System.out.println("soak.minutes=" + minutes + " soak.seed=" + seed);
        int wrong;
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), options)) {
            wrong = new Soak(cluster, options, seed).run(minutes);
        }
        if (wrong > 0) {
            System.exit(1);
        }
    }

    private int run(int minutes) throws InterruptedException, ExecutionException {
        prepare(cluster.client());
        List<Actor> actors = List.of(
                actor("writer a", new Writer("a", texts, ledger, run, random.split()), 50),
                actor("writer b", new Writer("b", texts, ledger, run, random.split()), 50),
                actor("searcher", new Searcher(texts, run, random.split()), 20),
                actor("reader", new PageReader(texts, run, random.split()), 20),
                actor("job", new JobStarter(run, random.split()), 500));
        try (var threads = Executors.newFixedThreadPool(actors.size() + 1)) {
            List<Future<?>> all = new ArrayList<>();
            actors.forEach(actor -> all.add(threads.submit(actor)));
            all.add(threads.submit(this::kill));
            for (long second = 0; second < TimeUnit.MINUTES.toSeconds(minutes); second += REPORT_SECONDS) {
                end.await(REPORT_SECONDS, TimeUnit.SECONDS);
                findings.say(findings.counts());
            }
            end.countDown();
            for (Future<?> each : all) {
                each.get();
            }
        }
        findings.say(new NodeState(cluster.client()).toString());
        new Aftermath(cluster.client(), ledger, findings).check();
        findings.say("everything compared: " + findings.counts());
        findings.say(findings.wrong() == 0 ? "nothing wrong" : findings.wrong() + " things wrong");
        return findings.wrong();
    }

    private Actor actor(String name, Actor.Deed deed, int pauseMillis) {
        return new Actor(name, deed, pauseMillis, random.split(), run);
    }

    private Void kill() throws InterruptedException {
        var victims = random.split();
        while (end.await(KILL_EVERY_MILLIS, TimeUnit.MILLISECONDS) == false) {
            run.outages().next(victims, end);
        }
        return null;
    }

    private static void prepare(RestClient client) {
        var processors = List.of(
                Map.of("simhash", Map.of("field", "content")), Map.of("near_duplicate", Map.of("action", "tag")));
        client.must("PUT", "/_ingest/pipeline/" + Run.PIPELINE, Json.write(Map.of("processors", processors)));
        var settings = Map.of("number_of_shards", NODES, "number_of_replicas", 1, "default_pipeline", Run.PIPELINE);
        var index = Map.of("settings", settings, "mappings", new SampleIndex().mappings());
        client.must("PUT", "/" + Run.INDEX, Json.write(index));
        client.must("GET", "/_cluster/health/" + Run.INDEX + "?wait_for_status=green&timeout=60s", null);
    }
}
