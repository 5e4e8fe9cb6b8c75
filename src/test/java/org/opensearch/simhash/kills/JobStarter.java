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

/** Runs jobs that delete, into the archive or not, and restores runs of the archive. */
final class JobStarter implements Runnable {

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
                boolean archives = random.nextBoolean();
                String pace = random.nextInt(3) == 0 ? "?requests_per_second=" + (20 + random.nextInt(500)) : "";
                delete(client, corpus, archives, pace);
            }
        }
    }

    private void delete(RestClient client, Corpus corpus, boolean archives, String parameters) {
        Map<String, Object> options = options(corpus, archives);
        options.put("linkage", random.nextBoolean() ? "survivor" : "chain");
        JobRun.Kind kind = archives ? JobRun.Kind.ARCHIVE : JobRun.Kind.DELETE;
        send(client, load.history(), corpus, kind, path(corpus) + parameters, options);
    }

    /** Of a job that deletes; one may change them. */
    static Map<String, Object> options(Corpus corpus, boolean archives) {
        Map<String, Object> options = new HashMap<>(corpus.rule());
        options.put("action", "delete");
        options.put("archive", archives ? Map.of("index", corpus.archive()) : false);
        options.put("max_group_size", 100_000);
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
        long sent = history.now();
        try {
            Answer answer = client.send("POST", path, Json.write(body));
            // What timed out may still be done.
            long answered = answer.status() >= 500 ? Operation.OPEN : history.now();
            long deleted = answer.ok() && kind != JobRun.Kind.RESTORE ? answer.number("deleted") : 0;
            history.add(new JobRun(corpus.index(), kind, sent, answered, path + " " + answer), deleted);
            return deleted;
        } catch (UncheckedIOException killed) {
            history.add(new JobRun(corpus.index(), kind, sent, Operation.OPEN, path + " no answer"), 0);
            return 0;
        }
    }
}
