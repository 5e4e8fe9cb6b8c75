/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** Runs jobs that tag or delete, into the archive or not, and restores runs of the archive. */
final class JobStarter implements Runnable {

    static final List<JobRun.Kind> KINDS =
            List.of(JobRun.Kind.DELETE, JobRun.Kind.DELETE, JobRun.Kind.ARCHIVE, JobRun.Kind.ARCHIVE, JobRun.Kind.TAG);

    /** One of so many jobs is not told where decisions are. */
    private static final int FORGETFUL = 6;

    private final Load load;
    private final int pauseMillis;
    private final RandomGenerator random;

    JobStarter(Load load, int pauseMillis, RandomGenerator random) {
        this.load = load;
        this.pauseMillis = pauseMillis;
        this.random = random;
    }

    @Override
    public void run() {
        while (load.goesOn(random, pauseMillis)) {
            Corpus corpus = load.corpus(random);
            RestClient client = load.client(random);
            if (random.nextInt(4) == 0) {
                restore(client, corpus);
            } else {
                String pace = random.nextInt(3) == 0 ? "?requests_per_second=" + (20 + random.nextInt(500)) : "";
                run(client, corpus, pace);
            }
        }
    }

    private void run(RestClient client, Corpus corpus, String parameters) {
        JobRun.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        Map<String, Object> options = options(corpus, kind);
        options.put("linkage", random.nextBoolean() ? "survivor" : "chain");
        if (random.nextInt(FORGETFUL) == 0) {
            options.remove("dest");
        }
        send(client, load.history(), corpus, kind, path(corpus) + parameters, options);
    }

    /** Of a job; one may change them. */
    static Map<String, Object> options(Corpus corpus, JobRun.Kind kind) {
        Map<String, Object> options = effect(corpus, kind);
        options.putAll(corpus.rule());
        options.put("max_group_size", 100_000);
        return options;
    }

    /** What a job of this kind does with a group, and where decisions are. */
    static Map<String, Object> effect(Corpus corpus, JobRun.Kind kind) {
        Map<String, Object> options = new HashMap<>();
        options.put("action", kind == JobRun.Kind.TAG ? "tag" : "delete");
        options.put("dest", Map.of("index", corpus.groups()));
        if (kind == JobRun.Kind.ARCHIVE) {
            options.put("archive", Map.of("index", corpus.archive()));
            if (corpus.merges()) {
                options.put("merge", List.of(Corpus.OWNERS));
            }
        } else if (kind == JobRun.Kind.DELETE) {
            options.put("archive", false);
        }
        return options;
    }

    static String path(Corpus corpus) {
        return "/_plugins/_simhash/deduplicate/" + corpus.index();
    }

    private void restore(RestClient client, Corpus corpus) {
        String search = "{\"size\":0,\"aggs\":{\"runs\":{\"terms\":{\"field\":\"simhash_archive.run\",\"size\":100}}}}";
        List<?> runs;
        try {
            Answer answer = client.send("POST", "/" + corpus.archive() + "/_search", search);
            runs = answer.ok() ? (List<?>) answer.at("aggregations.runs.buckets") : List.of();
        } catch (UncheckedIOException killed) {
            return;
        }
        if (runs == null || runs.isEmpty()) {
            return;
        }
        Object run = Json.at(runs.get(random.nextInt(runs.size())), "key");
        var body = Map.of("run", run, "archive", Map.of("index", corpus.archive()));
        send(client, load.history(), corpus, JobRun.Kind.RESTORE, path(corpus) + "/restore", body);
    }

    /**
     * Sends a request and notes what came of it.
     *
     * @return how many documents it says to have deleted
     */
    static long send(
            RestClient client, History history, Corpus corpus, JobRun.Kind kind, String path, Map<String, ?> body) {
        boolean isTold = body.containsKey("dest");
        long sent = history.now();
        try {
            Answer answer = client.send("POST", path, Json.write(body));
            // What timed out may still be done.
            long answered = answer.status() >= 500 ? Operation.OPEN : history.now();
            long deleted = answer.ok() && kind != JobRun.Kind.RESTORE && kind != JobRun.Kind.TAG
                    ? answer.number("deleted")
                    : 0;
            history.add(new JobRun(corpus.index(), kind, isTold, sent, answered, path + " " + answer), deleted);
            return deleted;
        } catch (UncheckedIOException killed) {
            history.add(new JobRun(corpus.index(), kind, isTold, sent, Operation.OPEN, path + " no answer"), 0);
            return 0;
        }
    }
}
