/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksRequest;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchService;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.jobs.job.DeduplicateMemory;
import org.opensearch.simhash.jobs.job.DeduplicateMemory.DeduplicateDisk;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.links.PairsAction;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Jobs on three nodes in this JVM: nothing is left behind, whatever the nodes' settings, however a job ends. */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 3, numClientNodes = 0, supportsDedicatedMasters = false)
public class DeduplicateClusterTests extends HookedClusterTestCase {

    private static final String INDEX = "copies";
    private static final WritePace AT_ONCE = new WritePace(Float.POSITIVE_INFINITY, 50);

    private static long pairs(long[] values) {
        long pairs = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < i; j++) {
                pairs += Fingerprint.distance(values[i], values[j]) <= 3 ? 1 : 0;
            }
        }
        return pairs;
    }

    /** Passes are as large as the node allows that the job is on. */
    public void testOtherNodesDoWhatOneHasNoRoomFor() throws IOException {
        // A shard on each node.
        long pairs = pairs(fill(
                400,
                Settings.builder()
                        .put("index.number_of_replicas", 0)
                        .put("index.routing.allocation.total_shards_per_node", 1)));
        String memory = DeduplicateMemory.ALLOWANCE.getKey();
        set(Settings.builder().put(memory, "16kb").put(DeduplicateDisk.MOST.getKey(), "0b"));
        AtomicInteger passes = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger(1);
        RequestHook.set(request -> {
            if (request instanceof PairsAction.Request && passes.getAndIncrement() < refused.get()) {
                throw new CircuitBreakingException("as told", Durability.TRANSIENT);
            }
            return null;
        });
        JobResponse response = run("{}");
        assertEquals(pairs, response.count("pairs"));
        assertEquals(6, response.count("passes"));
        assertEquals("one is sent again", 7, passes.get());
        refused.set(Integer.MAX_VALUE);
        passes.set(0);
        assertThrows(CircuitBreakingException.class, () -> run("{}"));
        assertEquals("one to each node", 3, passes.get());
        set(Settings.builder().putNull(memory).putNull(DeduplicateDisk.MOST.getKey()));
    }

    /** All are near each other: more links than fit, and a pass or more in each round. */
    public void testANodeWithoutRoomIsNotAskedInEachRound() throws IOException {
        BulkRequestBuilder bulk = client().prepareBulk();
        newIndex(INDEX, "{'properties': {}}", 3, 0, "index.routing.allocation.total_shards_per_node", 1);
        for (int i = 0; i < 450; i++) {
            Map<String, Object> print =
                    Map.of("bits", (1L << (i % 21)) | (1L << (21 + i % 22)) | (1L << 43), "scheme", "v1-a");
            bulk.add(client().prepareIndex(INDEX).setId("" + i).setSource(Map.of("simhash", print)));
        }
        assertFalse(bulk.get().hasFailures());
        refresh(INDEX);
        String memory = DeduplicateMemory.ALLOWANCE.getKey();
        set(Settings.builder().put(memory, "16kb").put(DeduplicateDisk.MOST.getKey(), "0b"));
        String first = internalCluster().getNodeNames()[0];
        AtomicInteger passes = new AtomicInteger();
        Set<String> refused = ConcurrentHashMap.newKeySet();
        RequestHook.set(request -> {
            if (request instanceof PairsAction.Request) {
                int before = passes.getAndIncrement();
                String thread = Thread.currentThread().getName();
                String here = thread.substring(thread.indexOf('[') + 1, thread.indexOf(']'));
                // One at once, the others later, when that one has room again.
                if ((here.equals(first) || before > 10) && refused.add(here)) {
                    throw new CircuitBreakingException("as told", Durability.TRANSIENT);
                }
            }
            return null;
        });
        // A forest, then the links of what is connected, then those of the rounds.
        JobResponse response = run("{\"max_distance\":6,\"new_since\":{\"match_all\":{}}}");
        assertEquals(1, response.count("groups"));
        assertEquals(449, response.count("duplicates"));
        assertEquals("each node once, of " + passes, 3, refused.size());
        set(Settings.builder().putNull(memory).putNull(DeduplicateDisk.MOST.getKey()));
    }

    public void testConcurrentSegmentSearchChangesNothing() throws IOException {
        long pairs = pairs(fill(400));
        String mode = SearchService.CLUSTER_CONCURRENT_SEGMENT_SEARCH_MODE.getKey();
        for (String value : List.of(
                SearchService.CONCURRENT_SEGMENT_SEARCH_MODE_ALL, SearchService.CONCURRENT_SEGMENT_SEARCH_MODE_NONE)) {
            set(Settings.builder().put(mode, value));
            JobResponse response = run("{}");
            assertEquals(400, response.count("documents"));
            assertEquals(400, response.count("fingerprinted"));
            assertEquals(pairs, response.count("pairs"));
        }
        set(Settings.builder().putNull(mode));
    }

    public void testTextsAreReadAndPreparedAsTheQueryDoes() throws IOException {
        String text = "Enough words of one text for a fingerprint that is made of some features at least";
        pipeline(
                "by_type",
                "{'processors': [{'simhash': {'field': 'content', 'if': 'ctx.type == null'}},"
                        + " {'simhash': {'field': 'content', 'if': 'ctx.type != null', 'html': 'text'}}]}");
        smallIndex("pages", "index.default_pipeline", "by_type");
        putAll("pages", Map.of("p", page(text, "p"), "b", page(text, "b")));
        newIndex(
                "stored",
                "{'_source': {'excludes': ['content']}, 'properties': {'content': {'type': 'text', 'store': true}}}",
                1,
                0,
                "index.default_pipeline",
                "fingerprint");
        putAll("stored", Map.of("1", Map.of("content", text), "2", Map.of("content", text)));
        smallIndex("through_any", "index.default_pipeline", "by_type");
        putAll("through_any", Map.of("p", page(text, "p"), "b", page(text, "b")));
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings("through_any")
                .setSettings(Settings.builder().put("index.default_pipeline", "_none")));
        for (String index : List.of("pages", "stored", "through_any")) {
            JobResponse response = client().execute(
                            DeduplicateAction.INSTANCE,
                            new DeduplicateAction.Request(
                                    new String[] {index}, options("{\"verify\":{\"field\":\"content\"}}"), AT_ONCE))
                    .actionGet();
            assertEquals(index, 1, response.count("groups"));
        }
    }

    /** As OpenSearch indexes it; the source is filtered on the way. */
    public void testTextsUnderNamesWithDotsBesideObjects() throws IOException {
        String text = "Enough words of one text for a fingerprint that is made of some features at least";
        Map<String, Object> subject = Map.of("subject", "a subject");
        Map<String, Map<String, Object>> documents = Map.of(
                "object", Map.of("mail", Map.of("body", text)),
                "dotted", Map.of("mail.body", text, "mail", subject),
                "array", Map.of("mail.body", text, "mail", List.of(subject, List.of(subject))),
                "different", Map.of("mail.body", "It says something else altogether", "mail", subject));
        pipeline("by_body", "{'processors': [{'simhash': {'field': 'mail.body'}}]}");
        smallIndex(INDEX, "index.default_pipeline", "by_body");
        putAll(INDEX, documents);
        pipeline("by_rank", "{'processors': [{'simhash': {'field': 'title', 'min_features': 1}}]}");
        smallIndex("mails", "index.default_pipeline", "by_rank");
        Map<String, Map<String, Object>> titled = new HashMap<>();
        documents.forEach((id, document) -> {
            Map<String, Object> copy = new HashMap<>(document);
            copy.put("title", "the same title of all");
            titled.put(id, copy);
        });
        putAll("mails", titled);
        String verify = "{\"verify\":{\"field\":\"mail.body\"}}";
        for (String index : List.of(INDEX, "mails")) {
            JobResponse response = client().execute(
                            DeduplicateAction.INSTANCE,
                            new DeduplicateAction.Request(new String[] {index}, options(verify), AT_ONCE))
                    .actionGet();
            assertEquals(index, 1, response.count("groups"));
            assertEquals(index, 2, response.count("duplicates"));
            for (String id : List.of("object", "dotted", "array")) {
                SearchRequestBuilder near = client().prepareSearch(index)
                        .setQuery(QueryBuilders.wrapperQuery("{\"simhash\":{\"id\":\"" + id + "\",\"max_distance\":10,"
                                + verify.substring(1) + "}"));
                assertEquals(
                        index + " " + id, 2, near.get().getHits().getTotalHits().value());
            }
        }
    }

    private static Map<String, Object> page(String text, String tag) {
        return Map.of("type", "html", "content", "<" + tag + ">" + text.replace(" ", " <i></i>") + "</" + tag + ">");
    }

    public void testTextsThatTheAnalyzerCannotReadAreNearEqualOnes() throws IOException {
        String title = "Enough words of one title for a fingerprint that is made of some features at least";
        indexOfUnreadableTexts(INDEX);
        String unreadable = "ab".repeat(200_000);
        putAll(
                INDEX,
                Map.of(
                        "1", Map.of("title", title, "content", unreadable),
                        "2", Map.of("title", title, "content", unreadable),
                        "3", Map.of("title", title, "content", unreadable + "b")));
        JobResponse response = run("{\"verify\":{\"field\":\"content\"}}");
        assertEquals(1, response.count("groups"));
        assertEquals(2, response.count("largest_group"));
    }

    /** In the template's mapping digests have no doc values: of a thousand documents they are read from the source, then from terms. */
    public void testFewShortTextsAreFoundByTheirDigests() throws IOException {
        assertShortTextsAreFound(200, false, "{}");
    }

    public void testFewShortTextsAreFoundWhereTheSourceLeavesTheirDigestsOut() throws IOException {
        assertShortTextsAreFound(200, false, "{'_source': {'excludes': ['simhash.digest']}}");
    }

    public void testManyShortTextsAreFoundByTheirDigests() throws IOException {
        assertShortTextsAreFound(400, true, "{}");
    }

    /** Four documents of three short texts each, among {@code 4 * each}. */
    private void assertShortTextsAreFound(int each, boolean areOthersShort, String mapping) throws IOException {
        assertAcked(client().admin()
                .indices()
                .prepareCreate("docs-short")
                .setSettings(Settings.builder().put("index.number_of_shards", 1).put("index.default_pipeline", "_none"))
                .setMapping(mapping.replace('\'', '"'))
                .get());
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 0; i < 4 * each; i++) {
            boolean isShort = i % each == 7;
            Object simhash = isShort
                    ? List.of(
                            shortText("another" + i), shortText("digest" + i / (2 * each)), shortText("some other" + i))
                    : areOthersShort
                            ? shortText("other" + i)
                            : Map.of("scheme", "v1-a", "digest", "other" + i, "bits", randomLong());
            bulk.add(client().prepareIndex("docs-short").setId("" + i).setSource(Map.of("simhash", simhash)));
        }
        bulk.add(client().prepareIndex("docs-short").setId("none").setSource(Map.of("title", "no fingerprint")));
        assertFalse(bulk.get().hasFailures());
        refresh("docs-short");
        client().admin()
                .indices()
                .prepareForceMerge("docs-short")
                .setMaxNumSegments(1)
                .get();
        JobResponse response = client().execute(
                        DeduplicateAction.INSTANCE,
                        new DeduplicateAction.Request(
                                new String[] {"docs-short"}, options("{\"max_distance\":0}"), AT_ONCE))
                .actionGet();
        assertEquals(4 * each + 1, response.count("documents"));
        assertEquals(areOthersShort ? 0 : 4 * each - 4, response.count("fingerprinted"));
        assertEquals(2, response.count("groups"));
        assertEquals(2, response.count("duplicates"));
    }

    private static Map<String, Object> shortText(String digest) {
        return Map.of("scheme", "v1-a", "digest", digest);
    }

    /** All of a crowd are near one another: their links do not fit into the memory, of one pass or of several together. */
    public void testCrowdsWithoutNewDocumentsAreLeftAlone() throws IOException {
        Map<String, Map<String, Object>> documents = new HashMap<>();
        for (int i = 0; i < 600; i++) {
            int crowd = i % 2;
            long bits = -crowd;
            for (int flip = 0; flip < 8; flip++) {
                bits ^= 1L << random().nextInt(64);
            }
            documents.put("" + i, Map.of("simhash", print(bits), "crowd", crowd, "new", i == 301));
        }
        for (int i = 600; i < 602; i++) {
            documents.put("" + i, Map.of("simhash", print(0xFFFF_FFFFL), "crowd", 2, "new", false));
        }
        smallIndex(INDEX);
        putAll(INDEX, documents);
        String options = "\"max_distance\":16,\"max_group_size\":50,\"linkage\":\"survivor\"";
        JobResponse crowd = run("{\"query\":{\"term\":{\"crowd\":1}}," + options + "}");
        assertTrue(crowd.count("duplicates") > 290);
        set(Settings.builder()
                .put(DeduplicateMemory.ALLOWANCE.getKey(), randomFrom("64kb", "16kb"))
                .put(DeduplicateDisk.MOST.getKey(), randomFrom("0b", "1gb")));
        try {
            JobResponse all = run("{" + options + "}");
            assertTrue(all.count("groups") > crowd.count("groups"));
            String isNew = "\"new_since\":{\"term\":{\"new\":true}},";
            JobResponse response = run("{" + isNew + options + "}");
            for (String count : List.of("largest_group", "split_groups")) {
                assertEquals(count, crowd.count(count), response.count(count));
            }
            assertEquals("the one of the new document", 1, response.count("groups"));
            response = run("{" + isNew + options.replace("survivor", "chain") + "}");
            assertEquals("a part of the chain", 50, response.count("duplicates") + response.count("groups"));
            assertEquals(
                    0,
                    run("{\"new_since\":{\"term\":{\"crowd\":7}}," + options + "}")
                            .count("groups"));
        } finally {
            set(Settings.builder()
                    .putNull(DeduplicateMemory.ALLOWANCE.getKey())
                    .putNull(DeduplicateDisk.MOST.getKey()));
        }
    }

    /** Texts of one document lead from one text to another that is first in neither of their documents. */
    public void testANewTextLeadsToAllThatSharesATextWithItsDuplicates() throws IOException {
        smallIndex(INDEX);
        Map<String, Map<String, Object>> documents = Map.of(
                "1", Map.of("simhash", List.of(text("a")), "new", true),
                "2", Map.of("simhash", List.of(text("a"), text("z")), "new", false),
                "3", Map.of("simhash", List.of(text("b"), text("z")), "new", false),
                "4", Map.of("simhash", List.of(text("c"), text("y")), "new", false));
        putAll(INDEX, documents);
        String options = "{\"max_distance\":0,\"linkage\":\"chain\",\"new_since\":{\"term\":{\"new\":true}}}";
        JobResponse response = run(options);
        assertEquals(1, response.count("groups"));
        assertEquals(2, response.count("duplicates"));
    }

    private static Map<String, Object> text(String digest) {
        return Map.of("bits", randomLong(), "digest", digest, "scheme", "v1-a");
    }

    public void testManyCandidatesAreVerifiedWithFewSearches() throws IOException {
        Map<String, Map<String, Object>> documents = new HashMap<>();
        for (int i = 0; i < 1_600; i++) {
            String content = i % 400 == 0 ? "page " + i + " is about something else" : "the page was not found";
            documents.put("" + i, Map.of("simhash", print(42), "content", content));
        }
        smallIndex(INDEX);
        putAll(INDEX, documents);
        String options = "{\"verify\":{\"field\":\"content\",\"measure\":\"levenshtein\",\"min_similarity\":0.9},"
                + "\"max_group_size\":1200,\"linkage\":\"survivor\"}";
        for (String linkage : List.of("survivor", "chain")) {
            long before = searches();
            JobResponse response = run(options.replace("survivor", linkage));
            assertTrue("searches: " + (searches() - before), searches() - before < 100);
            assertEquals("their fingerprints are equal", 1_596, response.count("largest_group"));
            assertEquals(0, response.count("split_groups"));
        }
    }

    private static long searches() {
        return client().admin()
                .indices()
                .prepareStats(INDEX)
                .setSearch(true)
                .get()
                .getTotal()
                .getSearch()
                .getTotal()
                .getQueryCount();
    }

    private static Map<String, Object> print(long bits) {
        return Map.of("bits", bits, "scheme", "v1-a");
    }

    public void testACancelledJobWritesNoMore() throws Exception {
        fill(400);
        var future = client().execute(
                        DeduplicateAction.INSTANCE,
                        new DeduplicateAction.Request(
                                new String[] {INDEX}, options("{\"action\":\"tag\"}"), new WritePace(1, 1)));
        TaskInfo job = writingJob();
        client().admin()
                .cluster()
                .cancelTasks(new CancelTasksRequest().setTaskId(job.getTaskId()))
                .actionGet();
        Exception failure = expectThrows(Exception.class, future::actionGet);
        assertTrue(
                failure.toString(),
                org.opensearch.ExceptionsHelper.unwrapCause(failure) instanceof TaskCancelledException);
        assertTrue(
                failure.toString(),
                failure.toString().matches("(?s).*, until then .*[0-9]+ (tagged|grouped) by run \\[[0-9a-f]{32}\\].*"));
        JobResponse again = run("{\"action\":\"tag\"}");
        assertTrue(again.count("tagged") > 0);
        assertEquals(0, run("{\"action\":\"tag\"}").count("tagged"));
    }

    private JobResponse run(String options) throws IOException {
        refresh(INDEX);
        return client().execute(
                        DeduplicateAction.INSTANCE,
                        new DeduplicateAction.Request(new String[] {INDEX}, options(options), AT_ONCE))
                .actionGet();
    }

    private Function<String, DeduplicateOptions> options(String json) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            return DeduplicateOptions.named(parser);
        }
    }

    private static void set(Settings.Builder settings) {
        assertAcked(client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings));
    }

    /** Several bulks and refreshes make several Lucene leaves. */
    private long[] fill(int count) {
        return fill(count, Settings.builder());
    }

    private long[] fill(int count, Settings.Builder settings) {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(settings.put("index.number_of_shards", 3))
                .get());
        long[] values = new long[count];
        for (int from = 0; from < count; from += 50) {
            BulkRequestBuilder bulk = client().prepareBulk();
            for (int i = from; i < Math.min(count, from + 50); i++) {
                values[i] = i > 0 && randomBoolean()
                        ? values[random().nextInt(i)] ^ (1L << random().nextInt(64))
                        : randomLong();
                Map<String, Object> simhash = new HashMap<>();
                simhash.put("bits", values[i]);
                simhash.put("scheme", "v1-a");
                bulk.add(client().prepareIndex(INDEX).setId("" + i).setSource(Map.of("simhash", simhash)));
            }
            assertFalse(bulk.get().hasFailures());
            refresh(INDEX);
        }
        return values;
    }
}
