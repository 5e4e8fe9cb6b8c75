/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.IOFunction;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.search.match.MinHashQuery;
import org.opensearch.simhash.search.match.MinHashQuery.SimilarDocuments;
import org.opensearch.simhash.search.match.NearestTargets;
import org.opensearch.simhash.search.match.PassagesQuery;
import org.opensearch.simhash.search.match.SimHashQuery;
import org.opensearch.simhash.search.query.VerifiedQuery.CandidateDocuments;

/** How near the documents of one Lucene leaf are to one {@code simhash} or {@code minhash} clause, in ascending order. One thread. */
final class LeafEvidence {

    private final Runnable checkWanted;
    private final List<Part> parts = new ArrayList<>();

    /**
     * @param near null for a document that is not near
     * @param texts null without verification
     */
    private record Part(IOFunction<Integer, Evidence> near, CandidateDocuments texts) {}

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

    private IOFunction<Integer, Evidence> near(Query clause, LeafReaderContext leaf) throws IOException {
        List<Query> queries = clause instanceof OneClauseQuery several ? List.copyOf(several.parts()) : List.of(clause);
        if (queries.getFirst() instanceof PassagesQuery) {
            List<IOFunction<Integer, PassagesQuery.Match>> matches = all(queries, PassagesQuery.class).stream()
                    .map(query -> query.matches(leaf, checkWanted))
                    .toList();
            return doc -> ofPassages(matches, doc);
        }
        if (queries.getFirst() instanceof MinHashQuery) {
            SimilarDocuments similar = new SimilarDocuments(leaf, all(queries, MinHashQuery.class));
            return doc -> {
                OptionalDouble estimate = similar.similarity(doc);
                return estimate.isPresent() ? Evidence.ofEstimate(estimate.getAsDouble()) : null;
            };
        }
        NearestTargets near = new NearestTargets(leaf, all(queries, SimHashQuery.class));
        if (clause instanceof OneClauseQuery several) {
            several.keepsOfLeaf(near.bytes());
        }
        return doc -> {
            int distance = near.distance(doc, checkWanted);
            return distance == NearestTargets.NONE ? null : Evidence.of(distance);
        };
    }

    /** That of the query with the most words in common. */
    private static Evidence ofPassages(List<IOFunction<Integer, PassagesQuery.Match>> queries, int doc)
            throws IOException {
        PassagesQuery.Match longest = null;
        for (IOFunction<Integer, PassagesQuery.Match> query : queries) {
            PassagesQuery.Match match = query.apply(doc);
            if (match != null
                    && (longest == null
                            || match.shared().words() > longest.shared().words())) {
                longest = match;
            }
        }
        return longest == null ? null : Evidence.of(longest);
    }

    private static <T extends Query> List<T> all(List<Query> queries, Class<T> type) {
        return queries.stream().map(type::cast).toList();
    }

    /** Empty if the fingerprints are too far. With several recipes, the one with the best score counts. */
    Optional<Evidence> of(int doc) throws IOException {
        List<Evidence> found = new ArrayList<>(parts.size());
        for (Part part : parts) {
            Evidence near = part.near.apply(doc);
            if (near != null) {
                found.add(part.texts == null ? near : verified(part, near, doc));
            }
        }
        return found.stream().max(Comparator.comparing(evidence -> evidence, Evidence.BY_SCORE));
    }

    private static Evidence verified(Part part, Evidence near, int doc) throws IOException {
        try {
            return near.verified(part.texts.verify(doc));
        } catch (FetchWatch.TimeIsUpException e) {
            return near.unverified(e.getMessage());
        }
    }

    /**
     * How near a document is to one {@code simhash} or {@code minhash} clause.
     *
     * @param near the distance of the fingerprints, the estimated similarity of the sketches, or what the texts share, as the hit
     *     shows it; empty if it is unknown
     * @param similarity of the texts; null if they are not similar enough, or not verified
     * @param reason why a verified document has no similarity; else null
     */
    record Evidence(Map<String, Object> near, double nearness, Double similarity, String reason) {

        /** The last one has the best score. */
        static final Comparator<Evidence> BY_SCORE =
                Comparator.comparingDouble(Evidence::score).thenComparingDouble(Evidence::nearness);

        static Evidence of(int distance) {
            return new Evidence(Map.of("distance", distance), -distance, null, null);
        }

        /** For sketches without verification. */
        static Evidence ofEstimate(double estimate) {
            return new Evidence(Map.of("estimate", estimate), estimate, null, null);
        }

        static Evidence of(PassagesQuery.Match match) {
            Map<String, Object> near = new LinkedHashMap<>();
            near.put("words", match.shared().words());
            near.put("share", match.share());
            near.put("passages", match.passages());
            return new Evidence(near, match.shared().words(), null, null);
        }

        Evidence verified(Verdict verdict) {
            Map<String, Object> both = new LinkedHashMap<>(near);
            if (verdict.differences().isEmpty() == false) {
                both.put("differs", verdict.differences());
            }
            return new Evidence(
                    both,
                    nearness,
                    verdict.isSimilar() ? verdict.similarity() : null,
                    verdict.isSimilar() ? null : verdict.reason());
        }

        Evidence unverified(String why) {
            return new Evidence(near, nearness, null, why);
        }

        /** For a hit that was not compared in time. */
        static Evidence unknown(String reason) {
            return new Evidence(Map.of(), 0, null, reason);
        }

        private double score() {
            return similarity == null ? -1 : similarity;
        }

        /** The form in the hit. */
        Map<String, Object> entry() {
            Map<String, Object> entry = new LinkedHashMap<>(near);
            if (similarity != null) {
                entry.put("similarity", similarity);
            }
            if (reason != null) {
                entry.put("reason", reason);
            }
            return entry;
        }
    }
}
