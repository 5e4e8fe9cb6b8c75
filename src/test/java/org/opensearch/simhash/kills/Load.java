/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;

/** What the clients of a cluster share. Safe for use by several threads. */
final class Load {

    private final RealCluster cluster;
    private final int nodes;
    private final History history;
    private final Families families;
    private final List<Corpus> corpora;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile int away = -1;

    Load(RealCluster cluster, int nodes, History history, Families families, List<Corpus> corpora) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.history = history;
        this.families = families;
        this.corpora = corpora;
    }

    /** Of any node that is not known to be away. */
    RestClient client(RandomGenerator random) {
        int node = random.nextInt(nodes);
        return cluster.client(node == away ? (node + 1) % nodes : node);
    }

    Corpus corpus(RandomGenerator random) {
        return corpora.get(random.nextInt(corpora.size()));
    }

    History history() {
        return history;
    }

    Families families() {
        return families;
    }

    /** Nobody asks this node any more. */
    void avoid(int node) {
        away = node;
    }

    /** Nobody begins anything any more. */
    void end() {
        end.countDown();
    }

    /** Waits for up to so long, and tells whether there is more to do. */
    boolean goesOn(RandomGenerator random, int longestPauseMillis) {
        try {
            int pause = longestPauseMillis == 0 ? 0 : random.nextInt(longestPauseMillis);
            return end.await(pause, TimeUnit.MILLISECONDS) == false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
