/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ScorerSupplier;

/** Chooses between searching and verifying what a conjunction proposes. */
final class SimHashScorerSupplier extends ScorerSupplier {

    private final LeafSearch leaf;
    private final SimHashQuery query;
    private final Scores scores;
    private LeafPlanner.Outlook outlook;

    SimHashScorerSupplier(LeafSearch leaf, SimHashQuery query, Scores scores) {
        this.leaf = leaf;
        this.query = query;
        this.scores = scores;
    }

    @Override
    public SimHashScorer get(long leadCost) throws IOException {
        query.listener().started(leaf.effort());
        // If fingerprints are the rarest clause, no other clause proposes documents.
        boolean led = leadCost < cost()
                && leadCost * query.costs().verify() < outlook().nanos();
        return led
                ? new LeadVerification(leaf, query.maxDistance(), scores)
                : new MatchScorer(leaf, query.maxDistance(), scores, cost());
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
        query.listener().started(leaf.effort());
        return new SimHashBulkScorer(leaf, query.maxDistance(), scores, this::cost);
    }

    /** Digest matches, plus the candidates of the cheapest plan. */
    @Override
    public long cost() {
        try {
            return Math.min(leaf.maxDoc(), leaf.digests() + (long) outlook().candidates());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private LeafPlanner.Outlook outlook() throws IOException {
        if (outlook == null) {
            outlook = leaf.outlook();
        }
        return outlook;
    }
}
