/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.job.JobResponse;

/** A rejection that took effect in the documents, and is taken back on the page. */
public class TakenBackTests extends DeletingTestCase {

    private static final String REPORT = "{\"dest\":{\"index\":\"groups\"}}";
    private static final String TAG = "{\"action\":\"tag\",\"dest\":{\"index\":\"groups\"}}";

    private void put(String id) {
        client().prepareIndex(INDEX)
                .setId(id)
                .setSource(Map.of("simhash", given(0)))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private Object names(String id) {
        return ((Map<?, ?>)
                        client().prepareGet(INDEX, id).get().getSourceAsMap().get("simhash"))
                .get("apart");
    }

    private JobResponse job(String options) throws IOException {
        JobResponse response = run(options, Float.POSITIVE_INFINITY, 100);
        assertEquals(response.toString(), List.of(), response.failures());
        client().admin().indices().prepareRefresh().get();
        return response;
    }

    private void decide(String run, String decision, String... rejected) {
        SearchHit group = client().prepareSearch("groups")
                .setQuery(QueryBuilders.termQuery("run", run))
                .seqNoAndPrimaryTerm(true)
                .get()
                .getHits()
                .getAt(0);
        Map<String, Object> body = new HashMap<>();
        body.put("index", "groups");
        body.put("group", group.getId());
        body.put("if_seq_no", group.getSeqNo());
        body.put("if_primary_term", group.getPrimaryTerm());
        body.put("decision", decision);
        body.put("rejected", List.of(rejected));
        client().execute(DecideAction.INSTANCE, new DecideAction.Request("groups", body))
                .actionGet();
        client().admin().indices().prepareRefresh("groups").get();
    }

    private String reported(String... ids) throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        for (String id : ids) {
            put(id);
        }
        return job(REPORT).run();
    }

    public void testItGoesFromTheDocumentsWithTheNextTags() throws IOException {
        String run = reported("a", "b");
        decide(run, "rejected");
        assertEquals(1, job(TAG).count("kept_apart"));
        assertEquals(List.of("b"), names("a"));
        decide(run, "skipped");
        assertEquals("people look at it again", 1, job(REPORT).count("groups"));
        assertEquals("a report writes nothing", List.of("b"), names("a"));
        JobResponse tagged = job(TAG);
        assertEquals(tagged.toString(), 1, tagged.count("tagged"));
        assertEquals(List.of(), names("a"));
        assertEquals(List.of(), names("b"));
        assertEquals(0, job("{}").count("kept_apart"));
    }

    public void testWhoRejectsAgainKeepsThemApart() throws IOException {
        String run = reported("a", "b");
        decide(run, "rejected");
        job(TAG);
        decide(run, null);
        decide(run, "rejected");
        JobResponse tagged = job(TAG);
        assertEquals(tagged.toString(), List.of(1L, 0L), List.of(tagged.count("kept_apart"), tagged.count("grouped")));
        assertEquals(List.of("b"), names("a"));
    }

    public void testAllThatWasTakenBackGoes() throws IOException {
        String run = reported("a", "b", "c");
        decide(run, "accepted", "b", "c");
        job(TAG);
        assertEquals(List.of("b", "c"), names("a"));
        decide(run, "accepted", "c");
        decide(run, "accepted");
        job(TAG);
        assertEquals(List.of(), names("a"));
        assertEquals(0, job("{}").count("kept_apart"));
    }

    public void testARejectionWithoutADecisionGoesToo() throws IOException {
        String run = reported("a", "b");
        decide(run, null, "b");
        job(TAG);
        assertEquals(List.of("b"), names("a"));
        decide(run, null);
        job(TAG);
        assertEquals(List.of(), names("a"));
    }

    public void testItGoesFromTheDocumentsOfAGroupThatHasChangedSince() throws IOException {
        String run = reported("a", "b");
        decide(run, "rejected");
        job(TAG);
        assertEquals(List.of("b"), names("a"));
        decide(run, "skipped");
        put("c");
        JobResponse report = job(REPORT);
        assertEquals(report.toString(), 2, report.count("duplicates"));
        job(TAG);
        assertEquals(List.of(), names("a"));
    }
}
