/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;

/**
 * Ends long work for a search that nobody waits for. A scorer is not told of that; but the reader of a cancelled or timed-out
 * search refuses to open the points or the terms of a field, in OpenSearch as in Lucene's {@code ExitableDirectoryReader}. Points
 * are asked for first: they are open already, terms need an enumeration. Each leaf of OpenSearch has some, of {@code _seq_no}.
 */
public final class Cancellation {

    private final LeafReader reader;
    /** Any that has points, or null. */
    private final String points;
    /** Any that has terms, or null: for leaves without points, and for readers that hide them. */
    private final String indexed;

    public Cancellation(LeafReader reader) {
        this.reader = reader;
        String withTerms = null;
        String withPoints = null;
        for (FieldInfo info : reader.getFieldInfos()) {
            if (withPoints == null && info.getPointDimensionCount() > 0) {
                withPoints = info.name;
            }
            if (withTerms == null && info.getIndexOptions() != IndexOptions.NONE) {
                withTerms = info.name;
            }
            if (withPoints != null && withTerms != null) {
                break;
            }
        }
        this.points = withPoints;
        this.indexed = withTerms;
    }

    /**
     * Costs about as much as comparing ten fingerprints, a hundred where there are no points.
     *
     * @throws RuntimeException what the reader throws when the search is cancelled
     */
    public void check() throws IOException {
        if (points != null && reader.getPointValues(points) != null) {
            return;
        }
        Terms terms = indexed == null ? null : reader.terms(indexed);
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
