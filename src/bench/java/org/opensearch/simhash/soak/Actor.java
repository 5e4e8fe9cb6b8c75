/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.RestClient;

/** Does one thing again and again, on any node, until the end. */
final class Actor implements Runnable {

    /** What an actor does. */
    @FunctionalInterface
    interface Deed {

        /**
         * Does it once; what is wrong with an answer goes to {@link Findings}.
         *
         * @throws IllegalStateException when a request is refused
         * @throws UncheckedIOException when a node does not answer
         */
        void act(RestClient client) throws InterruptedException;
    }

    private static final int PATIENCE = 10;

    private final String name;
    private final Deed deed;
    private final int pauseMillis;
    private final RandomGenerator random;
    private final Run run;

    Actor(String name, Deed deed, int pauseMillis, RandomGenerator random, Run run) {
        this.name = name;
        this.deed = deed;
        this.pauseMillis = pauseMillis;
        this.random = random;
        this.run = run;
    }

    @Override
    public void run() {
        try {
            do {
                long mark = run.outages().mark();
                try {
                    deed.act(run.outages().client(random));
                } catch (IllegalStateException | UncheckedIOException e) {
                    run.findings().count("excused", 1);
                    run.findings().check(run.outages().since(mark), name + ": " + e);
                }
            } while (run.end().await(pause(), TimeUnit.MILLISECONDS) == false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | AssertionError e) {
            run.findings().wrong(name + " ended: " + e);
        }
    }

    /** Longer while a node is away: to start it takes processors, too. */
    private int pause() {
        return run.outages().isOne() ? pauseMillis * PATIENCE : pauseMillis;
    }
}
