/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.core.common.util.CollectionUtils;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.terms.IncludeExclude;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.pair.Apart;
import org.opensearch.transport.client.Client;

/**
 * Checks the tags of random documents: whether the survivors and originals that they name exist, whether the members of a group
 * agree, whether documents have a story where others have, and whether those that people keep apart name each other. The tag of a job has no index, so a survivor may be in any index that is checked together with this one, or shares an alias or
 * a data stream with it. Originals in indices beyond these are not looked for.
 *
 * @param siblings names of these indices
 * @param maxHits hits of a search that all of them allow
 */
record TagCheck(
        CheckedIndex index,
        RandomDocuments documents,
        Set<String> siblings,
        int maxHits,
        Client client,
        Findings found) {

    private static final int IDS_OF_A_SEARCH = 1_000;
    private static final int HITS_OF_A_SEARCH = 10_000;
    private static final int LOOKED_AT = 1_000;
    private static final int MOST_IN_MEND = 1_000;

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

    /** Whether the survivors that jobs name exist. */
    void dangling() {
        String field = index.path(FingerprintFields.DUPLICATE_OF);
        if (index.mapping().maps(field) == false) {
            return;
        }
        Set<String> survivors = new LinkedHashSet<>();
        int looked = lookAtTagged(field, hit -> survivors.addAll(values(hit, field)), field);
        List<String> gone = gone(survivors, siblings);
        String terms = index.terms(FingerprintFields.DUPLICATE_OF);
        List<String> named = gone.subList(0, Math.min(gone.size(), MOST_IN_MEND));
        addDangling(
                looked,
                field,
                gone,
                MendingRequest.of(
                        "POST",
                        "/_plugins/_simhash/deduplicate/" + index.name() + "/untag",
                        Map.of(
                                "field",
                                index.fingerprint(),
                                "query",
                                Map.of("terms", Map.of(terms == null ? field : terms, named)))));
    }

    private void addDangling(int looked, String field, List<String> gone, String mend) {
        if (gone.isEmpty() == false) {
            found.add(
                    Code.DANGLING_TAG,
                    "of " + looked + " tagged documents looked at, some have a [" + field
                            + "] that does not exist any more: " + DocumentSample.shown(gone)
                            + "; a search without duplicates shows none of their groups",
                    mend);
        }
    }

    /**
     * The same for the tags that {@code near_duplicate} writes.
     *
     * @param target its {@code target_field}
     */
    void danglingAtIngest(String target, Metadata metadata) {
        String id = target + ".id";
        if (index.mapping().maps(id) == false) {
            return;
        }
        String named = target + ".index";
        Map<String, Map<String, List<String>>> tagged = new TreeMap<>();
        int[] looked = {0};
        documents.readAll(QueryBuilders.existsQuery(id), LOOKED_AT, new String[] {id, named}, hit -> {
            List<String> originals = values(hit, id);
            List<String> indices = values(hit, named);
            if (originals.size() == 1 && indices.size() == 1) {
                looked[0]++;
                tagged.computeIfAbsent(indices.getFirst(), any -> new TreeMap<>())
                        .computeIfAbsent(originals.getFirst(), any -> new ArrayList<>())
                        .add(hit.getId());
            }
        });
        List<String> gone = new ArrayList<>();
        List<String> duplicates = new ArrayList<>();
        tagged.forEach((original, ids) -> {
            List<String> lost = lost(original, ids.keySet(), metadata);
            gone.addAll(lost);
            lost.forEach(each -> duplicates.addAll(ids.get(each)));
        });
        String[] names = target.split("\\.", -1);
        String object = object(Arrays.copyOf(names, names.length - 1));
        addDangling(
                looked[0],
                id,
                gone,
                updateByIds(duplicates, Map.of("source", object + ".remove('" + names[names.length - 1] + "')")));
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

    /** Several indices may have an id, and an index may allow few hits: what is found is not asked for again. */
    private List<String> gone(Set<String> survivors, Set<String> indices) {
        List<String> gone = new ArrayList<>();
        for (List<String> some : CollectionUtils.eagerPartition(List.copyOf(survivors), IDS_OF_A_SEARCH)) {
            Set<String> left = new LinkedHashSet<>(some);
            while (left.isEmpty() == false) {
                SearchHit[] hits = search(ids(left), indices);
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

    /**
     * Whether the members of a group agree: each has one survivor, which names none itself and has the same group. Survivors that do not
     * exist are left to {@link #dangling}.
     */
    void disagreeing() {
        String survivor = index.path(FingerprintFields.DUPLICATE_OF);
        if (index.terms(FingerprintFields.GROUP) == null || index.mapping().maps(survivor) == false) {
            return;
        }
        List<Said> duplicates = new ArrayList<>();
        int looked =
                lookAtTagged(survivor, hit -> duplicates.add(said(hit)), survivor, index.path(FingerprintFields.GROUP));
        Map<String, List<Said>> named = said(duplicates, Said::survivor, TagCheck::ids, Said::id);
        Map<String, List<Said>> survivorsOfGroups = said(
                duplicates,
                Said::group,
                some -> QueryBuilders.boolQuery()
                        .filter(QueryBuilders.termsQuery(index.terms(FingerprintFields.GROUP), some))
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
        if (wrong.isEmpty() == false) {
            found.add(
                    Code.GROUP_DISAGREES,
                    "of " + looked + " duplicates looked at, some do not agree with their group: "
                            + DocumentSample.shown(List.copyOf(wrong))
                            + "; its members have several survivors, or the survivor is a duplicate itself or has"
                            + " another [" + index.path(FingerprintFields.GROUP) + "], or none",
                    MendingRequest.of("POST", "/_plugins/_simhash/deduplicate/" + String.join(",", indices), job()));
        }
    }

    /**
     * Whether documents have no story although others have: the pipeline gives all a group, or a tenth of the survivors looked at are alone
     * in theirs, which only {@code "groups": "all"} does.
     *
     * @param fingerprinted documents that can have one
     */
    void withoutGroup(long fingerprinted) {
        String group = index.terms(FingerprintFields.GROUP);
        if (group == null) {
            return;
        }
        long without = client.search(searchOf(
                        QueryBuilders.boolQuery()
                                .filter(index.withValue())
                                .mustNot(index.around(group, QueryBuilders.existsQuery(group))),
                        Set.of(index.name()),
                        source -> source.size(0).trackTotalHits(true)))
                .actionGet()
                .getHits()
                .getTotalHits()
                .value();
        if (without == 0 || haveStories(group) == false) {
            return;
        }
        Map<String, Object> job = job();
        job.put("groups", "all");
        found.add(
                Code.GROUP_MISSING,
                without + " of " + fingerprinted + " documents (" + Math.max(1, 100 * without / fingerprinted)
                        + " %) have no [" + index.path(FingerprintFields.GROUP)
                        + "], though others have stories: [collapse] shows all of them as one",
                MendingRequest.of("POST", "/_plugins/_simhash/deduplicate/" + index.name(), job));
    }

    private boolean haveStories(String group) {
        if (index.steps().stream().anyMatch(Step::givesGroups)) {
            return true;
        }
        Set<String> stories = new TreeSet<>();
        QueryBuilder survivors = QueryBuilders.boolQuery()
                .filter(QueryBuilders.existsQuery(group))
                .mustNot(QueryBuilders.existsQuery(index.path(FingerprintFields.DUPLICATE_OF)));
        documents.readAll(
                index.around(group, survivors), LOOKED_AT, new String[] {index.path(FingerprintFields.GROUP)}, hit -> {
                    stories.addAll(values(hit, index.path(FingerprintFields.GROUP)));
                });
        if (stories.isEmpty()) {
            return false;
        }
        Terms large = client.search(searchOf(
                        QueryBuilders.termsQuery(group, stories),
                        siblings,
                        source -> source.size(0)
                                .aggregation(AggregationBuilders.terms("large")
                                        .field(group)
                                        .minDocCount(2)
                                        .includeExclude(new IncludeExclude(stories.toArray(String[]::new), null))
                                        .size(LOOKED_AT))))
                .actionGet()
                .getAggregations()
                .get("large");
        return 10 * (stories.size() - large.getBuckets().size()) >= stories.size();
    }

    /** Whether documents are named back by those that they name, which exist. */
    void oneSided() {
        String field = index.path(FingerprintFields.APART);
        if (index.mapping().maps(field) == false) {
            return;
        }
        List<Apart> naming = new ArrayList<>();
        int looked = lookAtTagged(field, hit -> naming.add(Apart.of(hit.getId(), values(hit, field))), field);
        Set<String> names = new LinkedHashSet<>();
        naming.forEach(document -> names.addAll(document.named()));
        Map<String, List<Apart>> named = new HashMap<>();
        for (List<String> some : CollectionUtils.eagerPartition(List.copyOf(names), IDS_OF_A_SEARCH)) {
            for (SearchHit hit : search(ids(some), siblings, field)) {
                named.computeIfAbsent(hit.getId(), any -> new ArrayList<>())
                        .add(Apart.of(hit.getId(), values(hit, field)));
            }
        }
        Map<String, List<String>> wrong = new TreeMap<>();
        naming.forEach(document -> document.named().stream()
                .filter(other ->
                        named.containsKey(other) && named.get(other).stream().noneMatch(document::isFrom))
                .sorted()
                .forEach(other -> wrong.computeIfAbsent(document.id(), any -> new ArrayList<>())
                        .add(other)));
        if (wrong.isEmpty()) {
            return;
        }
        List<String> mended = wrong.keySet().stream().limit(MOST_IN_MEND).toList();
        wrong.keySet().retainAll(mended);
        String object = object(index.fingerprint().split("\\.", -1));
        String script = "def names = " + object
                + ".apart; if (names instanceof List) { names.removeAll(params[ctx._id]) } else { " + object
                + ".remove('apart') }";
        found.add(
                Code.APART_ONE_SIDED,
                "of " + looked + " documents looked at that name others in [" + field
                        + "], some are not named back: " + DocumentSample.shown(mended)
                        + "; the text of one has changed, and the two are not kept apart any more",
                updateByIds(mended, Map.of("source", script, "params", wrong)));
    }

    private String updateByIds(List<String> ids, Map<String, Object> script) {
        return MendingRequest.of(
                "POST",
                "/" + index.name() + "/_update_by_query?pipeline=_none&refresh=true&scroll_size="
                        + Math.min(maxHits, MOST_IN_MEND),
                MendingRequest.asStored(
                        index, Map.of("query", Map.of("ids", Map.of("values", ids)), "script", script)));
    }

    private static String object(String... path) {
        return "ctx._source"
                + Arrays.stream(path).map(name -> "['" + name + "']").collect(Collectors.joining());
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

    /**
     * What other documents say.
     *
     * @param asked the part of the duplicates that is searched for
     * @param part by which it is returned. Hits beyond the size of a search are left out
     */
    private Map<String, List<Said>> said(
            List<Said> duplicates,
            Function<Said, String> asked,
            Function<Collection<String>, QueryBuilder> query,
            Function<Said, String> part) {
        Set<String> terms = new LinkedHashSet<>(duplicates.stream().map(asked).toList());
        terms.remove(null);
        Map<String, List<Said>> found = new HashMap<>();
        for (List<String> some : CollectionUtils.eagerPartition(List.copyOf(terms), IDS_OF_A_SEARCH)) {
            for (SearchHit hit : search(
                    query.apply(some),
                    siblings,
                    index.path(FingerprintFields.GROUP),
                    index.path(FingerprintFields.DUPLICATE_OF))) {
                Said said = said(hit);
                if (part.apply(said) != null) {
                    found.computeIfAbsent(part.apply(said), any -> new ArrayList<>())
                            .add(said);
                }
            }
        }
        return found;
    }

    private Said said(SearchHit hit) {
        return new Said(
                hit.getId(),
                hit.getIndex(),
                text(hit, FingerprintFields.GROUP),
                text(hit, FingerprintFields.DUPLICATE_OF));
    }

    private String text(SearchHit hit, String part) {
        List<String> values = values(hit, index.path(part));
        return values.size() == 1 ? values.getFirst() : null;
    }

    private static List<String> values(SearchHit hit, String field) {
        return hit.hasSource()
                ? DocumentValues.at(field, hit.getSourceAsMap()).stream()
                        .map(String::valueOf)
                        .toList()
                : List.of();
    }

    /** Returns the number of documents looked at. */
    private int lookAtTagged(String field, Consumer<SearchHit> sees, String... paths) {
        return documents.readAll(index.around(field, QueryBuilders.existsQuery(field)), LOOKED_AT, paths, sees);
    }

    private static QueryBuilder ids(Collection<String> ids) {
        return QueryBuilders.idsQuery().addIds(ids.toArray(String[]::new));
    }

    private SearchHit[] search(QueryBuilder query, Set<String> indices, String... paths) {
        return client.search(searchOf(
                        query,
                        indices,
                        source -> source.size(Math.min(maxHits, HITS_OF_A_SEARCH))
                                .trackTotalHits(false)
                                .fetchSource(new FetchSourceContext(paths.length > 0, paths, null))))
                .actionGet()
                .getHits()
                .getHits();
    }

    private static SearchRequest searchOf(
            QueryBuilder query, Set<String> indices, UnaryOperator<SearchSourceBuilder> more) {
        return RandomDocuments.searchOf(
                        more.apply(new SearchSourceBuilder().query(query)), indices.toArray(String[]::new))
                .indicesOptions(IndicesOptions.lenientExpandOpen());
    }
}
