/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.fingerprint.TagFields;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.transport.client.Client;

/**
 * Checks whether the survivors and originals that duplicates name exist. The tag of a job has no index, so a survivor may be in any
 * index that is checked together with this one, or shares an alias or a data stream with it. Originals in indices beyond these are
 * not looked for.
 *
 * @param siblings names of these indices
 * @param maxHits hits of a search that all of them allow
 */
record DanglingTags(CheckedIndex index, RandomDocuments documents, Set<String> siblings, int maxHits, Client client) {

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
        List<String> gone = gone(survivors, siblings);
        if (gone.isEmpty()) {
            return Optional.empty();
        }
        String terms = index.terms(TagFields.DUPLICATE_OF);
        List<String> named = gone.subList(0, Math.min(gone.size(), MOST_IN_MEND));
        return Optional.of(finding(
                looked[0],
                field,
                gone,
                MendingRequest.of(
                        "POST",
                        "/_plugins/_simhash/deduplicate/" + index.name() + "/untag",
                        Map.of(
                                "field",
                                index.fingerprint(),
                                "query",
                                Map.of("terms", Map.of(terms == null ? field : terms, named))))));
    }

    private Finding finding(int looked, String field, List<String> gone, String mend) {
        return Finding.of(
                Code.DANGLING_TAG,
                index.name(),
                "of " + looked + " tagged documents looked at, some have a [" + field
                        + "] that does not exist any more: " + DocumentSample.shown(gone)
                        + "; a search without duplicates shows none of their groups",
                mend);
    }

    /**
     * The same for the tags that {@code near_duplicate} writes.
     *
     * @param target its {@code target_field}
     */
    Optional<Finding> atIngest(String target, Metadata metadata) {
        String id = target + ".id";
        if (index.mapping().maps(id) == false) {
            return Optional.empty();
        }
        String named = target + ".index";
        Map<String, Map<String, List<String>>> tagged = new TreeMap<>();
        int[] looked = {0};
        documents.read(documents.places(QueryBuilders.existsQuery(id), LOOKED_AT), new String[] {id, named}, hit -> {
            List<String> originals = survivors(hit, id);
            List<String> indices = survivors(hit, named);
            if (originals.size() == 1 && indices.size() == 1) {
                looked[0]++;
                tagged.computeIfAbsent(indices.getFirst(), any -> new TreeMap<>())
                        .computeIfAbsent(originals.getFirst(), any -> new ArrayList<>())
                        .add(hit.getId());
            }
            return false;
        });
        List<String> gone = new ArrayList<>();
        List<String> duplicates = new ArrayList<>();
        tagged.forEach((original, ids) -> {
            List<String> lost = lost(original, ids.keySet(), metadata);
            gone.addAll(lost);
            lost.forEach(each -> duplicates.addAll(ids.get(each)));
        });
        if (gone.isEmpty()) {
            return Optional.empty();
        }
        String[] names = target.split("\\.", -1);
        String object = "ctx._source"
                + Arrays.stream(names, 0, names.length - 1)
                        .map(name -> "['" + name + "']")
                        .collect(Collectors.joining());
        return Optional.of(finding(
                looked[0],
                id,
                gone,
                MendingRequest.of(
                        "POST",
                        "/" + index.name() + "/_update_by_query?pipeline=_none&refresh=true&scroll_size="
                                + Math.min(maxHits, MOST_IN_MEND),
                        Map.of(
                                "query", Map.of("ids", Map.of("values", duplicates)),
                                "script", Map.of("source", object + ".remove('" + names[names.length - 1] + "')")))));
    }

    /** @param original an index, an alias or a data stream, as the document was sent to */
    private List<String> lost(String original, Set<String> ids, Metadata metadata) {
        IndexAbstraction there = metadata.getIndicesLookup().get(original);
        if (there == null) {
            return List.copyOf(ids);
        }
        Set<String> names = there.getIndices().stream()
                .map(index -> index.getIndex().getName())
                .collect(Collectors.toSet());
        return siblings.containsAll(names) ? gone(ids, names) : List.of();
    }

    private static List<String> survivors(SearchHit hit, String field) {
        return hit.hasSource()
                ? DocumentValues.at(field, hit.getSourceAsMap()).stream()
                        .map(String::valueOf)
                        .toList()
                : List.of();
    }

    /** Several indices may have an id, and an index may allow few hits: what is found is not asked for again. */
    private List<String> gone(Set<String> survivors, Set<String> indices) {
        List<String> gone = new ArrayList<>();
        List<String> all = List.copyOf(survivors);
        for (int from = 0; from < all.size(); from += IDS_OF_A_SEARCH) {
            Set<String> left = new LinkedHashSet<>(all.subList(from, Math.min(from + IDS_OF_A_SEARCH, all.size())));
            while (left.isEmpty() == false) {
                SearchHit[] hits = existing(left, indices);
                for (SearchHit hit : hits) {
                    left.remove(hit.getId());
                }
                if (hits.length < Math.min(maxHits, HITS_OF_A_SEARCH)) {
                    break;
                }
            }
            gone.addAll(left);
        }
        return gone;
    }

    private SearchHit[] existing(Set<String> ids, Set<String> indices) {
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(QueryBuilders.idsQuery().addIds(ids.toArray(String[]::new)))
                .size(Math.min(maxHits, HITS_OF_A_SEARCH))
                .trackTotalHits(false)
                .fetchSource(false);
        SearchRequest request = new SearchRequest(indices.toArray(String[]::new))
                .source(source)
                .indicesOptions(IndicesOptions.lenientExpandOpen())
                .allowPartialSearchResults(false)
                .pipeline("_none");
        return client.search(request).actionGet().getHits().getHits();
    }
}
