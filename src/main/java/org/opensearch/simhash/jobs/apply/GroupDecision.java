/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.apply.ApplyOptions.Only;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.simhash.jobs.write.TextPrints;

/** What to do about a group. What is unknown or of another form is never read as consent. */
record GroupDecision(
        GroupVersion group,
        boolean isChosen,
        Version survivor,
        boolean isOtherSurvivor,
        List<Version> duplicates,
        List<Version> rejected) {

    record GroupVersion(String index, String id, long sequenceNumber, long primaryTerm) {

        static GroupVersion of(SearchHit hit) {
            return new GroupVersion(hit.getIndex(), hit.getId(), hit.getSeqNo(), hit.getPrimaryTerm());
        }
    }

    /**
     * A document as the job read it. The routing is null if the id routes it.
     *
     * @param text what it said of its text, by which it is known in another index, and in one that was made again under this name
     */
    record Version(
            String index,
            String id,
            String routing,
            String indexUuid,
            long sequenceNumber,
            long primaryTerm,
            String text) {

        private static Version of(Object stored, UnaryOperator<String> places) {
            if (stored instanceof Map<?, ?> document
                    && document.get("index") instanceof String index
                    && document.get("id") instanceof String id
                    && document.get("index_uuid") instanceof String uuid
                    && document.get("seq_no") instanceof Number sequenceNumber
                    && document.get("primary_term") instanceof Number primaryTerm) {
                Object routing = document.get("routing");
                return new Version(
                        places.apply(index),
                        id,
                        Objects.toString(routing, null),
                        uuid,
                        sequenceNumber.longValue(),
                        primaryTerm.longValue(),
                        String.valueOf(document.get(GroupMapping.FINGERPRINT)));
            }
            throw new IllegalArgumentException(
                    "the group does not say which versions of its documents the job read: run the job again");
        }

        boolean is(SearchHit hit, TextPrints prints) {
            return isIn(hit.getShard().getShardId().getIndex().getUUID())
                    ? sequenceNumber == hit.getSeqNo() && primaryTerm == hit.getPrimaryTerm()
                    : Boolean.TRUE.equals(prints.isStill(text, hit));
        }

        boolean isIn(String uuid) {
            return indexUuid.equals(uuid);
        }

        /** Where it is now: two that were in different indices may be one. */
        List<String> place() {
            return Arrays.asList(index, id, routing);
        }

        private boolean isAt(Map<?, ?> place, UnaryOperator<String> places) {
            return index.equals(places.apply(String.valueOf(place.get("index"))))
                    && id.equals(place.get("id"))
                    && Objects.equals(routing, place.get("routing"));
        }
    }

    /**
     * Reads a stored group.
     *
     * @param places the index in which the documents of an index are now
     */
    static GroupDecision of(SearchHit hit, Only only, UnaryOperator<String> places) {
        Map<String, Object> group = hit.getSourceAsMap();
        Object decision = group.get(GroupMapping.DECISION_NAME);
        if (decision != null && GroupMapping.DECISIONS.contains(decision) == false) {
            throw new IllegalArgumentException("[" + GroupMapping.DECISION_NAME + "] must be one of "
                    + GroupMapping.DECISIONS + ", got: " + decision);
        }
        boolean isChosen = switch (only) {
            case ACCEPTED -> GroupMapping.ACCEPTED.equals(decision);
            case NOT_REJECTED -> GroupMapping.REJECTED_GROUP.equals(decision) == false;
        };
        List<Version> documents = new ArrayList<>();
        documents.add(Version.of(group.get(GroupMapping.SURVIVOR), places));
        GroupMapping.members(group).forEach(member -> documents.add(Version.of(member, places)));
        Version survivor = chosen(group.get(GroupMapping.CHOSEN_SURVIVOR), documents, places);
        Set<String> ids = rejectedIds(group.get(GroupMapping.REJECTED));
        requireMembers(ids, survivor, documents);
        List<Version> duplicates = new ArrayList<>();
        List<Version> rejected = new ArrayList<>();
        for (Version document : documents) {
            if (document.place().equals(survivor.place()) == false) {
                (ids.contains(document.id) ? rejected : duplicates).add(document);
            }
        }
        return new GroupDecision(
                GroupVersion.of(hit),
                isChosen,
                survivor,
                survivor.equals(documents.getFirst()) == false,
                duplicates,
                rejected);
    }

    Stream<Version> documents() {
        return Stream.of(List.of(survivor), duplicates, rejected).flatMap(List::stream);
    }

    GroupDecision with(List<Version> unchanged) {
        return new GroupDecision(group, isChosen, survivor, isOtherSurvivor, unchanged, rejected);
    }

    private static Version chosen(Object chosen, List<Version> documents, UnaryOperator<String> places) {
        if (chosen == null) {
            return documents.getFirst();
        }
        return documents.stream()
                .filter(document -> chosen instanceof Map<?, ?> place && document.isAt(place, places))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "[" + GroupMapping.CHOSEN_SURVIVOR + "] must be a document of the group, got: " + chosen));
    }

    private static Set<String> rejectedIds(Object rejected) {
        Set<String> ids = new TreeSet<>();
        if (rejected == null) {
            return ids;
        }
        // One value and a list of it are the same to OpenSearch.
        for (Object id : rejected instanceof List<?> several ? several : List.of(rejected)) {
            if (id instanceof String string) {
                ids.add(string);
            } else {
                throw new IllegalArgumentException(
                        "[" + GroupMapping.REJECTED + "] must be a list of ids, got: " + rejected);
            }
        }
        return ids;
    }

    /** A mistyped id would end the document that somebody wants to keep. */
    private static void requireMembers(Set<String> rejected, Version survivor, List<Version> documents) {
        Set<String> unknown = new TreeSet<>(rejected);
        documents.stream()
                .filter(document -> document.equals(survivor) == false)
                .forEach(member -> unknown.remove(member.id));
        if (unknown.isEmpty() == false) {
            throw new IllegalArgumentException("[" + GroupMapping.REJECTED
                    + "] must name members of the group other than its survivor, got: " + unknown);
        }
    }
}
