/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Documents change while a job deletes their duplicates: nothing goes whose survivor went, and the archive holds what is gone. */
public class RemovalTests extends OpenSearchSingleNodeTestCase {

    private static final String INDEX = "copies";
    private static final String ARCHIVE = "{\"index\":\"copies-removed\"}";

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, BulkHook.class);
    }

    @Override
    public void tearDown() throws Exception {
        BulkHook.clear();
        super.tearDown();
    }

    /** Documents 1 and 2 are near, and 3 and 4. */
    private void fill() {
        createIndex(INDEX);
        for (int i = 1; i <= 4; i++) {
            put(i, i <= 2 ? 0 : -1L);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    private void put(int id, long bits) {
        client().prepareIndex(INDEX)
                .setId("" + id)
                .setSource(Map.of("simhash", Map.of("bits", bits, "scheme", "v1-a")))
                .get();
    }

    private DeduplicateResponse delete(float perSecond, int scrollSize, String archive) throws IOException {
        String json = "{\"action\":\"delete\",\"archive\":" + archive + "}";
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            DeduplicateOptions options = DeduplicateOptions.fromXContent(parser, perSecond, scrollSize);
            return client().execute(
                            DeduplicateAction.INSTANCE, new DeduplicateAction.Request(new String[] {INDEX}, options))
                    .actionGet();
        }
    }

    private static boolean deletes(BulkRequest request, String index) {
        return request.requests().stream()
                .anyMatch(item -> item.opType() == DocWriteRequest.OpType.DELETE
                        && item.index().equals(index));
    }

    private Set<String> ids(String index) {
        client().admin().indices().prepareRefresh(index).get();
        Set<String> ids = new TreeSet<>();
        for (SearchHit hit : client().prepareSearch(index).setSize(100).get().getHits()) {
            ids.add(hit.getId());
        }
        return ids;
    }

    public void testASurvivorThatChangesWhileThereIsNoRoomKeepsItsDuplicates() throws IOException {
        fill();
        AtomicInteger tries = new AtomicInteger();
        BulkHook.set(request -> {
            if (deletes(request, INDEX) && tries.getAndIncrement() == 0) {
                put(1, 5);
                throw new OpenSearchRejectedExecutionException("no room");
            }
        });
        DeduplicateResponse response = delete(Float.POSITIVE_INFINITY, 100, "false");
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
    }

    public void testASurvivorThatChangesBeforeItsDuplicatesTurnKeepsThem() throws IOException {
        fill();
        AtomicInteger deletions = new AtomicInteger();
        BulkHook.set(request -> {
            if (deletes(request, INDEX) && deletions.getAndIncrement() == 0) {
                client().threadPool().generic().execute(() -> put(3, 5));
            }
        });
        DeduplicateResponse response = delete(0.5f, 1, "false");
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(Set.of("1", "3", "4"), ids(INDEX));
    }

    public void testTheCopyOfADocumentThatStaysIsTakenBack() throws IOException {
        fill();
        BulkHook.set(request -> {
            if (deletes(request, INDEX)) {
                put(2, 5);
            }
        });
        DeduplicateResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("archived"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
        assertEquals(Set.of("4"), ids("copies-removed"));
    }

    public void testNoCopyIsMadeWhenTheSurvivorHasGone() throws IOException {
        fill();
        AtomicInteger copies = new AtomicInteger();
        BulkHook.set(request -> {
            if (request.requests().getFirst().index().equals("copies-removed") && copies.getAndIncrement() == 0) {
                client().prepareDelete(INDEX, "1").get();
                throw new OpenSearchRejectedExecutionException("no room");
            }
        });
        DeduplicateResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("archived"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(Set.of("2", "3"), ids(INDEX));
        assertEquals(Set.of("4"), ids("copies-removed"));
    }

    /** Who deleted it cannot be told: a node that died may have done it for the job. */
    public void testTheCopyOfADocumentThatIsGoneStays() throws IOException {
        fill();
        BulkHook.set(request -> {
            if (deletes(request, INDEX) && request.numberOfActions() == 2) {
                client().prepareDelete(INDEX, "2").get();
            }
        });
        DeduplicateResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(1, response.count("deleted"));
        assertEquals(2, response.count("archived"));
        assertEquals(Set.of("2", "4"), ids("copies-removed"));
    }

    public void testTheCopyOfARunThatEndedEarlyIsAsItWasWhenTheNextCannotDeleteEither() throws IOException {
        fill();
        BulkHook.set(request -> {
            if (deletes(request, INDEX)) {
                throw new IllegalStateException("the end");
            }
        });
        expectThrows(IllegalStateException.class, () -> delete(Float.POSITIVE_INFINITY, 100, ARCHIVE));
        assertEquals(Set.of("2", "4"), ids("copies-removed"));
        Map<String, Object> left =
                client().prepareGet("copies-removed", "2").get().getSourceAsMap();
        BulkHook.set(request -> {
            if (deletes(request, INDEX)) {
                put(2, 5);
            }
        });
        DeduplicateResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("archived"));
        assertEquals(left, client().prepareGet("copies-removed", "2").get().getSourceAsMap());
        Map<?, ?> origin = (Map<?, ?>) client().prepareGet("copies-removed", "4")
                .get()
                .getSourceAsMap()
                .get(ArchiveIndex.ORIGIN);
        assertEquals(response.run(), origin.get("run"));
    }
}
