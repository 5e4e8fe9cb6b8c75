/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.io.UncheckedIOException;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/**
 * Puts a schedule for each index now and then: its first run begins at once. A run whose node dies is started again on another one,
 * and there may be runs until {@link #end}.
 */
final class Scheduling implements Runnable {

    private static final int PAUSE_MILLIS = 4_000;
    private static final int LOOKS = 20;
    private static final String JOBS = "/_tasks?actions=indices:data/write/simhash/*";

    private final Load load;
    private final RandomGenerator random;

    Scheduling(Load load, RandomGenerator random) {
        this.load = load;
        this.random = random;
    }

    @Override
    public void run() {
        while (load.goesOn(random, PAUSE_MILLIS)) {
            Corpus corpus = load.corpus(random);
            JobRun.Kind kind = JobStarter.KINDS.get(random.nextInt(JobStarter.KINDS.size()));
            Map<String, Object> body = JobStarter.options(corpus, kind);
            body.put("every", "1m");
            body.put("index", corpus.index());
            if (random.nextBoolean()) {
                body.put("new_since", "last");
            }
            long sent = load.history().now();
            try {
                Answer answer = load.client(random).send("PUT", path(corpus), Json.write(body));
                if (answer.ok() || answer.status() >= 500) {
                    note(corpus, kind, sent, answer.toString());
                }
            } catch (UncheckedIOException killed) {
                note(corpus, kind, sent, "no answer");
            }
        }
    }

    private void note(Corpus corpus, JobRun.Kind kind, long sent, String answer) {
        load.history().add(new JobRun(corpus.index(), kind, true, sent, Operation.OPEN, "schedule " + answer), 0);
    }

    private static String path(Corpus corpus) {
        return "/_plugins/_simhash/schedules/" + corpus.index();
    }

    /**
     * Waits a while for the run of a schedule, and takes it away; then no job is at work. All nodes have to be there.
     *
     * @param isPatient whether it waits
     */
    static void end(RestClient client, Iterable<Corpus> corpora, boolean isPatient) throws InterruptedException {
        for (Corpus corpus : corpora) {
            Answer schedule = client.get(path(corpus));
            for (int look = 0; isPatient && look < LOOKS && isDue(schedule); look++) {
                Thread.sleep(500);
                schedule = client.get(path(corpus));
            }
            Answer gone = client.send("DELETE", path(corpus), null);
            while (gone.ok() == false && gone.status() != 404) {
                Thread.sleep(500);
                gone = client.send("DELETE", path(corpus), null);
            }
        }
        // A node that has just begun a run is seen the second time.
        for (int quiet = 0; quiet < 2; ) {
            Thread.sleep(200);
            Answer tasks = client.must("GET", JOBS, null);
            boolean isQuiet = ((Map<?, ?>) tasks.at("nodes")).isEmpty();
            quiet = isQuiet ? quiet + 1 : 0;
            if (isQuiet == false) {
                client.must("POST", JOBS.replace("?", "/_cancel?"), null);
            }
        }
    }

    private static boolean isDue(Answer schedule) {
        return schedule.ok() && (schedule.at("running") != null || schedule.at("last_run") == null);
    }
}
