/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.action.support.TransportAction;
import org.opensearch.action.update.UpdateAction;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.links.PairsAction;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Action;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.simhash.jobs.write.JobIndex;
import org.opensearch.simhash.jobs.write.TagUpdates.TagMapping;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.tasks.Task;

/**
 * Refuses a job that the caller may not run. It asks for each right that the job needs, and does nothing: the filters of an action,
 * where a security plugin refuses, see a request of its name. Blocks.
 */
public record RightsCheck(
        JobServices services, ActionFilters filters, DeduplicateOptions options, List<String> indices) {

    private static final String READ = "indices:data/read/";
    private static final String WRITE = "indices:data/write/";
    private static final List<String> REFRESH = List.of("indices:admin/refresh", "indices:admin/refresh[s]");
    private static final List<String> SEARCH = List.of(READ + "search", READ + "point_in_time/create");
    private static final List<String> GET = List.of(READ + "mget", READ + "mget[shard]");
    private static final List<String> PUT_MAPPING = List.of("indices:admin/mapping/put");
    private static final List<String> BULK = List.of(WRITE + "bulk", WRITE + "bulk[s]");
    private static final List<String> INDEX = List.of(WRITE + "index");
    private static final List<String> DELETE = List.of(WRITE + "delete", DurabilityAction.NAME);

    /** @throws org.opensearch.OpenSearchSecurityException naming the right */
    public void check() {
        boolean deletes = options.action() == Action.DELETE;
        ask(indices, List.of(DeduplicateAction.NAME, PairsAction.NAME), SEARCH);
        if (options.sinceLast()) {
            ask(indices, REFRESH);
        }
        if (options.action() == Action.TAG) {
            ask(indices, BULK, REFRESH);
            // A security plugin may refuse updates for what they are.
            indices.forEach(
                    index -> ask(UpdateAction.NAME, new UpdateRequest(index, "none").doc(Map.of()), List.of(index)));
            List<String> lacking =
                    indices.stream().filter(index -> mapsTags(index) == false).toList();
            if (lacking.isEmpty() == false) {
                ask(lacking, PUT_MAPPING);
            }
        }
        if (deletes || options.merge().isEmpty() == false) {
            ask(indices, BULK, REFRESH, GET, INDEX, deletes ? DELETE : List.of());
        }
        target(options.dest(), SEARCH, options.sinceLast() ? List.of(READ + "get") : List.of());
        target(options.archive(), DELETE);
        if (options.against() != null) {
            List<String> ofSurvivors = deletes ? List.of(DurabilityAction.NAME) : List.of();
            ask(List.of(options.against().indices()), SEARCH, List.of(PairsAction.NAME), ofSurvivors);
        }
        if (options.candidates() != null) {
            ask(List.of(options.candidates().index()), SEARCH);
        }
    }

    private boolean mapsTags(String index) {
        IndexMapping mapping = new IndexMapping(services.state().metadata().index(index));
        return new TagMapping(options.field(), options.sizeField())
                        .names().stream().allMatch(mapping::maps)
                && (options.sizeField() == null || mapping.maps(options.sizeField()));
    }

    @SafeVarargs
    private void target(String name, List<String>... more) {
        if (name == null) {
            return;
        }
        String written = JobIndex.nameOf(services.state(), name);
        boolean isThere = services.state().metadata().hasIndex(written);
        ask(List.of(written), BULK, REFRESH, GET, INDEX, isThere ? List.of() : List.of("indices:admin/create"));
        ask(List.of(written), more);
    }

    /** Of all of them at once: a job may have thousands. */
    @SafeVarargs
    private void ask(List<String> names, List<String>... actions) {
        for (List<String> some : actions) {
            some.forEach(action -> ask(action, new RequestOnIndices(names.toArray(String[]::new)) {}, names));
        }
    }

    private <R extends ActionRequest & IndicesRequest> void ask(String action, R request, List<String> names) {
        PlainActionFuture<ActionResponse> answer = new PlainActionFuture<>();
        new TransportAction<ActionRequest, ActionResponse>(
                action, filters, services.transport().getTaskManager()) {

            @Override
            protected void doExecute(Task task, ActionRequest asked, ActionListener<ActionResponse> listener) {
                // A filter may leave out those that the caller has no right to.
                List<String> refused = new ArrayList<>(names);
                refused.removeAll(List.of(request.indices()));
                listener.onFailure(
                        refused.isEmpty()
                                ? new Allowed()
                                : new OpenSearchSecurityException(
                                        "no permissions for [" + action + "] on " + refused, RestStatus.FORBIDDEN));
            }
        }.execute(request, answer);
        try {
            answer.actionGet();
        } catch (Allowed e) {
            // Nothing is done, so there is no response that a filter could read.
        }
    }

    private static final class Allowed extends RuntimeException {

        private static final long serialVersionUID = 1;
    }
}
