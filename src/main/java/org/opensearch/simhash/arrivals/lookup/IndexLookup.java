/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.lookup;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.mapper.IndexFieldMapper;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.search.sort.SortBuilders;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.lookup.RoundLookup.JointLookup;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScope.Search;
import org.opensearch.simhash.arrivals.scope.PairFields;
import org.opensearch.simhash.arrivals.scope.Pairing;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.query.SimHashQueries;

/**
 * Sends one search for each document. Without texts to compare {@link JointLookup} is faster. Matches are sorted by
 * distance, then by sequence number. An incomplete search is a failure, never "no match".
 */
record IndexLookup(NodeLookups lookups, Criteria criteria, PairFields pairFields) {

    /** Named indices must exist, open and complete. A pattern may stand for nothing. */
    private static final IndicesOptions OPTIONS =
            IndicesOptions.fromOptions(false, true, true, false, false, true, true, false, false);

    /** An index without documents has no mapping of the sequence number. */
    private static final FieldSortBuilder OLDEST =
            SortBuilders.fieldSort(SeqNoFieldMapper.NAME).order(SortOrder.ASC).unmappedType("long");

    private static final String EVIDENCE = "_simhash";

    /** Sends the searches of documents with a searchable scope. */
    void send(Search search, List<Arrival> arrivals, ActionListener<MultiSearchResponse> listener) {
        MultiSearchRequest request = new MultiSearchRequest();
        for (Arrival arrival : arrivals) {
            request.add(request(lookups, search, source(arrival)));
        }
        lookups.client().multiSearch(request, listener);
    }

    private SearchSourceBuilder source(Arrival arrival) {
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(query(arrival))
                .size(arrival.wanted())
                .fetchSource(pairFields.wanted())
                .trackTotalHits(false)
                .seqNoAndPrimaryTerm(true)
                .sort(SortBuilders.scoreSort())
                .sort(OLDEST);
        if (criteria.conditions().isEmpty() == false) {
            source.query(QueryBuilders.boolQuery()
                    .must(source.query())
                    .filter(pairFields.filter(
                            arrival.document().getSourceAndMetadata(),
                            arrival.name().index(),
                            arrival.scope())));
        }
        if (arrival.last() != null) {
            // Documents of several shards may share a number, so the search finds the last match again.
            source.searchAfter(new Object[] {
                arrival.print().score(arrival.last().distance()),
                arrival.last().version().seqNo() - 1
            });
        }
        if (verifies(arrival)) {
            source.ext(List.of(SimHashQueries.evidence()));
        }
        return source;
    }

    /**
     * Whether the search compares texts. Without a field the first one does not: the texts of the few documents that it
     * finds are read and compared here, which costs less.
     */
    private boolean verifies(Arrival arrival) {
        return criteria.verification() != null
                && criteria.passages() == null
                && (criteria.verification().field() != null || arrival.isLookedUpFirst() == false);
    }

    static SearchRequest request(NodeLookups lookups, Search search, SearchSourceBuilder source) {
        AliasMetadata alias = search.alias();
        if (alias != null && alias.filteringRequired()) {
            source.query(QueryBuilders.boolQuery()
                    .must(source.query())
                    .filter(QueryBuilders.wrapperQuery(alias.filter().string())));
        }
        if (search.leftOut().isEmpty() == false) {
            source.query(QueryBuilders.boolQuery()
                    .must(source.query())
                    .mustNot(QueryBuilders.termsQuery(IndexFieldMapper.NAME, search.leftOut())));
        }
        // A default search pipeline of the index might hide the match.
        SearchRequest request = new SearchRequest(search.expressions().toArray(String[]::new));
        // Nobody waits longer, and the gate no longer counts the search.
        request.setCancelAfterTimeInterval(lookups.cancelledAfter().get());
        return request.source(source)
                .indicesOptions(OPTIONS)
                .routing(alias == null ? null : alias.searchRouting())
                .preference(search.preference())
                .allowPartialSearchResults(false)
                .pipeline("_none");
    }

    private QueryBuilder query(Arrival arrival) {
        Print target = arrival.target();
        if (target == null) {
            return new MatchNoneQueryBuilder();
        }
        SimHashQueries queries = lookups.queries();
        QueryBuilder near = queries.near(criteria.field(), List.of(target), criteria.threshold());
        if (verifies(arrival) == false) {
            return near;
        }
        String text = arrival.text();
        if (text.isEmpty()) {
            return new MatchNoneQueryBuilder();
        }
        // Hits are sorted by the distance. The filter gets those that are near, and would look for them again.
        return QueryBuilders.boolQuery()
                .must(near)
                .filter(queries.verified(
                        criteria.field(),
                        arrival.print().target(),
                        criteria.threshold().ofFilter(),
                        criteria.verification(),
                        text,
                        arrival.language()));
    }

    void note(Search search, List<Arrival> arrivals, MultiSearchResponse response) {
        MultiSearchResponse.Item[] items = response.getResponses();
        for (int i = 0; i < items.length; i++) {
            Arrival arrival = arrivals.get(i);
            if (items[i].isFailure() == false) {
                SearchHit[] hits = items[i].getResponse().getHits().getHits();
                List<Original> originals = new ArrayList<>();
                HitPairings pairings = new HitPairings(pairFields, hits);
                Set<DocumentName> others = new HashSet<>();
                for (int hit = 0; hit < hits.length; hit++) {
                    int distance = arrival.print().distance(((Number) hits[hit].getSortValues()[0]).floatValue());
                    double similarity = criteria.verification() == null ? Double.NaN : similarity(hits[hit]);
                    originals.add(original(hits[hit], distance, similarity));
                    if (pairings.areMet(arrival, hit) == false) {
                        others.add(originals.getLast().name());
                    }
                }
                arrival.foundInIndex(originals, others);
            } else {
                noteFailure(search, arrival, items[i].getFailure());
            }
        }
    }

    /** A document's own index may be deleted or renamed at any moment. Then it holds nothing. */
    static void noteFailure(Search search, Arrival arrival, Exception failure) {
        boolean isGone = arrival.scope().own() && search.isOfOneName() && failure instanceof IndexNotFoundException;
        if (isGone == false) {
            arrival.failed(failure);
        }
    }

    static Original original(SearchHit hit, int distance, double similarity) {
        DocumentField routing = hit.field(RoutingFieldMapper.NAME);
        DocumentName name = new DocumentName(hit.getIndex(), hit.getId(), routing == null ? null : routing.getValue());
        return new Original(name, distance, similarity, new Version(hit.getSeqNo(), hit.getPrimaryTerm()), -1);
    }

    /** The similarity in the evidence, or {@code NaN}. */
    private static double similarity(SearchHit hit) {
        DocumentField evidence = hit.field(EVIDENCE);
        double similarity = Double.NaN;
        if (evidence != null) {
            for (Object entry : evidence.getValues()) {
                if (entry instanceof Map<?, ?> fields && fields.get("similarity") instanceof Number number) {
                    similarity = number.doubleValue();
                }
            }
        }
        return similarity;
    }

    /** Which hits of a search meet the conditions of arriving documents. Reads each source once. One thread. */
    static final class HitPairings {

        private final PairFields fields;
        private final SearchHit[] hits;
        private final Pairing[] read;

        HitPairings(PairFields fields, SearchHit[] hits) {
            this.fields = fields;
            this.hits = hits;
            this.read = new Pairing[hits.length];
        }

        /** A document with a near hit in an index that cannot decide the conditions fails. */
        boolean areMet(Arrival arrival, int hit) {
            if (arrival.pairing().conditions().isEmpty()) {
                return true;
            }
            String index = hits[hit].getIndex();
            try {
                fields.requireMapped(index, arrival.document().getSourceAndMetadata());
                if (read[hit] == null) {
                    read[hit] = fields.ofStored(hits[hit].hasSource() ? hits[hit].getSourceAsMap() : null, index);
                }
            } catch (IllegalArgumentException e) {
                arrival.failed(e);
                return false;
            }
            return arrival.pairing().isMetBy(read[hit]);
        }
    }
}
