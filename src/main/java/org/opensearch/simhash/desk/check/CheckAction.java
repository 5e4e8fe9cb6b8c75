/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.regex.Regex;
import org.opensearch.core.index.Index;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.desk.check.Checked.Scheme;
import org.opensearch.simhash.desk.check.Finding.PrintCounts;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.request.LocalAction.BlockingAction;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.simhash.search.counts.Counters.LastSeen;
import org.opensearch.simhash.search.memory.FingerprintMemory;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.tasks.Task;
import org.opensearch.transport.RemoteClusterAware;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Checks whether indices are set up so that near-duplicates are found, one by one. Only reads. Cancellable between indices. */
public final class CheckAction extends BlockingAction<CheckAction.Request, Checked> {

    public static final String NAME = "indices:monitor/simhash/check";
    public static final ActionType<Checked> INSTANCE = LocalAction.type(NAME);

    public static final int DEFAULT_SAMPLE_SIZE = 10_000;
    public static final int DEFAULT_TEXT_SAMPLE_SIZE = 1_000;

    /** OpenSearch's default limit for the hits of a search. */
    private static final int MAX_SAMPLE_SIZE = 10_000;

    private static final int MOST_INDICES = 1_000;

    private final JobServices services;
    private final FingerprintMemory memory;
    private final LastChecks last;

    @Inject
    public CheckAction(JobServices services, ActionFilters filters, FingerprintMemory memory, LastChecks last) {
        super(NAME, services.transport(), filters);
        this.services = services;
        this.memory = memory;
        this.last = last;
    }

    public static final class Request extends RequestOnIndices {

        private final String field;
        private final int sampleSize;
        private final int textSampleSize;

        /** @param field null for the one that is mapped */
        public Request(String[] indices, String field, int sampleSize, int textSampleSize) {
            super(indices);
            TypedNumber.requireBetween("sample_size", 1, MAX_SAMPLE_SIZE, sampleSize);
            TypedNumber.requireBetween("text_sample_size", 0, MAX_SAMPLE_SIZE, textSampleSize);
            this.field = field == null ? null : ProcessorOptions.requirePath("[field] must name a field", field);
            this.sampleSize = sampleSize;
            this.textSampleSize = textSampleSize;
        }

        public static Request read(RestRequest request, String[] indices) {
            return new Request(
                    indices,
                    request.param("field"),
                    request.paramAsInt("sample_size", DEFAULT_SAMPLE_SIZE),
                    request.paramAsInt("text_sample_size", DEFAULT_TEXT_SAMPLE_SIZE));
        }

        /** Includes closed indices, which get a finding. */
        @Override
        public IndicesOptions indicesOptions() {
            return IndicesOptions.fromOptions(false, false, true, true);
        }

        @Override
        public boolean includeDataStreams() {
            return true;
        }

        @Override
        public String getDescription() {
            return "check of [" + String.join(",", indices()) + "]";
        }
    }

    @Override
    protected Checked answer(Request request, Task task) {
        ClusterState state = services.cluster().state();
        Index[] indices = indices(state, request);
        PipelineSteps pipelines = new PipelineSteps(state.metadata());
        Client searching = new ParentTaskAssigningClient(services.client(), services.id(task));
        List<String> names = Arrays.stream(indices).map(Index::getName).toList();
        String field =
                request.field == null ? IndexMapping.print(state.metadata(), names, SketchKind.SIMHASH) : request.field;
        Set<String> met = new Archives().leftOut(state.metadata(), List.of(request.indices()), names);
        Set<String> checked = new HashSet<>(names);
        checked.removeAll(met);
        PrintCounts counts = PrintCounts.NONE;
        Map<String, Long> schemes = new TreeMap<>();
        Set<String> current = new HashSet<>();
        Map<String, String> pipelineByScheme = new TreeMap<>();
        List<Finding> findings = new ArrayList<>();
        for (Index index : indices) {
            RequestOnIndices.RequestTask.requireGoing(task);
            CheckedIndex next = CheckedIndex.of(state.metadata().getIndexSafe(index), field, pipelines, searching);
            Findings found = new Findings(next);
            if (met.contains(index.getName())) {
                addArchive(List.of(request.indices()), next, found);
                findings.addAll(found.all());
                continue;
            }
            findArchives(next, state, pipelines, found);
            IndexCheck check = new IndexCheck(
                    next,
                    found,
                    state.metadata(),
                    pipelines,
                    services.recipes(),
                    memory,
                    searching,
                    services.cluster().getClusterSettings(),
                    checked,
                    Math.max(1, request.sampleSize / indices.length),
                    Math.ceilDiv(request.textSampleSize, indices.length));
            DocumentCounts documents = check.check();
            if (request.sampleSize >= DEFAULT_SAMPLE_SIZE && request.textSampleSize >= DEFAULT_TEXT_SAMPLE_SIZE) {
                last.note(index.getName(), found.all()); // Smaller samples miss mistakes.
            }
            findings.addAll(found.all());
            noteSchemes(next.writers().toList(), pipelineByScheme);
            counts = counts.plus(documents.counts());
            documents.schemes().forEach((scheme, count) -> schemes.merge(scheme, count, Long::sum));
            check.currentSchemes().stream()
                    .filter(documents.schemes()::containsKey)
                    .forEach(current::add);
        }
        findings.sort(Comparator.comparing(Finding::severity).reversed());
        for (String pipeline : pipelines.names()) {
            List<Step> steps = pipelines.of(List.of(pipeline));
            noteSchemes(steps.stream().filter(step -> step.writes(field)).toList(), pipelineByScheme);
        }
        List<Scheme> mostFirst = schemes.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(counted -> new Scheme(
                        counted.getKey(),
                        counted.getValue(),
                        pipelineByScheme.get(counted.getKey()),
                        current.contains(counted.getKey())))
                .toList();
        return new Checked(counts, mostFirst, findings);
    }

    private Index[] indices(ClusterState state, Request request) {
        for (String name : request.indices()) {
            if (name.startsWith("<") == false && name.indexOf(RemoteClusterAware.REMOTE_CLUSTER_INDEX_SEPARATOR) >= 0) {
                throw new IllegalArgumentException("[index] must name indices of this cluster, got: " + name);
            }
        }
        Index[] indices = services.resolver().concreteIndices(state, request);
        if (indices.length == 0) {
            throw new IndexNotFoundException(String.join(",", request.indices()));
        }
        TypedNumber.requireAtMost("[index]", MOST_INDICES, "indices", indices.length);
        return indices;
    }

    /** The first pipeline that makes a scheme stays. */
    private void noteSchemes(List<Step> writers, Map<String, String> pipelineByScheme) {
        for (Step step : writers) {
            services.recipes()
                    .schemes(step.pipeline(), step.typedTarget())
                    .forEach(scheme -> pipelineByScheme.putIfAbsent(scheme, step.pipeline()));
        }
    }

    /** What the last checks on this node found, by index, for its metrics. Thread-safe. */
    public static final class LastChecks {

        /** At milliseconds since 1970; findings by code. */
        public record LastCheck(long at, Map<String, Long> findings) {}

        private final LastSeen<LastCheck> checks = new LastSeen<>();

        void note(String index, Collection<Finding> findings) {
            Map<String, Long> codes = new TreeMap<>();
            findings.forEach(finding -> codes.merge(finding.code().toString(), 1L, Long::sum));
            checks.put(index, new LastCheck(System.currentTimeMillis(), codes));
        }

        public Map<String, LastCheck> all() {
            return checks.toMap();
        }
    }

    /** An archive of deleted documents among other indices: searches find what was deleted. */
    private static void addArchive(List<String> names, CheckedIndex archived, Findings found) {
        String archive = archived.name();
        Map<String, ?> aliasesOf = archived.metadata().getAliases();
        List<Map<String, ?>> aliases = names.stream()
                .filter(aliasesOf::containsKey)
                .<Map<String, ?>>map(alias -> Map.of("remove", Map.of("index", archive, "alias", alias)))
                .toList();
        String all = String.join(",", names);
        found.add(
                Code.ARCHIVE,
                "[" + archive + "] is an archive of deleted documents and belongs to [" + all
                        + "]: searches of these find what was deleted",
                aliases.isEmpty()
                        ? "Leave it out, as in [" + all + ",-" + archive
                                + "], or keep archives under names that the pattern does not meet."
                        : MendingRequest.of("POST", "/_aliases", Map.of("actions", aliases)));
    }

    /** Archives that {@code near_duplicate} would compare documents with. */
    private void findArchives(CheckedIndex index, ClusterState state, PipelineSteps pipelines, Findings found) {
        for (Step step : index.steps()) {
            List<String> names = step.isNearDuplicate() ? step.comparedIndices() : List.of();
            if (names.isEmpty()) {
                continue;
            }
            String[] compared = services.resolver()
                    .concreteIndexNames(state, IndicesOptions.lenientExpandOpen(), true, names.toArray(String[]::new));
            Set<String> archives = new Archives().leftOut(state.metadata(), names, List.of(compared));
            if (archives.isEmpty() == false) {
                found.add(
                        Code.ARCHIVE,
                        "[near_duplicate] of pipeline [" + step.pipeline() + "] compares documents with " + names
                                + ", which has archives of deleted documents, left out: " + archives,
                        withoutArchives(index, step, names, archives, pipelines));
            }
        }
    }

    private static String withoutArchives(
            CheckedIndex index, Step step, List<String> names, Set<String> archives, PipelineSteps pipelines) {
        if (names.stream().noneMatch(Regex::isSimpleMatchPattern)) {
            return "Take " + archives + " out of the aliases among " + names + ".";
        }
        List<String> without = new ArrayList<>(names);
        archives.forEach(archive -> without.add("-" + archive)); // After a pattern this leaves out.
        return pipelines.changed(index, step, Map.of("index", without));
    }
}
