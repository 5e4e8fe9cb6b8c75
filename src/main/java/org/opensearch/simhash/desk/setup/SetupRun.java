/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.reindex.BulkByScrollResponse;
import org.opensearch.index.reindex.BulkByScrollTask;
import org.opensearch.index.reindex.UpdateByQueryAction;
import org.opensearch.index.reindex.UpdateByQueryRequest;
import org.opensearch.indices.IndicesService;
import org.opensearch.ingest.IngestService;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.html.MarkupCounts;
import org.opensearch.simhash.desk.check.CheckAction;
import org.opensearch.simhash.desk.check.Checked;
import org.opensearch.simhash.desk.check.Checked.Scheme;
import org.opensearch.simhash.desk.check.CheckedIndex;
import org.opensearch.simhash.desk.check.CheckedKind;
import org.opensearch.simhash.desk.check.Code;
import org.opensearch.simhash.desk.check.Finding;
import org.opensearch.simhash.desk.check.MendingRequest;
import org.opensearch.simhash.desk.check.PipelineSteps;
import org.opensearch.simhash.desk.check.Step;
import org.opensearch.simhash.desk.setup.SetupPlan.RecipeChange;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.options.RequestOptions.Choice;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;

/** Plans a setup, and does it if it is asked to. One thread, which blocks. */
record SetupRun(
        JobServices services, IndicesService mappings, JobTask task, TaskId self, Client client, SetupOptions options) {

    private static final int SAMPLE_SIZE = 200;
    private static final int LEAST_OF_AN_INDEX = 20;

    /** What {@code check} finds and no setup mends. */
    private static final Set<Code> OBSTACLES =
            Set.of(Code.NOT_SEARCHABLE, Code.MAPPING_WRONG, Code.SOURCE_INCOMPLETE, Code.ARCHIVE);

    private static final TimeValue BETWEEN_LOOKS = TimeValue.timeValueMillis(300);

    /** Documents that came while the pipeline was set are updated, too. */
    private static final int ROUNDS = 2;

    private static final int MOST_FAILURES = 10;

    private static final int SHOWN = 500;

    /** @param typed what the user named; a security filter may have replaced it by some of its indices */
    Map<String, Object> run(ClusterState state, String typed, String name, List<String> names) {
        task.enter(Phase.READ, JobTask.UNKNOWN);
        requireIngestNode(state.nodes(), name);
        PipelineSteps known = new PipelineSteps(state.metadata());
        for (String index : names) {
            requireChangeable(state, name, index);
            requireUnfiltered(state, typed, index);
        }
        List<CheckedIndex> indices = new ArrayList<>();
        String target = target(names.stream().map(state.metadata()::index).toList(), known);
        if (target.equals(options.fingerprint()) == false) {
            return new SetupRun(services, mappings, task, self, client, options.in(target))
                    .run(state, typed, name, names);
        }
        for (String index : names) {
            indices.add(CheckedIndex.of(state.metadata().index(index), target, known, client)
                    .of(options.sketch()));
        }
        if (options.isApplied()) {
            requireWhole(names.toArray(String[]::new), QueryBuilders.matchAllQuery());
        }
        SampledTexts sample = new SampledTexts();
        TrialRun trial = new TrialRun(client);
        indices.forEach(
                index -> sample(index, Math.max(LEAST_OF_AN_INDEX, SAMPLE_SIZE / indices.size()), sample, trial));
        Checked checked = check(name, SAMPLE_SIZE, SAMPLE_SIZE);
        requireSound(checked);
        return planned(state, name, indices, known, checked, sample, trial);
    }

    /** The named object, else one that a pipeline of the indices writes, else the usual one or, if that is not free, a like name. */
    private String target(List<IndexMetadata> indices, PipelineSteps known) {
        String usual = options.sketch().defaultObject();
        List<String> written = indices.stream()
                .flatMap(index -> CheckedIndex.of(index, usual, known, client).steps().stream())
                .filter(step -> step.type().equals(options.sketch().toString()) && step.readsTexts())
                .map(Step::target)
                .toList();
        String target = options.targetField() != null
                ? options.targetField()
                : written.isEmpty() || written.contains(usual) ? usual : written.getFirst();
        if (options.targetField() != null && isOwn(target, indices, known)) {
            throw new IllegalArgumentException("[target_field] must name an object that is free for the fingerprint,"
                    + " got: " + target + ", which is a field of the index's own");
        }
        return isOwn(target, indices, known) ? usual + "_print" : target;
    }

    private boolean isOwn(String target, List<IndexMetadata> indices, PipelineSteps known) {
        return indices.stream()
                .map(index -> CheckedIndex.of(index, target, known, client))
                .anyMatch(index -> index.isOwnField() || index.documents().haveOwn(index));
    }

    /** A pipeline that no node can run makes every write fail. */
    static void requireIngestNode(DiscoveryNodes nodes, String name) {
        if (nodes.getIngestNodes().isEmpty()) {
            throw new IllegalArgumentException("[index] must be in a cluster that runs pipelines, got: " + name
                    + ", and no node has the role [ingest]");
        }
    }

    private void requireChangeable(ClusterState state, String name, String index) {
        IndexMetadata metadata = state.metadata().index(index);
        String rule = "[index] must be one that can be changed, got: " + index + ", ";
        if (metadata.getState() == IndexMetadata.State.CLOSE) {
            throw new IllegalArgumentException(rule + "which is closed: POST /" + index + "/_open");
        }
        for (ClusterBlockLevel level :
                List.of(ClusterBlockLevel.WRITE, ClusterBlockLevel.METADATA_WRITE, ClusterBlockLevel.READ)) {
            ClusterBlockException blocked = state.blocks().indexBlockedException(level, index);
            if (blocked != null) {
                throw new IllegalArgumentException(rule + "which is read-only: " + blocked.getMessage());
            }
        }
        if (metadata.isAppendOnlyIndex()) {
            throw new IllegalArgumentException(
                    rule + "which is append-only: stored documents cannot get a fingerprint");
        }
        if (metadata.getSettings().getAsBoolean("index.derived_source.enabled", false)) {
            throw new IllegalArgumentException(
                    rule + "which derives documents from fields ([index.derived_source.enabled]),"
                            + " and cannot derive a fingerprint");
        }
        Map<String, Object> mapping =
                metadata.mapping() == null ? Map.of() : metadata.mapping().sourceAsMap();
        if ("false".equals(String.valueOf(mapping.get("enabled")))) {
            throw new IllegalArgumentException(rule + "whose mapping has [enabled] false and takes no fields");
        }
        if (new Archives().isOne(metadata)) {
            throw new IllegalArgumentException(
                    "[index] must not have archives of deleted documents, got: " + name + ", with [" + index + "]");
        }
        if (new IndexMapping(metadata).maps(GroupMapping.MEMBERS + ".seq_no")) {
            throw new IllegalArgumentException(
                    "[index] must not have groups of jobs, got: " + name + ", with [" + index + "]");
        }
    }

    private static void requireUnfiltered(ClusterState state, String typed, String index) {
        AliasMetadata alias = state.metadata().index(index).getAliases().get(typed);
        if (alias != null && alias.filteringRequired()) {
            throw new IllegalArgumentException("[index] must be an alias without a filter, which pipelines do not"
                    + " know, got: " + typed + "; name [" + index + "]");
        }
    }

    private Checked check(String name, int sampleSize, int textSampleSize) {
        CheckAction.Request request =
                new CheckAction.Request(name.split(",", -1), options.fingerprint(), sampleSize, textSampleSize);
        return client.execute(CheckAction.INSTANCE, request).actionGet();
    }

    private static void requireSound(Checked checked) {
        for (Finding finding : checked.findings(OBSTACLES)) {
            throw new IllegalArgumentException("[index] must be one that can be set up, got: " + finding.index() + ", "
                    + finding.message() + ". " + finding.mend());
        }
    }

    private void sample(CheckedIndex index, int size, SampledTexts sample, TrialRun trial) {
        index.documents().readAll(QueryBuilders.matchAllQuery(), size, null, hit -> {
            if (hit.hasSource()) {
                sample.add(index, hit.getSourceAsMap());
                trial.add(index.name(), hit.getSourceAsMap(), hit.getSourceRef().length());
            }
        });
    }

    private Map<String, Object> planned(
            ClusterState state,
            String name,
            List<CheckedIndex> indices,
            PipelineSteps known,
            Checked checked,
            SampledTexts sample,
            TrialRun trial) {
        CheckedKind kind = indices.getFirst().kind();
        Optional<Step> model = model(indices, known);
        SampledTexts.Choice text;
        String type;
        Map<String, Object> writer;
        if (model.isPresent()) {
            Step step = model.get();
            boolean isOther = indices.getFirst().writer().isPresent()
                    && options.fields().isEmpty() == false
                    && Set.copyOf(indices.getFirst().fields(step)).equals(Set.copyOf(options.paths())) == false;
            text = isOther ? sample.require(options.fields(), indices) : ofModel(step, indices);
            type = step.type();
            writer = new LinkedHashMap<>(step.options());
            if (isOther) {
                writer.keySet().removeAll(List.of("field", "fields"));
                writer.putAll(writing(text.fields()));
            }
        } else {
            text = options.fields().isEmpty() ? sample.choose(indices) : sample.require(options.fields(), indices);
            type = kind.processor();
            writer = writing(text.fields());
            if (options.fingerprint().equals(kind.defaultObject()) == false) {
                writer.put("target_field", options.fingerprint());
            }
            sample.markup(text.fields()).ifPresent(markup -> writer.put("html", markup.option()));
        }
        Optional<ShortTexts> lines = sample.lines(text.fields());
        if (model.isEmpty() && options.sketch() == SketchKind.MINHASH && lines.isPresent()) {
            writer.put("features", ContentWords.NAME);
        }
        writer.put("ignore_missing", true);
        writer.put(Placement.IGNORE_FAILURE, true);
        writer.putAll(options.processor());
        boolean isGiven = options.pipeline() != null
                && model.isPresent()
                && known.has(options.pipeline())
                && model.get().pipeline().equals(options.pipeline());
        Placement.Wanted wanted = new Placement.Wanted(
                Map.of(type, writer),
                nearDuplicate(),
                options.pipeline() == null
                        ? kind.noun() + "-" + (name.indexOf(',') < 0 ? name : "indices")
                        : options.pipeline(),
                isGiven,
                known);
        trial.require(wanted.all());
        requireSameScheme(indices, checked, writer);
        RecipeChange change = model.isEmpty() ? null : change(model.get(), indices, known, checked, writer);
        SetupPlan plan = new SetupPlan(
                client,
                options,
                state.metadata(),
                name,
                indices,
                wanted,
                change,
                SetupTemplate.of(client, state.metadata(), name, indices),
                trial);
        plan.requireRoom(mappings);
        boolean areLines = lines.isPresent() && ContentWords.NAME.equals(writer.get("features"));
        String field = Step.unweighted(text.fields().getFirst());
        List<SetupStep> steps = plan.steps(this, areLines ? lines.get().comparing(field) : Map.of());
        String usual = options.sketch().defaultObject();
        List<IndexMetadata> metadata =
                indices.stream().map(CheckedIndex::metadata).toList();
        String why = options.fingerprint().equals(usual) == false && isOwn(usual, metadata, known)
                ? "; [" + usual + "] is a field of the index's own, so that the " + kind.noun() + " is in ["
                        + options.fingerprint() + "]"
                : "";
        Map<String, Object> example = new LinkedHashMap<>();
        String markup = sample.markup(text.fields())
                .map(counts -> "; " + markup(counts, writer.getOrDefault("html", "none"), example))
                .orElse("");
        Map<String, Object> proposal =
                lines.isEmpty() || areLines ? Map.of() : lines.get().proposal(field);
        return answer(
                name,
                new SampledTexts.Choice(text.fields(), text.why() + why + sample.attachments(text.fields()) + markup),
                example,
                proposal,
                steps);
    }

    /** @param example gets the beginning of a text as it is, and as the option compares it */
    private String markup(MarkupCounts counts, Object option, Map<String, Object> example) {
        HtmlExtraction html = Choice.of("html", HtmlExtraction.class, option);
        boolean isCompared = html == HtmlExtraction.NONE;
        HtmlExtraction shown = isCompared ? counts.suiting() : html;
        example.put("before", beginning(counts.example()));
        example.put("after", beginning(shown.apply(counts.example(), services.memory())));
        return isCompared
                ? counts.warning().orElseThrow()
                : counts + ", of which [html] " + option + " compares what people read";
    }

    private static String beginning(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    /** What the request changes of the recipe that a pipeline has; null for nothing. */
    private RecipeChange change(
            Step step, List<CheckedIndex> indices, PipelineSteps known, Checked checked, Map<String, Object> writer) {
        Map<String, Object> there = step.options();
        Set<String> names = new TreeSet<>(writer.keySet());
        names.addAll(there.keySet());
        names.removeAll(List.of("ignore_missing", Placement.IGNORE_FAILURE));
        names.removeIf(option -> Objects.equals(there.get(option), writer.get(option)));
        if (names.isEmpty()) {
            return unfinished(step, known, checked, scheme(writer));
        }
        boolean isOfIndices = indices.stream().anyMatch(index -> index.writer().isPresent());
        Map<String, Object> definition = isOfIndices ? known.with(indices, step, writer) : null;
        if (definition == null) {
            throw new IllegalArgumentException("[processor] must be what the pipeline [" + step.pipeline() + "] has, "
                    + there + ", which is not of this index alone: change that, or name another [target_field], got: "
                    + writer);
        }
        List<String> what = names.stream()
                .map(option -> "[" + option + "] from " + there.get(option) + " to " + writer.get(option))
                .toList();
        List<String> stale = stale(checked, false);
        String why = "changes " + String.join(", ", what) + ": texts get other fingerprints, and stored ones of "
                + stale + " are compared with these only when the step [update] has made them again";
        return new RecipeChange(step.pipeline(), definition, why, stale, scheme(writer));
    }

    /** What is left of a setup that changed the recipe and was ended before it had made all fingerprints again; null for nothing. */
    private static RecipeChange unfinished(Step step, PipelineSteps known, Checked checked, String made) {
        // Other fields make the same scheme.
        boolean isOfOtherTexts =
                checked.findings(Set.of(Code.STALE_FINGERPRINT)).isEmpty() == false;
        boolean isUnfinished =
                isOfOtherTexts || checked.findings(Set.of(Code.OTHER_SCHEME)).isEmpty() == false;
        List<String> stale = isUnfinished ? stale(checked, isOfOtherTexts == false) : List.of();
        String why = "makes other fingerprints than stored ones of " + stale;
        return stale.isEmpty()
                ? null
                : new RecipeChange(step.pipeline(), known.definition(step.pipeline()), why, stale, made);
    }

    /** @param isCurrentKept whether schemes that the pipelines of the indices make are left out */
    private static List<String> stale(Checked checked, boolean isCurrentKept) {
        return checked.schemes().stream()
                .filter(scheme -> (isCurrentKept && scheme.isCurrent()) == false)
                .map(Scheme::name)
                .filter(scheme -> Freshness.isNotOfText(scheme) == false)
                .sorted()
                .toList();
    }

    private Map<String, Object> answer(
            String name,
            SampledTexts.Choice text,
            Map<String, Object> example,
            Map<String, Object> proposal,
            List<SetupStep> steps) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("index", name);
        answer.put("field", text.fields().size() == 1 ? text.fields().getFirst() : text.fields());
        answer.put("target_field", options.fingerprint());
        answer.put("why", text.why());
        if (example.isEmpty() == false) {
            answer.put("example", example);
        }
        if (proposal.isEmpty() == false) {
            answer.put("proposal", proposal);
        }
        answer.put("applied", options.isApplied());
        answer.put("steps", steps);
        if (options.isApplied()) {
            boolean hasFailed = false;
            for (int i = 0; i < steps.size(); i++) {
                if (steps.get(i).work() != null && hasFailed == false) {
                    task.ensureNotCancelled();
                    steps.set(i, steps.get(i).apply());
                    hasFailed = steps.get(i).isDone() == false;
                }
            }
            task.enter(Phase.READ, JobTask.UNKNOWN);
            answer.put("check", check(name, CheckAction.DEFAULT_SAMPLE_SIZE, CheckAction.DEFAULT_TEXT_SAMPLE_SIZE));
        }
        answer.put("page", GroupMapping.page(GroupMapping.usualDest(name)));
        return answer;
    }

    /** The step whose recipe the indices have already, or the request names. */
    private Optional<Step> model(List<CheckedIndex> indices, PipelineSteps known) {
        Optional<Step> writing =
                indices.stream().flatMap(index -> index.writer().stream()).findFirst();
        if (writing.isPresent()) {
            requireTexts(writing.get());
            boolean isOther = options.pipeline() != null
                    && known.has(options.pipeline())
                    && writing.get().pipeline().equals(options.pipeline()) == false;
            if (isOther) {
                throw new IllegalArgumentException(
                        "[pipeline] must be [" + writing.get().pipeline() + "], which writes [" + options.fingerprint()
                                + "] already, got: " + options.pipeline());
            }
            return writing;
        }
        if (options.pipeline() == null || known.has(options.pipeline()) == false) {
            return Optional.empty();
        }
        List<Step> steps = known.of(List.of(options.pipeline()));
        boolean isHarmless = steps.isEmpty() == false
                && steps.getFirst().writes(options.fingerprint())
                && "true".equals(String.valueOf(steps.getFirst().options().get("ignore_missing")))
                && steps.stream().skip(1).allMatch(Step::isNearDuplicate);
        boolean hasNearDuplicate = options.nearDuplicate() == null || steps.size() > 1;
        if (isHarmless == false || hasNearDuplicate == false) {
            throw new IllegalArgumentException("[pipeline] must be a new name, or a pipeline with a processor that"
                    + " writes [" + options.fingerprint() + "] and has \"ignore_missing\": true, and nothing else"
                    + (options.nearDuplicate() == null ? "" : " than near_duplicate") + ", got: " + options.pipeline());
        }
        requireTexts(steps.getFirst());
        return Optional.of(steps.getFirst());
    }

    private void requireTexts(Step step) {
        if (step.readsTexts() == false) {
            throw new IllegalArgumentException("[pipeline] must make fingerprints of texts, got: " + step.pipeline()
                    + ", whose [" + options.fingerprint() + "] is made of something else");
        }
    }

    private SampledTexts.Choice ofModel(Step step, List<CheckedIndex> indices) {
        List<String> read = List.copyOf(indices.getFirst().fields(step));
        if (options.fields().isEmpty() == false
                && new TreeSet<>(read).equals(new TreeSet<>(options.paths())) == false) {
            throw new IllegalArgumentException("[field] must be " + read + ", which the pipeline [" + step.pipeline()
                    + "] reads, got: " + options.fields());
        }
        return new SampledTexts.Choice(read, "the pipeline [" + step.pipeline() + "] reads " + read);
    }

    private static Map<String, Object> writing(List<String> fields) {
        Map<String, Object> writer = new LinkedHashMap<>();
        boolean isPlain = fields.size() == 1 && fields.getFirst().indexOf('^') < 0;
        writer.put(isPlain ? "field" : "fields", isPlain ? fields.getFirst() : fields);
        return writer;
    }

    /** If it fails, the document is still indexed, except with {@code "action": "fail"}, whose purpose is to refuse. */
    private Map<String, Object> nearDuplicate() {
        if (options.nearDuplicate() == null) {
            return null;
        }
        Map<String, Object> typed = new LinkedHashMap<>(options.nearDuplicate());
        requireOption(typed, "field", options.fingerprint());
        if (options.fingerprint().equals(options.sketch().defaultObject()) == false) {
            typed.put("field", options.fingerprint());
        }
        requireOption(typed, "sketch", options.sketch().toString());
        if (options.sketch() != SketchKind.SIMHASH) {
            typed.put("sketch", options.sketch().toString());
        }
        if ("fail".equals(typed.get("action")) == false) {
            typed.putIfAbsent(Placement.IGNORE_FAILURE, true);
        }
        return typed;
    }

    private static void requireOption(Map<String, Object> typed, String option, String value) {
        Object given = typed.getOrDefault(option, value);
        if (given.equals(value) == false) {
            throw new IllegalArgumentException("[" + option + "] of [" + NearDuplicateProcessor.TYPE + "] must be ["
                    + value + "] here, got: " + given);
        }
    }

    /** Refuses a recipe of another scheme than the fingerprints that documents have already. */
    private void requireSameScheme(List<CheckedIndex> indices, Checked checked, Map<String, Object> writer) {
        if (checked.hasPrints() == false
                || indices.stream().allMatch(index -> index.writer().isPresent())) {
            return;
        }
        String scheme = scheme(writer);
        Set<String> there = checked.schemes().stream().map(Scheme::name).collect(Collectors.toCollection(TreeSet::new));
        if (there.equals(Set.of(scheme)) == false) {
            throw new IllegalArgumentException("[pipeline] must be the one that made what documents have in ["
                    + options.fingerprint() + "], of " + there + ", got: " + options.pipeline()
                    + ", and a new one makes [" + scheme + "], which would replace them");
        }
    }

    private String scheme(Map<String, Object> writer) {
        return services.recipes(options.sketch()).ofOptions(writer).scheme();
    }

    private void requireWhole(String[] indices, QueryBuilder documents) {
        JobQuery.requireWhole(
                client.search(MendingRequest.altered(indices, documents)).actionGet());
    }

    void update(
            String names,
            QueryBuilder query,
            QueryBuilder left,
            String pipeline,
            int atOnce,
            long documents,
            Map<String, Object> result) {
        String[] indices = names.split(",", -1);
        requireWhole(indices, query);
        task.enter(Phase.WRITE, documents);
        long updated = 0;
        long conflicts = 0;
        List<String> failures = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            client.admin().indices().prepareRefresh(indices).get();
            UpdateByQueryRequest update = new UpdateByQueryRequest(indices)
                    .setQuery(round == 0 ? query : left)
                    .setPipeline(pipeline)
                    .setBatchSize(Math.min(atOnce, task.pace().pageSize()))
                    .setRequestsPerSecond(task.pace().requestsPerSecond())
                    .setAbortOnVersionConflict(false)
                    .setRefresh(true);
            update.getSearchRequest().pipeline(IngestService.NOOP_PIPELINE_NAME);
            BulkByScrollResponse done = awaited(update, updated);
            updated += done.getUpdated();
            conflicts += done.getVersionConflicts();
            done.getBulkFailures().forEach(failure -> failures.add(failure.getMessage()));
            done.getSearchFailures().forEach(failure -> failures.add(String.valueOf(failure.getReason())));
            if (done.getUpdated() == 0 || failures.isEmpty() == false) {
                break;
            }
        }
        result.put("updated", updated);
        result.put("version_conflicts", conflicts);
        if (failures.isEmpty() == false) {
            result.put("failures", failures.stream().limit(MOST_FAILURES).toList());
        }
    }

    /** Shows the progress of the update as that of the setup. */
    private BulkByScrollResponse awaited(UpdateByQueryRequest update, long before) {
        PlainActionFuture<BulkByScrollResponse> answer = new PlainActionFuture<>();
        client.execute(UpdateByQueryAction.INSTANCE, update, answer);
        while (true) {
            try {
                return answer.actionGet(BETWEEN_LOOKS);
            } catch (OpenSearchTimeoutException e) {
                if (answer.isDone()) {
                    return answer.actionGet(); // It ended just then, or its own failure is such a one.
                }
                look(before);
            }
        }
    }

    private void look(long before) {
        for (Task child :
                services.transport().getTaskManager().getCancellableTasks().values()) {
            if (child instanceof BulkByScrollTask update
                    && update.getParentTaskId().equals(self)
                    && update.isWorker()) {
                task.stepsDone(before + update.getStatus().getUpdated());
                if (update.getStatus().getRequestsPerSecond() != task.pace().requestsPerSecond()) {
                    update.getWorkerState().rethrottle(task.pace().requestsPerSecond());
                }
            }
        }
    }
}
