/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** Indexes {@link PlantedDuplicates} through {@code near_duplicate} and compares what is there afterwards, one with all. */
final class DuplicatesRun {

    static final int MAX_DISTANCE = 3;
    private static final int PAGE = 5_000;

    /**
     * What came out.
     *
     * @param sent documents
     * @param stored of these
     * @param dropped reported as not indexed
     * @param planted copies within the distance of what they are copies of
     * @param caught of these: stored with a tag, or their originals with one, or not stored
     * @param tagged documents with a tag
     * @param falseTags whose original is not there, or not as near as the tag says
     * @param lost documents that are not stored while nothing within the distance is
     * @param seconds until all was answered
     * @param slowest seconds until the bulk was answered that took longest, with all that was sent of it
     * @param again bulks that were sent again, because of a failure that passes
     */
    record Outcome(
            int sent,
            int stored,
            int dropped,
            int planted,
            int caught,
            int tagged,
            int falseTags,
            int lost,
            double seconds,
            double slowest,
            int again) {

        int missed() {
            return planted - caught;
        }

        double documentsPerSecond() {
            return sent / seconds;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "sent %d, stored %d, dropped %d; planted within %d bits %d, missed %d (%.2f %%); tagged %d, falsely %d; lost %d; %.0f documents/s, slowest bulk %.1f s, %d sent again",
                    sent,
                    stored,
                    dropped,
                    MAX_DISTANCE,
                    planted,
                    missed(),
                    100.0 * missed() / planted,
                    tagged,
                    falseTags,
                    lost,
                    documentsPerSecond(),
                    slowest,
                    again);
        }
    }

    private record Stored(long bits, String digest, Map<?, ?> tag) {}

    private final String index;
    private final PlantedDuplicates documents;
    private final int bulk;
    private final BitSet dropped = new BitSet();
    private final AtomicLong slowestNanos = new AtomicLong();
    private final AtomicInteger again = new AtomicInteger();
    private double seconds;

    DuplicatesRun(String index, PlantedDuplicates documents, int bulk) {
        this.index = index;
        this.documents = documents;
        this.bulk = bulk;
    }

    /** An index with the mapping of the template and a pipeline with {@code near_duplicate}. */
    void prepare(RestClient client, int shards, String action) {
        prepare(client, shards, 0, action);
    }

    void prepare(RestClient client, int shards, int replicas, String action) {
        // Pairs are planted, and graded, by bits alone.
        prepare(client, shards, replicas, action, action.equals("tag") ? "" : "\"verify\":false,\"max_own_words\":-1,");
    }

    /** @param byBits options of {@code near_duplicate}, each with a comma behind it */
    void prepare(RestClient client, int shards, int replicas, String action, String byBits) {
        var sample = new SampleIndex();
        String pipeline = "{\"processors\":[{\"simhash\":{\"field\":\"content\"}},{\"near_duplicate\":{" + byBits
                + "\"action\":\"" + action + "\"}}]}";
        client.must("PUT", "/_ingest/pipeline/" + index, pipeline);
        Object mappings = sample.mappings();
        var settings = Map.of(
                "number_of_shards",
                shards,
                "number_of_replicas",
                replicas,
                "refresh_interval",
                "30s",
                "default_pipeline",
                index);
        client.must("PUT", "/" + index, Json.write(Map.of("settings", settings, "mappings", mappings)));
        client.must("GET", "/_cluster/health/" + index + "?wait_for_status=green", null);
    }

    /**
     * Sends all documents; a bulk that is not answered is sent again.
     *
     * @param clients by the number of a thread
     * @param onSent told the number of bulks answered so far
     */
    void send(int threads, IntFunction<RestClient> clients, java.util.function.IntConsumer onSent)
            throws InterruptedException, ExecutionException {
        AtomicInteger next = new AtomicInteger();
        AtomicInteger answered = new AtomicInteger();
        long start = System.nanoTime();
        try (var senders = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int own = thread;
                all.add(senders.submit(() -> {
                    for (int from = next.getAndAdd(bulk); from < documents.size(); from = next.getAndAdd(bulk)) {
                        long sent = System.nanoTime();
                        note(sendUntilAnswered(clients, own, from));
                        slowestNanos.accumulateAndGet(System.nanoTime() - sent, Math::max);
                        onSent.accept(answered.incrementAndGet());
                    }
                    return null;
                }));
            }
            for (Future<?> sender : all) {
                sender.get();
            }
        }
        seconds = (System.nanoTime() - start) / 1e9;
    }

    private Answer sendUntilAnswered(IntFunction<RestClient> clients, int thread, int from) {
        String lines = documents.bulk(from, Math.min(from + bulk, documents.size()));
        while (true) {
            try {
                Answer answer = clients.apply(thread).send("POST", "/" + index + "/_bulk", lines);
                if (answer.ok() && Boolean.FALSE.equals(answer.at("errors"))) {
                    return answer;
                }
                if (passes(answer) == false) {
                    throw new IllegalStateException(answer.text());
                }
                again.incrementAndGet();
            } catch (UncheckedIOException nodeIsGone) {
                Thread.onSpinWait();
            }
        }
    }

    /** Whether it may succeed when it is sent again, as clients do it. */
    private static boolean passes(Answer answer) {
        if (answer.ok() == false) {
            return answer.status() == 503;
        }
        for (Object item : (List<?>) answer.at("items")) {
            int status = ((Number) Json.at(item, "index.status")).intValue();
            if (status >= 400 && status != 429 && status < 500) {
                return false;
            }
        }
        return true;
    }

    private void note(Answer answer) {
        synchronized (dropped) {
            for (Object item : (List<?>) answer.at("items")) {
                if ("noop".equals(Json.at(item, "index.result"))) {
                    dropped.set(Integer.parseInt((String) Json.at(item, "index._id")));
                }
            }
        }
    }

    /** Compares everything with everything that matters. */
    Outcome check(RestClient client) {
        client.must("POST", "/" + index + "/_refresh", null);
        Map<Integer, Stored> stored = stored(client);
        int planted = 0;
        int caught = 0;
        int tagged = 0;
        int falseTags = 0;
        int lost = 0;
        for (int i = 0; i < documents.size(); i++) {
            Stored document = stored.get(i);
            Stored original = documents.original(i) < 0 ? null : stored.get(documents.original(i));
            if (document == null) {
                lost += isRepresented(client, documents.text(i)) ? 0 : 1;
                planted++;
                caught++;
                continue;
            }
            if (document.tag != null) {
                tagged++;
                Stored named = stored.get(Integer.parseInt((String) document.tag.get("id")));
                int distance = named == null ? Long.SIZE : distance(document, named);
                boolean right =
                        distance <= MAX_DISTANCE && ((Number) document.tag.get("distance")).intValue() == distance;
                falseTags += right ? 0 : 1;
            }
            if (original != null && distance(document, original) <= MAX_DISTANCE) {
                planted++;
                caught += document.tag != null || original.tag != null ? 1 : 0;
            }
        }
        return new Outcome(
                documents.size(),
                stored.size(),
                dropped.cardinality(),
                planted,
                caught,
                tagged,
                falseTags,
                lost,
                seconds,
                slowestNanos.get() / 1e9,
                again.get());
    }

    private boolean isRepresented(RestClient client, String text) {
        var query = Map.of("simhash", Map.of("text", text, "max_distance", MAX_DISTANCE));
        return client.must("POST", "/" + index + "/_count", Json.write(Map.of("query", query)))
                        .number("count")
                > 0;
    }

    private static int distance(Stored a, Stored b) {
        return a.digest.equals(b.digest) ? 0 : Long.bitCount(a.bits ^ b.bits);
    }

    private Map<Integer, Stored> stored(RestClient client) {
        Map<Integer, Stored> stored = new HashMap<>();
        for (int from = 0; from < documents.size(); from += PAGE) {
            var range = Map.of("range", Map.of("number", Map.of("gte", from, "lt", from + PAGE)));
            var body = Map.of(
                    "query",
                    range,
                    "size",
                    PAGE,
                    "_source",
                    List.of("simhash.hash", "simhash.digest", "near_duplicate"));
            for (Map<String, Object> hit : client.must("POST", "/" + index + "/_search", Json.write(body))
                    .hits()) {
                stored.put(
                        Integer.parseInt((String) hit.get("_id")),
                        new Stored(
                                HexFormat.fromHexDigitsToLong((String) Json.at(hit, "_source.simhash.hash")),
                                (String) Json.at(hit, "_source.simhash.digest"),
                                (Map<?, ?>) Json.at(hit, "_source.near_duplicate")));
            }
        }
        return stored;
    }

    void remove(RestClient client) {
        client.must("DELETE", "/" + index, null);
        client.must("DELETE", "/_ingest/pipeline/" + index, null);
    }
}
