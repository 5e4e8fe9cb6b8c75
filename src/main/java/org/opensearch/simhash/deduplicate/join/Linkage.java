/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * Makes groups of linked documents. The groups depend on the documents and their ranks alone, not on shards, nodes or
 * the order of links. Not thread-safe.
 */
public abstract class Linkage {

    static final int[] NONE = {};

    /** Documents without links to read texts for may be many. */
    private static final int MOST_AHEAD = 10_000;

    final int maxGroupSize;
    final LinkCheck check;
    final IntConsumer progress;
    final TextWindow texts;
    final Groups groups = new Groups();
    int splitGroups;

    /**
     * @param maxGroupSize most documents of a group, survivor included
     * @param progress is told the number of documents done
     */
    Linkage(int maxGroupSize, LinkCheck check, IntConsumer progress) {
        this.maxGroupSize = maxGroupSize;
        this.check = check;
        this.progress = progress;
        this.texts = new TextWindow(check, progress);
    }

    /**
     * Reads the texts of a document and, if there is room, of the next ones.
     *
     * @param near the documents to compare with a document; empty if none
     */
    final void readAhead(int from, int to, IntFunction<int[]> near) {
        progress.accept(from);
        int end = (int) Math.min(to, (long) from + MOST_AHEAD);
        for (int document = from; document < end && texts.isFull() == false; document++) {
            int[] others = check.isComparable(document) ? near.apply(document) : NONE;
            if (others.length > 0) {
                texts.add(document);
                Arrays.stream(others).limit(TextWindow.SIZE).forEach(texts::add);
            }
        }
        texts.read();
    }

    /** Bytes of heap. */
    public long groupBytes() {
        return groups.bytes();
    }

    /** How many groups were too large and were split. */
    public int splitGroups() {
        return splitGroups;
    }
}
