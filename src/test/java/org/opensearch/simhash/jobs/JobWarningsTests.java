/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.TotalHits;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchResponse.Clusters;
import org.opensearch.action.search.SearchResponseSections;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.TestTask;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.FilterClient;

/** A job says what it may not have found. It ends as it would if nobody could say so. */
public class JobWarningsTests extends DeletingTestCase {

    public void testASearchForAWarningFailsNoJob() throws IOException {
        fill(Settings.EMPTY);
        client().prepareIndex("others")
                .setId("5")
                .setSource(Map.of("title", "without a fingerprint"))
                .get();
        client().admin().indices().prepareRefresh("others").get();
        JobResponse whole = run("{}", Float.POSITIVE_INFINITY, 100, INDEX, "others");
        String without = "no document has a fingerprint in [simhash] in [others=1]";
        assertTrue(whole.toString(), whole.warnings().getFirst().startsWith(without));
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search && isForWarning(search)) {
                throw new IllegalArgumentException("as told");
            }
            return null;
        });
        JobResponse response = run("{}", Float.POSITIVE_INFINITY, 100, INDEX, "others");
        assertEquals(whole.count("duplicates"), response.count("duplicates"));
        assertFalse(response.toString(), response.warnings().toString().contains(without));
    }

    public void testAnIndexOfAnotherSchemeIsNamed() throws IOException {
        fill(Settings.EMPTY);
        for (String id : List.of("5", "6")) {
            Map<String, Object> print = new HashMap<>(given(0));
            print.put("scheme", "given-b");
            client().prepareIndex("others")
                    .setId(id)
                    .setSource(Map.of("simhash", print))
                    .get();
        }
        client().admin().indices().prepareRefresh("others").get();
        JobResponse response = run("{}", Float.POSITIVE_INFINITY, 100, INDEX, "others");
        assertEquals(response.toString(), 2, response.warnings().size());
        assertEquals(
                "no document has a fingerprint in [simhash] of the scheme [given-a] in [others=2]: these documents are near none"
                        + " of this scheme; GET /_plugins/_simhash/check/others says why",
                response.warnings().getLast());
    }

    /** Of many documents a query that selects few would take as many random numbers as there are documents. */
    public void testOfALargeIndexAFewDocumentsAreNotDrawn() {
        createIndex(INDEX);
        SearchHits many = new SearchHits(new SearchHit[0], new TotalHits(200_000_000, TotalHits.Relation.EQUAL_TO), 0);
        Client large = new FilterClient(client()) {
            @Override
            @SuppressWarnings("unchecked")
            protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                    ActionType<Response> action, Request request, ActionListener<Response> listener) {
                if (request instanceof SearchRequest) {
                    SearchResponseSections counted = new SearchResponseSections(many, null, null, false, null, null, 1);
                    listener.onResponse((Response) new SearchResponse(
                            counted, null, 1, 1, 0, 1, ShardSearchFailure.EMPTY_ARRAY, Clusters.EMPTY));
                } else {
                    super.doExecute(action, request, listener);
                }
            }
        };
        try (PointInTime pointInTime = PointInTime.open(
                new String[] {INDEX},
                SearchRequest.DEFAULT_INDICES_OPTIONS,
                large,
                getInstanceFromNode(NamedWriteableRegistry.class),
                getInstanceFromNode(ClusterService.class),
                new Retries(() -> {}))) {
            JobRun run = new JobRun(null, TestTask.create(), large, null, null, null, pointInTime, null);
            QueryBuilder few = new MatchAllQueryBuilder();
            assertSame(few, ChancePairs.drawn(run, few, 399_000, 200));
            assertNotSame(few, ChancePairs.drawn(run, few, 400_000, 200));
        }
    }

    private static boolean isForWarning(SearchRequest search) {
        return search.source().aggregations() != null
                && search.source().aggregations().getAggregatorFactories().stream()
                        .anyMatch(aggregation -> aggregation.getName().equals("indices"));
    }
}
