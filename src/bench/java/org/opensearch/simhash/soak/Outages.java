/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;

/** Kills nodes, one at a time and only while each shard has all its copies, and tells which failures that excuses. */
final class Outages {

    private static final int AWAY_MILLIS = 3_000;

    private final RealCluster cluster;
    private final NodeOptions options;
    private final Findings findings;
    /** Odd while not all nodes are there with all copies of all shards. */
    private final AtomicLong changes = new AtomicLong();

    private volatile int away = -1;

    Outages(RealCluster cluster, NodeOptions options, Findings findings) {
        this.cluster = cluster;
        this.options = options;
        this.findings = findings;
    }

    /** To ask {@link #since} about later. */
    long mark() {
        return changes.get();
    }

    /** Whether a node is away now, or not all copies of all shards are there again. */
    boolean isOne() {
        return changes.get() % 2 == 1;
    }

    /** Whether a node was away at some time since the mark was taken: what failed since then may have failed for that. */
    boolean since(long mark) {
        return mark % 2 == 1 || changes.get() != mark;
    }

    /** Whether all nodes are there, and were gone and came back since the mark was taken: nothing of then still happens. */
    boolean over(long mark) {
        return changes.get() > mark && isOne() == false;
    }

    /** The client of any node that is not known to be away. */
    RestClient client(RandomGenerator random) {
        int node = random.nextInt(options.nodes());
        return cluster.client(node == away ? (node + 1) % options.nodes() : node);
    }

    /** Kills a node, and returns when it is back and all is as before. */
    void next(RandomGenerator random, CountDownLatch end) throws InterruptedException {
        int victim = random.nextInt(options.nodes());
        long start = System.nanoTime();
        changes.incrementAndGet();
        cluster.kill(victim);
        away = victim;
        findings.count("kills", 1);
        end.await(AWAY_MILLIS, TimeUnit.MILLISECONDS);
        cluster.restart(victim, options);
        away = -1;
        Answer health = cluster.client(victim)
                .get(
                        "/_cluster/health?wait_for_status=green&wait_for_no_initializing_shards=true&timeout=180s&wait_for_nodes="
                                + options.nodes());
        findings.check(health.ok(), "not green again: " + health.text());
        changes.incrementAndGet();
        findings.count("seconds without all nodes", (System.nanoTime() - start) / 1_000_000_000);
    }
}
