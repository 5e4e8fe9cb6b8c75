/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;

/**
 * Three indices and what happens to them in some kills or pauses: in one only given hashes are compared, in one texts, too, and in
 * one pictures.
 */
final class Epoch {

    private static final int LARGE_WORDS = 1_000;
    private static final int CROWD = 1_000;
    private static final int RETRIES = 5;
    private static final int MOST_ANSWERS = 120;
    private static final long LONGEST_LOAD_MICROS = 12_000_000;
    private static final long PATIENCE_MICROS = 2_000_000;
    private static final long LOOK_NANOS = 1_000_000;
    private static final int LONG_PAUSE_MILLIS = 100;
    private static final int MOST_WRITERS = 3;
    private static final int[] PAUSES = {5, 40, 200};
    private static final int MOST_STOPS = 8;

    private final RealCluster cluster;
    private final NodeOptions options;
    private final Families families;
    private final SplittableRandom random;
    private final LargeDocuments large;
    private final History history = new History();
    private final List<Corpus> corpora;
    private final List<Rebuild> rebuilds;
    /** Documents of each writer. */
    private final List<Map<Corpus, Map<String, Text>>> stored = new ArrayList<>();

    private final Set<String> reported = new HashSet<>();

    private int round;

    /** @param name before the names of indices */
    Epoch(RealCluster cluster, NodeOptions options, String name, Families families, SplittableRandom random) {
        this.cluster = cluster;
        this.options = options;
        this.families = families;
        this.random = random;
        large = new LargeDocuments(LARGE_WORDS, random);
        corpora = List.of(
                new Corpus(name + "-plain", false),
                new Corpus(name + "-verified", true),
                new Corpus(name + "-pictures", false, true));
        int replicas = options.nodes() > 1 ? 1 : 0;
        for (Corpus corpus : corpora) {
            corpus.create(cluster.client(), replicas, random);
        }
        rebuilds = corpora.stream().map(corpus -> new Rebuild(corpus, replicas)).toList();
    }

    /**
     * What came of a kill, or of some pauses.
     *
     * @param victims the nodes, in order
     */
    record Result(List<Integer> victims, String clients, String times, List<Loss> losses) {}

    /** What is done to nodes while clients work, and afterwards. */
    private interface Disturbance {

        /** Returns the nodes, in order. */
        List<Integer> begin(Load load);

        /** @param victim the last node */
        void end(int victim);
    }

    /** Kills a node in the middle of a load, starts it again, and checks the books. */
    Result kill() throws InterruptedException, ExecutionException {
        return round(new Disturbance() {
            @Override
            public List<Integer> begin(Load load) {
                int victim = random.nextInt(options.nodes());
                long moment = history.now();
                cluster.kill(victim);
                load.avoid(victim);
                note(moment, "kill -9 of node " + victim);
                if (options.nodes() > 1) {
                    park(random.nextInt(1_500));
                }
                return List.of(victim);
            }

            @Override
            public void end(int victim) {
                cluster.restart(victim, options);
            }
        });
    }

    /**
     * Lets one node after the other stand still in the middle of a load, for 1 to 20 seconds, and go on as if nothing had
     * happened, and checks the books. Clients go on, too: they also ask this node.
     *
     * @param most pauses
     */
    Result pause(int most) throws InterruptedException, ExecutionException {
        return round(new Disturbance() {
            @Override
            public List<Integer> begin(Load load) {
                List<Integer> victims = new ArrayList<>();
                long first = history.now();
                for (int left = 1 + random.nextInt(Math.min(most, MOST_STOPS)); left > 0; left--) {
                    int victim = random.nextInt(options.nodes());
                    stop(victim);
                    // One answer may wait for several nodes.
                    history.paused(history.now() - first);
                    victims.add(victim);
                    park(random.nextInt(3_000));
                }
                return victims;
            }

            private void stop(int victim) {
                int millis = 1_000 + random.nextInt(19_000);
                long moment = history.now();
                cluster.pause(victim);
                try {
                    park(millis);
                } finally {
                    cluster.resume(victim);
                }
                history.add(Note.pause(victim, moment, history.now()));
            }

            @Override
            public void end(int victim) {
                // The one that stood still may not know yet what it has missed.
                RestClient client = cluster.client((victim + 1) % options.nodes());
                client.must(
                        "GET",
                        "/_cluster/health?wait_for_status=yellow&timeout=240s&wait_for_nodes=" + options.nodes(),
                        null);
            }
        });
    }

    private void note(long from, String what) {
        history.add(new Note(from, history.now(), null, null, what));
    }

    private Result round(Disturbance disturbance) throws InterruptedException, ExecutionException {
        round++;
        long start = history.now();
        var load = new Load(cluster, options.nodes(), history, families, corpora);
        List<String> names = new ArrayList<>();
        List<Integer> victims;
        try (var threads = Executors.newCachedThreadPool()) {
            List<Future<?>> running = new ArrayList<>();
            try {
                clients(load).forEach((name, client) -> {
                    names.add(name);
                    running.add(threads.submit(client));
                });
                awaitTheMoment();
                victims = disturbance.begin(load);
            } finally {
                load.end();
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
        long ended = history.now();
        disturbance.end(victims.getLast());
        // A close that nobody answered may have come after the operator's open.
        corpora.forEach(corpus -> cluster.client().must("POST", "/" + corpus.index() + "/_open", null));
        awaitAllCopies();
        for (Rebuild rebuild : rebuilds) {
            rebuild.finish(cluster.client());
            rebuild.unblock(cluster.client());
        }
        Scheduling.end(cluster.client(), corpora, random.nextBoolean());
        awaitAllCopies();
        runJobs();
        long whole = history.now();
        note(history.now(), "all nodes are back");
        history.settle();
        List<Loss> losses = check();
        String times = String.format(
                Locale.ROOT,
                "%.1f s load, %.1f s until whole, %.1f s books",
                (ended - start) / 1e6,
                (whole - ended) / 1e6,
                (history.now() - whole) / 1e6);
        return new Result(victims, String.join(", ", names), times, losses);
    }

    /** Over all indices in which people decided, as after any disturbance. */
    private void runJobs() {
        for (Corpus corpus : corpora) {
            boolean isDecided = history.decisions().stream()
                    .anyMatch(decision -> decision.document().startsWith(corpus.index() + "/"));
            if (isDecided && random.nextInt(3) > 0) {
                JobRun.Kind kind = JobStarter.KINDS.get(random.nextInt(JobStarter.KINDS.size()));
                Map<String, Object> options = JobStarter.options(corpus, kind);
                JobStarter.send(cluster.client(), history, corpus, kind, JobStarter.path(corpus), options);
            }
        }
    }

    private List<Loss> check() {
        List<Loss> losses = new ArrayList<>();
        for (Corpus corpus : corpora) {
            long sent = history.now();
            Remains remains = Remains.read(cluster.client(), corpus);
            losses.addAll(Books.check(corpus, history, remains));
            history.decisions().stream()
                    .flatMap(decision -> Stream.of(decision, decision.turned()))
                    .filter(decision -> decision.text().equals(remains.stored().get(decision.document())))
                    .forEach(decision -> history.add(new Note(
                            sent, history.now(), decision.document(), decision.text(), "seen " + decision.document())));
        }
        losses.removeIf(loss -> reported.add(loss.kind() + loss.what()) == false);
        return losses;
    }

    History history() {
        return history;
    }

    /** Takes the indices away. */
    void end() {
        corpora.forEach(corpus -> corpus.delete(cluster.client()));
    }

    private Map<String, Runnable> clients(Load load) {
        Map<String, Runnable> clients = new HashMap<>();
        int pause = PAUSES[random.nextInt(PAUSES.length)];
        boolean isLong = random.nextInt(10) < 8;
        int writers = random.nextInt(isLong ? 3 : 2) + (isLong ? 0 : 1);
        for (int i = 0; i < writers; i++) {
            var habits = new Writer.Habits(round + "w" + i, 10 + random.nextInt(30), random.nextInt(50), 0, pause);
            clients.put("writer " + i, writer(load, i, habits));
        }
        if (isLong) {
            int fillers = 300 + random.nextInt(2_200);
            var habits = new Writer.Habits(
                    round + "long", 20 + random.nextInt(80), random.nextInt(40), fillers, LONG_PAUSE_MILLIS);
            clients.put("long bulks", writer(load, MOST_WRITERS, habits));
            clients.put("echoes", new Echoes(load, String.valueOf(round), random.split()));
        }
        if (random.nextInt(10) < 6) {
            clients.put("jobs", new JobStarter(load, 10 * pause, random.split()));
        }
        if (random.nextInt(10) < 5) {
            clients.put("refreshes", new Refresher(load, 10 * pause, random.split()));
        }
        if (random.nextInt(10) < 7) {
            clients.put("operator", new Operator(load, rebuilds, options.nodes() == 1, random.split()));
        }
        if (random.nextInt(10) < 8) {
            clients.put("reviewer", new Reviewer(load, String.valueOf(round), random.split()));
        }
        if (random.nextInt(10) < 4) {
            clients.put("schedules", new Scheduling(load, random.split()));
        }
        if (random.nextInt(10) < 2) {
            clients.put("crowds", new Crowds(load, String.valueOf(round), CROWD, random.split()));
        }
        return clients;
    }

    private Writer writer(Load load, int number, Writer.Habits habits) {
        while (stored.size() <= number) {
            stored.add(new HashMap<>());
        }
        return new Writer(load, habits, large, stored.get(number), random.split());
    }

    /** After any number of answers; mostly right after another document was left out or deleted. */
    private void awaitTheMoment() {
        long answers = history.answered() + random.nextInt(MOST_ANSWERS);
        await(() -> history.answered() >= answers, LONGEST_LOAD_MICROS);
        park(random.nextInt(500));
        if (random.nextInt(4) > 0) {
            long removals = history.removals();
            await(() -> history.removals() > removals, PATIENCE_MICROS);
        }
    }

    private void await(BooleanSupplier condition, long micros) {
        long deadline = history.now() + micros;
        while (condition.getAsBoolean() == false && history.now() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** A node that is killed next must not be the only one that has something. */
    private void awaitAllCopies() {
        RestClient client = cluster.client();
        String status = options.nodes() > 1 ? "green&wait_for_no_initializing_shards=true" : "yellow";
        for (int left = RETRIES; left > 0; left--) {
            // OpenSearch gives up a copy after five attempts, as on a node that stood still again and again.
            client.must("POST", "/_cluster/reroute?retry_failed=true", null);
            String path = "/_cluster/health?wait_for_status=" + status + "&timeout=60s";
            if (client.send("GET", path, null).ok()) {
                return;
            }
        }
        throw new IllegalStateException("copies are missing: "
                + client.get("/_cluster/allocation/explain").text());
    }

    private static void park(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
