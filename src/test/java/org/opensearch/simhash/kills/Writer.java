/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Writes, writes again and deletes documents of its own in bulk requests: short ones, or ones with so many large documents behind
 * the others that they take seconds.
 */
final class Writer implements Runnable {

    private static final List<String> PIPELINES =
            List.of("drop", "drop", "drop", "drop", "fail", "fail", "tag", "tag", "tag", "none");
    private static final int MOST = 8;

    /** One of so many writes is an update. */
    private static final int UPDATES = 6;

    private static final int MOST_OF_A_LONG_BULK = 120;

    /**
     * How a client works.
     *
     * @param name of the client, part of its ids
     * @param fresh share of new documents, in percent, whose text nothing is near to yet
     * @param again share of documents in percent that are written again or deleted
     * @param fillers large documents of a request
     * @param pauseMillis longest pause between two requests
     */
    record Habits(String name, int fresh, int again, int fillers, int pauseMillis) {}

    private final Load load;
    private final Habits habits;
    private final LargeDocuments large;
    private final RandomGenerator random;
    private final Map<Corpus, Map<String, Text>> stored;

    private int next;

    /** @param stored documents that nobody else writes and that were stored when they were written last, by corpus */
    Writer(
            Load load,
            Habits habits,
            LargeDocuments large,
            Map<Corpus, Map<String, Text>> stored,
            RandomGenerator random) {
        this.load = load;
        this.habits = habits;
        this.large = large;
        this.stored = stored;
        this.random = random;
    }

    @Override
    public void run() {
        while (load.goesOn(random, habits.pauseMillis)) {
            Corpus corpus = load.corpus(random);
            Map<String, Text> own = stored.computeIfAbsent(corpus, any -> new HashMap<>());
            var bulk = new Bulk(corpus, PIPELINES.get(random.nextInt(PIPELINES.size())));
            int documents = 1 + random.nextInt(habits.fillers > 0 ? MOST_OF_A_LONG_BULK : MOST);
            for (int i = 0; i < documents; i++) {
                choose(bulk, own);
            }
            if (habits.fillers > 0) {
                load.families().announce(corpus, bulk.texts());
            }
            for (int i = 0; i < habits.fillers; i++) {
                bulk.fill(newId("filler"), large.next(random));
            }
            for (Operation operation : bulk.send(load.client(random), load.history())) {
                note(operation, own);
            }
        }
    }

    private void choose(Bulk bulk, Map<String, Text> own) {
        if (random.nextInt(100) >= habits.again || own.isEmpty()) {
            boolean isFresh = random.nextInt(100) < habits.fresh;
            Families families = load.families();
            write(bulk, newId("doc"), isFresh ? families.fresh(random) : near(families));
            return;
        }
        List<String> ids = new ArrayList<>(own.keySet());
        String id = ids.get(random.nextInt(ids.size()));
        Text text = own.get(id);
        if (bulk.has(id)) {
            return;
        }
        if (text.isMortal() == false || random.nextInt(3) == 0) {
            write(bulk, id, Families.variant(text, random));
        } else if (random.nextBoolean()) {
            write(bulk, id, load.families().near(random));
        } else {
            bulk.delete(id);
        }
    }

    private void write(Bulk bulk, String id, Text text) {
        if (random.nextInt(UPDATES) == 0) {
            bulk.update(id, text);
        } else {
            bulk.put(id, text);
        }
    }

    /** Short bulks follow the last ones; long bulks come near to what was stored long ago. */
    private Text near(Families families) {
        return habits.fillers > 0 ? families.any(random) : families.near(random);
    }

    /** In any order. */
    private String newId(String kind) {
        return String.format(Locale.ROOT, "%04x-%s-%s-%d", random.nextInt(1 << 16), kind, habits.name, next++);
    }

    private void note(Operation operation, Map<String, Text> own) {
        if (operation.outcome() == Outcome.STORED) {
            own.put(operation.id(), operation.text());
        } else {
            own.remove(operation.id());
        }
    }
}
