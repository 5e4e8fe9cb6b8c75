/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Makes groups of near documents. The groups depend on the documents and their ranks alone: not on shards, nodes, or the order in
 * which pairs were found. One thread.
 */
public abstract class Linkage {

    final int maxGroupSize;
    final EdgeCheck check;
    final IntConsumer progress;
    final TextWindow texts;
    final List<Group> groups = new ArrayList<>();
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

    /** How many groups were too large, and split. */
    public int splitGroups() {
        return splitGroups;
    }
}
