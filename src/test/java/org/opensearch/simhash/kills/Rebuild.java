/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/**
 * Makes the index behind an alias anew while clients work, so that nothing is lost: no writes to the old index, a copy of it, both
 * counted, the alias swapped. What a failure leaves half done, {@link #finish} ends: once the swap was sent, by the swap, and before
 * that, by going back. Not for use by several threads.
 */
final class Rebuild {

    private static final String WRITABLE = "{\"index.blocks.write\":null}";

    private enum Step {
        NONE,
        COPY,
        SWAP
    }

    private final Corpus corpus;
    private final int replicas;
    private Step step = Step.NONE;
    private int current = 1;
    /** None is used twice: what nobody answered may happen late. */
    private int newest = 1;

    private boolean removesOld;

    Rebuild(Corpus corpus, int replicas) {
        this.corpus = corpus;
        this.replicas = replicas;
    }

    Corpus corpus() {
        return corpus;
    }

    /** @throws RuntimeException if something did not work, or nobody knows whether it did */
    void run(RestClient client, History history, RandomGenerator random) {
        finish(client);
        long sent = history.now();
        step = Step.COPY;
        newest++;
        removesOld = random.nextBoolean();
        String from = corpus.version(current);
        String to = corpus.version(newest);
        Answer block = client.must("PUT", "/" + from + "/_block/write", null);
        boolean isBlocked = (boolean) block.at("acknowledged") && (boolean) block.at("shards_acknowledged");
        if (isBlocked == false) {
            throw new IllegalStateException("some node may still write: " + block);
        }
        long texts = count(client, from);
        // Copies that follow the segments of another one may be behind it, and a clone is made of primary ones.
        boolean isClone = random.nextInt(3) == 0
                || client.must("GET", "/" + from + "/_settings/index.replication.type", null)
                        .text()
                        .contains("SEGMENT");
        if (isClone) {
            String settings =
                    "{\"settings\":{\"index.blocks.write\":null,\"index.number_of_replicas\":" + replicas + "}}";
            client.must("PUT", "/" + from + "/_clone/" + to, settings);
        } else {
            corpus.createVersion(client, newest, replicas, random);
            var source = Map.of("index", from, "query", Map.of("exists", Map.of("field", "text")));
            String body = Json.write(Map.of("source", source, "dest", Map.of("index", to)));
            Answer copied = client.must("POST", "/_reindex", body);
            if (copied.number("created") != texts || ((List<?>) copied.at("failures")).isEmpty() == false) {
                throw new IllegalStateException("not " + texts + ": " + copied);
            }
        }
        client.must("GET", "/_cluster/health/" + to + "?wait_for_status=yellow&timeout=30s", null);
        long copies = count(client, to);
        if (copies != texts) {
            throw new IllegalStateException("not " + texts + ": " + copies);
        }
        step = Step.SWAP;
        finish(client);
        String what = corpus.index() + " is now " + to + ", by " + (isClone ? "_clone" : "_reindex") + " of " + from
                + ", " + texts + " texts";
        history.swapped(new Note(sent, history.now(), null, null, what));
    }

    /** Ends what is half done, if anything. */
    void finish(RestClient client) {
        if (step == Step.SWAP) {
            swap(client);
            current = newest;
        } else if (step == Step.COPY) {
            Answer gone = client.send("DELETE", "/" + corpus.version(newest), null);
            Answer writable = client.must("PUT", "/" + corpus.version(current) + "/_settings", WRITABLE);
            if ((gone.ok() || gone.status() == 404) == false || (boolean) writable.at("acknowledged") == false) {
                throw new IllegalStateException(gone + ", " + writable);
            }
        }
        step = Step.NONE;
    }

    /** Of no index that is behind the alias is any write refused, whatever happened late. */
    void unblock(RestClient client) {
        client.must("PUT", "/" + corpus.index() + "/_settings", WRITABLE);
    }

    private void swap(RestClient client) {
        String to = corpus.version(newest);
        if (client.must("GET", "/_alias/" + corpus.index(), null)
                .json()
                .keySet()
                .equals(Set.of(to))) {
            return;
        }
        String old = corpus.version(current);
        Map<String, Object> away = removesOld
                ? Map.of("remove_index", Map.of("index", old))
                : Map.of("remove", Map.of("index", old, "alias", corpus.index()));
        var actions = List.of(Map.of("add", Map.of("index", to, "alias", corpus.index())), away);
        Answer swapped = client.must("POST", "/_aliases", Json.write(Map.of("actions", actions)));
        if ((boolean) swapped.at("acknowledged") == false) {
            throw new IllegalStateException("some node may still know the old index: " + swapped);
        }
    }

    /** Texts of all shards; other documents only fill the index. */
    private static long count(RestClient client, String index) {
        Answer refreshed = client.must("POST", "/" + index + "/_refresh", null);
        Answer counted = client.must("GET", "/" + index + "/_count?q=_exists_:text&preference=_primary", null);
        boolean isWhole = refreshed.number("_shards.failed") == 0
                && counted.number("_shards.total") == counted.number("_shards.successful");
        if (isWhole == false) {
            throw new IllegalStateException(refreshed + ", " + counted);
        }
        return counted.number("count");
    }
}
