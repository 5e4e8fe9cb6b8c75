/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.inject.Inject;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.request.LocalAction.BlockingAction;
import org.opensearch.simhash.jobs.request.LocalAction.LocalResponse;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;
import org.opensearch.transport.client.node.NodeClient;

/** Shows groups of a run, doubtful ones first, the texts of some documents as they were compared, or rows. */
public final class GroupsAction extends BlockingAction<GroupsAction.Request, LocalResponse> {

    public static final String NAME = "indices:data/read/simhash/review";
    public static final ActionType<LocalResponse> INSTANCE = LocalAction.type(NAME);

    private final JobServices services;

    @Inject
    public GroupsAction(JobServices services, ActionFilters filters) {
        super(NAME, services.transport(), filters);
        this.services = services;
    }

    public static final class Request extends RequestOnIndices {

        /** Null for texts. */
        private final GroupChoice choice;

        /** A run, and documents of its groups; null for groups. */
        private final Map<String, Object> documents;

        /** Null for JSON. */
        private final GroupRows.Form rows;

        Request(String dest, GroupChoice choice, Map<String, Object> documents, GroupRows.Form rows) {
            super(dest);
            this.choice = choice;
            this.documents = documents;
            this.rows = rows;
        }

        public static Request texts(RestRequest request, String[] names) throws IOException {
            return new Request(request.param("dest"), null, Endpoint.body(request, Decision::object), null);
        }
    }

    /** Rows are cancelled if the client disconnects. */
    public static CheckedConsumer<RestChannel, Exception> route(
            RestRequest request, String[] names, NodeClient client) {
        GroupRows.Form rows = GroupRows.Form.read(request);
        Request read = new Request(request.param("dest"), GroupChoice.read(request, rows != null), null, rows);
        if (rows == null) {
            return channel -> client.execute(INSTANCE, read, new RestToXContentListener<>(channel));
        }
        return channel -> new RestCancellableNodeClient(client, request.getHttpChannel())
                .execute(INSTANCE, read, new RestResponseListener<>(channel) {
                    @Override
                    public RestResponse buildResponse(LocalResponse answer) {
                        return ((GroupRows) answer).response(request.params());
                    }
                });
    }

    @Override
    protected LocalResponse answer(Request request, Task task) throws IOException {
        ClusterState state = services.state();
        String[] dest = services.indices(state, request).toArray(String[]::new);
        Client client = new ParentTaskAssigningClient(services.client(), services.id(task));
        StoredGroups stored = new StoredGroups(client, state, services::recipes);
        if (request.rows == null) {
            return new JsonResponse(
                    request.documents == null
                            ? stored.read(dest, request.choice)
                            : stored.texts(dest, request.documents, services.memory()));
        }
        Account memory = new Account(services.memory());
        try {
            Runnable check = () -> RequestOnIndices.RequestTask.requireGoing(task);
            return new GroupRows(stored, dest, request.choice, request.rows, memory, check).read();
        } catch (RuntimeException | IOException e) {
            memory.close();
            throw e;
        }
    }
}
