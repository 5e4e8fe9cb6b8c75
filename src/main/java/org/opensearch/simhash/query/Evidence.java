/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.opensearch.simhash.match.SimHashQuery;
import org.opensearch.simhash.verify.Verdict;

/**
 * How near a document is to what one {@code simhash} clause asks for.
 *
 * @param distance of the fingerprints
 * @param verdict on the texts, null when the clause verifies none
 */
record Evidence(int distance, Verdict verdict) {

    /** The last one makes the score. */
    private static final Comparator<Evidence> BY_SCORE = Comparator.comparingDouble(Evidence::similarity)
            .thenComparing(Evidence::distance, Comparator.reverseOrder());

    /** Null when the fingerprints are too far from each other. */
    static Evidence of(Query clause, LeafReaderContext leaf, int doc) throws IOException {
        return switch (clause) {
            case SimHashQuery near -> ofDistance(near.distance(leaf, doc));
            case VerifiedQuery verified -> verified(of(verified.near(), leaf, doc), verified, leaf, doc);
            case OneClauseQuery several -> best(several, leaf, doc);
            default -> throw new IllegalArgumentException("not a clause: " + clause);
        };
    }

    private static Evidence ofDistance(int distance) {
        return distance < 0 ? null : new Evidence(distance, null);
    }

    private static Evidence verified(Evidence near, VerifiedQuery clause, LeafReaderContext leaf, int doc)
            throws IOException {
        return near == null
                ? null
                : new Evidence(near.distance, clause.documents(leaf).verify(doc));
    }

    private static Evidence best(OneClauseQuery clause, LeafReaderContext leaf, int doc) throws IOException {
        Evidence best = null;
        for (Query part : clause.parts()) {
            Evidence evidence = of(part, leaf, doc);
            if (best == null || (evidence != null && BY_SCORE.compare(best, evidence) < 0)) {
                best = evidence;
            }
        }
        return best;
    }

    /** Below 0 when the texts are not similar enough. */
    private double similarity() {
        if (verdict == null) {
            return 0;
        }
        return verdict.isSimilar() ? verdict.similarity() : -1;
    }

    /** As it stands in the hit. */
    Map<String, Object> entry() {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("distance", distance);
        if (verdict != null && verdict.isSimilar()) {
            entry.put("similarity", verdict.similarity());
        } else if (verdict != null) {
            entry.put("reason", verdict.outcome().reason());
        }
        return entry;
    }
}
