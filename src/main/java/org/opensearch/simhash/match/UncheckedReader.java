/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;

/**
 * The reader below OpenSearch's cancellation wrapper. The wrapper checks each opened term and every few documents,
 * opens postings anew for each term, and hides bulk reads: two thirds of the time of some searches. Callers check
 * {@link Cancellation} instead.
 */
final class UncheckedReader {

    /** Part of the wrapper's class names: OpenSearch's class is package-private, and Lucene has one too. */
    private static final String CHECKS = ".ExitableDirectoryReader$";

    private UncheckedReader() {}

    /** Removes only this wrapper. Others may restrict what is visible. */
    static LeafReader of(LeafReader reader) {
        boolean checks = reader instanceof FilterLeafReader
                && reader.getClass().getName().contains(CHECKS);
        return checks ? ((FilterLeafReader) reader).getDelegate() : reader;
    }
}
