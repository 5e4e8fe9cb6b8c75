/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Sends texts near to those of the long bulks that are on their way, to each only one, through pipelines that leave them out.
 * What is left out makes no shard write its transaction log, so that the long bulk stays unsafe until it is answered.
 */
final class Echoes implements Runnable {

    private static final List<String> PIPELINES = List.of("drop", "drop", "fail");
    private static final int PAUSE_MILLIS = 60;
    private static final int MOST = 3;

    private final Load load;
    private final String name;
    private final RandomGenerator random;

    private int next;

    /** @param name part of the ids */
    Echoes(Load load, String name, RandomGenerator random) {
        this.load = load;
        this.name = name;
        this.random = random;
    }

    @Override
    public void run() {
        while (load.goesOn(random, PAUSE_MILLIS)) {
            Corpus corpus = load.corpus(random);
            var bulk = new Bulk(corpus, PIPELINES.get(random.nextInt(PIPELINES.size())));
            for (int i = random.nextInt(MOST); i >= 0; i--) {
                load.families().echo(corpus, random).ifPresent(text -> bulk.put(newId(), text));
            }
            if (bulk.isEmpty() == false) {
                bulk.send(load.client(random), load.history());
            }
        }
    }

    private String newId() {
        return String.format(Locale.ROOT, "%04x-echo-%s-%d", random.nextInt(1 << 16), name, next++);
    }
}
