/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** All pairs of some documents and those within a step of them. One thread. */
public final class Neighbours {

    /** A document that was found, with its place in maps. */
    private static final int BYTES = 300;

    private final List<Document> documents;
    private final DrawnValues values;
    private final int step;
    private final int most;
    private final long room;
    private final LongConsumer memory;
    private final int[] counts;
    private final List<Surroundings.FoundPair> pairs = new ArrayList<>();
    private final Map<Long, Document> found = new HashMap<>();

    /**
     * @param step the last one that counts
     * @param most the most neighbours of a document; one with more is left out
     * @param room for pairs. A document whose pairs find none is left out, too
     * @param memory pays for what is found
     */
    public Neighbours(List<Document> documents, Nearness nearness, int step, int most, long room, LongConsumer memory) {
        this.documents = documents;
        this.values = new DrawnValues(documents, nearness);
        this.step = step;
        this.most = most;
        this.room = room;
        this.memory = memory;
        this.counts = new int[documents.size()];
    }

    public void add(Document document) {
        int meetings = values.meet(document);
        for (int k = 0; k < meetings; k++) {
            int i = values.met(k);
            if (values.distance(i) > step || documents.get(i).address() == document.address()) {
                continue;
            }
            counts[i] = pairs.size() < room ? counts[i] + 1 : most + 1;
            if (isComplete(i)) {
                memory.accept(BYTES + (long) Long.BYTES * document.bits().length);
                pairs.add(new Surroundings.FoundPair(i, -1, document.address(), values.distance(i), 1, 1));
                found.put(document.address(), document);
            }
        }
    }

    /** Whether all neighbours of a document are among the pairs. */
    public boolean isComplete(int i) {
        return counts[i] <= most;
    }

    /** Of documents that are complete. */
    public List<Surroundings.FoundPair> pairs() {
        return pairs.stream().filter(pair -> isComplete(pair.first())).toList();
    }

    public Map<Long, Document> found() {
        return found;
    }
}
