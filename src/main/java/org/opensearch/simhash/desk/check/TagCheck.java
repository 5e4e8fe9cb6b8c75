/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.pair.Apart;
import org.opensearch.transport.client.Client;

/**
 * Checks the tags of random documents. That of a job has no index, so a survivor may be in any index that is checked together with
 * this one, or shares an alias or a data stream with it: its siblings. Originals in indices beyond these are not looked for.
 *
 * @param maxHits hits of a search that all of them allow
 */
record TagCheck(CheckedIndex index, Set<String> siblings, int maxHits, Client client, Findings found) {

    private static final int AT_ONCE = 1_000;
    private static final int HITS_OF_A_SEARCH = 10_000;
    private static final int LOOKED_AT = 1_000;
    private static final int MOST_IN_MEND = 1_000;

    /** Options of {@code near_duplicate} that decide what a group is, and are options of a job, too. */
    private static final List<String> OF_JOBS = List.of(new String[] {
        "sketch", "max_distance", "min_similarity", "min_words", "min_share",
        "max_document_share", "verify", "same", "differ", "within"
    });

    /** What a document says of others. */
    private record Said(String id, String index, List<String> groups, List<String> survivors, List<String> names) {

        /** Null if it says none, or several. */
        String group() {
            return groups.size() == 1 ? groups.getFirst() : null;
        }

        String survivor() {
            return survivors.size() == 1 ? survivors.getFirst() : null;
        }

        Apart apart() {
            return Apart.of(id, names);
        }
    }

    void find(long fingerprinted, Metadata metadata) {
        found.of(this::ofDuplicates);
        index.steps().stream()
                .filter(Step::isNearDuplicate)
                .map(step -> step.option("target_field", NearDuplicateProcessor.TYPE))
                .distinct()
                .forEach(target -> found.of(() -> danglingAtIngest(target, metadata)));
        found.of(() -> withoutGroup(fingerprinted));
        found.of(this::oneSided);
    }

    /** Whether the survivors that jobs name exist, and agree with those who name them. */
    private void ofDuplicates() {
        String field = index.path(FingerprintFields.DUPLICATE_OF);
        List<Said> duplicates = tagged(field);
        Set<String> survivors = new LinkedHashSet<>();
        duplicates.forEach(duplicate -> survivors.addAll(duplicate.survivors));
        Map<String, List<Said>> named = byId(survivors, siblings);
        List<String> gone =
                survivors.stream().filter(id -> named.containsKey(id) == false).toList();
        String terms = index.terms(FingerprintFields.DUPLICATE_OF);
        List<String> mended = gone.subList(0, Math.min(gone.size(), MOST_IN_MEND));
        Map<String, Object> query = Map.of("terms", Map.of(terms == null ? field : terms, mended));
        String untag = "/_plugins/_simhash/deduplicate/" + index.inPath() + "/untag";
        Map<String, Object> body = Map.of("field", index.fingerprint(), "query", query);
        addDangling(duplicates.size(), field, gone, MendingRequest.of("POST", untag, body));
        if (index.terms(FingerprintFields.GROUP) != null) {
            disagreeing(duplicates, named);
        }
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

    /** The same for the tags of {@code near_duplicate}, which name an index, an alias or a data stream. */
    private void danglingAtIngest(String target, Metadata metadata) {
        String id = target + ".id";
        if (index.mapping().maps(id) == false) {
            return;
        }
        String named = target + ".index";
        Map<String, Map<String, List<String>>> tagged = new TreeMap<>();
        int[] looked = {0};
        index.documents().readAll(QueryBuilders.existsQuery(id), LOOKED_AT, new String[] {id, named}, hit -> {
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
            IndexAbstraction there = metadata.getIndicesLookup().get(original);
            Set<String> names = there == null
                    ? Set.of()
                    : there.getIndices().stream()
                            .map(index -> index.getIndex().getName())
                            .collect(Collectors.toSet());
            if (siblings.containsAll(names)) {
                Set<String> known =
                        names.isEmpty() ? Set.of() : byId(ids.keySet(), names).keySet();
                ids.keySet().removeAll(known);
                gone.addAll(ids.keySet());
                ids.values().forEach(duplicates::addAll);
            }
        });
        String[] names = target.split("\\.", -1);
        String object = object(Arrays.copyOf(names, names.length - 1));
        addDangling(
                looked[0],
                id,
                gone,
                updateByIds(duplicates, Map.of("source", object + ".remove('" + names[names.length - 1] + "')")));
    }

    /** Whether the members of a group agree: each has one survivor, which names none itself and has the same group. */
    private void disagreeing(List<Said> duplicates, Map<String, List<Said>> named) {
        Set<String> groups = new LinkedHashSet<>();
        duplicates.forEach(duplicate -> groups.addAll(duplicate.groups));
        Map<String, List<Said>> survivors = new HashMap<>();
        for (List<String> some : CollectionUtils.eagerPartition(List.copyOf(groups), AT_ONCE)) {
            QueryBuilder ofGroups = QueryBuilders.boolQuery()
                    .filter(QueryBuilders.termsQuery(index.terms(FingerprintFields.GROUP), some))
                    .mustNot(QueryBuilders.existsQuery(index.path(FingerprintFields.DUPLICATE_OF)));
            search(ofGroups, siblings)
                    .forEach(said -> survivors
                            .computeIfAbsent(said.group(), any -> new ArrayList<>())
                            .add(said));
        }
        Set<String> wrong = new LinkedHashSet<>();
        Set<String> indices = new TreeSet<>(Set.of(index.name()));
        for (Said duplicate : duplicates) {
            List<Said> all = named.getOrDefault(duplicate.survivor(), List.of());
            boolean agree = all.isEmpty() // It is gone.
                    || all.stream()
                            .anyMatch(other -> other.survivor() == null
                                    && duplicate.group() != null
                                    && duplicate.group().equals(other.group()));
            boolean isOne = survivors.getOrDefault(duplicate.group(), List.of()).size() < 2;
            if (agree == false || isOne == false) {
                wrong.add(duplicate.id);
                all.forEach(other -> indices.add(other.index));
            }
        }
        if (wrong.isEmpty() == false) {
            found.add(
                    Code.GROUP_DISAGREES,
                    "of " + duplicates.size() + " duplicates looked at, some do not agree with their group: "
                            + DocumentSample.shown(List.copyOf(wrong))
                            + "; its members have several survivors, or the survivor is a duplicate itself or has"
                            + " another [" + index.path(FingerprintFields.GROUP) + "], or none",
                    MendingRequest.of("POST", "/_plugins/_simhash/deduplicate/" + String.join(",", indices), job()));
        }
    }

    /** Whether documents have no story although others have: by the pipeline, or a tenth of the survivors are alone in theirs. */
    private void withoutGroup(long fingerprinted) {
        String group = index.terms(FingerprintFields.GROUP);
        if (group == null) {
            return;
        }
        QueryBuilder query = QueryBuilders.boolQuery()
                .filter(index.withValue())
                .mustNot(index.around(group, QueryBuilders.existsQuery(group)));
        long without = client.search(
                        searchOf(query, Set.of(index.name()), all -> all.size(0).trackTotalHits(true)))
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
                MendingRequest.of("POST", "/_plugins/_simhash/deduplicate/" + index.inPath(), job));
    }

    private boolean haveStories(String group) {
        if (index.steps().stream().anyMatch(Step::givesGroups)) {
            return true;
        }
        Set<String> stories = new TreeSet<>();
        QueryBuilder survivors = QueryBuilders.boolQuery()
                .filter(QueryBuilders.existsQuery(group))
                .mustNot(QueryBuilders.existsQuery(index.path(FingerprintFields.DUPLICATE_OF)));
        String path = index.path(FingerprintFields.GROUP);
        index.documents().readAll(index.around(group, survivors), LOOKED_AT, new String[] {path}, hit -> {
            stories.addAll(values(hit, path));
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
    private void oneSided() {
        String field = index.path(FingerprintFields.APART);
        List<Said> naming = tagged(field);
        Set<String> names = new LinkedHashSet<>();
        naming.forEach(document -> names.addAll(document.names));
        Map<String, List<Said>> named = byId(names, siblings);
        Map<String, List<String>> wrong = new TreeMap<>();
        naming.forEach(document -> document.names.stream()
                .distinct()
                .filter(other -> named.containsKey(other)
                        && named.get(other).stream()
                                .noneMatch(back -> document.apart().isFrom(back.apart())))
                .sorted()
                .forEach(other -> wrong.computeIfAbsent(document.id, any -> new ArrayList<>())
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
                "of " + naming.size() + " documents looked at that name others in [" + field
                        + "], some are not named back: " + DocumentSample.shown(mended)
                        + "; the text of one has changed, and the two are not kept apart any more",
                updateByIds(mended, Map.of("source", script, "params", wrong)));
    }

    private String updateByIds(List<String> ids, Map<String, Object> script) {
        return MendingRequest.updateByQuery(
                index, "_none", Map.of("query", Map.of("ids", Map.of("values", ids)), "script", script));
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

    private Said said(SearchHit hit) {
        return new Said(
                hit.getId(),
                hit.getIndex(),
                values(hit, index.path(FingerprintFields.GROUP)),
                values(hit, index.path(FingerprintFields.DUPLICATE_OF)),
                values(hit, index.path(FingerprintFields.APART)));
    }

    private static List<String> values(SearchHit hit, String field) {
        return hit.hasSource()
                ? DocumentValues.at(field, hit.getSourceAsMap()).stream()
                        .map(String::valueOf)
                        .toList()
                : List.of();
    }

    private String[] paths() {
        return Stream.of(FingerprintFields.GROUP, FingerprintFields.DUPLICATE_OF, FingerprintFields.APART)
                .map(index::path)
                .toArray(String[]::new);
    }

    /** Random documents with a part of the tags; none if it is not mapped. */
    private List<Said> tagged(String field) {
        List<Said> tagged = new ArrayList<>();
        if (index.mapping().maps(field)) {
            QueryBuilder query = index.around(field, QueryBuilders.existsQuery(field));
            index.documents().readAll(query, LOOKED_AT, paths(), hit -> tagged.add(said(hit)));
        }
        return tagged;
    }

    /** What documents with these ids say. Several indices may have an id: what is found is not asked for again. */
    private Map<String, List<Said>> byId(Set<String> ids, Set<String> indices) {
        Map<String, List<Said>> found = new HashMap<>();
        for (List<String> some : CollectionUtils.eagerPartition(List.copyOf(ids), AT_ONCE)) {
            Set<String> left = new LinkedHashSet<>(some);
            for (boolean isFull = true; isFull && left.isEmpty() == false; ) {
                List<Said> read = search(QueryBuilders.idsQuery().addIds(left.toArray(String[]::new)), indices);
                read.forEach(said -> {
                    found.computeIfAbsent(said.id, any -> new ArrayList<>()).add(said);
                    left.remove(said.id);
                });
                isFull = read.size() == Math.min(maxHits, HITS_OF_A_SEARCH);
            }
        }
        return found;
    }

    /** Hits beyond the size of a search are left out. */
    private List<Said> search(QueryBuilder query, Set<String> indices) {
        SearchHit[] hits = client.search(searchOf(
                        query,
                        indices,
                        source -> source.size(Math.min(maxHits, HITS_OF_A_SEARCH))
                                .trackTotalHits(false)
                                .fetchSource(paths(), null)))
                .actionGet()
                .getHits()
                .getHits();
        return Arrays.stream(hits).map(this::said).toList();
    }

    private static SearchRequest searchOf(
            QueryBuilder query, Set<String> indices, UnaryOperator<SearchSourceBuilder> more) {
        return RandomDocuments.searchOf(
                        more.apply(new SearchSourceBuilder().query(query)), indices.toArray(String[]::new))
                .indicesOptions(IndicesOptions.lenientExpandOpen());
    }
}
