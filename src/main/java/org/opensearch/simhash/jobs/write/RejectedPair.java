/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.groups.DocumentTable;

/**
 * Two documents of which somebody said that they are no duplicates: a member of a group, and its survivor at that time. It is known
 * by the fingerprints that the run saw. The group's document says so; a run that replaces that document keeps the pair in the new one.
 */
record RejectedPair(
        String field, DocumentPlace member, DocumentPlace survivor, Object decision, Object by, Object at, Object run) {

    /**
     * A document and what it was like.
     *
     * @param routing null if the id routes it
     */
    record DocumentPlace(String index, String id, String routing, String fingerprint) {

        /** Null for what is no such document. */
        static DocumentPlace of(Object stored) {
            return stored instanceof Map<?, ?> document
                            && document.get("index") instanceof String index
                            && document.get("id") instanceof String id
                            && document.get(GroupMapping.FINGERPRINT) instanceof String fingerprint
                    ? new DocumentPlace(index, id, Objects.toString(document.get("routing"), null), fingerprint)
                    : null;
        }

        private Map<String, Object> asMap() {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("index", index);
            document.put("id", id);
            if (routing != null) {
                document.put("routing", routing);
            }
            document.put(GroupMapping.FINGERPRINT, fingerprint);
            return document;
        }

        boolean isAt(SearchHit hit) {
            return index.equals(hit.getIndex())
                    && id.equals(hit.getId())
                    && Objects.equals(routing, DocumentTable.routing(hit));
        }

        private boolean isAt(Object place) {
            return place instanceof Map<?, ?> named
                    && index.equals(named.get("index"))
                    && id.equals(named.get("id"))
                    && Objects.equals(routing, named.get("routing"));
        }
    }

    static final String[] FIELDS = {
        GroupMapping.REJECTED_PAIRS,
        GroupMapping.TAKEN_BACK,
        GroupMapping.SURVIVOR,
        GroupMapping.MEMBERS,
        GroupMapping.CHOSEN_SURVIVOR,
        GroupMapping.DECISION_NAME,
        GroupMapping.REJECTED,
        GroupMapping.DECIDED_BY,
        GroupMapping.DECIDED_AT,
        GroupMapping.RUN,
        GroupMapping.PARAMETERS + ".field"
    };

    /** Whether the decision about a group may reject pairs. */
    static boolean isDecidedIn(Map<String, Object> group) {
        return group.get(GroupMapping.REJECTED) != null
                || GroupMapping.REJECTED_GROUP.equals(group.get(GroupMapping.DECISION_NAME));
    }

    /** The rejected pairs of a group, and of earlier groups with its survivor. Leaves out what names no document. */
    static List<RejectedPair> of(Map<String, Object> group) {
        return withKept(GroupMapping.REJECTED_PAIRS, group, decidedIn(group));
    }

    /** With those in a field of a group. */
    static List<RejectedPair> withKept(String name, Map<String, Object> group, List<RejectedPair> pairs) {
        if (group.get(name) instanceof List<?> kept) {
            for (Object each : kept) {
                if (each instanceof Map<?, ?> pair) {
                    DocumentPlace member = DocumentPlace.of(pair.get("member"));
                    DocumentPlace survivor = DocumentPlace.of(pair.get("survivor"));
                    add(pair, member, survivor, pair.get("field"), pairs);
                }
            }
        }
        return pairs;
    }

    static List<RejectedPair> decidedIn(Map<String, Object> group) {
        List<RejectedPair> pairs = new ArrayList<>();
        if (isDecidedIn(group) == false) {
            return pairs;
        }
        List<DocumentPlace> documents = documents(group);
        Object chosen = group.get(GroupMapping.CHOSEN_SURVIVOR);
        DocumentPlace survivor = documents.stream()
                .filter(document -> document.isAt(chosen))
                .findFirst()
                .orElse(DocumentPlace.of(group.get(GroupMapping.SURVIVOR)));
        boolean areAll = GroupMapping.REJECTED_GROUP.equals(group.get(GroupMapping.DECISION_NAME));
        Object field = group.get(GroupMapping.PARAMETERS) instanceof Map<?, ?> job ? job.get("field") : null;
        Set<?> rejected = GroupMapping.rejected(group);
        for (DocumentPlace document : documents) {
            boolean isRejected = areAll || rejected.contains(document.id);
            if (isRejected && document.equals(survivor) == false) {
                add(group, document, survivor, field, pairs);
            }
        }
        return pairs;
    }

    /** The survivor, and the members. Leaves out what names no document. */
    static List<DocumentPlace> documents(Map<String, Object> group) {
        return Stream.concat(Stream.of(group.get(GroupMapping.SURVIVOR)), GroupMapping.members(group).stream())
                .map(DocumentPlace::of)
                .filter(Objects::nonNull)
                .toList();
    }

    private static void add(
            Map<?, ?> decision, DocumentPlace member, DocumentPlace survivor, Object field, List<RejectedPair> pairs) {
        if (member != null && survivor != null && field instanceof String object) {
            pairs.add(new RejectedPair(
                    object,
                    member,
                    survivor,
                    decision.get(GroupMapping.DECISION_NAME),
                    decision.get(GroupMapping.DECIDED_BY),
                    decision.get(GroupMapping.DECIDED_AT),
                    decision.get(GroupMapping.RUN)));
        }
    }

    Map<String, Object> asMap() {
        Map<String, Object> pair = new LinkedHashMap<>();
        pair.put("field", field);
        pair.put("member", member.asMap());
        pair.put("survivor", survivor.asMap());
        putDecision(pair);
        return pair;
    }

    void putDecision(Map<String, Object> fields) {
        putIfKnown(fields, GroupMapping.DECISION_NAME, decision);
        putIfKnown(fields, GroupMapping.DECIDED_BY, by);
        putIfKnown(fields, GroupMapping.DECIDED_AT, at);
        putIfKnown(fields, GroupMapping.RUN, run);
    }

    private static void putIfKnown(Map<String, Object> fields, String name, Object value) {
        if (value != null) {
            fields.putIfAbsent(name, value);
        }
    }
}
