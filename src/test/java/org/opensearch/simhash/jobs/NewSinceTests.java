/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Only what new documents are connected with is joined, also where digests have doc values, as by dynamic mapping. */
public class NewSinceTests extends DeletingTestCase {

    /** Documents 1 and 2 are near, and 3 and 4; 5 has the text of 2, by another recipe. */
    private void fill() {
        createIndex(INDEX);
        long[] bits = {0, 1, -1, -2, 0x0F0F_0F0F_0F0F_0F0FL};
        for (int i = 1; i <= bits.length; i++) {
            String digest = (i == 5 ? "2" : "" + i).repeat(32);
            Map<String, Object> simhash =
                    Map.of("bits", bits[i - 1], "scheme", i == 5 ? "v1-b" : "given-a", "digest", digest);
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", simhash))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    private JobResponse newAre(String ids) throws IOException {
        return run(
                "{\"linkage\":\"chain\",\"new_since\":{\"ids\":{\"values\":[" + ids + "]}}}",
                Float.POSITIVE_INFINITY,
                100);
    }

    public void testShardsSendWhatIsNearOrEqual() throws IOException {
        fill();
        JobResponse all = run("{\"linkage\":\"chain\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(3, all.count("pairs"));
        assertEquals(2, all.count("groups"));
        JobResponse response = newAre("\"2\"");
        assertEquals("those of the documents that were joined", 2, response.count("pairs"));
        assertEquals(1, response.count("groups"));
        assertEquals(3, response.count("largest_group"));
        assertEquals(5, response.count("fingerprinted"));
        response = newAre("\"4\"");
        assertEquals(1, response.count("pairs"));
        assertEquals(2, response.count("largest_group"));
    }

    /** The new document 4 is near 3 only; 1 and 2 are an older group that 3 connects with it. */
    private void fillChain() {
        createIndex(INDEX);
        put(1, 0);
        put(2, 0b111);
        put(3, 0b111_111);
        put(4, 0b111_111_111);
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    public void testAGroupWithoutANewDocumentIsLeftAsItIs() throws IOException {
        fillChain();
        String isNew = "\"new_since\":{\"ids\":{\"values\":[\"4\"]}}";
        for (String action : List.of(
                "{",
                "{\"action\":\"tag\",",
                "{\"dest\":{\"index\":\"groups\"},",
                "{\"action\":\"delete\",\"verify\":false,\"archive\":false,")) {
            JobResponse response = run(action + isNew + "}", Float.POSITIVE_INFINITY, 100);
            assertEquals(response.toString(), 1, response.count("groups"));
            assertEquals(1, response.count("duplicates"));
            assertEquals(action.contains("tag") ? 1 : 0, response.count("tagged"));
            assertEquals(0, response.count("cleared"));
        }
        assertEquals(
                1,
                client().prepareSearch("groups").get().getHits().getTotalHits().value());
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
    }

    /** Document 0 takes the survivor of an older group: what is tagged as its duplicate would name a duplicate. */
    public void testTagsStayTrueWhereANewDocumentTakesASurvivor() throws IOException {
        createIndex(INDEX);
        put(1, 0);
        put(2, 0b11);
        put(3, 0b11);
        client().admin().indices().prepareRefresh(INDEX).get();
        assertEquals(
                2, run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100).count("tagged"));
        put(0, 0b11100);
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse response =
                run("{\"action\":\"tag\",\"new_since\":{\"ids\":{\"values\":[\"0\"]}}}", Float.POSITIVE_INFINITY, 100);
        assertEquals(response.toString(), 1, response.count("groups"));
        assertEquals("1 is a duplicate of 0, and 3 of 2", 2, response.count("tagged"));
        assertEquals("2 is a survivor", 1, response.count("cleared"));
        assertEquals("2 and 3 are more, and keep the id", 1, response.count("groups_split"));
        assertEquals(0, response.count("groups_new") + response.count("groups_merged") + response.count("groups_gone"));
        JobResponse all = run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(0, all.count("tagged") + all.count("cleared"));
    }

    /** What is written meanwhile is compared with nothing of it. */
    public void testAnIndexThatARunDidNotReadIsNewToTheNext() throws IOException {
        String since = "{\"dest\":{\"index\":\"groups\"},\"new_since\":\"last\"}";
        for (boolean isClosed : new boolean[] {true, false}) {
            createIndex("docs-a");
            createIndex("docs-b");
            put("docs-a", "far", -1);
            put("docs-b", "old", 0);
            assertEquals(0, run(since, Float.POSITIVE_INFINITY, 100, "docs-*").count("groups"));
            put("docs-a", "late", 1);
            if (isClosed) {
                client().admin().indices().prepareClose("docs-b").get();
            }
            JobResponse without = run(since, Float.POSITIVE_INFINITY, 100, isClosed ? "docs-*" : "docs-a");
            assertEquals(List.of(2L, 0L), List.of(without.count("documents"), without.count("groups")));
            if (isClosed) {
                client().admin().indices().prepareOpen("docs-b").get();
                ensureGreen("docs-b");
            }
            assertEquals(1, run(since, Float.POSITIVE_INFINITY, 100, "docs-*").count("groups"));
            assertEquals(0, run(since, Float.POSITIVE_INFINITY, 100, "docs-*").count("groups"));
            client().admin().indices().prepareDelete("docs-*", "groups").get();
        }
    }

    public void testTheGroupsThatAreLookedAtAgainAreOnAccount() throws IOException {
        int groups = 400;
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping("simhash.group", "type=keyword", "simhash.duplicate_of", "type=keyword")
                .get();
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 0; i < groups; i++) {
            Map<String, Object> print = new HashMap<>(given(i * 0x123_4567_89AB_CDEFL));
            print.putAll(Map.of("group", "group" + i, "duplicate_of", "gone" + i));
            bulk.add(client().prepareIndex(INDEX).setId("" + i).setSource(Map.of("simhash", print)));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
        CircuitBreaker breaker =
                getInstanceFromNode(CircuitBreakerService.class).getBreaker(CircuitBreaker.REQUEST);
        AtomicLong accounted = new AtomicLong(-1);
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search && search.source().docValueFields() != null) {
                accounted.compareAndSet(-1, breaker.getUsed());
            }
            return null;
        });
        JobResponse response =
                run("{\"action\":\"tag\",\"new_since\":{\"ids\":{\"values\":[]}}}", Float.POSITIVE_INFINITY, 100);
        assertTrue(response.toString(), response.count("cleared") > 0);
        assertTrue("when they are read: " + accounted, accounted.get() >= 100L * groups);
        assertEquals(0, breaker.getUsed());
    }

    public void testWhereNothingIsNewNothingIsRead() throws IOException {
        fill();
        AtomicInteger scans = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search && search.source().aggregations() != null) {
                scans.incrementAndGet();
            }
            return null;
        });
        JobResponse response = newAre("\"77\"");
        assertEquals(0, scans.get());
        assertEquals(0, response.count("groups"));
        assertEquals(5, response.count("documents"));
        assertEquals(5, response.count("fingerprinted"));
        newAre("\"1\"");
        assertTrue(scans.get() > 0);
    }
}
