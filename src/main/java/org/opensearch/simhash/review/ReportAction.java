/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.request.BlockingAction;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.simhash.request.RequestOnIndices;
import org.opensearch.simhash.request.RequestOnIndices.RequestTask;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Makes the data of a report that asks no node. {@link GroupsReport} has the limits. */
public final class ReportAction extends BlockingAction<ReportAction.Request> {

    public static final String NAME = "indices:data/read/simhash/report";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public ReportAction(JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver) {
        super(NAME, services.transport(), filters);
        this.services = services;
        this.resolver = resolver;
    }

    /** An index and some of its groups. */
    public static final class Request extends RequestOnIndices {

        private final GroupChoice choice;
        private final String text;
        private final String columns;

        /**
         * @param text the fields to show, with commas; null for those that were compared
         * @param columns the fields of the table of members, with commas; null for none
         */
        Request(String dest, GroupChoice choice, String text, String columns) {
            super(dest);
            this.choice = choice;
            this.text = text;
            this.columns = columns;
        }

        GroupChoice choice() {
            return choice;
        }

        String text() {
            return text;
        }

        /** Without empty names. */
        List<String> columns() {
            return columns == null
                    ? List.of()
                    : Stream.of(columns.split(",", -1))
                            .filter(name -> name.isEmpty() == false)
                            .toList();
        }

        @Override
        public String getDescription() {
            return "report of groups in [" + String.join(",", indices()) + "]";
        }

        @Override
        public Task createTask(long id, String type, String action, TaskId parent, Map<String, String> headers) {
            return new RequestTask(id, type, action, getDescription(), parent, headers);
        }
    }

    @Override
    protected JsonResponse answer(Request request, Task task) throws IOException {
        String[] dest = GroupsAction.required(resolver, services.cluster().state(), request);
        TaskId self = new TaskId(services.transport().getLocalNode().getId(), task.getId());
        Client client = new ParentTaskAssigningClient(services.client(), self);
        BytesReference report = new GroupsReport(services, client, (CancellableTask) task).json(dest, request);
        return new JsonResponse((json, params) -> json.rawValue(report.streamInput(), MediaTypeRegistry.JSON));
    }
}
