/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
 * Checks whether the members of a group agree: each has one survivor, which names none itself and has the same group. Looks at the
 * groups of random duplicates. Survivors that do not exist are left to {@link DanglingTags}.
 *
 * @param siblings names of the indices in which survivors may be
 * @param maxHits hits of a search that all of them allow
 */
record DisagreeingGroups(
        CheckedIndex index, RandomDocuments documents, Set<String> siblings, int maxHits, Client client) {

    private static final int IDS_OF_A_SEARCH = 1_000;
    private static final int HITS_OF_A_SEARCH = 10_000;
    private static final int LOOKED_AT = 1_000;

    /** Options of {@code near_duplicate} that decide what a group is, and are options of a job, too. */
    private static final List<String> OF_JOBS = List.of(
            "sketch",
            "max_distance",
            "min_similarity",
            "min_words",
            "min_share",
            "max_document_share",
            "verify",
            "same",
            "differ",
            "within");

    /** What a document says. Null where it says nothing, or several things. */
    private record Said(String id, String index, String group, String survivor) {}

    Optional<Finding> finding() {
        if (index.terms(TagFields.GROUP) == null || index.mapping().maps(index.path(TagFields.DUPLICATE_OF)) == false) {
            return Optional.empty();
        }
        String survivor = index.path(TagFields.DUPLICATE_OF);
        List<Said> duplicates = new ArrayList<>();
        int looked = documents.read(
                documents.places(index.around(survivor, QueryBuilders.existsQuery(survivor)), LOOKED_AT),
                new String[] {survivor, index.path(TagFields.GROUP)},
                hit -> {
                    duplicates.add(said(hit));
                    return false;
                });
        Set<String> survivors = new LinkedHashSet<>();
        Set<String> groups = new LinkedHashSet<>();
        duplicates.forEach(duplicate -> {
            add(duplicate.survivor, survivors);
            add(duplicate.group, groups);
        });
        Map<String, List<Said>> named =
                in(survivors, ids -> QueryBuilders.idsQuery().addIds(ids.toArray(String[]::new)), Said::id);
        Map<String, List<Said>> survivorsOfGroups = in(
                groups,
                some -> QueryBuilders.boolQuery()
                        .filter(QueryBuilders.termsQuery(index.terms(TagFields.GROUP), some))
                        .mustNot(QueryBuilders.existsQuery(survivor)),
                Said::group);
        Set<String> wrong = new LinkedHashSet<>();
        Set<String> indices = new TreeSet<>(Set.of(index.name()));
        for (Said duplicate : duplicates) {
            List<Said> all = named.getOrDefault(duplicate.survivor, List.of());
            boolean agree = all.isEmpty()
                    || all.stream()
                            .anyMatch(other -> other.survivor == null
                                    && duplicate.group != null
                                    && duplicate.group.equals(other.group));
            boolean isOne =
                    survivorsOfGroups.getOrDefault(duplicate.group, List.of()).size() < 2;
            if (agree == false || isOne == false) {
                wrong.add(duplicate.id);
                all.forEach(other -> indices.add(other.index));
            }
        }
        if (wrong.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                Code.GROUP_DISAGREES,
                index.name(),
                "of " + looked + " duplicates looked at, some do not agree with their group: "
                        + DocumentSample.shown(List.copyOf(wrong))
                        + "; its members have several survivors, or the survivor is a duplicate itself or has another ["
                        + index.path(TagFields.GROUP) + "], or none",
                MendingRequest.of("POST", "/_plugins/_simhash/deduplicate/" + String.join(",", indices), job())));
    }

    /** With the options by which the pipeline groups. */
    private Map<String, Object> job() {
        Map<String, Object> job = new LinkedHashMap<>(Map.of("action", "tag"));
        job.put("field", index.fingerprint());
        index.steps().stream()
                .filter(step ->
                        step.isNearDuplicate() && step.nearDuplicateField().equals(index.fingerprint()))
                .findFirst()
                .ifPresent(step -> {
                    OF_JOBS.stream()
                            .filter(option -> step.options().get(option) != null)
                            .forEach(option -> job.put(option, step.options().get(option)));
                    if (step.givesGroups()) {
                        job.put("groups", "all");
                    }
                });
        return job;
    }

    private Said said(SearchHit hit) {
        return new Said(hit.getId(), hit.getIndex(), text(hit, TagFields.GROUP), text(hit, TagFields.DUPLICATE_OF));
    }

    private String text(SearchHit hit, String part) {
        List<Object> values = hit.hasSource() ? DocumentValues.at(index.path(part), hit.getSourceAsMap()) : List.of();
        return values.size() == 1 ? String.valueOf(values.getFirst()) : null;
    }

    private static void add(String text, Set<String> texts) {
        if (text != null) {
            texts.add(text);
        }
    }

    /** What documents say, by a part of it. Hits beyond the size of a search are left out. */
    private Map<String, List<Said>> in(
            Set<String> terms, Function<List<String>, QueryBuilder> query, Function<Said, String> part) {
        Map<String, List<Said>> said = new HashMap<>();
        List<String> all = List.copyOf(terms);
        for (int from = 0; from < all.size(); from += IDS_OF_A_SEARCH) {
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(query.apply(all.subList(from, Math.min(from + IDS_OF_A_SEARCH, all.size()))))
                    .size(Math.min(maxHits, HITS_OF_A_SEARCH))
                    .trackTotalHits(false)
                    .fetchSource(new String[] {index.path(TagFields.GROUP), index.path(TagFields.DUPLICATE_OF)}, null);
            SearchRequest request = new SearchRequest(siblings.toArray(String[]::new))
                    .source(source)
                    .indicesOptions(IndicesOptions.lenientExpandOpen())
                    .allowPartialSearchResults(false)
                    .pipeline("_none");
            for (SearchHit hit : client.search(request).actionGet().getHits()) {
                Said found = said(hit);
                if (part.apply(found) != null) {
                    said.computeIfAbsent(part.apply(found), any -> new ArrayList<>())
                            .add(found);
                }
            }
        }
        return said;
    }
}
