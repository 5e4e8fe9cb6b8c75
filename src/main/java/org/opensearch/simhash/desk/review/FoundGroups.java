/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.UUIDs;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.write.GroupMapping;

/**
 * One decision about all groups of a filter, or the way back from it.
 *
 * @param typed the decision, and a note; null for the way back
 * @param id of the request; null for the way back
 * @param isDryRun whether they are only counted
 */
record FoundGroups(GroupChoice choice, Map<String, Object> typed, String id, boolean isDryRun) {

    /** Null if the body names its groups. */
    @SuppressWarnings("unchecked") // from JSON
    static FoundGroups of(Map<String, Object> body) {
        boolean isBack = body.containsKey("undo");
        if (isBack == false && body.containsKey("query") == false) {
            return null;
        }
        Map<String, Object> typed = new LinkedHashMap<>(body);
        Object query = typed.remove("query");
        boolean isDryRun = Decision.flag(typed, "dry_run");
        typed.remove("dry_run");
        if (isBack) {
            if (query != null || Decision.string(typed, "undo").isEmpty()) {
                throw new IllegalArgumentException(
                        "[undo] must be that of an answer, and stand without [query], got: " + body);
            }
            typed.put("decided_in", typed.remove("undo"));
            return new FoundGroups(GroupChoice.of(typed), null, null, isDryRun);
        }
        if (query instanceof String == false && query instanceof Map == false) {
            throw new IllegalArgumentException("[query] must be an object or a string, got: " + query);
        }
        if (typed.containsKey("decision") == false
                || List.of("decision", "note", "take").containsAll(typed.keySet()) == false) {
            throw new IllegalArgumentException(
                    "[query] takes [decision], and [note], [take] and [dry_run], got: " + typed.keySet());
        }
        Map<String, Object> one = new HashMap<>(Map.of("index", "", "group", "", "if_seq_no", 0, "if_primary_term", 0));
        one.putAll(typed);
        Decision.of(one, null); // What fails here fails for each group.
        Map<String, Object> filter = query instanceof Map<?, ?> ? (Map<String, Object>) query : Map.of("q", query);
        return new FoundGroups(GroupChoice.of(filter), typed, UUIDs.base64UUID(), isDryRun);
    }

    /** What a group gets: what was said of its members stays. */
    Decision decision(SearchHit hit) {
        Map<String, Object> source = hit.getSourceAsMap();
        boolean isBack = typed == null && source.get(GroupMapping.BEFORE) instanceof Map<?, ?>;
        Map<?, ?> members = isBack ? (Map<?, ?>) source.get(GroupMapping.BEFORE) : source;
        Map<String, Object> one = new HashMap<>();
        GroupMapping.REJECTING.forEach(name -> one.put(name, members.get(name)));
        one.putAll(typed == null ? Map.of() : typed);
        one.put("index", hit.getIndex());
        one.put("group", hit.getId());
        one.put("if_seq_no", hit.getSeqNo());
        one.put("if_primary_term", hit.getPrimaryTerm());
        return Decision.of(one, id);
    }
}
