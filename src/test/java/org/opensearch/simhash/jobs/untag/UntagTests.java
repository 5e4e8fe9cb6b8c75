/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.untag;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchShardTarget;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.script.DocumentScript;
import org.opensearch.simhash.jobs.write.TagUpdates;

/** All tags go, or those that a query matches; nothing else changes. */
public class UntagTests extends DeletingTestCase {

    private static final String TAG = "{\"action\":\"tag\"}";

    private JobResponse untag(String json, int most, String... indices) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            return client().execute(
                            UntagAction.INSTANCE,
                            UntagAction.Request.fromXContent(
                                    indices, parser, new WritePace(Float.POSITIVE_INFINITY, most)))
                    .actionGet();
        }
    }

    private Map<String, BytesReference> sources() {
        Map<String, BytesReference> sources = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(INDEX).get().getHits()) {
            sources.put(hit.getId(), hit.getSourceRef());
        }
        return sources;
    }

    private Set<String> tagged() {
        Set<String> ids = new TreeSet<>();
        for (SearchHit hit : client().prepareSearch(INDEX)
                .setQuery(QueryBuilders.existsQuery("simhash.duplicate_of"))
                .get()
                .getHits()) {
            ids.add(hit.getId());
        }
        return ids;
    }

    public void testAllTagsGoAndTheDocumentsAreWhatTheyWereByteForByte() throws IOException {
        fill(Settings.EMPTY);
        Map<String, BytesReference> before = sources();
        run(TAG, Float.POSITIVE_INFINITY, 100);
        assertEquals(Set.of("2", "4"), tagged());
        JobResponse response = untag("{}", randomFrom(1, 100), "cop*");
        assertEquals("survivors, too", 4, response.count("documents"));
        assertEquals(2, response.count("cleared"));
        assertEquals(2, response.count("grouped"));
        assertEquals(RestStatus.OK, response.status());
        assertEquals(Set.of(), tagged());
        assertEquals(before, sources());
        assertEquals("nothing is left to clear", 0, untag("{}", 100, INDEX).count("documents"));
        assertFalse(response.toString(), response.toString().contains("\"run\""));
    }

    public void testAQueryChoosesTheDocuments() throws IOException {
        fill(Settings.EMPTY);
        run(TAG, Float.POSITIVE_INFINITY, 100);
        String query = "{\"query\":{\"term\":{\"simhash.duplicate_of\":\"3\"}}}";
        assertEquals(1, untag(query, 100, INDEX).count("cleared"));
        assertEquals(Set.of("2"), tagged());
    }

    /** A later document of the story has its tag from somebody else, and one may have got another original. */
    public void testOnlyWhatARunHasTagged() throws IOException {
        fill(Settings.EMPTY);
        String run = run("{\"action\":\"tag\",\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100)
                .run();
        put(5, 0);
        Object group = client().prepareGet(INDEX, "1").get().getSourceAsMap().get("simhash");
        String story = String.valueOf(((Map<?, ?>) group).get("group"));
        client().prepareUpdate(INDEX, "5")
                .setDoc(Map.of("simhash", Map.of("group", story, "duplicate_of", "1")))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        String of = "{\"dest\":{\"index\":\"groups\"},\"run\":\"";
        JobResponse none = untag(of + "another\"}", 100, INDEX);
        assertEquals(0, none.count("documents"));
        assertTrue(none.toString(), none.toString().contains("no document has a tag of the run [another] in [groups]"));
        assertEquals(Set.of("2", "4", "5"), tagged());
        client().prepareUpdate(INDEX, "4")
                .setDoc(Map.of("simhash", Map.of("duplicate_of", "5")))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        JobResponse response = untag(of + run + "\"}", randomFrom(1, 100), INDEX);
        assertEquals(3, response.count("documents"));
        assertEquals(1, response.count("cleared"));
        assertEquals(2, response.count("grouped"));
        assertEquals(Set.of("4", "5"), tagged());
        IllegalArgumentException refusal =
                expectThrows(IllegalArgumentException.class, () -> untag("{\"run\":\"x\"}", 100, INDEX));
        assertEquals("[dest] and [run] must be given together, or neither", refusal.getMessage());
    }

    /** A run may have millions of groups. */
    public void testGroupsOfARunAreReadInSlicesUntilTheJobStops() throws IOException {
        fill(Settings.EMPTY);
        String run = run("{\"action\":\"tag\",\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100)
                .run();
        SearchHit group = client().prepareSearch("groups")
                .setQuery(QueryBuilders.termQuery("run", run))
                .get()
                .getHits()
                .getAt(0);
        BulkRequest copies = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        for (int i = 0; i < 600; i++) {
            copies.add(new IndexRequest("groups").source(group.getSourceAsMap()));
        }
        assertFalse(client().bulk(copies).actionGet().hasFailures());
        AtomicBoolean isStopped = new AtomicBoolean();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger afterwards = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof BulkRequest bulk) {
                isStopped.set(true);
                return RequestHook.failed(bulk, RestStatus.FORBIDDEN);
            }
            if (request instanceof SearchRequest search
                    && search.source().fetchSource() != null
                    && List.of(search.source().fetchSource().includes()).contains("members")) {
                most.accumulateAndGet(search.source().size(), Math::max);
                afterwards.addAndGet(isStopped.get() ? 1 : 0);
            }
            return null;
        });
        JobResponse response = untag("{\"dest\":{\"index\":\"groups\"},\"run\":\"" + run + "\"}", 100, INDEX);
        assertTrue(isStopped.get());
        assertEquals(RestStatus.FORBIDDEN, response.status());
        assertTrue("" + most, most.get() > 0 && most.get() <= 400);
        assertEquals(0, afterwards.get());
    }

    public void testADocumentThatChangesMeanwhileIsAConflict() throws IOException {
        fill(Settings.EMPTY);
        run(TAG, Float.POSITIVE_INFINITY, 100);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.set(request -> {
            if (request instanceof BulkRequest bulk
                    && bulk.requests().getFirst().id().equals("2")
                    && isFirst.getAndSet(false)) {
                client().prepareUpdate(INDEX, "2").setDoc(Map.of("other", 1)).get();
            }
            return null;
        });
        JobResponse response = untag("{}", 1, INDEX);
        assertEquals(1, response.count("cleared"));
        assertEquals(2, response.count("grouped"));
        assertEquals(1, response.count("version_conflicts"));
    }

    public void testWithoutAnyTagFieldAWarningSaysSo() throws IOException {
        fill(Settings.EMPTY);
        JobResponse response = untag("{\"field\":\"other\"}", 100, INDEX);
        assertEquals(0, response.count("cleared"));
        assertEquals(
                "[no index maps [other.group, other.duplicate_of]: nothing was ever tagged there]",
                response.warnings().toString());
        List<String> headers = headers("{\"field\":\"other\"}");
        assertEquals(headers.toString(), 1, headers.size());
        assertTrue(headers.toString(), headers.getFirst().contains("\"[untag] no index maps [other.group, "));
    }

    private List<String> headers(String json) throws IOException {
        ThreadContext threads = client().threadPool().getThreadContext();
        PlainActionFuture<List<String>> headers = new PlainActionFuture<>();
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            client().execute(
                            UntagAction.INSTANCE,
                            UntagAction.Request.fromXContent(
                                    new String[] {INDEX}, parser, new WritePace(Float.POSITIVE_INFINITY, 100)),
                            ActionListener.map(
                                    headers,
                                    response -> threads.getResponseHeaders().getOrDefault("Warning", List.of())));
        }
        return headers.actionGet();
    }

    public void testNothingIsClearedWhereThatWouldLoseSomethingElse() throws IOException {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(Map.of(
                        "_source",
                        Map.of("excludes", List.of("secret")),
                        "properties",
                        Map.of("simhash", Map.of("properties", Map.of("group", Map.of("type", "keyword"))))))
                .get();
        Exception lossy = expectThrows(IllegalArgumentException.class, () -> untag("{}", 100, INDEX));
        assertTrue(
                lossy.getMessage(),
                lossy.getMessage()
                        .startsWith(
                                "[index] must be one whose documents can be updated as a whole, got: copies, which has "
                                        + "[_source] "));
        client().admin()
                .indices()
                .prepareCreate("blocked")
                .setMapping("simhash.group", "type=keyword")
                .get();
        client().admin()
                .indices()
                .prepareUpdateSettings("blocked")
                .setSettings(Settings.builder().put(IndexMetadata.SETTING_BLOCKS_WRITE, true))
                .get();
        expectThrows(ClusterBlockException.class, () -> untag("{}", 100, "blocked"));
    }

    public void testCopiesInAnArchiveStayAsTheyWere() throws IOException {
        fill(Settings.EMPTY);
        run(TAG, Float.POSITIVE_INFINITY, 100);
        delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        client().admin()
                .indices()
                .preparePutMapping(REMOVED)
                .setSource("simhash.group", "type=keyword")
                .get();
        Exception e = expectThrows(IllegalArgumentException.class, () -> untag("{}", 100, REMOVED));
        assertEquals(
                "[index] must not be an archive, got: copies-removed, which maps [simhash_archive]", e.getMessage());
        String answer = untag("{}", 100, "copies*").toString();
        assertTrue(
                answer,
                answer.contains("[copies-removed] is an archive of deleted documents, and left out: it takes part where"
                        + " it is named alone"));
        assertEquals(
                2,
                client().prepareSearch(REMOVED)
                        .setQuery(QueryBuilders.termQuery("simhash_archive.index", INDEX))
                        .get()
                        .getHits()
                        .getTotalHits()
                        .value());
    }

    public void testMistypedOptionsAreNamed() {
        Exception unknown = expectThrows(IllegalArgumentException.class, () -> untag("{\"quary\":{}}", 100, INDEX));
        assertTrue(unknown.getMessage(), unknown.getMessage().contains("quary"));
        Exception wrong = expectThrows(IllegalArgumentException.class, () -> untag("{\"field\":7}", 100, INDEX));
        assertEquals("[field] must be a string, got: 7", wrong.getMessage());
    }

    /** Where {@code script.allowed_types} is {@code none}, tags are made null. */
    public void testWithoutScriptsAClearedTagIsNull() {
        SearchHit hit = new SearchHit(1, "2", Map.of(), Map.of());
        hit.shard(new SearchShardTarget("node", new ShardId(INDEX, "uuid", 0), null, null));
        hit.setSeqNo(3);
        hit.setPrimaryTerm(1);
        hit.sourceRef(
                new BytesArray("{\"a\":{\"simhash\":{\"group\":\"g\",\"duplicate_of\":\"1\"}},\"n\":{\"copies\":2}}"));
        UpdateRequest update = new TagUpdates("a.simhash", "n.copies", false).update(hit, TagUpdates.Tag.NONE);
        assertNull(update.script());
        Map<String, Object> tag = new HashMap<>();
        tag.put("group", null);
        tag.put("duplicate_of", null);
        Map<String, Object> size = new HashMap<>();
        size.put("copies", null);
        assertEquals(
                Map.of("a", Map.of("simhash", tag), "n", size), update.doc().sourceAsMap());
        Map<String, Object> removed = new HashMap<>();
        removed.put("a.simhash.group", null);
        removed.put("a.simhash.duplicate_of", null);
        assertEquals(
                DocumentScript.set(removed),
                new TagUpdates("a.simhash", null, true)
                        .update(hit, TagUpdates.Tag.NONE)
                        .script());
    }
}
