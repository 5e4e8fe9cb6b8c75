/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.opensearch.simhash.match.NearestTargets;
import org.opensearch.simhash.match.SimHashQuery;

/** How near the documents of one Lucene leaf are to one {@code simhash} clause. Ask in ascending order. One thread. */
final class LeafEvidence {

    private final Runnable checkWanted;
    private final List<Part> parts = new ArrayList<>();

    /** @param texts null if the clause verifies none */
    private record Part(NearestTargets near, CandidateDocuments texts) {}

    /** @param checkWanted runs now and then; if it throws, the work on the document ends */
    LeafEvidence(Query clause, LeafReaderContext leaf, Runnable checkWanted) throws IOException {
        this.checkWanted = checkWanted;
        checkWanted.run();
        if (clause instanceof OneClauseQuery several
                && several.parts().iterator().next() instanceof VerifiedQuery) {
            for (Query part : several.parts()) {
                add((VerifiedQuery) part, leaf);
            }
        } else if (clause instanceof VerifiedQuery verified) {
            add(verified, leaf);
        } else {
            parts.add(new Part(near(clause, leaf), null));
        }
    }

    private void add(VerifiedQuery verified, LeafReaderContext leaf) throws IOException {
        parts.add(new Part(near(verified.near(), leaf), verified.documents(leaf, checkWanted)));
    }

    private static NearestTargets near(Query clause, LeafReaderContext leaf) throws IOException {
        return switch (clause) {
            case SimHashQuery one -> new NearestTargets(leaf, List.of(one));
            case OneClauseQuery several -> {
                List<SimHashQuery> queries =
                        several.parts().stream().map(SimHashQuery.class::cast).toList();
                NearestTargets near = new NearestTargets(leaf, queries);
                several.keepsOfLeaf(near.bytes());
                yield near;
            }
            default -> throw new IllegalArgumentException("not a clause: " + clause);
        };
    }

    /** Empty if the fingerprints are too far apart. The recipe with the best score counts. */
    Optional<Evidence> of(int doc) throws IOException {
        List<Evidence> found = new ArrayList<>(parts.size());
        for (Part part : parts) {
            int distance = part.near.distance(doc, checkWanted);
            if (distance != NearestTargets.NONE) {
                found.add(part.texts == null ? Evidence.of(distance) : verified(part, distance, doc));
            }
        }
        return found.stream().max(Comparator.comparing(evidence -> evidence, Evidence.BY_SCORE));
    }

    private static Evidence verified(Part part, int distance, int doc) throws IOException {
        try {
            return Evidence.of(distance, part.texts.verify(doc));
        } catch (FetchWatch.TimeIsUpException e) {
            return Evidence.unverified(distance, e.getMessage());
        }
    }
}
