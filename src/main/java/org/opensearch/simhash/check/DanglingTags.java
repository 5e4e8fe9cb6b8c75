/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
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
 * @param siblings names of these indices, of aliases and data streams
 */
record DanglingTags(CheckedIndex index, RandomDocuments documents, Set<String> siblings, Client client) {

    private static final int IDS_OF_A_SEARCH = 1_000;
    private static final int LOOKED_AT = 1_000;
    private static final int MOST_IN_MEND = 1_000;

    Optional<Finding> finding() {
        String field = index.path(TagFields.DUPLICATE_OF);
        if (index.mapping().maps(field) == false) {
            return Optional.empty();
        }
        QueryBuilder tagged = index.around(field, QueryBuilders.existsQuery(field));
        Set<String> survivors = new LinkedHashSet<>();
        int looked = documents.read(documents.places(tagged, LOOKED_AT), new String[] {field}, hit -> {
            survivors(hit, field).forEach(survivors::add);
            return false;
        });
        List<String> gone = new ArrayList<>(survivors);
        for (int from = 0; from < survivors.size(); from += IDS_OF_A_SEARCH) {
            gone.removeAll(
                    existing(List.copyOf(survivors).subList(from, Math.min(from + IDS_OF_A_SEARCH, survivors.size()))));
        }
        if (gone.isEmpty()) {
            return Optional.empty();
        }
        List<String> named = gone.subList(0, Math.min(gone.size(), MOST_IN_MEND));
        return Optional.of(Finding.of(
                Code.DANGLING_TAG,
                index.name(),
                "of " + looked + " tagged documents looked at, some have a [" + field
                        + "] that does not exist any more: " + DocumentSample.shown(gone)
                        + "; a search without duplicates shows none of their groups",
                MendingRequest.of(
                        "POST",
                        "/_plugins/_simhash/deduplicate/" + index.name() + "/untag",
                        Map.of("field", index.fingerprint(), "query", Map.of("terms", Map.of(field, named))))));
    }

    private static List<String> survivors(SearchHit hit, String field) {
        return hit.hasSource()
                ? DocumentValues.at(field, hit.getSourceAsMap()).stream()
                        .map(String::valueOf)
                        .toList()
                : List.of();
    }

    private Set<String> existing(List<String> ids) {
        Set<String> found = new LinkedHashSet<>();
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(QueryBuilders.idsQuery().addIds(ids.toArray(String[]::new)))
                .size(Math.min(documents.most(), 10 * IDS_OF_A_SEARCH)) // Several indices may have an id.
                .trackTotalHits(false)
                .fetchSource(false);
        SearchRequest request = new SearchRequest(siblings.toArray(String[]::new))
                .source(source)
                .indicesOptions(IndicesOptions.lenientExpandOpen())
                .allowPartialSearchResults(false)
                .pipeline("_none");
        SearchResponse response = client.search(request).actionGet();
        response.getHits().forEach(hit -> found.add(hit.getId()));
        return found;
    }
}
