/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.lookup;

import java.util.ArrayList;
import java.util.List;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;
import org.opensearch.simhash.nearduplicate.arrival.Criteria;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.scope.LookupScope;
import org.opensearch.simhash.nearduplicate.scope.LookupScope.Search;
import org.opensearch.simhash.query.HitFingerprint;

/**
 * Looks many documents up in one search, which finds the nearest of each; which belongs to which is told by the fingerprints
 * of the hits. Costs a fraction of one search each, and gives the same.
 */
final class JointLookup {

    /** Matches asked for: of each document, and of all of them together. */
    private static final int MATCHES_OF_EACH = 2 * Arrival.MATCHES;

    private static final int MORE_MATCHES = 64;

    private JointLookup() {}

    /**
     * Sends one search for all that is near any of some documents, which must be of one scope; not for texts to be verified.
     */
    static void send(
            NodeLookups lookups,
            Search search,
            List<Arrival> arrivals,
            Criteria criteria,
            ActionListener<SearchResponse> listener) {
        List<Target> targets = arrivals.stream()
                .map(arrival -> arrival.fingerprint().target())
                .distinct()
                .toList();
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(lookups.queries().nearestOfEach(criteria.field(), targets, criteria.maxDistance()))
                .size(mostMatches(arrivals))
                .fetchSource(false)
                .docValueField(HitFingerprint.fieldFor(criteria.field()))
                .trackTotalHits(false)
                .seqNoAndPrimaryTerm(true)
                .sort(FieldSortBuilder.DOC_FIELD_NAME);
        lookups.client().search(IndexLookup.request(lookups, search, source), listener);
    }

    private static int mostMatches(List<Arrival> arrivals) {
        return MORE_MATCHES + MATCHES_OF_EACH * arrivals.size();
    }

    /** How many documents one search may be for, as far as the indices allow; it may be none. */
    static int most(LookupScope scope) {
        return (scope.maxHits() - MORE_MATCHES) / MATCHES_OF_EACH;
    }

    /**
     * Notes with each document what a search for all of them found.
     *
     * @return false when there was more than the search gave, or it cannot be told what belongs to which: nothing is noted
     */
    static boolean note(List<Arrival> arrivals, SearchResponse response, Criteria criteria) {
        SearchHit[] hits = response.getHits().getHits();
        if (hits.length == mostMatches(arrivals)) {
            return false;
        }
        String field = HitFingerprint.fieldFor(criteria.field());
        List<HitFingerprint> fingerprints = new ArrayList<>();
        for (SearchHit hit : hits) {
            HitFingerprint fingerprint = HitFingerprint.of(hit, field);
            // Mapped without doc values, for example.
            if (HitFingerprint.whyUnreadable(hit, field) != null || isTelling(fingerprint, arrivals) == false) {
                return false;
            }
            fingerprints.add(fingerprint);
        }
        for (Arrival arrival : arrivals) {
            List<Original> originals = new ArrayList<>();
            for (int i = 0; i < hits.length; i++) {
                int distance = distance(arrival.fingerprint().target(), fingerprints.get(i));
                if (distance <= criteria.maxDistance()) {
                    originals.add(IndexLookup.original(hits[i], distance, Double.NaN));
                }
            }
            arrival.foundInIndex(originals);
        }
        return true;
    }

    /**
     * Whether it can be told of a hit how near it is: those with a fingerprint may come without their digest, which is as good
     * as known when the recipe is the same, for then equal texts have equal fingerprints.
     */
    private static boolean isTelling(HitFingerprint hit, List<Arrival> arrivals) {
        return hit.digests().isEmpty() == false
                || arrivals.stream()
                        .map(arrival -> arrival.fingerprint().target())
                        .allMatch(target ->
                                target.digest() == null || hit.schemes().contains(target.scheme()));
    }

    private static int distance(Target target, HitFingerprint hit) {
        if (target.digest() != null && hit.digests().contains(target.digest())) {
            return 0;
        }
        int nearest = ArrivedFingerprint.INCOMPARABLE;
        boolean sameScheme = target.scheme() == null || hit.schemes().contains(target.scheme());
        if (sameScheme && target.bits().isPresent()) {
            for (long bits : hit.bits()) {
                nearest = Math.min(nearest, Long.bitCount(bits ^ target.bits().getAsLong()));
            }
        }
        return nearest;
    }
}
