/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.io.UncheckedIOException;
import java.util.random.RandomGenerator;

/** Makes visible what is written, as soon as it is in the engine. */
final class Refresher implements Runnable {

    private final Load load;
    private final int pauseMillis;
    private final RandomGenerator random;

    Refresher(Load load, int pauseMillis, RandomGenerator random) {
        this.load = load;
        this.pauseMillis = pauseMillis;
        this.random = random;
    }

    @Override
    public void run() {
        while (load.goesOn(random, pauseMillis)) {
            try {
                load.client(random).send("POST", "/" + load.corpus(random).index() + "/_refresh", null);
            } catch (UncheckedIOException killed) {
                Thread.onSpinWait();
            }
        }
    }
}
