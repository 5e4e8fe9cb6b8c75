/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * Makes groups of near documents. The groups depend on the documents and their ranks alone: not on shards, nodes, or the order in
 * which pairs were found. One thread.
 */
public abstract class Linkage {

    static final int[] NONE = {};

    final int maxGroupSize;
    final EdgeCheck check;
    final IntConsumer progress;
    final TextWindow texts;
    final Groups groups = new Groups();
    int splitGroups;

    /**
     * How to link.
     *
     * @param maxGroupSize most documents of a group, survivor included
     * @param progress is told from time to time how many documents are done, and may throw to end it
     */
    Linkage(int maxGroupSize, EdgeCheck check, IntConsumer progress) {
        this.maxGroupSize = maxGroupSize;
        this.check = check;
        this.progress = progress;
        this.texts = new TextWindow(check, progress);
    }

    /**
     * With the texts for a document, those for the next ones are read when there is room.
     *
     * @param to those behind the last one
     * @param near those that a document is compared with; none when it is not its turn
     */
    final void readAhead(int from, int to, IntFunction<int[]> near) {
        progress.accept(from);
        for (int document = from; document < to && texts.isFull() == false; document++) {
            int[] others = check.isComparable(document) ? near.apply(document) : NONE;
            if (others.length > 0) {
                texts.add(document);
                Arrays.stream(others).limit(TextWindow.SIZE).forEach(texts::add);
            }
        }
        texts.read();
    }

    /** What the groups take in memory. */
    public long groupBytes() {
        return groups.bytes();
    }

    /** How many groups were too large, and split. */
    public int splitGroups() {
        return splitGroups;
    }
}
