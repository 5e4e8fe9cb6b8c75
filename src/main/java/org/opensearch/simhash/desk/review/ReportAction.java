/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.opensearch.action.ActionType;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.request.BlockingAction;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.simhash.jobs.request.RequestOnIndices.RequestTask;
import org.opensearch.simhash.jobs.write.GroupMapping;
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
        String[] dest = GroupsAction.required(resolver, services.state(), request);
        TaskId self = services.id(task);
        Client client = new ParentTaskAssigningClient(services.client(), self);
        BytesReference report = new GroupsReport(services, client, (CancellableTask) task).json(dest, request);
        return new JsonResponse((json, params) -> json.rawValue(report.streamInput(), MediaTypeRegistry.JSON));
    }

    /**
     * The first groups of a run with the texts of their documents. A report is a file to send, so that it has at most 10,000 groups, 1,001
     * documents per group and 16 MB. It says what it leaves out. Blocks its thread.
     */
    static final class GroupsReport {

        private static final int MOST_GROUPS = 10_000;
        private static final int MOST_MEMBERS = 1_000;
        private static final long MOST_BYTES = 16 << 20;
        private static final int PAGE = 100;

        /** Documents of the first request. Later ones take as many as fit into {@link #A_REQUEST} bytes by the lengths so far. */
        private static final int FIRST_GETS = 4;

        private static final int MOST_GETS = 100;
        private static final long A_REQUEST = 2 << 20;

        /** Copies of a text in memory: read, parsed, written, in the page. */
        private static final int COPIES = 5;

        private final JobServices services;
        private final Client client;
        private final CancellableTask task;
        private final List<StoredGroups.Group> groups = new ArrayList<>();
        private final List<ReportedDocument> documents = new ArrayList<>();
        private long bytes;
        private boolean isCut;

        GroupsReport(JobServices services, Client client, CancellableTask task) {
            this.services = services;
            this.client = client;
            this.task = task;
        }

        /** @param dest names of indices, not of aliases */
        BytesReference json(String[] dest, ReportAction.Request request) throws IOException {
            StoredGroups stored = new StoredGroups(client, services.state(), services::recipes);
            try (Account memory = new Account(services.memory())) {
                StoredGroups.Page first = stored.read(dest, request.choice);
                StoredGroups.Page page = first;
                add(page, request, memory);
                while (page.next() != null && isCut == false) {
                    page = stored.read(dest, request.choice.from(first.run(), page.next(), PAGE));
                    add(page, request, memory);
                }
                return json(dest, first, request.columns());
            }
        }

        private void add(StoredGroups.Page page, ReportAction.Request request, Account memory) {
            List<String> fields =
                    new ArrayList<>(request.text == null ? page.text() : List.of(request.text.split(",", -1)));
            if (fields.isEmpty() == false) {
                fields.addAll(request.columns());
            }
            FetchSourceContext source = new FetchSourceContext(
                    true,
                    fields.toArray(String[]::new),
                    fields.isEmpty() ? new String[] {page.field()} : new String[0]);
            List<Map<?, ?>> places = new ArrayList<>();
            for (StoredGroups.Group group : page.groups()) {
                isCut |= groups.size() >= MOST_GROUPS || bytes >= MOST_BYTES;
                if (isCut) {
                    break;
                }
                take(group.source().length(), memory);
                groups.add(group);
                addPlaces(places, SourceLookup.sourceAsMap(group.source()));
            }
            addDocuments(places, source, memory);
        }

        private void take(long length, Account memory) {
            memory.take(COPIES * length);
            bytes += length;
        }

        private static void addPlaces(List<Map<?, ?>> places, Map<String, Object> group) {
            addPlace(places, group.get(GroupMapping.SURVIVOR));
            if (group.get(GroupMapping.MEMBERS) instanceof List<?> members) {
                members.stream().limit(MOST_MEMBERS).forEach(member -> addPlace(places, member));
            }
        }

        private void addDocuments(List<Map<?, ?>> places, FetchSourceContext source, Account memory) {
            int gets = FIRST_GETS;
            long read = 0;
            for (int from = 0; from < places.size() && bytes < MOST_BYTES; ) {
                if (task.isCancelled()) {
                    throw new TaskCancelledException("report was cancelled: " + task.getReasonCancelled());
                }
                int to = Math.min(places.size(), from + gets);
                MultiGetRequest request = new MultiGetRequest();
                for (Map<?, ?> place : places.subList(from, to)) {
                    request.add(new MultiGetRequest.Item((String) place.get("index"), (String) place.get("id"))
                            .routing((String) place.get("routing"))
                            .fetchSourceContext(source));
                }
                MultiGetItemResponse[] answers =
                        client.multiGet(request).actionGet().getResponses();
                for (int i = 0; i < answers.length; i++) {
                    Object routing = places.get(from + i).get("routing");
                    ReportedDocument document = ReportedDocument.of(answers[i], (String) routing);
                    take(document.length(), memory);
                    read += document.length();
                    documents.add(document);
                }
                from = to;
                gets = (int) Math.max(1, Math.min(MOST_GETS, A_REQUEST * from / Math.max(1, read)));
            }
        }

        private static void addPlace(List<Map<?, ?>> places, Object document) {
            if (document instanceof Map<?, ?> place
                    && place.get("index") instanceof String
                    && place.get("id") instanceof String) {
                places.add(place);
            }
        }

        private BytesReference json(String[] dest, StoredGroups.Page first, List<String> columns) throws IOException {
            StoredGroups.Page all = new StoredGroups.Page(
                    first.run(),
                    first.runs(),
                    first.total(),
                    first.field(),
                    first.text(),
                    first.minWords(),
                    first.uuids(),
                    groups,
                    null);
            String limit = "A report of " + groups.size() + " of the " + first.total() + " groups of run " + first.run()
                    + ", the doubtful ones first. A report has at most " + MOST_GROUPS
                    + " groups, of each the survivor and "
                    + MOST_MEMBERS + " members, texts of at most " + ReportedDocument.MOST_CHARACTERS
                    + " characters, and "
                    + (MOST_BYTES >> 20) + " MB. Nothing can be decided in it.";
            try (XContentBuilder builder = JsonXContent.contentBuilder()) {
                builder.startObject()
                        .field("dest", String.join(",", Arrays.asList(dest)))
                        .field("limit", limit)
                        .field("columns", columns)
                        .field("groups", all)
                        .field("documents", documents)
                        .endObject();
                return BytesReference.bytes(builder);
            }
        }
    }

    /**
     * A document in a report.
     *
     * @param error why it could not be read, or null
     * @param source null if the document does not exist
     */
    record ReportedDocument(
            String index,
            String id,
            String routing,
            String error,
            long sequenceNumber,
            long primaryTerm,
            Map<String, Object> source,
            long length)
            implements ToXContentObject {

        static final int MOST_CHARACTERS = 100_000;
        private static final long LEAST_LENGTH = 200;

        /** A surrogate whose other half is missing. */
        private static final Pattern HALF_PAIR = Pattern.compile("\\p{Cs}");

        static ReportedDocument of(MultiGetItemResponse answer, String routing) {
            if (answer.isFailed()) {
                String error = answer.getFailure().getFailure().getMessage();
                return new ReportedDocument(
                        answer.getIndex(),
                        answer.getId(),
                        routing,
                        whole(String.valueOf(error)),
                        -1,
                        0,
                        null,
                        LEAST_LENGTH);
            }
            GetResponse found = answer.getResponse();
            boolean hasSource = found.isExists() && found.isSourceEmpty() == false;
            Map<String, Object> source =
                    hasSource ? object(found.getSourceAsMap()) : found.isExists() ? Map.of() : null;
            long length =
                    LEAST_LENGTH + (hasSource ? found.getSourceAsBytesRef().length() : 0);
            return new ReportedDocument(
                    answer.getIndex(),
                    answer.getId(),
                    routing,
                    null,
                    found.getSeqNo(),
                    found.getPrimaryTerm(),
                    source,
                    length);
        }

        private static Map<String, Object> object(Map<?, ?> object) {
            Map<String, Object> whole = new LinkedHashMap<>();
            object.forEach((key, value) -> whole.put(whole(String.valueOf(key)), value(value)));
            return whole;
        }

        private static Object value(Object value) {
            return switch (value) {
                case Map<?, ?> object -> object(object);
                case List<?> list -> {
                    List<Object> whole = new ArrayList<>();
                    list.forEach(each -> whole.add(value(each)));
                    yield whole;
                }
                case String text -> text(text);
                case null -> null;
                default -> value;
            };
        }

        private static String text(String text) {
            return text.length() > MOST_CHARACTERS
                    ? whole(text.substring(0, MOST_CHARACTERS)) + " … (cut)"
                    : whole(text);
        }

        /** Replaces half surrogate pairs, which a file cannot hold. */
        private static String whole(String text) {
            return HALF_PAIR.matcher(text).replaceAll("\ufffd");
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject().field("index", index).field("id", id);
            if (routing != null) {
                builder.field("routing", routing);
            }
            if (error != null) {
                builder.startObject("error").field("reason", error).endObject();
            }
            builder.field("found", source != null);
            builder.field("_seq_no", sequenceNumber).field("_primary_term", primaryTerm);
            if (source != null) {
                builder.field("_source", source);
            }
            return builder.endObject();
        }
    }
}
