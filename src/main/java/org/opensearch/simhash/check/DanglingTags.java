/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.fingerprint.TagFields;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.transport.client.Client;

/**
 * Checks whether the survivors that duplicates name exist. A tag has no index, so a survivor may be in any index that is checked
 * together with this one, or shares an alias or a data stream with it.
 *
 * @param siblings names of these indices
 * @param most hits of a search that all of them allow
 */
record DanglingTags(CheckedIndex index, RandomDocuments documents, Set<String> siblings, int most, Client client) {

    private static final int IDS_OF_A_SEARCH = 1_000;
    private static final int HITS_OF_A_SEARCH = 10_000;
    private static final int LOOKED_AT = 1_000;
    private static final int MOST_IN_MEND = 1_000;

    Optional<Finding> finding() {
        String field = index.path(TagFields.DUPLICATE_OF);
        if (index.mapping().maps(field) == false) {
            return Optional.empty();
        }
        QueryBuilder tagged = index.around(field, QueryBuilders.existsQuery(field));
        Set<String> survivors = new LinkedHashSet<>();
        int[] looked = {0};
        documents.read(documents.places(tagged, LOOKED_AT), new String[] {field}, hit -> {
            looked[0]++;
            survivors(hit, field).forEach(survivors::add);
            return false;
        });
        List<String> gone = gone(survivors);
        if (gone.isEmpty()) {
            return Optional.empty();
        }
        String terms = index.terms(TagFields.DUPLICATE_OF);
        List<String> named = gone.subList(0, Math.min(gone.size(), MOST_IN_MEND));
        return Optional.of(Finding.of(
                Code.DANGLING_TAG,
                index.name(),
                "of " + looked[0] + " tagged documents looked at, some have a [" + field
                        + "] that does not exist any more: " + DocumentSample.shown(gone)
                        + "; a search without duplicates shows none of their groups",
                MendingRequest.of(
                        "POST",
                        "/_plugins/_simhash/deduplicate/" + index.name() + "/untag",
                        Map.of(
                                "field",
                                index.fingerprint(),
                                "query",
                                Map.of("terms", Map.of(terms == null ? field : terms, named))))));
    }

    private static List<String> survivors(SearchHit hit, String field) {
        return hit.hasSource()
                ? DocumentValues.at(field, hit.getSourceAsMap()).stream()
                        .map(String::valueOf)
                        .toList()
                : List.of();
    }

    /** Several indices may have an id, and an index may allow few hits: what is found is not asked for again. */
    private List<String> gone(Set<String> survivors) {
        List<String> gone = new ArrayList<>();
        List<String> all = List.copyOf(survivors);
        for (int from = 0; from < all.size(); from += IDS_OF_A_SEARCH) {
            Set<String> left = new LinkedHashSet<>(all.subList(from, Math.min(from + IDS_OF_A_SEARCH, all.size())));
            while (left.isEmpty() == false) {
                SearchHit[] hits = existing(left);
                for (SearchHit hit : hits) {
                    left.remove(hit.getId());
                }
                if (hits.length < Math.min(most, HITS_OF_A_SEARCH)) {
                    break;
                }
            }
            gone.addAll(left);
        }
        return gone;
    }

    private SearchHit[] existing(Set<String> ids) {
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(QueryBuilders.idsQuery().addIds(ids.toArray(String[]::new)))
                .size(Math.min(most, HITS_OF_A_SEARCH))
                .trackTotalHits(false)
                .fetchSource(false);
        SearchRequest request = new SearchRequest(siblings.toArray(String[]::new))
                .source(source)
                .indicesOptions(IndicesOptions.lenientExpandOpen())
                .allowPartialSearchResults(false)
                .pipeline("_none");
        return client.search(request).actionGet().getHits().getHits();
    }
}
