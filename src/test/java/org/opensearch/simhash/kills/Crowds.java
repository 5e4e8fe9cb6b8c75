/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.io.UncheckedIOException;
import java.util.Map;
import java.util.SplittableRandom;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/**
 * Stores hundreds of near texts, lets a job without an archive delete all but one, writes another text in place of that one
 * meanwhile, and looks which of the others are still there right after that was answered.
 */
final class Crowds implements Runnable {

    private static final int LOOKS = 4;
    private static final int LONGEST_PAUSE_MILLIS = 50;
    private static final int LONGEST_LOOK_MILLIS = 5;

    private final Load load;
    private final String name;
    private final int size;
    private final SplittableRandom random;

    private int next;

    /** @param name part of the ids */
    Crowds(Load load, String name, int size, SplittableRandom random) {
        this.load = load;
        this.name = name;
        this.size = size;
        this.random = random;
    }

    @Override
    public void run() {
        while (load.goesOn(random, 300)) {
            try {
                crowd(load.corpus(random), load.client(random));
            } catch (UncheckedIOException | IllegalStateException killed) {
                Thread.onSpinWait();
            }
        }
    }

    private void crowd(Corpus corpus, RestClient client) {
        int number = next++;
        var text = new Text(load.families().secret(true), 0, 0);
        var bulk = new Bulk(corpus, "none");
        for (int i = 0; i < size; i++) {
            bulk.put(id(number, i), Families.variant(text, random));
        }
        boolean stored =
                bulk.send(client, load.history()).stream().allMatch(operation -> operation.outcome() == Outcome.STORED);
        if (stored == false
                || client.send("POST", "/" + corpus.index() + "/_refresh", null).ok() == false) {
            return;
        }
        String path = JobStarter.path(corpus) + "?wait_for_completion=false";
        long sent = load.history().now();
        String answer = "no answer";
        long answered = Operation.OPEN;
        try {
            String task = client.must("POST", path, Json.write(JobStarter.options(corpus, JobRun.Kind.DELETE)))
                    .string("task");
            if (awaitPhase(client, task, "write") && load.goesOn(random, LONGEST_PAUSE_MILLIS)) {
                giveUpTheSurvivor(client, corpus, number);
            }
            awaitPhase(client, task, "done");
            answer = client.get("/_tasks/" + task).text();
            answered = load.history().now();
        } finally {
            load.history()
                    .add(new JobRun(corpus.index(), JobRun.Kind.DELETE, true, sent, answered, path + " " + answer), 0);
        }
    }

    /** Whether the task came to this phase; {@code done} is its answer. */
    private boolean awaitPhase(RestClient client, String task, String phase) {
        while (true) {
            Answer status = client.must("GET", "/_tasks/" + task, null);
            if ((boolean) status.at("completed")) {
                return phase.equals("done");
            }
            if (phase.equals("done") == false && phase.equals(status.at("task.status.phase"))) {
                return true;
            }
            if (load.goesOn(random, LONGEST_LOOK_MILLIS) == false && phase.equals("write")) {
                return false;
            }
        }
    }

    private void giveUpTheSurvivor(RestClient client, Corpus corpus, int number) {
        var giveUp = new Bulk(corpus, "none");
        giveUp.put(id(number, 0), new Text(load.families().secret(false), 0, 0));
        giveUp.send(client, load.history());
        for (int look = 0; look < LOOKS; look++) {
            look(client, corpus, id(number, size - 1 - random.nextInt(size / 2)));
        }
    }

    private void look(RestClient client, Corpus corpus, String id) {
        long sent = load.history().now();
        Answer answer = client.get("/" + corpus.index() + "/_doc/" + id);
        if (answer.ok()) {
            Text text = Text.parse((String) Json.at(answer.json(), "_source.text"));
            load.history().see(corpus, Map.of(id, text), sent);
        }
    }

    /** In order: the first is the survivor of the job. */
    private String id(int number, int document) {
        return "crowd-" + name + "-" + number + "-" + (10_000 + document);
    }
}
