/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.deduplicate.join.Group;

/**
 * Writes one document per group. Its id follows from the parameters and the survivor: the same run again replaces its own groups.
 */
final class GroupIndex {

    private static final int BATCH = 500;
    private static final int BATCH_MEMBERS = 20_000;

    private final DeduplicateOptions options;
    private final String run;
    private final DocumentTable table;
    private final BulkWrites writes;
    private final DeduplicateTask task;

    GroupIndex(JobWrites job) {
        this.options = job.run().options();
        this.run = job.runId();
        this.table = job.table();
        this.writes = job.bulks();
        this.task = job.run().task();
    }

    void write(List<Group> groups) throws IOException {
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
        writes.write(batch, document -> document, (document, answer) -> task.written(1));
    }

    private IndexRequest document(Group group, Map<String, Object> parameters) throws IOException {
        GroupReport report = report(group, table, Integer.MAX_VALUE);
        String name = parameters + "\n" + report.index() + "\n" + report.id();
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

    /** A group with at most so many members. */
    static GroupReport report(Group group, DocumentTable table, int most) {
        List<GroupReport.Member> members = new ArrayList<>();
        for (int i = 0; i < Math.min(most, group.members().length); i++) {
            int member = group.members()[i];
            members.add(new GroupReport.Member(
                    table.indexOf(member), table.id(member), group.distances()[i], group.similarities()[i]));
        }
        return new GroupReport(table.indexOf(group.survivor()), table.id(group.survivor()), group.size(), members);
    }
}
