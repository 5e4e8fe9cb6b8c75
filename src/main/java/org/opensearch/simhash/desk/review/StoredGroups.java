/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.document.DocumentField;
import org.opensearch.common.lucene.search.function.CombineFunction;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.BucketOrder;
import org.opensearch.search.aggregations.bucket.filter.Filters;
import org.opensearch.search.aggregations.bucket.filter.FiltersAggregator.KeyedFilter;
import org.opensearch.search.aggregations.bucket.terms.IncludeExclude;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.aggregations.metrics.Max;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.core.estimate.Interval;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.desk.check.RandomDocuments;
import org.opensearch.simhash.jobs.archive.ArchiveIndex.RestoreNote;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/** Reads groups by searches of the caller. An answer has some megabytes at most, or one group, or texts. Blocks its thread. */
record StoredGroups(Client client, ClusterState state, Function<SketchKind, PipelineRecipes> recipes) {

    private static final int MOST_RUNS = 100;
    private static final int MOST_VALUES = 100;

    private static final List<String> ONLY_FOR_JOBS =
            List.of(GroupMapping.PARAMETERS, GroupMapping.VERSIONS, GroupMapping.WORDS);

    static final int MOST_DOCUMENTS = 50_000;
    private static final int MOST_TEXTS = 500;

    /** Groups, and what the page needs beside them: the runs and the total only in the first answer about a run. */
    Map<String, Object> read(String[] dest, GroupChoice choice) {
        GroupMapping.require(state, Arrays.asList(dest));
        boolean isFirst = choice.after() == null || choice.run() == null;
        List<Map<String, Object>> runs = isFirst ? runs(dest, choice.run()) : null;
        String run = isFirst ? chosen(dest, choice.run(), runs) : choice.run();
        Found found = run == null
                ? new Found(new SearchHit[0], true, 0L, null)
                : next(dest, run, choice, choice.sortValues(false), choice.size(), MOST_DOCUMENTS, isFirst);
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("run", run);
        if (isFirst) {
            page.put("runs", runs);
            page.put("total", found.total);
        }
        addGroups(page, found.hits);
        if (found.isEnd == false) {
            page.put("next", GroupChoice.cursor(found.hits[found.hits.length - 1].getSortValues()));
        }
        if (found.sample != null) {
            page.put("sample", found.sample);
        }
        if (isFirst && run != null && choice.facet() != null) {
            page.put("facet", facet(dest, run, choice));
        }
        return page;
    }

    /** A group as it is stored, but for what only jobs need. Columns are named only: their values may be of hidden documents. */
    static Map<String, Object> group(
            String index, String id, long sequenceNumber, long primaryTerm, Map<String, Object> source) {
        source.keySet().removeAll(ONLY_FOR_JOBS);
        source.computeIfPresent(
                GroupMapping.COLUMNS,
                (field, values) -> ((List<?>) values)
                        .stream()
                                .map(value -> value.toString().split(":", 2)[0])
                                .distinct()
                                .toList());
        return Map.of(
                "_index", index, "_id", id, "_seq_no", sequenceNumber, "_primary_term", primaryTerm, "_source", source);
    }

    /** The run that is asked for, else the newest; null without any. */
    String run(String[] dest, GroupChoice choice) {
        GroupMapping.require(state, Arrays.asList(dest));
        return choice.after() != null && choice.run() != null
                ? choice.run()
                : chosen(dest, choice.run(), runs(dest, choice.run()));
    }

    /**
     * @param total null if nobody has counted
     * @param sample what is known of it; null without one
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Found(SearchHit[] hits, boolean isEnd, Long total, Map<String, Object> sample) {}

    /** The next groups, fewer than {@code most} if they have more documents, but one. They lack what is left out, which may be long. */
    Found next(
            String[] dest,
            String run,
            GroupChoice choice,
            Object[] after,
            int most,
            int documents,
            boolean counts,
            String... left) {
        SearchSourceBuilder wanted =
                new SearchSourceBuilder().query(choice.query(run)).size(most).trackTotalHits(counts);
        choice.order().forEach(wanted::sort);
        String judged = whole(dest, GroupMapping.JUDGED);
        String seed = choice.seed() == null || choice.seed().isEmpty() ? run : choice.seed();
        if (choice.seed() != null) {
            wanted.docValueField(judged)
                    .query(QueryBuilders.functionScoreQuery(
                                    wanted.query(),
                                    ScoreFunctionBuilders.randomFunction()
                                            .seed(seed)
                                            .setField(whole(dest, GroupMapping.GROUP)))
                            .boostMode(CombineFunction.REPLACE));
        }
        if (after != null) {
            wanted.searchAfter(after);
        }
        // A group may have a hundred thousand members, so that sizes are read first.
        SearchHits found = search(dest, wanted.fetchSource(false).docValueField(GroupMapping.SIZE))
                .getHits();
        SearchHit[] sizes = found.getHits();
        int fitting = fitting(sizes, documents);
        String[] without =
                Stream.concat(GroupMapping.KEPT_PAIRS.stream(), Stream.of(left)).toArray(String[]::new);
        wanted.fetchSource(true)
                .fetchSource(null, without)
                .seqNoAndPrimaryTerm(true)
                .trackTotalHits(false);
        SearchHit[] hits = fitting == 0
                ? new SearchHit[0]
                : search(dest, wanted.size(fitting)).getHits().getHits();
        boolean isEnd = hits.length == 0 || (fitting == sizes.length && (sizes.length < most || choice.seed() != null));
        Long total = counts ? found.getTotalHits().value() : null;
        boolean isSample = counts && choice.seed() != null;
        return new Found(hits, isEnd, total, isSample ? sample(seed, sizes, judged) : null);
    }

    /** What the judgements of its groups say of all that it was drawn from. */
    private static Map<String, Object> sample(String seed, SearchHit[] groups, String field) {
        List<Object> judged = Arrays.stream(groups)
                .filter(group -> group.field(field) != null)
                .flatMap(group -> group.field(field).getValues().stream())
                .toList();
        int wrong = Collections.frequency(judged, GroupMapping.WRONG);
        Interval share = Interval.ofSample(wrong, judged.size());
        Map<String, Object> sample = new LinkedHashMap<>();
        sample.put("seed", seed);
        sample.put("drawn", groups.length);
        sample.put("judged", judged.size());
        sample.put("wrong", wrong);
        sample.put("share", share.estimate());
        sample.put("low", share.low());
        sample.put("high", share.high());
        return sample;
    }

    private static int fitting(SearchHit[] hits, int most) {
        long documents = 0;
        for (int i = 0; i < hits.length; i++) {
            DocumentField size = hits[i].field(GroupMapping.SIZE);
            documents += size != null && size.getValue() instanceof Number number ? number.longValue() : 1;
            if (i > 0 && documents > most) {
                return i;
            }
        }
        return hits.length;
    }

    SearchResponse search(String[] dest, SearchSourceBuilder source) {
        return client.search(RandomDocuments.searchOf(source, dest)).actionGet();
    }

    private static String chosen(String[] dest, String wanted, List<Map<String, Object>> runs) {
        if (wanted == null) {
            return runs.isEmpty() ? null : (String) runs.getFirst().get("run");
        }
        if (runs.stream().noneMatch(run -> wanted.equals(run.get("run")))) {
            throw new ResourceNotFoundException(
                    "[run] must be a run that has groups in [" + String.join(",", dest) + "], got: " + wanted);
        }
        return wanted;
    }

    /** The newest first, with their numbers of groups. One that is asked for may be older than those. */
    private List<Map<String, Object>> runs(String[] dest, String wanted) {
        List<Map<String, Object>> runs = runs(dest, JobQuery.exists(GroupMapping.GROUP));
        if (wanted != null && runs.stream().noneMatch(run -> wanted.equals(run.get("run")))) {
            runs.addAll(runs(dest, GroupMapping.ofRun(wanted)));
        }
        return runs;
    }

    private List<Map<String, Object>> runs(String[] dest, QueryBuilder groups) {
        List<KeyedFilter> decisions = GroupMapping.DECISIONS.stream()
                .map(decision ->
                        new KeyedFilter(decision, JobQuery.whole(GroupMapping.DECISION_NAME, List.of(decision))))
                .toList();
        SearchSourceBuilder source = new SearchSourceBuilder()
                .size(0)
                .trackTotalHits(false)
                .query(groups)
                .aggregation(AggregationBuilders.terms("runs")
                        .field(whole(dest, GroupMapping.RUN))
                        .size(MOST_RUNS)
                        .order(BucketOrder.aggregation("at", false))
                        .subAggregation(AggregationBuilders.max("at").field(GroupMapping.RUN_AT))
                        .subAggregation(AggregationBuilders.terms("applied")
                                .field(GroupMapping.APPLIED_ACTION)
                                .size(1)
                                .order(BucketOrder.aggregation("at", false))
                                .subAggregation(AggregationBuilders.max("at").field(GroupMapping.APPLIED_AT))
                                .subAggregation(AggregationBuilders.terms("archive")
                                        .field(GroupMapping.APPLIED_ARCHIVE)
                                        .size(1)))
                        .subAggregation(
                                AggregationBuilders.filters("decisions", decisions.toArray(KeyedFilter[]::new))));
        Terms found = search(dest, source).getAggregations().get("runs");
        List<Map<String, Object>> runs = new ArrayList<>();
        for (Terms.Bucket bucket : found.getBuckets()) {
            Max at = bucket.getAggregations().get("at");
            Filters counts = bucket.getAggregations().get("decisions");
            Map<String, Object> run = new LinkedHashMap<>();
            run.put("run", bucket.getKeyAsString());
            run.put("run_at", time(Double.isFinite(at.getValue()) ? (long) at.getValue() : 0));
            run.put("groups", bucket.getDocCount());
            GroupMapping.DECISIONS.forEach(decision ->
                    run.put(decision, counts.getBucketByKey(decision).getDocCount()));
            addApplied(run, bucket.getAggregations().get("applied"));
            runs.add(run);
        }
        return runs;
    }

    static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    /** The last {@code apply}, and whether a restore took it back. */
    private void addApplied(Map<String, Object> run, Terms actions) {
        if (actions.getBuckets().isEmpty()) {
            return;
        }
        Terms.Bucket last = actions.getBuckets().getFirst();
        Max at = last.getAggregations().get("at");
        Terms archive = last.getAggregations().get("archive");
        String name = archive.getBuckets().isEmpty()
                ? null
                : archive.getBuckets().getFirst().getKeyAsString();
        RestoreNote restored = name == null ? null : restored(name, (String) run.get("run"));
        run.put(GroupMapping.APPLIED_ARCHIVE, name);
        run.put(GroupMapping.APPLIED_AT, time((long) at.getValue()));
        run.put(GroupMapping.APPLIED_ACTION, last.getKeyAsString());
        if (restored != null && restored.at() >= at.getValue()) {
            run.put("restored_at", time(restored.at()));
            run.put("restored_documents", restored.restored());
        }
    }

    /** Null if there was none, or the user may not look. */
    private RestoreNote restored(String archive, String run) {
        try {
            return RestoreNote.of(
                    client.prepareGet(archive, RestoreNote.id(run)).get());
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** The field with doc values of whole strings. */
    private String whole(String[] dest, String path) {
        for (String name : dest) {
            IndexMetadata index = state.metadata().index(name);
            if (index != null && new IndexMapping(index).isText(path)) {
                return path + IndexMapping.SUB_FIELD;
            }
        }
        return path;
    }

    /** The values of a column, the most frequent ones first. */
    private List<Map<String, Object>> facet(String[] dest, String run, GroupChoice choice) {
        String name = choice.facet() + ":";
        SearchSourceBuilder source = new SearchSourceBuilder()
                .size(0)
                .query(choice.query(run))
                .aggregation(AggregationBuilders.terms("values")
                        .field(whole(dest, GroupMapping.COLUMNS))
                        .includeExclude(
                                new IncludeExclude(name.replaceAll("[^\\p{L}\\p{N}]", "\\\\$0") + "(.|\n)*", null))
                        .size(MOST_VALUES));
        Terms values = search(dest, source).getAggregations().get("values");
        return values.getBuckets().stream()
                .map(bucket -> Map.<String, Object>of(
                        "value", bucket.getKeyAsString().substring(name.length()), "groups", bucket.getDocCount()))
                .toList();
    }

    /** The groups as they are stored, but for what only jobs need, and how their documents were compared. */
    private void addGroups(Map<String, Object> page, SearchHit... hits) {
        List<Map<String, Object>> groups = new ArrayList<>();
        TreeSet<String> indices = new TreeSet<>();
        Map<String, Object> parameters = Map.of();
        for (SearchHit hit : hits) {
            Map<String, Object> group = hit.getSourceAsMap();
            addIndex(indices, group.get(GroupMapping.SURVIVOR));
            GroupMapping.members(group).forEach(member -> addIndex(indices, member));
            parameters = object(group.get(GroupMapping.PARAMETERS), parameters);
            groups.add(group(hit.getIndex(), hit.getId(), hit.getSeqNo(), hit.getPrimaryTerm(), group));
        }
        Map<String, String> uuids = new TreeMap<>();
        for (String name : indices) {
            IndexMetadata index = state.metadata().index(name);
            if (index != null) {
                uuids.put(name, index.getIndexUUID());
            }
        }
        String field = field(parameters);
        Recipe recipe = recipe(parameters, uuids.keySet());
        PassageRule rule = PassageRule.ofPairs(parameters);
        page.put("field", field);
        page.put("text", text(parameters, recipe));
        page.put("uuids", uuids);
        if (recipe != null
                && (recipe.html() != HtmlExtraction.NONE
                        || blocks(parameters, recipe).isEmpty() == false)) {
            page.put("part", true);
        }
        if (rule != null) {
            PassageLayout layout = recipe == null ? PassageLayout.DEFAULT : recipe.passages();
            page.put(PassageRule.MIN_WORDS, rule.minWords() == null ? Integer.valueOf(layout.run()) : rule.minWords());
        }
        page.put("groups", groups);
    }

    private static SketchKind kind(Map<String, Object> parameters) {
        Object sketch = parameters.get("sketch");
        return Stream.of(SketchKind.values())
                .filter(one -> one.toString().equals(sketch))
                .findFirst()
                .orElse(SketchKind.SIMHASH);
    }

    private static String field(Map<String, Object> parameters) {
        return parameters.get("field") instanceof String named
                ? named
                : kind(parameters).defaultObject();
    }

    /** Of the recipe, and of {@code verify}. */
    private static List<Boilerplate> blocks(Map<String, Object> parameters, Recipe recipe) {
        List<Boilerplate> blocks = new ArrayList<>(List.of(recipe.strip()));
        if (parameters.get("verify") instanceof Map<?, ?> verify && verify.get("strip") instanceof List<?> digests) {
            blocks.add(new Boilerplate(digests.stream().map(String::valueOf).toList()));
        }
        blocks.removeIf(Boilerplate::isEmpty);
        return blocks;
    }

    /** What was compared of documents, as of {@code _mget}: their fields without markup and blocks. */
    Map<String, Object> texts(String[] dest, Map<String, Object> body, LongConsumer memory) {
        GroupMapping.require(state, Arrays.asList(dest));
        List<?> docs = body.get("docs") instanceof List<?> list ? list : List.of();
        if (docs.isEmpty() || docs.size() > MOST_TEXTS) {
            throw new IllegalArgumentException(
                    "[docs] must be 1 to " + MOST_TEXTS + " documents with [_index] and [_id]");
        }
        SearchSourceBuilder any = new SearchSourceBuilder()
                .size(1)
                .query(GroupMapping.ofRun(String.valueOf(body.get("run"))))
                .fetchSource(GroupMapping.PARAMETERS, null);
        SearchHit[] ofRun = search(dest, any).getHits().getHits();
        Map<String, Object> parameters =
                ofRun.length == 0 ? Map.of() : object(ofRun[0].getSourceAsMap().get(GroupMapping.PARAMETERS), Map.of());
        Map<String, Recipe> recipes = new HashMap<>();
        MultiGetRequest wanted = new MultiGetRequest();
        for (Object each : docs) {
            Map<String, Object> doc = object(each, Map.of());
            String index = String.valueOf(doc.get("_index"));
            Recipe recipe = recipes.computeIfAbsent(index, name -> recipe(parameters, Set.of(name)));
            wanted.add(new MultiGetRequest.Item(index, String.valueOf(doc.get("_id")))
                    .routing(Objects.toString(doc.get("routing"), null))
                    .fetchSourceContext(new FetchSourceContext(
                            true, text(parameters, recipe).toArray(String[]::new), null)));
        }
        List<String> texts = new ArrayList<>();
        for (MultiGetItemResponse answer : client.multiGet(wanted).actionGet().getResponses()) {
            Recipe recipe = recipes.get(answer.getIndex());
            boolean isThere = recipe != null
                    && answer.isFailed() == false
                    && answer.getResponse().isExists();
            texts.add(isThere ? compared(answer.getResponse().getSourceAsMap(), parameters, recipe, memory) : null);
        }
        return Map.of("texts", texts);
    }

    /** Null if the document has none of the fields. */
    private static String compared(
            Map<String, Object> document, Map<String, Object> parameters, Recipe recipe, LongConsumer memory) {
        List<String> parts = new ArrayList<>();
        List<Boilerplate> blocks = blocks(parameters, recipe);
        for (String path : text(parameters, recipe)) {
            for (Object value : DocumentValues.at(path, document)) {
                String part = recipe.html().apply(String.valueOf(value), memory);
                for (Boilerplate block : blocks) {
                    part = block.strip(part);
                }
                parts.add(part);
            }
        }
        return parts.isEmpty() ? null : String.join("\n", parts);
    }

    private static void addIndex(Set<String> indices, Object document) {
        if (document instanceof Map<?, ?> place && place.get("index") instanceof String index) {
            indices.add(index);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value, Map<String, Object> otherwise) {
        return value instanceof Map<?, ?> object ? new LinkedHashMap<>((Map<String, Object>) object) : otherwise;
    }

    /** The field of {@code verify}, else the fields that the fingerprints are made of; none means the whole document. */
    private static List<String> text(Map<String, Object> parameters, Recipe recipe) {
        if (parameters.get("verify") instanceof Map<?, ?> verify && verify.get("field") instanceof String verified) {
            return List.of(verified);
        }
        return recipe == null
                ? List.of()
                : recipe.fields().stream().map(WeightedField::path).toList();
    }

    /** Null if it is unknown. */
    private Recipe recipe(Map<String, Object> parameters, Set<String> indices) {
        try {
            return indices.isEmpty()
                    ? null
                    : recipes.apply(kind(parameters))
                            .ofIndices(indices, field(parameters))
                            .getFirst()
                            .recipe();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
