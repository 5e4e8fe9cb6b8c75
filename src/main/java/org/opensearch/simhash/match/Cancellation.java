/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;

/**
 * Ends long work for a search that nobody waits for. A scorer is not told of that; but the reader of a cancelled or timed-out
 * search refuses to open the terms of a field, in OpenSearch as in Lucene's {@code ExitableDirectoryReader}.
 */
public final class Cancellation {

    private final LeafReader reader;
    /** Any that has terms, or null. */
    private final String field;

    public Cancellation(LeafReader reader) {
        this.reader = reader;
        String indexed = null;
        for (FieldInfo info : reader.getFieldInfos()) {
            if (info.getIndexOptions() != IndexOptions.NONE) {
                indexed = info.name;
                break;
            }
        }
        this.field = indexed;
    }

    /**
     * Costs about as much as comparing a hundred fingerprints.
     *
     * @throws RuntimeException what the reader throws when the search is cancelled
     */
    public void check() throws IOException {
        Terms terms = field == null ? null : reader.terms(field);
        if (terms != null) {
            terms.iterator();
        }
    }

    /** Whether {@link #check} would end the work: to be asked where OpenSearch takes a search that timed out for one that failed. */
    public boolean isDue() throws IOException {
        try {
            check();
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }
}
