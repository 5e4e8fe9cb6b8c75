/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.function.LongConsumer;
import org.opensearch.simhash.memory.Account;

/** Rows to join, on the heap or in files. */
public interface JoinRows extends RowSink, AutoCloseable {

    /** What they take. */
    Account account();

    /**
     * Adds a clique for each set of documents of equal digests that have not got equal fingerprints; returns how many pairs of
     * documents that are looked for here they are.
     *
     * @param progress may throw to end it
     */
    long equalTexts(Chunks chunks, Cliques.Builder cliques, LongConsumer progress);

    /**
     * The fingerprints. Called once, after {@link #equalTexts}; what they do not need is forgotten.
     *
     * @param progress may throw to end it
     */
    Fingerprints fingerprints(LongConsumer progress);

    /** Where the values of a slice are dealt to bins; closed before the next one is asked for. */
    Bins bins(int[] starts);

    /** Gives back all. */
    @Override
    void close();
}
