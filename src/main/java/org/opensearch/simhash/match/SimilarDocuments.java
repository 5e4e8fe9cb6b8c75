/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.util.BytesRef;

/** How similar documents of one Lucene leaf are to what queries ask for, in ascending order. One thread. */
public final class SimilarDocuments {

    private record Part(SketchComparison comparison, double least) {}

    private final List<Part> parts = new ArrayList<>();

    /** @param queries of which the best counts */
    public SimilarDocuments(LeafReaderContext leaf, List<MinHashQuery> queries) throws IOException {
        for (MinHashQuery query : queries) {
            LeafSketches sketches = LeafSketches.open(leaf, query);
            if (sketches != null) {
                parts.add(new Part(sketches.comparison(), query.minSimilarity()));
            }
        }
    }

    /** The values of a document, as OpenSearch writes those of the type {@code binary}: their number, and of each its length and bytes. */
    public static List<BytesRef> values(BytesRef written) {
        ByteArrayDataInput input = new ByteArrayDataInput(written.bytes, written.offset, written.length);
        List<BytesRef> values = new ArrayList<>();
        for (int i = input.readVInt(); i > 0; i--) {
            int length = input.readVInt();
            values.add(new BytesRef(written.bytes, input.getPosition(), length));
            input.skipBytes(length);
        }
        return values;
    }

    /** The estimate; empty when it is less than the query asks for. */
    public OptionalDouble similarity(int doc) throws IOException {
        double most = SketchComparison.NONE;
        for (Part part : parts) {
            most = Math.max(most, part.comparison.similarity(doc, part.least));
        }
        return most < 0 ? OptionalDouble.empty() : OptionalDouble.of(most);
    }
}
