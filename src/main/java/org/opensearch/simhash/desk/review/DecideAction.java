/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.rest.RestRequest;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.JobsPart;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.request.LocalAction.BlockingAction;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.simhash.jobs.request.RequestOnIndices.RequestTask;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.tasks.Task;

/**
 * Stores decisions about groups, each unless its group has changed since it was read: HTTP 409. Costs a get and a write of each, a
 * slice at a time. Or decides about what it finds ({@link FoundGroups}), or takes the next open groups ({@link Batch}).
 */
public final class DecideAction extends BlockingAction<DecideAction.Request, JsonResponse> {

    public static final String NAME = "indices:data/write/simhash/decide";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    /** Groups may be large. */
    private static final int SLICE = 100;

    /** What says that a group was changed, taken or deleted meanwhile, and nothing of the others. */
    private static final Set<RestStatus> OF_ONE = Set.of(RestStatus.CONFLICT, RestStatus.NOT_FOUND);

    /** Of a group that was found or read: as it came, as it is written, and both as objects. */
    private static final long COPIES = 4;

    private final JobServices services;

    @Inject
    public DecideAction(JobServices services, ActionFilters filters) {
        super(NAME, services.transport(), filters);
        this.services = services;
    }

    public static final class Request extends RequestOnIndices {

        private final List<Decision> decisions;

        /** Null for decisions. */
        private final Batch batch;

        /** Null for groups that are named. */
        private final FoundGroups found;

        /** Whom the request names where no security plugin does; null for nobody. */
        private final String reviewer;

        /** Whether each decision has an answer of its own, or the only one is the answer. */
        private final boolean areMany;

        Request(String dest, Map<String, Object> typed) {
            super(dest);
            Map<String, Object> body = new LinkedHashMap<>(typed);
            this.reviewer = body.get("reviewer") == null ? null : Decision.string(body, "reviewer");
            body.remove("reviewer");
            this.batch = Batch.of(body);
            this.found = batch == null ? FoundGroups.of(body) : null;
            boolean areNamed = batch == null && found == null;
            this.areMany = body.containsKey("decisions");
            this.decisions =
                    areNamed == false ? List.of() : areMany ? Decision.many(body) : List.of(Decision.of(body, null));
        }

        public static Request read(RestRequest request, String[] names) throws IOException {
            return new Request(request.param("dest"), Endpoint.body(request, Decision::object));
        }
    }

    @Override
    protected JsonResponse answer(Request request, Task task) throws Exception {
        String named = JobsPart.caller(services.context());
        String by = named == null ? request.reviewer : named;
        if (request.decisions.isEmpty()) {
            String[] dest = services.indices(services.state(), request).toArray(String[]::new);
            StoredGroups stored = new StoredGroups(services.client(), services.state(), services::recipes);
            return request.batch == null
                    ? found(request, stored, dest, by, task)
                    : request.batch.claim(stored, dest, by);
        }
        List<Object> outcomes = new ArrayList<>();
        for (int from = 0; from < request.decisions.size(); from += SLICE) {
            int end = Math.min(request.decisions.size(), from + SLICE);
            try (Account memory = new Account(services.memory())) {
                outcomes.addAll(decide(request, request.decisions.subList(from, end), by, memory));
            }
        }
        if (request.areMany == false) {
            if (outcomes.getFirst() instanceof Exception failure) {
                throw failure;
            }
            return new JsonResponse((json, params) -> json.value(outcomes.getFirst()));
        }
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) instanceof Exception failure) {
                outcomes.set(i, refused(request.decisions.get(i), failure));
            }
        }
        return new JsonResponse(Map.of("decisions", outcomes));
    }

    private static Map<String, Object> refused(Decision decision, Exception failure) {
        Map<String, Object> refused = new LinkedHashMap<>();
        refused.put("_index", decision.index());
        refused.put("_id", decision.group());
        refused.put("status", ExceptionsHelper.status(failure).getStatus());
        refused.put("error", shown(failure));
        return refused;
    }

    private static ToXContentObject shown(Exception failure) {
        return (json, params) -> {
            OpenSearchException.generateThrowableXContent(json.startObject(), params, failure);
            return json.endObject();
        };
    }

    /** Ends with the first other failure: what was decided until then has its way back. */
    private JsonResponse found(Request request, StoredGroups stored, String[] dest, String by, Task task)
            throws Exception {
        GroupMapping.require(services.state(), List.of(dest));
        // What was decided a moment ago is found, or is not.
        services.client().admin().indices().prepareRefresh(dest).get();
        FoundGroups found = request.found;
        int size = found.isDryRun() ? 1 : SLICE;
        Map<String, Object> answer = new LinkedHashMap<>();
        // The groups of a decision may be in later runs by now.
        boolean isOfAnyRun = found.typed() == null && found.choice().run() == null;
        String run = isOfAnyRun ? null : stored.run(dest, found.choice());
        answer.put("run", run);
        answer.put("groups", 0L);
        Object[] after = null;
        int decided = 0;
        int refused = 0;
        Exception failure = null;
        for (boolean isEnd = run == null && isOfAnyRun == false; isEnd == false && failure == null; ) {
            boolean isFirst = after == null;
            try (Account memory = new Account(services.memory())) {
                RequestTask.requireGoing(task);
                StoredGroups.Found some =
                        stored.next(dest, run, found.choice(), after, size, StoredGroups.MOST_DOCUMENTS, isFirst);
                if (isFirst) {
                    answer.put("groups", some.total());
                }
                isEnd = some.isEnd() || found.isDryRun();
                List<Object> outcomes = new ArrayList<>();
                List<Decision> decisions = new ArrayList<>();
                for (SearchHit hit : found.isDryRun() ? new SearchHit[0] : some.hits()) {
                    after = hit.getSortValues();
                    memory.take(COPIES * hit.getSourceRef().length());
                    try {
                        decisions.add(found.decision(hit));
                    } catch (IllegalArgumentException e) {
                        outcomes.add(e); // A program wrote what no decision says.
                    }
                }
                outcomes.addAll(decisions.isEmpty() ? List.of() : decide(request, decisions, by, memory));
                for (Object outcome : outcomes) {
                    // What a program wrote, or the way back, may name documents that are not in the group.
                    boolean isOfOne = outcome instanceof IllegalArgumentException
                            || (outcome instanceof Exception e && OF_ONE.contains(ExceptionsHelper.status(e)));
                    decided += outcome instanceof Exception ? 0 : 1;
                    refused += isOfOne ? 1 : 0;
                    failure = outcome instanceof Exception e && isOfOne == false ? e : failure;
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null && decided == 0) {
            throw failure;
        }
        if (found.isDryRun() == false) {
            answer.put("decided", decided);
            answer.put("refused", refused);
            answer.put("undo", found.id());
        }
        if (failure != null) {
            answer.put("error", shown(failure));
        }
        return new JsonResponse(answer);
    }

    /** What became of each: the answer, or an exception. */
    private List<Object> decide(Request request, List<Decision> decisions, String by, Account memory) {
        ClusterState state = services.state();
        List<String> dest = List.of(services.resolver().concreteIndexNames(state, request));
        MultiGetRequest read = new MultiGetRequest();
        decisions.forEach(decision -> read.add(decision.index(), decision.group()));
        MultiGetItemResponse[] found =
                services.client().multiGet(read).actionGet().getResponses();
        Object[] outcomes = new Object[decisions.size()];
        BulkRequest bulk = new BulkRequest();
        List<Integer> sent = new ArrayList<>();
        String now = Instant.now().toString();
        for (int i = 0; i < outcomes.length; i++) {
            Decision decision = decisions.get(i);
            try {
                Map<String, Object> stored = stored(state, request, dest, decision, found[i]);
                memory.take(COPIES * found[i].getResponse().getSourceInternal().length());
                decision.requireFree(stored, by);
                bulk.add(decision.request(stored, by, now));
                sent.add(i);
            } catch (IllegalArgumentException | OpenSearchException e) {
                outcomes[i] = e;
            }
        }
        BulkItemResponse[] answers = sent.isEmpty()
                ? new BulkItemResponse[0]
                : services.client().bulk(bulk).actionGet().getItems();
        for (int i = 0; i < answers.length; i++) {
            Decision decision = decisions.get(sent.get(i));
            if (answers[i].isFailed()) {
                outcomes[sent.get(i)] = answers[i].getFailure().getCause();
                continue;
            }
            DocWriteResponse written = answers[i].getResponse();
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("_index", written.getIndex());
            answer.put("_id", written.getId());
            answer.put("_seq_no", written.getSeqNo());
            answer.put("_primary_term", written.getPrimaryTerm());
            if (decision.judgement() != null) {
                answer.put(GroupMapping.JUDGED, decision.judgement().isEmpty() ? null : decision.judgement());
                answer.put(GroupMapping.JUDGED_BY, by);
                answer.put(GroupMapping.JUDGED_AT, now);
            } else {
                boolean isOpen = decision.decision() == null;
                answer.put("decision", decision.decision());
                answer.put("decided_by", isOpen ? null : by);
                answer.put("decided_at", isOpen ? null : now);
            }
            outcomes[sent.get(i)] = answer;
        }
        return new ArrayList<>(Arrays.asList(outcomes));
    }

    private static Map<String, Object> stored(
            ClusterState state, Request request, List<String> dest, Decision decision, MultiGetItemResponse found) {
        if (dest.contains(decision.index()) == false) {
            throw new IllegalArgumentException("[index] must be one of the indices of "
                    + Arrays.toString(request.indices()) + ", got: " + decision.index());
        }
        GroupMapping.require(state, List.of(decision.index()));
        if (found.isFailed()) {
            throw ExceptionsHelper.convertToOpenSearchException(
                    found.getFailure().getFailure());
        }
        if (found.getResponse().isExists() == false) {
            throw new ResourceNotFoundException(
                    "[group] must be a group of [" + decision.index() + "], got: " + decision.group());
        }
        Map<String, Object> stored = found.getResponse().getSourceAsMap();
        decision.requireIn(stored);
        return stored;
    }
}
