/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.groups.GroupReport;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.join.Group;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.transport.client.Client;

/**
 * Writes one document per group. Its id follows from the parameters and the survivor: the same run again replaces its own groups.
 */
public final class GroupIndex {

    private static final int BATCH = 500;
    private static final int BATCH_MEMBERS = 20_000;

    private final DeduplicateOptions options;
    private final String run;
    private final DocumentTable table;
    private final BulkWrites writes;
    private final Outcome outcome;
    private final JobTask task;

    /** Makes the index, where there is none. */
    public static void create(Client client, ClusterState state, String name) {
        Map<String, Object> document = Map.of("properties", Map.of("index", JobIndex.KEYWORD, "id", JobIndex.KEYWORD));
        Map<String, Object> member = Map.of(
                "properties",
                Map.of(
                        "index",
                        JobIndex.KEYWORD,
                        "id",
                        JobIndex.KEYWORD,
                        "distance",
                        Map.of("type", "integer"),
                        "similarity",
                        Map.of("type", "double")));
        Map<String, Object> properties = new HashMap<>();
        properties.put("run", JobIndex.KEYWORD);
        properties.put("survivor", document);
        properties.put("size", Map.of("type", "integer"));
        properties.put("largest_distance", Map.of("type", "integer"));
        properties.put("lowest_similarity", Map.of("type", "double"));
        properties.put("members", member);
        properties.put("parameters", Map.of("type", "object", "enabled", false));
        if (state.metadata().getIndicesLookup().containsKey(name) == false) {
            JobIndex.create(client, name, Settings.EMPTY, Map.of("properties", properties));
        }
    }

    public GroupIndex(JobWrites job) {
        this.options = job.run().options();
        this.run = job.runId();
        this.table = job.table();
        this.writes = job.bulks();
        this.outcome = job.outcome();
        this.task = job.run().task();
    }

    public void write(List<Group> groups) throws IOException {
        Map<String, Object> parameters = options.asMap();
        List<IndexRequest> batch = new ArrayList<>();
        int members = 0;
        for (Group group : groups) {
            batch.add(document(group, parameters));
            members += group.size();
            if (batch.size() >= BATCH || members >= BATCH_MEMBERS) {
                flush(batch);
                batch = new ArrayList<>();
                members = 0;
            }
        }
        flush(batch);
    }

    private void flush(List<IndexRequest> batch) {
        task.ensureNotCancelled();
        if (outcome.isStopped()) {
            return;
        }
        writes.write(batch, document -> document, (document, answer) -> task.written(1));
        task.step(batch.size());
    }

    private IndexRequest document(Group group, Map<String, Object> parameters) throws IOException {
        GroupReport report = GroupReport.of(group, table, Integer.MAX_VALUE);
        String routing = table.routing(group.survivor());
        // Under another routing there may be another document of that id.
        String name = parameters + "\n" + report.index() + "\n" + report.id() + (routing == null ? "" : "\n" + routing);
        String id =
                UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
        try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
            builder.startObject();
            builder.field("run", run);
            report.content(builder, ToXContent.EMPTY_PARAMS);
            builder.field("parameters", parameters);
            builder.endObject();
            return BulkWrites.asItIs(new IndexRequest(options.dest()).id(id).source(builder));
        }
    }
}
