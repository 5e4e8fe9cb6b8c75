/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.fingerprint.SegmentLayout;

/**
 * How fingerprints are indexed in one Lucene leaf, found out from its statistics: the mapping may declare more segments
 * than are used, and an index may hold documents of several layouts.
 *
 * <p>Segments are trusted only when every document with {@code bits} has exactly one, and as many documents have each of
 * {@code segment_0 … segment_m-1} and none has {@code segment_m}: then probing cannot miss a document. (A document with
 * segments but without bits, which no fingerprint processor writes, could make the counts of an incomplete leaf equal.)
 *
 * @param layout the layout that all documents share, null when there is none: only a scan is exact then
 * @param segments the terms of each segment of that layout
 * @param documents number of documents with a fingerprint, deleted ones included; an upper bound where {@code layout} is null
 */
record LeafFingerprints(SegmentLayout layout, List<Terms> segments, int documents) {

    /** Null when no document of the leaf has a fingerprint. */
    static LeafFingerprints of(LeafReader reader, IndexedFields fields) throws IOException {
        return of(reader, fields, DocValues.getSortedNumeric(reader, fields.bits()));
    }

    /**
     * Null when no document of the leaf has a fingerprint.
     *
     * @param bits the doc values of the fingerprints; are not moved
     */
    static LeafFingerprints of(LeafReader reader, IndexedFields fields, SortedNumericDocValues bits)
            throws IOException {
        if (reader.getFieldInfos().fieldInfo(fields.bits()) == null) {
            return null;
        }
        NumericDocValues single = DocValues.unwrapSingleton(bits);
        if (single == null) {
            return new LeafFingerprints(null, List.of(), reader.maxDoc());
        }
        // Exact for what Lucene writes: the leaf's size when all documents have a value, else the number that have one.
        int documents = (int) Math.min(reader.maxDoc(), single.cost());
        if (documents == 0) {
            return null;
        }
        List<Terms> terms = new ArrayList<>();
        while (terms.size() < SegmentLayout.MAX) {
            Terms segment = reader.terms(fields.segment(terms.size()));
            if (segment == null || segment.getDocCount() != documents) {
                break;
            }
            terms.add(segment);
        }
        boolean complete = terms.size() >= SegmentLayout.MIN && isUnused(reader.terms(fields.segment(terms.size())));
        SegmentLayout layout = complete ? new SegmentLayout(terms.size()) : null;
        if (layout == null || haveWidthsOf(layout, terms) == false) {
            return new LeafFingerprints(null, List.of(), documents);
        }
        return new LeafFingerprints(layout, terms, documents);
    }

    private static boolean isUnused(Terms terms) throws IOException {
        return terms == null || terms.getDocCount() == 0;
    }

    /** Whether the smallest and the largest term of each segment are values of that segment in this layout. */
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
        long value = HexTerms.parse(term);
        return term.length == layout.digits(segment) && value >= 0 && value >>> layout.width(segment) == 0;
    }
}
