/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.admin.indices.settings.put.UpdateSettingsRequest;
import org.opensearch.action.ingest.PutPipelineRequest;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.mapper.MapperService.MergeReason;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.indices.IndicesService;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.desk.check.CheckedIndex;
import org.opensearch.simhash.desk.check.DocumentCounts;
import org.opensearch.simhash.desk.check.MendingRequest;
import org.opensearch.simhash.desk.check.PipelineSteps;
import org.opensearch.simhash.desk.check.RandomDocuments;
import org.opensearch.simhash.desk.check.SettingsCheck;
import org.opensearch.simhash.desk.check.Step;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.transport.client.Client;

/**
 * The steps of a setup, in the order in which no write fails.
 *
 * @param change of the recipe that documents have already; null for none
 * @param template of new indices of the alias or the data stream; null without one
 */
record SetupPlan(
        Client client,
        SetupOptions options,
        Metadata metadata,
        String name,
        List<CheckedIndex> indices,
        Placement.Wanted wanted,
        RecipeChange change,
        SetupTemplate template,
        TrialRun trial) {

    private static final Logger logger = LogManager.getLogger(SetupPlan.class);

    /** A calibration and a job without links, and what a million documents add. */
    private static final double SECONDS_OF_READING = 1;

    /** As docs/which-distance.md has it. */
    private static final String EVERY_NEAR =
            "; where every near text shall be found, set up [\"sketch\": \"minhash\"]: with [verify]"
                    + " it misses 0.6 % of near texts, 11 bits miss 1.8 %";

    private static final double SECONDS_OF_A_MILLION = 3;

    /** @param stale schemes of what is made again */
    record RecipeChange(String pipeline, Map<String, Object> definition, String why, List<String> stale, String made) {}

    private static <T> Map<T, List<String>> byContent(Map<String, T> byIndex) {
        Map<T, List<String>> grouped = new LinkedHashMap<>();
        byIndex.forEach((index, content) ->
                grouped.computeIfAbsent(content, any -> new ArrayList<>()).add(index));
        return grouped;
    }

    /** Some of the indices, as one name if they are all. */
    private String named(List<String> some) {
        return some.size() == indices.size() ? name : String.join(",", some);
    }

    private String[] names(List<String> some) {
        return named(some).split(",", -1);
    }

    List<SetupStep> steps(SetupRun run, Map<String, Object> comparing) {
        List<SetupStep> steps = new ArrayList<>(mapping());
        Map<String, Placement> byIndex = new TreeMap<>();
        indices.forEach(index -> byIndex.put(index.name(), Placement.of(index, wanted)));
        Map<Placement, List<String>> placements = byContent(byIndex);
        steps.addAll(pipelines(placements));
        steps.addAll(settings(placements));
        if (template != null) {
            steps.add(template.step(
                    mappingOf(template.write(), path -> false),
                    byIndex.get(template.write().name())));
        }
        placements.forEach((placement, some) -> {
            Map<Boolean, List<CheckedIndex>> byPull = indices.stream()
                    .filter(index -> some.contains(index.name()))
                    .collect(Collectors.partitioningBy(index -> index.metadata().useIngestionSource()));
            List<String> written =
                    byPull.get(false).stream().map(CheckedIndex::name).toList();
            if (written.isEmpty() == false) {
                steps.add(update(placement, written, run));
            }
            byPull.get(true).forEach(index -> steps.add(readAgain(index)));
        });
        List<String> all = indices.stream().map(CheckedIndex::name).toList();
        steps.addAll(later(count(all, QueryBuilders.matchAllQuery()), comparing));
        return steps;
    }

    /** Adds the fields to a mapping that nobody else sees, so that no step fails half way. Tries nothing without the analyzers. */
    void requireRoom(IndicesService services) {
        for (CheckedIndex index : indices) {
            Map<String, Object> added = mappingOf(index, index.mapping()::maps);
            String refusal = null;
            try (MapperService mapping = services.createIndexMapperService(index.metadata())) {
                mapping.merge(index.metadata(), MergeReason.MAPPING_RECOVERY);
                refusal = refusal(mapping, added);
            } catch (IOException | IllegalArgumentException | IllegalStateException e) {
                logger.debug(() -> "no mapping of [" + index.name() + "] on this node", e);
            }
            if (refusal != null) {
                throw new IllegalArgumentException(
                        "[index] must take the fields of the fingerprint, got: " + index.name() + ", " + refusal);
            }
        }
    }

    /** Null if it takes them. */
    private static String refusal(MapperService mapping, Map<String, Object> added) throws IOException {
        try {
            mapping.merge(MapperService.SINGLE_MAPPING_NAME, added, MergeReason.MAPPING_UPDATE);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private Map<String, Object> mappingOf(CheckedIndex index, Predicate<String> isLeftOut) {
        int segments = Math.max(segments(), index.writer().map(Step::segments).orElse(0));
        Map<String, Object> parts = index.kind().partsAndTags(segments);
        Map<String, Object> mapping = new TreeMap<>();
        put(mapping, options.fingerprint(), parts, isLeftOut);
        if (wanted.nearDuplicate() != null) {
            Object target = wanted.nearDuplicate().get("target_field");
            String tag = target == null ? NearDuplicateProcessor.TYPE : String.valueOf(target);
            put(mapping, tag, new LinkedHashMap<>(SettingsCheck.TAG), isLeftOut);
        }
        return mapping;
    }

    private int segments() {
        Object typed = ((Map<?, ?>) wanted.writer().values().iterator().next()).get("segments");
        return typed == null ? SegmentLayout.USUAL : Integer.parseInt(typed.toString());
    }

    /** Mapped, or by a dynamic template as soon as a document has it. */
    private static boolean isMapped(CheckedIndex index, String path) {
        String object = path.substring(0, path.lastIndexOf('.'));
        return index.mapping().maps(path)
                || (index.mapping().dynamic(object).equals("true")
                        && index.mapping().hasDynamicTemplate(path));
    }

    private static void put(
            Map<String, Object> mapping, String object, Map<String, Object> parts, Predicate<String> isLeftOut) {
        parts.keySet().removeIf(part -> isLeftOut.test(object + "." + part));
        if (parts.isEmpty() == false) {
            XContentHelper.update(mapping, copy(MendingRequest.within(object, Map.of("properties", parts))), false);
        }
    }

    static Map<String, Object> copy(Map<String, Object> map) {
        return XContentHelper.convertToMap(MendingRequest.json(map), true, MediaTypeRegistry.JSON)
                .v2();
    }

    private List<SetupStep> mapping() {
        Map<String, Map<String, Object>> missing = new TreeMap<>();
        indices.forEach(index -> missing.put(index.name(), mappingOf(index, path -> isMapped(index, path))));
        missing.values().removeIf(Map::isEmpty);
        if (missing.isEmpty()) {
            return List.of(SetupStep.done(
                    "mapping", "GET /" + MendingRequest.encoded(name) + "/_mapping", "all fields are mapped"));
        }
        List<SetupStep> steps = new ArrayList<>();
        byContent(missing).forEach((body, some) -> {
            steps.add(SetupStep.quick(
                    "mapping",
                    "PUT /" + MendingRequest.encoded(named(some)) + "/_mapping",
                    body,
                    "the fingerprint is found by its segments and compared by its bits; mapped by hand it takes half of the"
                            + " disk that dynamic fields take, and a strict mapping lets it in",
                    result -> client.admin()
                            .indices()
                            .preparePutMapping(names(some))
                            .setSource(body)
                            .get()));
        });
        return steps;
    }

    private List<SetupStep> pipelines(Map<Placement, List<String>> placements) {
        Map<String, Map<String, Object>> all = new LinkedHashMap<>();
        placements.keySet().forEach(placement -> all.putAll(placement.pipelines()));
        if (change != null) {
            all.put(change.pipeline(), change.definition());
        }
        if (all.isEmpty()) {
            String there = indices.stream()
                    .flatMap(index -> index.writer().stream())
                    .map(Step::pipeline)
                    .findFirst()
                    .orElse(wanted.name());
            return List.of(SetupStep.done(
                    "pipeline",
                    "GET /_ingest/pipeline/" + MendingRequest.encoded(there),
                    "[" + there + "] writes [" + options.fingerprint() + "]"));
        }
        List<SetupStep> steps = new ArrayList<>();
        all.forEach((pipeline, definition) -> {
            boolean isThere = wanted.known().has(pipeline)
                    && wanted.known().definition(pipeline).equals(definition);
            String request = "PUT /_ingest/pipeline/" + MendingRequest.encoded(pipeline);
            String why = change != null && pipeline.equals(change.pipeline())
                    ? change.why()
                    : "new documents get their fingerprint; those without the text pass, and none is refused for it";
            steps.add(
                    isThere
                            ? SetupStep.later("pipeline", request, definition, true, why, 0)
                            : SetupStep.quick(
                                    "pipeline",
                                    request,
                                    definition,
                                    why,
                                    result -> client.admin()
                                            .cluster()
                                            .putPipeline(new PutPipelineRequest(
                                                    pipeline, MendingRequest.json(definition), MediaTypeRegistry.JSON))
                                            .actionGet()));
        });
        return steps;
    }

    private List<SetupStep> settings(Map<Placement, List<String>> placements) {
        List<SetupStep> steps = new ArrayList<>();
        placements.forEach((placement, some) -> {
            if (placement.setting() == null) {
                return;
            }
            boolean isPulled = indices.stream()
                    .anyMatch(index ->
                            some.contains(index.name()) && index.metadata().useIngestionSource());
            String none = isPulled
                    ? "the index pulls its documents, so that only its final pipeline runs"
                    : "the index has no pipeline yet";
            String why = (placement.joined() == null
                            ? none
                            : "it joins [" + placement.joined() + "], which the index has and keeps"
                                    + (placement.setting().contains("final") ? ": it runs after that" : ""))
                    + rollover();
            Map<String, Object> body = Map.of(placement.setting(), placement.pipeline());
            UpdateSettingsRequest update = new UpdateSettingsRequest(names(some)).settings(body);
            steps.add(SetupStep.quick(
                    "setting",
                    "PUT /" + MendingRequest.encoded(named(some)) + "/_settings",
                    body,
                    why,
                    result -> client.admin().indices().updateSettings(update).actionGet()));
        });
        if (steps.isEmpty()) {
            steps.add(SetupStep.done(
                    "setting",
                    "GET /" + MendingRequest.encoded(name) + "/_settings/index.*_pipeline",
                    "the pipelines of the index write it"));
        }
        return steps;
    }

    /** What a rollover does where no index template makes the next index. */
    private String rollover() {
        IndexAbstraction alias = metadata.getIndicesLookup().get(name);
        boolean isRolledOver = template == null
                && alias != null
                && alias.getType() == IndexAbstraction.Type.ALIAS
                && alias.getWriteIndex() != null
                && alias.getWriteIndex().getIndex().getName().matches(".*-\\d+");
        return isRolledOver
                ? "; no index template makes the next index of [" + name
                        + "]: give it one with this mapping and setting,"
                        + " or send this request again after each rollover"
                : "";
    }

    private SetupStep update(Placement placement, List<String> some, SetupRun run) {
        QueryBuilder query = withoutFingerprint(some);
        long documents = count(some, query);
        int atOnce = RandomDocuments.of(some.stream().map(metadata::index).toList(), client)
                .atOnce();
        String request = "POST /" + MendingRequest.encoded(named(some)) + "/_update_by_query?pipeline="
                + MendingRequest.encoded(placement.updating())
                + "&conflicts=proceed&refresh=true&wait_for_completion=false"
                + RandomDocuments.scrollSize(atOnce);
        Map<String, Object> body = Map.of("query", MendingRequest.asMap(query));
        for (CheckedIndex index : indices) {
            body = MendingRequest.asStored(index, body);
        }
        if (documents == 0) {
            return SetupStep.later("update", request, body, true, "no document lacks a fingerprint", 0);
        }
        TrialRun.Cost cost = trial.cost(
                wanted.all(), options.fingerprint(), indices.getFirst().kind().value());
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("documents", documents);
        more.put("bytes", Math.round(documents * cost.bytes()));
        String why = documents + " stored documents have no fingerprint"
                + (change == null ? "" : ", or one of " + change.stale())
                + ". They are written again, and take "
                + Math.round(cost.bytes()) + " bytes more each; until a merge their old versions take their space, too"
                + (cost.tooShort() == 0
                        ? ""
                        : ". Of " + cost.made() + " looked at, " + cost.tooShort()
                                + " have too few words to be near others: only equal texts are found for these");
        BoolQueryBuilder left = QueryBuilders.boolQuery().filter(query);
        if (change != null) {
            schemes().forEach(field -> left.mustNot(QueryBuilders.termQuery(field, change.made())));
        }
        Consumer<Map<String, Object>> work =
                result -> run.update(named(some), query, left, placement.updating(), atOnce, documents, result);
        return new SetupStep("update", request, body, false, why, documents * cost.seconds(), more, work);
    }

    /** Nobody but OpenSearch writes into an index that pulls its documents. */
    private SetupStep readAgain(CheckedIndex index) {
        long documents = count(List.of(index.name()), withoutFingerprint(List.of(index.name())));
        String ingestion = "POST /" + index.inPath() + "/ingestion/";
        return SetupStep.later(
                "update",
                ingestion + "_resume",
                MendingRequest.readingAgain(index),
                documents == 0,
                documents + " stored documents have no fingerprint. The index pulls its documents, and nobody else"
                        + " writes them: pause it (" + ingestion + "_pause) and let it read its source again",
                0);
    }

    private String scheme() {
        return options.fingerprint() + "." + FingerprintFields.SCHEME;
    }

    /** The fields with the schemes as whole terms: of a dynamic mapping, a sub-field. */
    private Set<String> schemes() {
        return indices.stream()
                .map(index -> index.terms(FingerprintFields.SCHEME))
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those that have the text, where the mappings of all tell the same. */
    private QueryBuilder withoutFingerprint(List<String> some) {
        BoolQueryBuilder query = QueryBuilders.boolQuery().mustNot(QueryBuilders.existsQuery(scheme()));
        if (change != null) {
            BoolQueryBuilder either =
                    QueryBuilders.boolQuery().minimumShouldMatch(1).should(query);
            schemes().forEach(field -> either.should(QueryBuilders.termsQuery(field, change.stale())));
            query = either;
        }
        String writing = change == null ? wanted.name() : change.pipeline();
        PipelineSteps planned =
                new PipelineSteps(metadata, Map.of(writing, change == null ? wanted.all() : change.definition()));
        Set<Optional<QueryBuilder>> withText = indices.stream()
                .filter(index -> some.contains(index.name()))
                .map(index -> index.writer().isPresent() && change == null
                        ? index
                        : index.with(index.kind(), planned.of(List.of(writing))))
                .map(DocumentCounts::withText)
                .collect(Collectors.toSet());
        if (withText.size() == 1) {
            withText.iterator().next().ifPresent(query::filter);
        }
        return query;
    }

    private long count(List<String> some, QueryBuilder query) {
        SearchSourceBuilder counting =
                new SearchSourceBuilder().query(query).size(0).trackTotalHits(true);
        return client.search(RandomDocuments.searchOf(counting, some.toArray(String[]::new)))
                .actionGet()
                .getHits()
                .getTotalHits()
                .value();
    }

    private List<SetupStep> later(long documents, Map<String, Object> comparing) {
        double reading = SECONDS_OF_READING + SECONDS_OF_A_MILLION * documents / 1e6;
        boolean isSketch = options.sketch() != SketchKind.SIMHASH;
        boolean arePassages = options.sketch() == SketchKind.PASSAGES;
        Map<String, Object> ofSketch = new LinkedHashMap<>();
        if (isSketch) {
            ofSketch.put("sketch", options.sketch().toString());
        }
        boolean isElsewhere = options.fingerprint().equals(options.sketch().defaultObject()) == false;
        if (isElsewhere) {
            ofSketch.put("field", options.fingerprint());
        }
        Map<String, Object> job = new LinkedHashMap<>(ofSketch);
        String dest = GroupMapping.usualDest(name);
        if (arePassages == false) {
            job.put("verify", Map.of());
            job.putAll(comparing);
        }
        if (comparing.get("verify") instanceof Map<?, ?> verify) {
            Map<Object, Object> withoutMinimum = new LinkedHashMap<>(verify);
            withoutMinimum.remove("min_similarity"); // calibrate has it beside
            ofSketch.put("verify", withoutMinimum);
        }
        job.put("dest", Map.of("index", dest));
        boolean hasGroups = metadata.hasIndex(dest);
        List<SetupStep> steps = new ArrayList<>(List.of(
                SetupStep.later(
                        "check",
                        "GET /_plugins/_simhash/check/" + MendingRequest.encoded(name)
                                + (isSketch || isElsewhere ? "?field=" + options.fingerprint() : ""),
                        null,
                        options.isApplied(),
                        "says whether all is right, with a mend for what is not",
                        reading),
                SetupStep.later(
                        "calibrate",
                        "POST /_plugins/_simhash/calibrate/" + MendingRequest.encoded(name),
                        ofSketch,
                        false,
                        "suggests how near is near enough for these texts; only reads",
                        reading),
                SetupStep.later(
                        "job",
                        "POST /_plugins/_simhash/deduplicate/" + MendingRequest.encoded(name),
                        job,
                        hasGroups,
                        "finds the groups and writes them into [" + dest + "]; changes no document"
                                + (isSketch || comparing.isEmpty() == false ? "" : EVERY_NEAR),
                        reading),
                SetupStep.later(
                        "page",
                        "GET " + GroupMapping.page(dest),
                        null,
                        hasGroups,
                        "people decide there, and send what they decided",
                        0)));
        steps.removeIf(step -> arePassages && step.what().equals("calibrate")); // they have no threshold
        return steps;
    }
}
