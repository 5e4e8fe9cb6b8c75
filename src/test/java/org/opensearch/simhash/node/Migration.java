/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Gives the documents of an index fingerprints by the requests of {@code docs/existing-index.md}, as they stand there, while another
 * client writes. Prints what that page shows.
 *
 * <p>Arguments: number of documents; {@code documented}, or {@code dynamic} to leave the mapping to dynamic mapping; {@code alone} where
 * no other client is to write. The texts are those of the data set {@code load_poems_zh} where the system property {@code simhash.data}
 * names a folder that has it.
 */
public final class Migration {

    static final String INDEX = "articles";

    private static final int BULK = 1_000;
    private static final int MOST_ROUNDS = 20;
    private static final int SIMULATED = 500;

    private final RestClient client;
    private final MigratedTexts texts;
    private final int documents;
    private final boolean isMapped;
    private final boolean isAlone;
    private List<?> steps = List.of();

    Migration(RestClient client, MigratedTexts texts, int documents, boolean isMapped, boolean isAlone) {
        this.client = client;
        this.texts = texts;
        this.documents = documents;
        this.isMapped = isMapped;
        this.isAlone = isAlone;
    }

    /** What came of it. */
    record Result(long bytesBefore, long bytesAfter, double seconds, int rounds, Map<String, Long> rival, long end) {}

    public static void main(String[] args) {
        int documents = Integer.parseInt(args[0]);
        boolean isMapped = args[1].equals("documented");
        boolean isAlone = args.length > 2 && args[2].equals("alone");
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            MigratedTexts texts = MigratedTexts.configured();
            Result result = new Migration(cluster.client(), texts, documents, isMapped, isAlone).run();
            System.out.printf(
                    Locale.ROOT,
                    "%,d documents, %,d texts, mapping %s: %.0f s in %d rounds; bytes a document %.0f before, %.0f after,"
                            + " %.0f more; the other client: %s; %,d documents in the end, each with its fingerprint%n",
                    documents,
                    texts.size(),
                    args[1],
                    result.seconds,
                    result.rounds,
                    (double) result.bytesBefore / documents,
                    (double) result.bytesAfter / result.end,
                    (double) result.bytesAfter / result.end - (double) result.bytesBefore / documents,
                    result.rival,
                    result.end);
        }
    }

    /** @throws IllegalStateException when a document has another text than was acknowledged, or another fingerprint than its text */
    Result run() {
        fill();
        long before = merged();
        RivalClient rival = new RivalClient(client, INDEX, texts, documents, 38);
        Thread writing = new Thread(rival, "rival");
        List<Throwable> failures = new ArrayList<>();
        writing.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        if (isAlone == false) {
            writing.start();
        }
        long start = System.nanoTime();
        String options = "{\"field\": \"body\", \"pipeline\": \"" + INDEX + "\"}";
        steps = (List<?>) client.must("POST", "/_plugins/_simhash/setup/" + INDEX, options)
                .at("steps");
        if (isMapped) {
            send("mapping");
        }
        send("pipeline");
        send("setting");
        int rounds = 1;
        updateByQuery();
        double seconds = (System.nanoTime() - start) / 1e9;
        rival.stop();
        join(writing);
        if (failures.isEmpty() == false) {
            throw new IllegalStateException(failures.getFirst());
        }
        client.must("POST", "/" + INDEX + "/_refresh", null);
        while (updateByQuery() > 0) {
            if (++rounds > MOST_ROUNDS) {
                throw new IllegalStateException("documents are left after " + rounds + " rounds");
            }
        }
        long end = checked(rival);
        return new Result(before, merged(), seconds, rounds, rival.counts(), end);
    }

    /** Sends a step of the setup. */
    private void send(String what) {
        Object step = step(what);
        String[] request = Json.at(step, "request").toString().split(" ", 2);
        client.must(request[0], request[1], body(step));
    }

    private Object step(String what) {
        return steps.stream()
                .filter(step -> what.equals(Json.at(step, "what")))
                .findFirst()
                .orElseThrow();
    }

    @SuppressWarnings("unchecked") // a request's body
    private static String body(Object step) {
        return Json.write((Map<String, Object>) Json.at(step, "body"));
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void fill() {
        client.must("PUT", "/" + INDEX, """
                {"settings": {"number_of_shards": 1, "number_of_replicas": 0},
                 "mappings": {"properties": {"title": {"type": "text"}, "body": {"type": "text"}}}}""");
        for (int from = 0; from < documents; from += BULK) {
            StringBuilder lines = new StringBuilder();
            for (int i = from; i < Math.min(documents, from + BULK); i++) {
                lines.append("{\"index\": {\"_id\": \"" + i + "\"}}\n")
                        .append(Json.write(Map.of("title", "" + i, "body", texts.text(i))))
                        .append('\n');
            }
            Answer answer = client.must("POST", "/" + INDEX + "/_bulk?filter_path=errors", lines.toString());
            if ((boolean) answer.at("errors")) {
                throw new IllegalStateException("documents were refused");
            }
        }
    }

    /** Bytes on disk when nothing is left to merge. */
    private long merged() {
        client.must("POST", "/" + INDEX + "/_flush", null);
        task("/" + INDEX + "/_forcemerge?max_num_segments=1", null);
        client.must("POST", "/" + INDEX + "/_refresh", null);
        client.must("POST", "/" + INDEX + "/_flush?force=true", null);
        return client.must("GET", "/" + INDEX + "/_stats/store", null)
                .number("indices." + INDEX + ".primaries.store.size_in_bytes");
    }

    /** How many documents the documented request found that had no fingerprint. */
    private long updateByQuery() {
        Object update = step("update");
        String[] request = Json.at(update, "request").toString().split(" ", 2);
        Answer done = task(request[1], body(update));
        if (done.at("error") != null || done.text().contains("\"failures\":[]") == false) {
            throw new IllegalStateException(done.text());
        }
        return done.number("response.total");
    }

    /** As a task: it may take longer than a client waits. */
    private Answer task(String path, String body) {
        String task = client.must("POST", path + (path.contains("?") ? "&" : "?") + "wait_for_completion=false", body)
                .string("task");
        while (true) {
            Answer answer = client.send("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=60s", null);
            if (answer.ok() && (boolean) answer.at("completed")) {
                return answer;
            }
        }
    }

    /** The number of documents; each has the text that it must have, and the fingerprint of that text. */
    private long checked(RivalClient rival) {
        Map<String, Integer> expected = rival.expected();
        Answer check = client.must("GET", "/_plugins/_simhash/check/" + INDEX, null);
        if (check.string("status").equals("ok") == false || check.number("without") > 0) {
            throw new IllegalStateException(check.text());
        }
        Map<String, String> digests = new HashMap<>();
        Map<String, String> some = new HashMap<>();
        long seen = 0;
        Answer page = client.must(
                "POST",
                "/" + INDEX + "/_search?scroll=5m",
                "{\"size\": 5000, \"sort\": [\"_doc\"], \"_source\": [\"body\", \"simhash.digest\", \"simhash.scheme\"]}");
        String scroll = page.string("_scroll_id");
        while (page.hits().isEmpty() == false) {
            for (Map<String, Object> hit : page.hits()) {
                String id = (String) hit.get("_id");
                String body = (String) Json.at(hit, "_source.body");
                String digest = (String) Json.at(hit, "_source.simhash.digest");
                Integer number = expected.get(id);
                if (number == null || texts.text(number).equals(body) == false || digest == null) {
                    throw new IllegalStateException("[" + id + "] must have text " + number + ", got: " + hit);
                }
                if (some.size() < SIMULATED && (isAlone || rival.hasChanged(id))) {
                    some.put(body, digest);
                }
                String same = digests.putIfAbsent(body, digest);
                if (same != null && same.equals(digest) == false) {
                    throw new IllegalStateException("one text has two fingerprints: " + hit);
                }
                seen++;
            }
            page = client.must("POST", "/_search/scroll", Json.write(Map.of("scroll", "5m", "scroll_id", scroll)));
        }
        client.must("DELETE", "/_search/scroll/" + scroll, null);
        if (seen != expected.size()) {
            throw new IllegalStateException(expected.size() + " documents were expected, got: " + seen);
        }
        some.forEach(this::requireDigest);
        return seen;
    }

    private void requireDigest(String body, String digest) {
        Answer made = client.must(
                "POST",
                "/_ingest/pipeline/" + INDEX + "/_simulate",
                Json.write(Map.of("docs", List.of(Map.of("_source", Map.of("body", body))))));
        if (digest.equals(made.at("docs.0.doc._source.simhash.digest")) == false) {
            throw new IllegalStateException("a fingerprint is not that of its text: " + body);
        }
    }
}
