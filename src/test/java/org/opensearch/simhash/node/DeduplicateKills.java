/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Kills a node of three while a job deletes near-duplicates, in each phase: first the node that coordinates the job, then one
 * that only has data. Each time no document may be lost, and the second run has to end as an undisturbed one. Prints a row per
 * case; exit status 1 when a case failed.
 *
 * <p>Arguments: documents, and in which of {@code scan}, {@code join}, {@code read}, {@code group}, {@code write}, {@code
 * pass-scan}, {@code pass-join} to kill; all by default. The last two are of passes on nodes that do not coordinate, which
 * takes {@value #SPREAD} documents.
 */
public final class DeduplicateKills {

    private static final int SPREAD = 300_000;
    private static final int DISTANCE = 7;
    private static final int ATTEMPTS = 5;
    private static final long SEED = 5;

    private final Map<Integer, RemovalState> undisturbed = new HashMap<>();

    private DeduplicateKills() {}

    public static void main(String[] args) {
        int documents = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
        List<String> moments = args.length > 1
                ? List.of(args).subList(1, args.length)
                : List.of("scan", "join", "read", "group", "write", "pass-scan", "pass-join");
        row("killed in", "seen before", "victim", "the job", "lost", "same end state", "seconds");
        var kills = new DeduplicateKills();
        boolean good = true;
        for (String moment : moments) {
            for (boolean coordinating : List.of(true, false)) {
                good &= kills.run(moment, coordinating, documents);
            }
        }
        if (good == false) {
            System.exit(1);
        }
    }

    private boolean run(String moment, boolean coordinating, int documents) {
        String victim = coordinating ? "coordinating" : "data";
        int size = moment.startsWith("pass-") ? Math.max(documents, SPREAD) : documents;
        RemovalState expected = undisturbed.computeIfAbsent(size, DeduplicateKills::undisturbed);
        long start = System.nanoTime();
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.quick(3))) {
            DeletingJob job = filled(cluster, size);
            var watch = new JobWatch(job);
            if (started(job, watch, moment, size) == false) {
                row(moment, watch.seen(), victim, "not caught in time", "", "", seconds(start));
                return true;
            }
            int killed = coordinating ? DeletingJob.COORDINATING : Math.max(1, watch.node());
            job.kill(killed);
            int lost = job.settled().lost(size).size();
            boolean same = job.run().equals(expected);
            String outcome = job.outcome();
            row(moment, watch.seen(), victim, outcome, String.valueOf(lost), same ? "yes" : "no", seconds(start));
            return lost == 0 && same;
        } catch (RuntimeException e) {
            row(moment, e.toString(), victim, "", "", "no", seconds(start));
            return false;
        }
    }

    /** Whether the job is where it is to be killed: tried several times, for a phase may be too short to be seen each time. */
    private static boolean started(DeletingJob job, JobWatch watch, String moment, int size) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            // A tenth is duplicates, each written and deleted: ten seconds.
            job.start(size / 50);
            boolean caught = switch (moment) {
                case "pass-scan" -> watch.seesPass(false);
                case "pass-join" -> watch.seesPass(true);
                default -> watch.sees(moment);
            };
            if (caught) {
                return true;
            }
            job.cancel();
        }
        return false;
    }

    private static RemovalState undisturbed(int size) {
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.quick(3))) {
            return filled(cluster, size).run();
        }
    }

    private static DeletingJob filled(RealCluster cluster, int size) {
        var job = new DeletingJob(cluster, "corpus", DISTANCE);
        job.fill(size, new EditedFingerprints(size, 10, DISTANCE, SEED));
        return job;
    }

    private static String seconds(long start) {
        return String.format(Locale.ROOT, "%.0f", (System.nanoTime() - start) / 1e9);
    }

    private static void row(String... columns) {
        System.out.printf(Locale.ROOT, "| %-9s | %-22s | %-12s | %-8s | %4s | %-14s | %7s |%n", (Object[]) columns);
    }
}
