/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.util.List;
import org.opensearch.action.IndicesRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.script.ScriptService;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.jobs.job.DeduplicateMemory.DeduplicateDisk;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.query.SearchCounts;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/** Services of the node that jobs use. */
public record JobServices(
        TransportService transport,
        Client client,
        ClusterService cluster,
        IndexNameExpressionResolver resolver,
        NamedWriteableRegistry registry,
        NamedXContentRegistry contents,
        PipelineRecipes recipes,
        PipelineRecipes.ByKind recipesByKind,
        DeduplicateMemory memory,
        DeduplicateDisk disk,
        ScriptService scripts,
        SearchCounts searches) {

    @Inject
    public JobServices {}

    public ClusterState state() {
        return cluster.state();
    }

    /**
     * The indices that a request selects.
     *
     * @throws IndexNotFoundException for none
     */
    public List<String> indices(ClusterState state, IndicesRequest request) {
        List<String> indices = List.of(resolver.concreteIndexNames(state, request));
        if (indices.isEmpty()) {
            throw new IndexNotFoundException(String.join(",", request.indices()));
        }
        return indices;
    }

    public ThreadContext context() {
        return transport.getThreadPool().getThreadContext();
    }

    public TaskId id(Task task) {
        return new TaskId(transport.getLocalNode().getId(), task.getId());
    }

    public PipelineRecipes recipes(SketchKind kind) {
        return recipesByKind.of(kind);
    }
}
