/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.function.LongConsumer;
import org.opensearch.simhash.memory.Account;

/** Rows to join, on the heap or in files. */
public interface JoinRows extends RowSink, AutoCloseable {

    Account account();

    /**
     * Adds a clique for each set of documents with equal digests but different fingerprints. Returns the number of
     * pairs that this pass owns.
     */
    long equalTexts(Chunks chunks, Cliques.Builder cliques, LongConsumer progress);

    /** The fingerprints. Called once, after {@link #equalTexts}. Frees the columns that they do not need. */
    Fingerprints fingerprints(LongConsumer progress);

    /** Bins for the values of a slice. The caller closes them before the next call. */
    Bins bins(int[] starts);

    @Override
    void close();
}
