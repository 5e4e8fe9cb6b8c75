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
 * One search for many documents. It returns the nearest matches of each, with fingerprints that tell which document
 * they match. Costs a fraction of single searches, with the same result.
 */
final class JointLookup {

    /** Matches to ask for: for each document, and added once. */
    private static final int MATCHES_OF_EACH = 2 * Arrival.MATCHES;

    private static final int MORE_MATCHES = 64;

    private JointLookup() {}

    /** Sends one search for documents of one scope. Verifies no texts. */
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

    /** The largest number of documents for one search, within the limit of the indices; may be 0 or less. */
    static int most(LookupScope scope) {
        return (scope.maxHits() - MORE_MATCHES) / MATCHES_OF_EACH;
    }

    /**
     * Notes in each document its matches.
     *
     * @return false, with nothing noted, if there are more matches, or if one has no readable fingerprint
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
            // For example mapped without doc values.
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
     * Whether distances to a hit are certain. A hit may lack its digest. That does no harm in one scheme, where equal
     * texts have equal fingerprints.
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
