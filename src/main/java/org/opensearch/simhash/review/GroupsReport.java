/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.write.GroupMapping;
import org.opensearch.simhash.memory.Account;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.transport.client.Client;

/**
 * The first groups of a run with the texts of their documents. A report is a file to send, so that it has at most 10,000 groups, 1,001
 * documents per group and 16 MB. It says what it leaves out. Blocks its thread.
 */
final class GroupsReport {

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
        StoredGroups stored = new StoredGroups(client, services.cluster().state(), services::recipes);
        try (Account memory = new Account(services.memory())) {
            StoredGroups.Page first = stored.read(dest, request.choice());
            StoredGroups.Page page = first;
            add(page, request, memory);
            while (page.next() != null && isCut == false) {
                page = stored.read(dest, request.choice().from(first.run(), page.next(), PAGE));
                add(page, request, memory);
            }
            return json(dest, first, request.columns());
        }
    }

    private void add(StoredGroups.Page page, ReportAction.Request request, Account memory) {
        List<String> fields = new ArrayList<>(
                request.text() == null ? page.text() : List.of(request.text().split(",", -1)));
        if (fields.isEmpty() == false) {
            fields.addAll(request.columns());
        }
        FetchSourceContext source = new FetchSourceContext(
                true, fields.toArray(String[]::new), fields.isEmpty() ? new String[] {page.field()} : new String[0]);
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
                + MOST_MEMBERS + " members, texts of at most " + ReportedDocument.MOST_CHARACTERS + " characters, and "
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
