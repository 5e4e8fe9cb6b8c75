/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.Index;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.check.CheckAction.SchemeCount;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.memory.FingerprintMemory;
import org.opensearch.simhash.nearduplicate.NearDuplicateSettings;
import org.opensearch.simhash.request.BlockingAction;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.RemoteClusterAware;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Checks indices one by one on a generic thread, which blocks. Cancellable between indices. */
public final class TransportCheckAction extends BlockingAction<CheckAction.Request> {

    private static final int MOST_INDICES = 1_000;

    private final TransportService transport;
    private final Client client;
    private final ClusterService cluster;
    private final IndexNameExpressionResolver resolver;
    private final PipelineRecipes recipes;
    private final FingerprintMemory memory;

    @Inject
    public TransportCheckAction(
            TransportService transport,
            ActionFilters filters,
            Client client,
            ClusterService cluster,
            IndexNameExpressionResolver resolver,
            PipelineRecipes recipes,
            FingerprintMemory memory) {
        super(CheckAction.NAME, transport, filters);
        this.transport = transport;
        this.client = client;
        this.cluster = cluster;
        this.resolver = resolver;
        this.recipes = recipes;
        this.memory = memory;
    }

    @Override
    protected JsonResponse answer(CheckAction.Request request, Task executed) {
        CancellableTask task = (CancellableTask) executed;
        ClusterState state = cluster.state();
        Index[] indices = indices(state, request);
        PipelineSteps pipelines = new PipelineSteps(state.metadata());
        Map<String, String> pipelineByScheme = pipelineByScheme(pipelines, request.field());
        Client searching = new ParentTaskAssigningClient(
                client, new TaskId(transport.getLocalNode().getId(), task.getId()));
        TimeValue window = cluster.getClusterSettings().get(NearDuplicateSettings.WINDOW_TIME);
        Set<String> named = Arrays.stream(indices).map(Index::getName).collect(Collectors.toSet());
        MetArchives archives = new MetArchives(state, resolver, pipelines);
        Map<String, Finding> met = archives.inRequest(List.of(request.indices()), List.copyOf(named));
        Set<String> checked = new HashSet<>(named);
        checked.removeAll(met.keySet());
        IndexCheck check = new IndexCheck(
                state.metadata(),
                pipelines,
                recipes,
                memory,
                searching,
                window,
                checked,
                Math.max(1, request.sampleSize() / indices.length),
                Math.ceilDiv(request.textSampleSize(), indices.length));
        Counts counts = Counts.NONE;
        Map<String, SchemeCount> schemes = new TreeMap<>();
        List<Finding> findings = new ArrayList<>();
        for (Index index : indices) {
            if (task.isCancelled()) {
                throw new TaskCancelledException(
                        task.getDescription() + " was cancelled: " + task.getReasonCancelled());
            }
            CheckedIndex next = CheckedIndex.of(state.metadata().getIndexSafe(index), request.field(), pipelines);
            if (met.containsKey(index.getName())) {
                findings.add(met.get(index.getName()));
                continue;
            }
            IndexCheck.Result result = check.check(next);
            findings.addAll(archives.inPipelines(next));
            counts = counts.plus(result.counts());
            result.schemes()
                    .forEach((scheme, documents) -> schemes.merge(
                            scheme,
                            new SchemeCount(
                                    scheme,
                                    documents,
                                    pipelineByScheme.get(scheme),
                                    result.currentSchemes().contains(scheme)),
                            TransportCheckAction::sum));
            findings.addAll(result.findings());
        }
        List<SchemeCount> mostFirst = schemes.values().stream()
                .sorted(Comparator.comparingLong(SchemeCount::documents).reversed())
                .toList();
        findings.sort(Comparator.comparing(Finding::severity).reversed());
        return answer(counts, mostFirst, findings);
    }

    private static JsonResponse answer(Counts counts, List<SchemeCount> schemes, List<Finding> worstFirst) {
        return new JsonResponse((json, params) -> json.startObject()
                .field(
                        "status",
                        worstFirst.isEmpty() ? "ok" : worstFirst.getFirst().status())
                .field("documents", counts.documents())
                .field("fingerprinted", counts.fingerprinted())
                .field("too_short", counts.tooShort())
                .field("without", counts.without())
                .field("schemes", schemes)
                .field("findings", worstFirst)
                .endObject());
    }

    private static SchemeCount sum(SchemeCount a, SchemeCount b) {
        return new SchemeCount(a.scheme(), a.documents() + b.documents(), a.pipeline(), a.current() || b.current());
    }

    private Index[] indices(ClusterState state, CheckAction.Request request) {
        for (String name : request.indices()) {
            if (name.startsWith("<") == false && name.indexOf(RemoteClusterAware.REMOTE_CLUSTER_INDEX_SEPARATOR) >= 0) {
                throw new IllegalArgumentException("[index] must name indices of this cluster, got: " + name);
            }
        }
        Index[] indices = resolver.concreteIndices(state, request);
        if (indices.length == 0) {
            throw new IndexNotFoundException(String.join(",", request.indices()));
        }
        if (indices.length > MOST_INDICES) {
            throw new IllegalArgumentException(
                    "[index] must name at most " + MOST_INDICES + " indices, got: " + indices.length);
        }
        return indices;
    }

    private Map<String, String> pipelineByScheme(PipelineSteps pipelines, String field) {
        Map<String, String> byScheme = new TreeMap<>();
        for (String pipeline : pipelines.names()) {
            pipelines.of(List.of(pipeline)).stream()
                    .filter(step -> step.writes(field))
                    .flatMap(step -> recipes.schemes(step.pipeline(), step.typedTarget()).stream())
                    .forEach(scheme -> byScheme.putIfAbsent(scheme, pipeline));
        }
        return byScheme;
    }
}
