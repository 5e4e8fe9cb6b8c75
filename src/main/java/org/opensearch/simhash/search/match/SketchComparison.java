/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOSupplier;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.match.LongHashValues.BinaryValues;

/** Compares the documents of a leaf with a query's target, in ascending document order. One thread. */
final class SketchComparison {

    /** The document has no sketch of the scheme. */
    static final double NONE = -1;

    private static final int DOCUMENTS_PER_CHECK = 1 << 12;

    private final boolean containment;
    private final Sketch target;
    /** Null if none can match. */
    private final BinaryDocValues sketches;

    private final SharedBands bands;
    private final DigestMatches digests;
    private final SchemeFilter schemes;
    private final Cancellation cancellation;
    private final LeafEffort effort;
    private final BinaryValues values = new BinaryValues();

    SketchComparison(
            MinHashQuery query,
            BinaryDocValues sketches,
            SharedBands bands,
            DigestMatches digests,
            SchemeFilter schemes,
            Cancellation cancellation,
            LeafEffort effort) {
        this.containment = query.isContainment();
        this.target = query.target().sketch();
        this.sketches = sketches;
        this.bands = bands;
        this.digests = digests;
        this.schemes = schemes;
        this.cancellation = cancellation;
        this.effort = effort;
    }

    /** The document's similarity, or {@link #NONE} if it is below {@code least}. */
    double similarity(int doc, double least) throws IOException {
        count();
        double similarity = sketches != null && sketches.advanceExact(doc) ? mostSimilar(sketches.binaryValue()) : NONE;
        if (similarity < least || (similarity >= 0 && (schemes.accepts(doc) == false || bands.have(doc) == false))) {
            similarity = NONE;
        }
        if (similarity < 1 && digests.contains(doc)) {
            similarity = 1;
        }
        effort.matches += similarity >= 0 ? 1 : 0;
        return similarity;
    }

    private void count() throws IOException {
        if (effort.plan() == LeafEffort.Plan.SCAN) {
            effort.scanned++;
        } else {
            effort.compared++;
        }
        if ((effort.scanned + effort.compared) % DOCUMENTS_PER_CHECK == 0) {
            cancellation.check();
        }
    }

    private double mostSimilar(BytesRef written) {
        double highest = NONE;
        values.of(written);
        for (BytesRef value = values.next(); value != null; value = values.next()) {
            if (value.length == target.bytes().length) {
                highest = Math.max(highest, similarity(value.bytes, value.offset));
            }
        }
        return highest;
    }

    private double similarity(byte[] bytes, int offset) {
        double jaccard = Sketch.similarity(target.agreeing(bytes, offset), target.permutations());
        return containment ? Sketch.containment(jaccard, target.size(), Sketch.size(bytes, offset)) : jaccard;
    }

    /** The documents that have one of a few bands, which are opened for the first document. One thread, ascending documents. */
    static final class SharedBands {

        static final SharedBands ANY = new SharedBands(null);

        private final IOSupplier<List<PostingsEnum>> bands;
        private List<PostingsEnum> postings;

        SharedBands(IOSupplier<List<PostingsEnum>> bands) {
            this.bands = bands;
        }

        boolean have(int doc) throws IOException {
            if (bands == null) {
                return true;
            }
            if (postings == null) {
                postings = bands.get();
            }
            for (PostingsEnum band : postings) {
                if (band.docID() == doc || (band.docID() < doc && band.advance(doc) == doc)) {
                    return true;
                }
            }
            return false;
        }
    }
}
