/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;

/**
 * What a group's document says before a run replaces it. A decision holds only for the texts that somebody has read. If documents
 * or versions changed, it is kept as an earlier one.
 *
 * @param fields of the decision; empty without a document
 * @param sequenceNumber negative without a document
 */
record StoredDecision(Map<String, Object> fields, long sequenceNumber, long primaryTerm) {

    private static final List<String> PARTS =
            List.of(GroupMapping.DECISION_NAME, GroupMapping.REJECTED, GroupMapping.CHOSEN_SURVIVOR);

    static final StoredDecision NONE = new StoredDecision(Map.of(), -1, -1);

    static StoredDecision of(GetResponse group) {
        if (group.isExists() == false) {
            return NONE;
        }
        Map<String, Object> source = group.isSourceEmpty() ? Map.of() : group.getSourceAsMap();
        return new StoredDecision(source, group.getSeqNo(), group.getPrimaryTerm());
    }

    /** Whether there is a decision about other documents or versions. */
    boolean isOfOthers(GroupDocument group) {
        return PARTS.stream().anyMatch(part -> fields.get(part) != null) && isOf(group) == false;
    }

    private boolean isOf(GroupDocument group) {
        return Objects.equals(fields.get(GroupMapping.VERSIONS), group.versions());
    }

    /** The fields for the new document. */
    Map<String, Object> kept(GroupDocument group) {
        Map<String, Object> kept = new HashMap<>(fields);
        kept.remove(GroupMapping.VERSIONS);
        kept.remove(GroupMapping.RUN);
        if (isOfOthers(group)) {
            Map<String, Object> earlier = new HashMap<>(fields);
            earlier.remove(GroupMapping.EARLIER);
            earlier.remove(GroupMapping.VERSIONS);
            kept.clear();
            kept.put(GroupMapping.EARLIER, earlier);
        }
        return kept;
    }

    /** Makes the write fail if somebody has decided meanwhile. */
    IndexRequest guard(IndexRequest request) {
        return sequenceNumber < 0
                ? request.create(true)
                : request.setIfSeqNo(sequenceNumber).setIfPrimaryTerm(primaryTerm);
    }
}
