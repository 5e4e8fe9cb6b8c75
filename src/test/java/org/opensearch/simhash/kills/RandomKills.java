/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;

/**
 * Kills a node ({@code kill -9}) at a random moment of a mixed load, or lets nodes stand still (SIGSTOP) for 1 to 20 seconds, again
 * and again, and checks each time that for every acknowledged text a near-duplicate is there: {@link Books} says what that means.
 * The load is bulks of texts, pictures and given hashes through {@code near_duplicate} with each action, long bulks, documents written
 * again, updated and deleted, jobs that tag, and that delete with an archive and without, that merge values, schedules, restores,
 * people who reject and accept groups, {@code apply}, and what an {@link Operator} does, who makes the index behind an alias anew. No
 * document ends for one that people have kept it apart from. Prints a row per kill or load with pauses, the history of each text that was lost, and the seed; exit status 1 when
 * anything was lost.
 *
 * <p>Arguments: kills on one node (120), kills of a node of three (80), pauses of a node of three (200), seed (another one each
 * time). A seed repeats the choices, not the order of events.
 */
public final class RandomKills {

    private static final int EPOCH = 10;
    private static final int PRINTED = 4;

    private final long start = System.nanoTime();
    private final SplittableRandom random;
    private final Map<Loss.Kind, Integer> found = new EnumMap<>(Loss.Kind.class);
    private final Map<Outcome, Long> answers = new EnumMap<>(Outcome.class);

    private long removals;
    private long jobs;
    private long decisions;
    private long swaps;

    private RandomKills(long seed) {
        random = new SplittableRandom(seed);
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int single = args.length > 0 ? Integer.parseInt(args[0]) : 120;
        int three = args.length > 1 ? Integer.parseInt(args[1]) : 80;
        int pauses = args.length > 2 ? Integer.parseInt(args[2]) : 200;
        long seed = args.length > 3 ? Long.parseLong(args[3]) : System.nanoTime();
        System.out.println("kills on one node " + single + ", on three " + three + ", pauses on three " + pauses
                + ", seed " + seed);
        var kills = new RandomKills(seed);
        kills.run(NodeOptions.disturbed(1), "kill", single);
        kills.run(NodeOptions.disturbed(3), "kill", three);
        kills.run(NodeOptions.impatient(3).with("plugins.simhash.schedules.interval", "500ms"), "pause", pauses);
        System.out.printf(
                Locale.ROOT,
                "answers %s, jobs and restores %d, left out or deleted by jobs %d, pairs kept apart %d, swaps of an alias %d;"
                        + " seed %d%n",
                kills.answers,
                kills.jobs,
                kills.removals,
                kills.decisions,
                kills.swaps,
                seed);
        System.out.println(kills.found.isEmpty() ? "nothing lost" : "WRONG " + kills.found);
        if (kills.found.isEmpty() == false) {
            System.exit(1);
        }
    }

    /** @param what kill or pause */
    private void run(NodeOptions options, String what, int times) throws InterruptedException, ExecutionException {
        if (times == 0) {
            return;
        }
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), options)) {
            var families = new Families();
            for (int from = 0; from < times; from += EPOCH) {
                String name = what + "s-" + options.nodes() + "-" + from;
                var epoch = new Epoch(cluster, options, name, families, random.split());
                epoch(epoch, what, options.nodes(), from, Math.min(times, from + EPOCH));
                epoch.history().answers().forEach((outcome, count) -> answers.merge(outcome, count, Long::sum));
                removals += epoch.history().removals();
                jobs += epoch.history().jobs().size();
                decisions += epoch.history().decisions().size();
                swaps += epoch.history().swaps();
                epoch.end();
            }
        }
    }

    private void epoch(Epoch epoch, String what, int nodes, int from, int to)
            throws InterruptedException, ExecutionException {
        for (int i = from; i < to; ) {
            Epoch.Result result = what.equals("pause") ? epoch.pause(to - i) : epoch.kill();
            i += result.victims().size();
            System.out.printf(
                    Locale.ROOT,
                    "[%5d s] %s %d, nodes %s of %d, wrong %d; %s; %s; so far %s, %d left out or deleted by jobs,"
                            + " %d pairs kept apart, %d swaps%n",
                    (System.nanoTime() - start) / 1_000_000_000,
                    what,
                    i,
                    result.victims(),
                    nodes,
                    result.losses().size(),
                    result.clients(),
                    result.times(),
                    epoch.history().answers(),
                    epoch.history().removals(),
                    epoch.history().decisions().size(),
                    epoch.history().swaps());
            result.losses().forEach(this::note);
        }
    }

    private void note(Loss loss) {
        if (found.merge(loss.kind(), 1, Integer::sum) <= PRINTED) {
            System.out.println(loss);
        }
    }
}
