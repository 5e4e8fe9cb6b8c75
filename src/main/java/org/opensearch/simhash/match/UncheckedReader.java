/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;

/**
 * The reader of a leaf below the one that looks, at every term that is opened and every few documents, whether the search
 * was cancelled. That one opens postings anew for each term and hides their ways to read many documents at once: two thirds
 * of the time of some searches. Who reads without it asks {@link Cancellation} now and then.
 */
final class UncheckedReader {

    /** In the names of its leaves: OpenSearch's class can be seen only in its package; Lucene has one too. */
    private static final String CHECKS = ".ExitableDirectoryReader$";

    private UncheckedReader() {}

    /** Takes off nothing but the checks: whatever else wraps a reader may restrict what can be seen. */
    static LeafReader of(LeafReader reader) {
        boolean checks = reader instanceof FilterLeafReader
                && reader.getClass().getName().contains(CHECKS);
        return checks ? ((FilterLeafReader) reader).getDelegate() : reader;
    }
}
