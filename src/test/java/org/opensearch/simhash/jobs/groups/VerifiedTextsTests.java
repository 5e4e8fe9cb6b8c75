/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;

/** What it takes to compare the texts of near documents is on the breaker's account. */
public class VerifiedTextsTests extends DeletingTestCase {

    private static final String VERIFY =
            "{\"verify\":{\"field\":\"text\",\"measure\":\"containment\",\"min_similarity\":0.5,\"shingle_size\":8}}";

    /** One thread. Each of several may hold a slice. */
    @Override
    protected Settings nodeSettings() {
        return Settings.builder()
                .put(super.nodeSettings())
                .put("thread_pool.simhash_join.size", 1)
                .build();
    }

    public void testComparingIsPaidFor() throws IOException {
        createIndex(INDEX);
        client().admin()
                .indices()
                .preparePutMapping(INDEX)
                .setSource(Map.of("properties", Map.of("text", Map.of("type", "text", "index", false))))
                .get();
        Random random = new Random(1);
        String text = random.ints(300_000, 'a', 'z')
                .mapToObj(letter -> (char) letter + " ")
                .collect(Collectors.joining());
        for (int i = 1; i <= 2; i++) {
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", Map.of("bits", 7, "scheme", "v1-a"), "text", text + i))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        CircuitBreaker breaker =
                getInstanceFromNode(CircuitBreakerService.class).getBreaker(CircuitBreaker.REQUEST);
        assertEquals(1, run(VERIFY, Float.POSITIVE_INFINITY, 100).count("groups"));
        assertEquals(0, breaker.getUsed());
        limitRequests("12mb"); // Both sources, four times each, take 4.8 MB, and shingles 12.6.
        try {
            Exception e = expectThrows(CircuitBreakingException.class, () -> run(VERIFY, Float.POSITIVE_INFINITY, 100));
            assertTrue(e.getMessage(), e.getMessage().contains("simhash deduplicate"));
        } finally {
            limitRequests(null);
        }
        assertEquals(0, breaker.getUsed());
    }

    /** No groups would look like no near-duplicates; with {@code tag} all tags would have been cleared. */
    public void testAFieldThatNobodyHasIsRefused() throws IOException {
        createIndex(INDEX);
        for (int i = 1; i <= 2; i++) {
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", Map.of("bits", 7, "scheme", "v1-a"), "text", "some words"))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100);
        for (String linkage : List.of("survivor", "chain")) {
            for (String field : List.of("texd", "te*", "_id")) {
                String options =
                        "{\"action\":\"tag\",\"linkage\":\"" + linkage + "\",\"verify\":{\"field\":\"" + field + "\"}}";
                Exception e =
                        expectThrows(IllegalArgumentException.class, () -> run(options, Float.POSITIVE_INFINITY, 100));
                assertEquals(
                        "[field] of [verify] must hold a text, got: [" + field
                                + "], which is mapped in none of the indices, and in none of the 2 documents to compare",
                        e.getMessage());
            }
        }
        Map<String, Object> html = Map.of("properties", Map.of("html", Map.of("type", "text")));
        client().admin()
                .indices()
                .preparePutMapping(INDEX)
                .setSource(Map.of("properties", Map.of("body", html)))
                .get();
        Exception refused = expectThrows(
                IllegalArgumentException.class,
                () -> run("{\"action\":\"tag\",\"verify\":{\"field\":\"body\"}}", Float.POSITIVE_INFINITY, 100));
        assertEquals(
                "[verify] must have a [field] that holds a text, got: [body], which is an object in [" + INDEX + "]",
                refused.getMessage());
        assertEquals(
                1,
                run("{\"verify\":{\"field\":\"text\"}}", Float.POSITIVE_INFINITY, 100)
                        .count("groups"));
        Map<?, ?> tagged = (Map<?, ?>)
                client().prepareGet(INDEX, "2").get().getSourceAsMap().get("simhash");
        assertEquals("1", tagged.get("duplicate_of"));
    }

    /** Numbers of documents by shard. */
    private static final Pattern SOURCES = Pattern.compile("\"documents\":\\{([^}]*)}.*simhash_sources");

    /** They were free, and the more of them read at a time. */
    public void testStoredTextsArePaidFor() throws IOException {
        Map<String, Object> text = Map.of("type", "text", "index", false, "store", true);
        fillUnevenly(
                Map.of("_source", Map.of("excludes", List.of("text")), "properties", Map.of("text", text)),
                " ".repeat(50_000),
                "some words");
        AtomicInteger most = new AtomicInteger();
        RequestHook.set(request -> {
            Matcher page = SOURCES.matcher(
                    request instanceof SearchRequest search ? search.source().toString() : "");
            if (page.find()) {
                int documents = Pattern.compile(":(\\d+)")
                        .matcher(page.group(1))
                        .results()
                        .mapToInt(shard -> Integer.parseInt(shard.group(1)))
                        .sum();
                most.accumulateAndGet(documents, Math::max);
            }
            return null;
        });
        assertEquals(60, run(VERIFY, Float.POSITIVE_INFINITY, 100).count("largest_group"));
        assertTrue("pages of about 5 MB: " + most, most.get() > 16 && most.get() <= 60);
    }

    /** Which take no more than that: texts of white space are not kept. */
    public void testLongTextsBehindManyShortOnes() throws IOException {
        fillUnevenly("some words", " ".repeat(200_000));
        limitRequests("30mb");
        try {
            JobResponse response = run(VERIFY, Float.POSITIVE_INFINITY, 100);
            assertEquals(300, response.count("largest_group"));
            assertEquals(299, response.count("duplicates"));
        } finally {
            limitRequests(null);
        }
    }
}
