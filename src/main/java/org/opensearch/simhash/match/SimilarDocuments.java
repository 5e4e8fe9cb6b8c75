/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.lucene.index.LeafReaderContext;

/** The best similarity of each document of a leaf to several queries, in ascending document order. One thread. */
public final class SimilarDocuments {

    private record Part(SketchComparison comparison, double least) {}

    private final List<Part> parts = new ArrayList<>();

    /** @param queries the best one counts */
    public SimilarDocuments(LeafReaderContext leaf, List<MinHashQuery> queries) throws IOException {
        for (MinHashQuery query : queries) {
            LeafSketches sketches = LeafSketches.open(leaf, query.search());
            if (sketches != null) {
                parts.add(new Part(sketches.comparison(), query.minSimilarity()));
            }
        }
    }

    /** The estimate; empty if it is below the query's minimum. */
    public OptionalDouble similarity(int doc) throws IOException {
        double highest = SketchComparison.NONE;
        for (Part part : parts) {
            highest = Math.max(highest, part.comparison.similarity(doc, part.least));
        }
        return highest < 0 ? OptionalDouble.empty() : OptionalDouble.of(highest);
    }
}
