/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;

/**
 * What a group's document says before a run replaces it. A decision holds only for the texts that somebody has read. If documents
 * or versions changed, it is kept as an earlier one.
 *
 * @param fields of the decision; empty without a document
 * @param rejected pairs that it rejects, to be kept in the new document
 * @param versionsWithoutRejected those of the group without its rejected members; null if it has none, or that is not known
 * @param sequenceNumber negative without a document
 */
record StoredDecision(
        Map<String, Object> fields,
        List<Map<String, Object>> rejected,
        String versionsWithoutRejected,
        long sequenceNumber,
        long primaryTerm) {

    static final StoredDecision NONE = new StoredDecision(Map.of(), List.of(), null, -1, -1);

    static StoredDecision of(GetResponse group) {
        if (group.isExists() == false) {
            return NONE;
        }
        Map<String, Object> source = group.isSourceEmpty() ? Map.of() : group.getSourceAsMap();
        return new StoredDecision(source, List.of(), null, group.getSeqNo(), group.getPrimaryTerm());
    }

    /** What a whole group says, with all its fields. */
    static StoredDecision ofWhole(GetResponse group) {
        if (group.isExists() == false) {
            return NONE;
        }
        Map<String, Object> whole = group.getSourceAsMap();
        return of(whole, RejectedPair.decidedIn(whole), group.getSeqNo(), group.getPrimaryTerm());
    }

    /** A decision about documents that are in another index now. Its pairs stay where they are. */
    static StoredDecision moved(Map<String, Object> group) {
        StoredDecision moved = of(group, List.of(), -1, -1);
        moved.fields.keySet().removeAll(GroupMapping.KEPT_PAIRS);
        return moved;
    }

    private static StoredDecision of(
            Map<String, Object> group, List<RejectedPair> rejected, long sequenceNumber, long primaryTerm) {
        Map<String, Object> fields = new HashMap<>(group);
        fields.keySet().retainAll(GroupMapping.DECISION);
        List<Map<String, Object>> pairs =
                rejected.stream().map(RejectedPair::asMap).toList();
        String rest = GroupDocument.versionsWithoutRejected(group);
        return new StoredDecision(fields, pairs, rest, sequenceNumber, primaryTerm);
    }

    boolean hasRejected() {
        return RejectedPair.isDecidedIn(fields);
    }

    /** Whether there is a decision about other documents or versions. */
    boolean isOfOthers(GroupDocument group) {
        return GroupMapping.REJECTING.stream().anyMatch(part -> fields.get(part) != null)
                && Objects.equals(fields.get(GroupMapping.VERSIONS), group.versions()) == false
                && isRest(group) == false;
    }

    /** Whether these are the documents that its rejections left. */
    private boolean isRest(GroupDocument group) {
        return group.versions().equals(versionsWithoutRejected);
    }

    /** Whether the group is to be decided again. */
    boolean isAskedAgain(GroupDocument group) {
        return isOfOthers(group) || group.asked().isEmpty() == false;
    }

    @SuppressWarnings("unchecked") // from JSON
    Map<String, Object> kept(GroupDocument group) {
        Map<String, Object> kept = new HashMap<>(fields);
        kept.remove(GroupMapping.VERSIONS);
        kept.remove(GroupMapping.RUN);
        Map<String, Object> before =
                kept.get(GroupMapping.BEFORE) instanceof Map<?, ?> map ? (Map<String, Object>) map : new HashMap<>();
        if (isOfOthers(group)) {
            Map<String, Object> earlier = new HashMap<>(fields);
            earlier.keySet().retainAll(GroupMapping.OF_EARLIER);
            kept.keySet().retainAll(GroupMapping.OF_PEOPLE);
            kept.put(GroupMapping.EARLIER, earlier);
        } else if (isRest(group)) {
            kept.remove(GroupMapping.REJECTED);
            before.remove(GroupMapping.REJECTED);
        }
        List.of(kept, before)
                .forEach(said ->
                        said.computeIfPresent(GroupMapping.CHOSEN_SURVIVOR, (name, chosen) -> group.placed(chosen)));
        List<Object> pairs = new ArrayList<>(rejected);
        if (fields.get(GroupMapping.REJECTED_PAIRS) instanceof List<?> earlier) {
            pairs.addAll(earlier);
        }
        if (pairs.isEmpty() == false) {
            kept.put(GroupMapping.REJECTED_PAIRS, pairs.stream().distinct().toList());
        }
        if (group.asked().isEmpty() == false) {
            kept.put(GroupMapping.EARLIER, withAsked(kept.get(GroupMapping.EARLIER), group.asked()));
        }
        return kept;
    }

    private static Map<String, Object> withAsked(Object before, List<RejectedPair> asked) {
        Map<String, Object> earlier = new HashMap<>();
        Set<Object> ids = new LinkedHashSet<>();
        if (before instanceof Map<?, ?> fields) {
            fields.forEach((name, value) -> earlier.put(String.valueOf(name), value));
            Object rejected = earlier.get(GroupMapping.REJECTED);
            ids.addAll(rejected instanceof List<?> list ? list : rejected == null ? List.of() : List.of(rejected));
        }
        for (RejectedPair pair : asked) {
            pair.putDecision(earlier);
            ids.add(pair.member().id());
        }
        earlier.put(GroupMapping.REJECTED, List.copyOf(ids));
        return earlier;
    }

    /** Makes the write fail if somebody has decided meanwhile. */
    IndexRequest guard(IndexRequest request) {
        return sequenceNumber < 0
                ? request.create(true)
                : request.setIfSeqNo(sequenceNumber).setIfPrimaryTerm(primaryTerm);
    }
}
