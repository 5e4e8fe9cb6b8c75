/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;

/**
 * A node is killed right after it trusted a document whose bulk is not answered yet: that document may be in the engine, found
 * by gets and by searches, and not in the transaction log that is on disk.
 */
@RealNodes(value = 1, disturbed = true)
class InFlightKillIT {

    private static final int LARGE = 3_000;
    private static final int LARGE_WORDS = 1_000;
    private static final Text TEXT = new Text(3, 0, 0);
    private static final Text NEAR = new Text(3, 0, 1);

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final RealCluster cluster;
    private final History history = new History();

    InFlightKillIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testADuplicateIsNotDroppedForAnOriginalInFlight() {
        var corpus = new Corpus("in-flight-drop", false);
        corpus.create(cluster.client(), 1, 0, "30s");
        CompletableFuture<?> original = longBulk(corpus, "original");
        awaitInTheEngine(corpus, "original", original);
        var duplicate = new Bulk(corpus, "drop");
        duplicate.put("duplicate", NEAR);
        duplicate.send(cluster.client(), history);
        assertNothingIsLostByAKill(corpus, original);
    }

    @Test
    void testADuplicateIsNotDeletedForASurvivorInFlight() {
        var corpus = new Corpus("in-flight-delete", false);
        corpus.create(cluster.client(), 2, 0, "30s");
        String survivor = idOnShard(corpus, "a", 0);
        var duplicate = new Bulk(corpus, "none");
        duplicate.put(idOnShard(corpus, "b", 1), NEAR);
        duplicate.send(cluster.client(), history);
        // The second job is faster than the first one.
        delete(corpus);
        CompletableFuture<?> original = longBulk(corpus, survivor);
        awaitInTheEngine(corpus, survivor, original);
        delete(corpus);
        assertNothingIsLostByAKill(corpus, original);
    }

    private void delete(Corpus corpus) {
        cluster.client().must("POST", "/" + corpus.index() + "/_refresh", null);
        JobStarter.send(
                cluster.client(),
                history,
                corpus,
                JobRun.Kind.DELETE,
                JobStarter.path(corpus),
                JobStarter.options(corpus, JobRun.Kind.DELETE));
    }

    /** Waits until a get finds the document, while its bulk is not answered. */
    private void awaitInTheEngine(Corpus corpus, String id, CompletableFuture<?> bulk) {
        boolean isThere = false;
        while (isThere == false && bulk.isDone() == false) {
            isThere = cluster.client().get("/" + corpus.index() + "/_doc/" + id).ok();
        }
        assertFalse(bulk.isDone(), "the bulk was answered too soon");
    }

    /** Sends a document and then many large ones, and does not wait. */
    private CompletableFuture<?> longBulk(Corpus corpus, String id) {
        var random = new SplittableRandom(seed.value());
        var large = new LargeDocuments(LARGE_WORDS, random);
        var bulk = new Bulk(corpus, "tag");
        bulk.put(id, TEXT);
        for (int i = 0; i < LARGE; i++) {
            bulk.fill("large-" + i, large.next(random));
        }
        return CompletableFuture.supplyAsync(() -> bulk.send(cluster.client(), history));
    }

    private String idOnShard(Corpus corpus, String prefix, int shard) {
        return IntStream.range(0, 100)
                .mapToObj(number -> prefix + number)
                .filter(id -> shard
                        == cluster.client()
                                .must("GET", "/" + corpus.index() + "/_search_shards?routing=" + id, null)
                                .number("shards.0.0.shard"))
                .findFirst()
                .orElseThrow();
    }

    private void assertNothingIsLostByAKill(Corpus corpus, CompletableFuture<?> inFlight) {
        cluster.kill(0);
        inFlight.join();
        cluster.restart(0, NodeOptions.disturbed(1));
        history.settle();
        Remains remains = Remains.read(cluster.client(), corpus);
        assertEquals(List.of(), Books.check(corpus, history, remains));
        corpus.delete(cluster.client());
    }
}
