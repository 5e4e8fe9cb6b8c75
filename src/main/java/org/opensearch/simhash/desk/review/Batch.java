/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.GroupMapping;

/** Takes the next open groups that nobody has, for an hour: each by a write that fails if anybody else has written meanwhile. */
record Batch(GroupChoice choice, int count) {

    private static final int MOST = 100;

    /** Null if the body is not about a batch. */
    static Batch of(Map<String, Object> body) {
        if (body.containsKey("batch") == false) {
            return null;
        }
        Map<String, Object> filter = new LinkedHashMap<>(body);
        int count = TypedNumber.whole("[batch] must be a whole number", String.valueOf(filter.remove("batch")));
        TypedNumber.requireBetween("batch", 1, MOST, count);
        filter.putIfAbsent("decision", "open");
        Object claimedBy = filter.put("claimed_by", "");
        if (claimedBy != null && claimedBy.equals("") == false) {
            throw new IllegalArgumentException(
                    "[batch] takes groups that nobody has, and stands without [claimed_by], got: " + claimedBy);
        }
        return new Batch(GroupChoice.of(filter), count);
    }

    JsonResponse claim(StoredGroups stored, String[] dest, String by) {
        String run = stored.run(dest, choice);
        Instant until = Instant.now().plusSeconds(3_600).truncatedTo(ChronoUnit.SECONDS);
        Map<String, Object> claim = new LinkedHashMap<>();
        claim.put(GroupMapping.CLAIMED_BY, by);
        claim.put(GroupMapping.CLAIMED_UNTIL, until.toString());
        List<Map<String, Object>> groups = new ArrayList<>();
        Object[] after = null;
        for (boolean isEnd = run == null; isEnd == false && groups.size() < count; ) {
            StoredGroups.Found found = stored.next(dest, run, choice, after, MOST, StoredGroups.MOST_DOCUMENTS, false);
            for (SearchHit hit : found.hits()) {
                after = hit.getSortValues();
            }
            take(stored, found.hits(), claim, groups);
            isEnd = found.isEnd() || (found.hits().length < MOST && groups.isEmpty() == false);
        }
        Map<String, Object> answer = new LinkedHashMap<>(claim);
        answer.put("run", run);
        answer.put("groups", groups);
        return new JsonResponse(answer);
    }

    /** As many as are still wanted. A search may be a second late: what was written meanwhile is left alone. */
    private void take(
            StoredGroups stored, SearchHit[] hits, Map<String, Object> claim, List<Map<String, Object>> groups) {
        for (int from = 0; from < hits.length && groups.size() < count; ) {
            int to = Math.min(hits.length, from + count - groups.size());
            BulkRequest bulk = new BulkRequest();
            for (SearchHit hit : List.of(hits).subList(from, to)) {
                bulk.add(new UpdateRequest(hit.getIndex(), hit.getId())
                        .doc(claim)
                        .setIfSeqNo(hit.getSeqNo())
                        .setIfPrimaryTerm(hit.getPrimaryTerm()));
            }
            BulkItemResponse[] answers = stored.client().bulk(bulk).actionGet().getItems();
            for (int i = 0; i < answers.length; i++) {
                if (answers[i].isFailed() == false) {
                    Map<String, Object> source = hits[from + i].getSourceAsMap();
                    source.putAll(claim);
                    groups.add(StoredGroups.group(
                            answers[i].getIndex(),
                            answers[i].getId(),
                            answers[i].getResponse().getSeqNo(),
                            answers[i].getResponse().getPrimaryTerm(),
                            source));
                } else if (BulkWrites.isConflict(answers[i]) == false) {
                    throw ExceptionsHelper.convertToOpenSearchException(
                            answers[i].getFailure().getCause());
                }
            }
            from = to;
        }
    }
}
