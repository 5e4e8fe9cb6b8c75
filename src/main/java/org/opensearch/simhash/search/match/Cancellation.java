/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;

/**
 * Ends long work when its search is cancelled. A scorer is not told, but the reader of a cancelled or timed-out search
 * refuses to open points or terms, in OpenSearch and in Lucene's {@code ExitableDirectoryReader}. So this class opens
 * some: points first, since terms need an enumeration. Each OpenSearch leaf has points of {@code _seq_no}.
 */
public final class Cancellation {

    /** Part of the wrapper's class names: OpenSearch's class is package-private, and Lucene has one too. */
    private static final String CHECKS = ".ExitableDirectoryReader$";

    private final LeafReader reader;
    /** Any field with points, or null. */
    private final String points;
    /** Any field with terms, or null. For leaves without points, and readers that hide them. */
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

    /** Costs about as much as comparing ten fingerprints, or a hundred without points. The reader throws when the search is cancelled. */
    public void check() throws IOException {
        if (points != null && reader.getPointValues(points) != null) {
            return;
        }
        Terms terms = indexed == null ? null : reader.terms(indexed);
        if (terms != null) {
            terms.iterator();
        }
    }

    /** The same where no {@link IOException} may be thrown, after another check of whether the work is wanted. */
    public void check(Runnable checkWanted) {
        checkWanted.run();
        try {
            check();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether {@link #check()} would throw. For places where OpenSearch takes a timeout for a failure. */
    public boolean isDue() throws IOException {
        try {
            check();
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }

    /**
     * The reader below OpenSearch's cancellation wrapper. The wrapper checks each opened term and every few documents,
     * opens postings anew for each term, and hides bulk reads: two thirds of the time of some searches. Callers check
     * {@link Cancellation} instead. Other wrappers stay: they may restrict what is visible.
     */
    public static LeafReader unchecked(LeafReader reader) {
        boolean checks = reader instanceof FilterLeafReader
                && reader.getClass().getName().contains(CHECKS);
        return checks ? ((FilterLeafReader) reader).getDelegate() : reader;
    }
}
