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
 * The first groups of a run with the texts of their documents. A report is a file to send, so that it has at most 500 groups, 21
 * documents per group and 16 MB. It says what it leaves out. Blocks its thread.
 */
final class GroupsReport {

    private static final int MOST_GROUPS = 500;
    private static final int MOST_MEMBERS = 20;
    private static final long MOST_BYTES = 16 << 20;
    private static final int PAGE = 20;

    /** Documents per request. */
    private static final int GETS = 4;

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
        StoredGroups stored = new StoredGroups(client, services.cluster().state(), services.recipes());
        try (Account memory = new Account(services.memory())) {
            StoredGroups.Page first = stored.read(dest, GroupChoice.all(request.run(), null, PAGE));
            StoredGroups.Page page = first;
            add(page, request.text(), memory);
            while (page.next() != null && isCut == false) {
                page = stored.read(dest, GroupChoice.all(first.run(), page.next(), PAGE));
                add(page, request.text(), memory);
            }
            return json(dest, first);
        }
    }

    private void add(StoredGroups.Page page, String typed, Account memory) {
        List<String> fields = typed == null ? page.text() : List.of(typed.split(",", -1));
        FetchSourceContext source = new FetchSourceContext(
                true, fields.toArray(String[]::new), fields.isEmpty() ? new String[] {page.field()} : new String[0]);
        for (StoredGroups.Group group : page.groups()) {
            if (task.isCancelled()) {
                throw new TaskCancelledException("report was cancelled: " + task.getReasonCancelled());
            }
            isCut |= groups.size() >= MOST_GROUPS || bytes >= MOST_BYTES;
            if (isCut) {
                return;
            }
            take(group.source().length(), memory);
            groups.add(group);
            addDocuments(group, source, memory);
        }
    }

    private void take(long length, Account memory) {
        memory.take(COPIES * length);
        bytes += length;
    }

    private void addDocuments(StoredGroups.Group group, FetchSourceContext source, Account memory) {
        Map<String, Object> stored = SourceLookup.sourceAsMap(group.source());
        List<Map<?, ?>> places = new ArrayList<>();
        addPlace(places, stored.get(GroupMapping.SURVIVOR));
        if (stored.get(GroupMapping.MEMBERS) instanceof List<?> members) {
            members.stream().limit(MOST_MEMBERS).forEach(member -> addPlace(places, member));
        }
        for (int from = 0; from < places.size() && bytes < MOST_BYTES; from += GETS) {
            MultiGetRequest gets = new MultiGetRequest();
            for (Map<?, ?> place : places.subList(from, Math.min(places.size(), from + GETS))) {
                gets.add(new MultiGetRequest.Item((String) place.get("index"), (String) place.get("id"))
                        .routing((String) place.get("routing"))
                        .fetchSourceContext(source));
            }
            MultiGetItemResponse[] answers = client.multiGet(gets).actionGet().getResponses();
            for (int i = 0; i < answers.length; i++) {
                Object routing = places.get(from + i).get("routing");
                ReportedDocument document = ReportedDocument.of(answers[i], (String) routing);
                take(document.length(), memory);
                documents.add(document);
            }
        }
    }

    private static void addPlace(List<Map<?, ?>> places, Object document) {
        if (document instanceof Map<?, ?> place
                && place.get("index") instanceof String
                && place.get("id") instanceof String) {
            places.add(place);
        }
    }

    private BytesReference json(String[] dest, StoredGroups.Page first) throws IOException {
        StoredGroups.Page all = new StoredGroups.Page(
                first.run(), first.runs(), first.field(), first.text(), first.uuids(), groups, null);
        long total = first.runs().stream()
                .filter(run -> run.run().equals(first.run()))
                .mapToLong(StoredGroups.Run::groups)
                .sum();
        String limit = "A report of " + groups.size() + " of the " + total + " groups of run " + first.run()
                + ", the doubtful ones first. A report has at most " + MOST_GROUPS
                + " groups, of each the survivor and "
                + MOST_MEMBERS + " members, texts of at most " + ReportedDocument.MOST_CHARACTERS + " characters, and "
                + (MOST_BYTES >> 20) + " MB. Nothing can be decided in it.";
        try (XContentBuilder builder = JsonXContent.contentBuilder()) {
            builder.startObject()
                    .field("dest", String.join(",", Arrays.asList(dest)))
                    .field("limit", limit)
                    .field("groups", all)
                    .field("documents", documents)
                    .endObject();
            return BytesReference.bytes(builder);
        }
    }
}
