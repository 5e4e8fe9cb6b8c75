/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;

/**
 * How one leaf indexes fingerprints, by its statistics. The mapping may declare unused segments, and an index may mix layouts.
 *
 * <p>Probing is exact only if every document with {@code bits} has one value, the same number of documents have each of
 * {@code segment_0 … segment_m-1}, and none has {@code segment_m}. (Documents with segments but without bits could
 * balance the counts, but no processor writes them.)
 *
 * @param layout the layout of all documents; null if there is none, then only a scan is exact
 * @param segments terms by segment
 * @param documents documents with a fingerprint, including deleted ones; an upper bound when {@code layout} is null
 */
record LeafFingerprints(SegmentLayout layout, List<Terms> segments, int documents) {

    /** Null if no document has a fingerprint. */
    static LeafFingerprints of(LeafReader reader, IndexedFields fields) throws IOException {
        return of(reader, fields, DocValues.getSortedNumeric(reader, fields.bits()));
    }

    /**
     * Null if no document has a fingerprint.
     *
     * @param bits doc values of the fingerprints; not moved
     */
    static LeafFingerprints of(LeafReader reader, IndexedFields fields, SortedNumericDocValues bits)
            throws IOException {
        NumericDocValues single = DocValues.unwrapSingleton(bits);
        return single == null ? new LeafFingerprints(null, List.of(), reader.maxDoc()) : of(reader, fields, single, 1);
    }

    /**
     * Of hashes of several words of 64 bits; null if no document has one. A document with several has several terms of a
     * segment, so that there is no layout.
     */
    static LeafFingerprints ofWords(LeafReader reader, IndexedFields fields, int words) throws IOException {
        return of(reader, fields, LongHashValues.open(reader, fields.bits()).documents(), words);
    }

    private static LeafFingerprints of(LeafReader reader, IndexedFields fields, DocIdSetIterator values, int words)
            throws IOException {
        // Exact in Lucene: the leaf's size, or the number of documents with a value.
        int documents = (int) Math.min(reader.maxDoc(), values.cost());
        if (documents == 0) {
            return null;
        }
        int most = words == 1 ? SegmentLayout.MAX : SegmentLayout.MAX_OF_WORDS;
        List<Terms> terms = terms(reader, fields, documents, most);
        boolean complete =
                SegmentLayout.isOfWords(terms.size(), words) && isUnused(reader.terms(fields.segment(terms.size())));
        for (int i = 0; i < terms.size() && complete && words > 1; i++) {
            complete = terms.get(i).getSumDocFreq() == documents;
        }
        SegmentLayout layout = complete ? new SegmentLayout(terms.size(), words) : null;
        return layout == null || haveWidthsOf(layout, terms) == false
                ? new LeafFingerprints(null, List.of(), documents)
                : new LeafFingerprints(layout, terms, documents);
    }

    private static List<Terms> terms(LeafReader reader, IndexedFields fields, int documents, int limit)
            throws IOException {
        List<Terms> terms = new ArrayList<>();
        while (terms.size() < limit) {
            Terms segment = reader.terms(fields.segment(terms.size()));
            if (segment == null || segment.getDocCount() != documents) {
                break;
            }
            terms.add(segment);
        }
        return terms;
    }

    private static boolean isUnused(Terms terms) throws IOException {
        return terms == null || terms.getDocCount() == 0;
    }

    /** Whether the first and last term of each segment are values in this layout. */
    private static boolean haveWidthsOf(SegmentLayout layout, List<Terms> terms) throws IOException {
        for (int i = 0; i < layout.count(); i++) {
            if (isValue(layout, i, terms.get(i).getMin()) == false
                    || isValue(layout, i, terms.get(i).getMax()) == false) {
                return false;
            }
        }
        return true;
    }

    private static boolean isValue(SegmentLayout layout, int segment, BytesRef term) {
        long value = SegmentProbes.parse(term);
        return term.length == layout.digits(segment) && value >= 0 && value >>> layout.width(segment) == 0;
    }
}
