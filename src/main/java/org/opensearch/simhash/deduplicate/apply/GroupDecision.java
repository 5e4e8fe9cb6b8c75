/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.simhash.deduplicate.write.GroupMapping;

/**
 * What to do about a group.
 *
 * @param survivor the chosen one, else that of the job
 * @param duplicates to tag or delete
 * @param rejected members that are no duplicates
 */
record GroupDecision(Version survivor, List<Version> duplicates, List<Version> rejected) {

    /** A document as the job read it. The routing is null if the id routes it. */
    record Version(String index, String id, String routing, String indexUuid, long sequenceNumber, long primaryTerm) {

        private static Version of(Object stored) {
            if (stored instanceof Map<?, ?> document
                    && document.get("index") instanceof String index
                    && document.get("id") instanceof String id
                    && document.get("index_uuid") instanceof String uuid
                    && document.get("seq_no") instanceof Number sequenceNumber
                    && document.get("primary_term") instanceof Number primaryTerm) {
                Object routing = document.get("routing");
                return new Version(
                        index,
                        id,
                        Objects.toString(routing, null),
                        uuid,
                        sequenceNumber.longValue(),
                        primaryTerm.longValue());
            }
            throw new IllegalArgumentException(
                    "the group does not say which versions of its documents the job read: run" + " the job again");
        }

        private boolean isAt(Map<?, ?> place) {
            return index.equals(place.get("index"))
                    && id.equals(place.get("id"))
                    && Objects.equals(routing, place.get("routing"));
        }
    }

    /**
     * Reads a stored group.
     *
     * @throws IllegalArgumentException if it cannot be applied
     */
    static GroupDecision of(Map<String, Object> group) {
        List<Version> documents = new ArrayList<>();
        documents.add(Version.of(group.get(GroupMapping.SURVIVOR)));
        if (group.get(GroupMapping.MEMBERS) instanceof List<?> members) {
            members.forEach(member -> documents.add(Version.of(member)));
        }
        Version survivor = chosen(group.get(GroupMapping.CHOSEN_SURVIVOR), documents);
        Set<String> ids = rejectedIds(group.get(GroupMapping.REJECTED));
        List<Version> duplicates = new ArrayList<>();
        List<Version> rejected = new ArrayList<>();
        for (Version document : documents) {
            if (document.equals(survivor) == false) {
                (ids.contains(document.id) ? rejected : duplicates).add(document);
            }
        }
        return new GroupDecision(survivor, duplicates, rejected);
    }

    private static Version chosen(Object chosen, List<Version> documents) {
        if (chosen == null) {
            return documents.getFirst();
        }
        return documents.stream()
                .filter(document -> chosen instanceof Map<?, ?> place && document.isAt(place))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "[" + GroupMapping.CHOSEN_SURVIVOR + "] must be a document of the group, got: " + chosen));
    }

    private static Set<String> rejectedIds(Object rejected) {
        Set<String> ids = new TreeSet<>();
        if (rejected instanceof List<?> several) {
            several.forEach(id -> ids.add(String.valueOf(id)));
        } else if (rejected != null) {
            ids.add(rejected.toString());
        }
        return ids;
    }
}
