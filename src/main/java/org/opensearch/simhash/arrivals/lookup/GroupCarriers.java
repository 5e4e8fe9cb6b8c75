/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.lookup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScope.Search;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;

/**
 * Searches the index for other documents of groups. An incomplete search is a failure, never "no document". Costs one
 * search of a term for each document. No thread waits.
 */
public final class GroupCarriers {

    /** Other documents of each group. One may have left it since the last refresh. */
    public static final int WANTED = 8;

    private record Asked(Arrival arrival, Search search) {}

    private GroupCarriers() {}

    /** @param found gets the names by arriving document, on a write thread; a document whose search failed has failed */
    public static void find(
            NodeLookups lookups,
            LookupScopes scopes,
            String field,
            Map<Arrival, String> groups,
            ActionListener<Map<Arrival, List<DocumentName>>> found) {
        Map<Arrival, List<DocumentName>> names = new LinkedHashMap<>();
        MultiSearchRequest request = new MultiSearchRequest();
        List<Asked> asked = new ArrayList<>();
        groups.forEach((arrival, group) -> {
            names.put(arrival, new ArrayList<>());
            for (Search search :
                    scopes.searchesWithOwn(arrival.scope(), arrival.name().index())) {
                asked.add(new Asked(arrival, search));
                request.add(IndexLookup.request(lookups, search, source(field + "." + FingerprintFields.GROUP, group)));
            }
        });
        if (asked.isEmpty()) {
            found.onResponse(names);
            return;
        }
        ActionListener<MultiSearchResponse> noting = ActionListener.wrap(
                response -> {
                    for (int i = 0; i < asked.size(); i++) {
                        note(
                                asked.get(i),
                                response.getResponses()[i],
                                names.get(asked.get(i).arrival()));
                    }
                    found.onResponse(names);
                },
                e -> {
                    names.keySet().forEach(arrival -> arrival.failed(e));
                    found.onResponse(names);
                });
        Runnable send = () -> lookups.send(
                ActionListener.runBefore(noting, () -> lookups.gate().leave()),
                listener -> lookups.client().multiSearch(request, listener));
        lookups.gate().enter(lookups.threadContext().preserveContext(send));
    }

    /** An index that maps strings by itself has the whole string below a text. */
    private static SearchSourceBuilder source(String field, String group) {
        return new SearchSourceBuilder()
                .query(QueryBuilders.boolQuery()
                        .should(QueryBuilders.termQuery(field, group))
                        .should(QueryBuilders.termQuery(field + ".keyword", group)))
                .size(WANTED + 1) // the document itself is one
                .fetchSource(false)
                .trackTotalHits(false);
    }

    private static void note(Asked asked, MultiSearchResponse.Item item, List<DocumentName> names) {
        if (item.isFailure()) {
            IndexLookup.noteFailure(asked.search(), asked.arrival(), item.getFailure());
            return;
        }
        for (SearchHit hit : item.getResponse().getHits()) {
            names.add(IndexLookup.original(hit, 0, Double.NaN).name());
        }
    }
}
