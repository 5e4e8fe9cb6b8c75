/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.core.groups.GroupNames;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.groups.GroupReport;

/**
 * A group as it is stored: its report, and the version of each document, which a later write checks.
 *
 * @param names the ids of groups in their documents; null if these get none
 * @param asked rejected pairs that are in the group again, because a text has changed
 * @param id made of the parameters and the survivor
 * @param columns of all documents; null before these are read
 * @param versions a hash of the ids and fingerprints of all documents; null before these are read
 */
record GroupDocument(
        Group group,
        DocumentTable table,
        Map<String, Object> parameters,
        GroupNames names,
        List<String> fingerprints,
        List<RejectedPair> asked,
        String id,
        ShownColumns columns,
        String versions) {

    static GroupDocument of(
            Group group,
            DocumentTable table,
            Map<String, Object> parameters,
            GroupNames names,
            List<RejectedPair> asked) {
        int survivor = group.survivor();
        String routing = table.routing(survivor);
        // An id may exist once per routing.
        String name = parameters + "\n" + table.indexOf(survivor) + "\n" + table.id(survivor)
                + (routing == null ? "" : "\n" + routing);
        return new GroupDocument(group, table, parameters, names, List.of(), asked, id(name), null, null);
    }

    /** The same for equal names, so that a job with the same parameters replaces what it has written. */
    static String id(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    GroupDocument with(List<String> read, ShownColumns shown) {
        int[] ranks = group.ranks().toArray();
        String texts =
                versions(IntStream.range(0, ranks.length).mapToObj(i -> version(table.id(ranks[i]), read.get(i))));
        return new GroupDocument(group, table, parameters, names, read, asked, id, shown, texts);
    }

    /** In whatever order, and in whatever indices. */
    private static String versions(Stream<String> documents) {
        MessageDigest hash = MessageDigests.sha256();
        documents.sorted().forEach(version -> hash.update(version.getBytes(StandardCharsets.UTF_8)));
        return MessageDigests.toHexString(hash.digest());
    }

    private static String version(Object id, Object fingerprint) {
        return id + "\n" + fingerprint + "\n";
    }

    static String versionsWithoutRejected(Map<String, Object> stored) {
        Set<?> rejected = GroupMapping.rejected(stored);
        Stream<?> members = GroupMapping.members(stored).stream()
                .filter(member ->
                        member instanceof Map<?, ?> document && rejected.contains(document.get("id")) == false);
        return versions(Stream.concat(Stream.of(stored.get(GroupMapping.SURVIVOR)), members)
                .filter(Map.class::isInstance)
                .map(Map.class::cast)
                .map(document -> version(document.get("id"), document.get(GroupMapping.FINGERPRINT))));
    }

    /** Where a document of a decision is now: its index may have another name. */
    Object placed(Object chosen) {
        Map<?, ?> place = chosen instanceof Map<?, ?> map ? map : Map.of();
        int[] ranks = group.ranks()
                .filter(rank -> table.id(rank).equals(place.get("id")))
                .toArray();
        boolean isThere =
                Arrays.stream(ranks).anyMatch(rank -> table.indexOf(rank).equals(place.get("index")));
        if (ranks.length == 0 || isThere) {
            return chosen;
        }
        Map<String, Object> now = new HashMap<>(Map.of("index", table.indexOf(ranks[0]), "id", table.id(ranks[0])));
        now.computeIfAbsent("routing", any -> table.routing(ranks[0]));
        return now;
    }

    /**
     * The request that writes it.
     *
     * @param runAt when the run began to write, in milliseconds since 1970
     */
    IndexRequest request(String dest, String run, long runAt, StoredDecision there) {
        try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
            builder.startObject();
            builder.field(GroupMapping.RUN, run);
            builder.field(GroupMapping.RUN_AT, Instant.ofEpochMilli(runAt).toString());
            builder.field(GroupMapping.GROUP, id);
            if (names != null) {
                builder.field(GroupMapping.NAME, names.of(group.survivor()));
                ids(builder, GroupMapping.MERGED_FROM, names.mergedFrom(group));
                ids(builder, GroupMapping.SPLIT_FROM, names.splitFrom(group));
            }
            builder.field(
                    GroupMapping.SURVIVOR,
                    guarded(GroupReport.place(group.survivor(), table), group.survivor(), fingerprints.getFirst()));
            for (Map.Entry<String, Object> measure : GroupReport.measures(group).entrySet()) {
                builder.field(measure.getKey(), measure.getValue());
            }
            builder.startArray(GroupMapping.MEMBERS);
            for (int i = 0; i < group.members().length; i++) {
                builder.map(guarded(GroupReport.member(group, i, table), group.members()[i], fingerprints.get(i + 1)));
            }
            builder.endArray();
            builder.field(GroupMapping.VERSIONS, versions);
            for (Map.Entry<String, Object> kept : there.kept(this).entrySet()) {
                builder.field(kept.getKey(), kept.getValue());
            }
            columns.write(builder, group.ranks());
            builder.field(GroupMapping.PARAMETERS, parameters);
            builder.endObject();
            return BulkWrites.asItIs(there.guard(new IndexRequest(dest).id(id).source(builder)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void ids(XContentBuilder builder, String field, List<String> ids) throws IOException {
        if (ids.isEmpty() == false) {
            builder.field(field, ids);
        }
    }

    private Map<String, Object> guarded(Map<String, Object> document, int rank, String fingerprint) {
        if (table.routing(rank) != null) {
            document.put("routing", table.routing(rank));
        }
        document.put("index_uuid", table.index(rank).getUUID());
        document.put("seq_no", table.sequenceNumber(rank));
        document.put("primary_term", table.primaryTerm(rank));
        document.put(GroupMapping.FINGERPRINT, fingerprint);
        return document;
    }
}
