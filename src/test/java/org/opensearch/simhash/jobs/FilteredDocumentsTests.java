/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.apply.ApplyAction;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.restore.RestoreAction;

/** What is read through a filter is never written again, nor copied. */
public class FilteredDocumentsTests extends DeletingTestCase {

    private static final String REFUSAL =
            "would lose fields: what is written again, or copied, must be read by a user to"
                    + " whom security shows all fields, none of them masked";

    /** With what no random id has, such as that of a run. */
    private static final String MASKED = "ada m.";

    private static volatile boolean isMasking;

    /** As masked fields do it. */
    public static final class Masking extends Plugin {

        @Override
        public void onIndexModule(IndexModule module) {
            module.setReaderWrapper(index -> reader -> isMasking ? new Masked(reader) : reader);
        }
    }

    private static final class Masked extends FilterDirectoryReader {

        Masked(DirectoryReader reader) throws IOException {
            super(reader, new SubReaderWrapper() {
                @Override
                public LeafReader wrap(LeafReader leaf) {
                    return new MaskedLeaf(leaf);
                }
            });
        }

        @Override
        protected DirectoryReader doWrapDirectoryReader(DirectoryReader reader) throws IOException {
            return new Masked(reader);
        }

        @Override
        public CacheHelper getReaderCacheHelper() {
            return in.getReaderCacheHelper();
        }
    }

    private static final class MaskedLeaf extends FilterLeafReader {

        MaskedLeaf(LeafReader leaf) {
            super(leaf);
        }

        @Override
        public StoredFields storedFields() throws IOException {
            StoredFields stored = in.storedFields();
            return new StoredFields() {
                @Override
                public void document(int doc, StoredFieldVisitor visitor) throws IOException {
                    stored.document(doc, new StoredFieldVisitor() {
                        @Override
                        public Status needsField(FieldInfo field) throws IOException {
                            return visitor.needsField(field);
                        }

                        @Override
                        public void binaryField(FieldInfo field, byte[] value) throws IOException {
                            String masked = new String(value, StandardCharsets.ISO_8859_1)
                                    .replace(MASKED, "###" + MASKED.substring(3));
                            byte[] shown = masked.getBytes(StandardCharsets.ISO_8859_1);
                            visitor.binaryField(field, field.name.equals("_source") ? shown : value);
                        }

                        @Override
                        public void stringField(FieldInfo field, String value) throws IOException {
                            visitor.stringField(field, value);
                        }

                        @Override
                        public void longField(FieldInfo field, long value) throws IOException {
                            visitor.longField(field, value);
                        }
                    });
                }
            };
        }

        @Override
        public CacheHelper getCoreCacheHelper() {
            return in.getCoreCacheHelper();
        }

        @Override
        public CacheHelper getReaderCacheHelper() {
            return in.getReaderCacheHelper();
        }
    }

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        List<Class<? extends Plugin>> plugins = new ArrayList<>(super.getPlugins());
        plugins.add(Masking.class);
        return plugins;
    }

    @Override
    public void tearDown() throws Exception {
        isMasking = false;
        super.tearDown();
    }

    private void fill(String owner) {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(Map.of("properties", Map.of("owner", Map.of("type", "keyword"))))
                .get();
        for (String id : List.of("1", "2", "3")) {
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setSource(Map.of("simhash", given(7), "owner", id.equals("3") ? owner : "bob " + id))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
    }

    private Map<String, Object> sources() {
        client().admin().indices().prepareRefresh(INDEX).get();
        Map<String, Object> sources = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(INDEX).get().getHits()) {
            sources.put(hit.getId(), hit.getSourceAsMap());
        }
        return sources;
    }

    private void assertRefused(String what, String index, ThrowingRunnable job) {
        assertRefused(what, "3", index, job);
    }

    private void assertRefused(String what, String id, String index, ThrowingRunnable job) {
        isMasking = true;
        OpenSearchStatusException refused = expectThrows(OpenSearchStatusException.class, job);
        isMasking = false;
        assertEquals(what, "[" + id + "] of [" + index + "] " + REFUSAL, refused.getMessage());
        assertEquals(RestStatus.FORBIDDEN, refused.status());
    }

    private static String options(String action) {
        return "{\"verify\":false," + action + "}";
    }

    public void testNothingIsWrittenWhereOneDocumentIsSeenInPart() {
        fill(MASKED);
        Map<String, Object> before = sources();
        for (String action : List.of(
                "\"action\":\"delete\",\"archive\":" + ARCHIVE,
                "\"action\":\"delete\",\"archive\":false",
                "\"action\":\"delete\",\"archive\":false,\"merge\":[\"owner\"]",
                "\"action\":\"tag\",\"archive\":false,\"merge\":[\"owner\"],\"dest\":{\"index\":\"groups\"}",
                "\"action\":\"tag\",\"archive\":" + ARCHIVE + ",\"merge\":[\"owner\"]")) {
            assertRefused(action, INDEX, () -> run(options(action), Float.POSITIVE_INFINITY, 100));
            assertEquals(action, before, sources());
        }
        for (String index : List.of(REMOVED, "groups")) {
            assertFalse(client().admin().indices().prepareExists(index).get().isExists());
        }
    }

    /** Nor is a group marked as applied. */
    public void testNoGroupIsAppliedWhereOneDocumentIsSeenInPart() throws IOException {
        fill(MASKED);
        Map<String, Object> before = sources();
        String run = run("{\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100)
                .run();
        for (String action : List.of("\"delete\",\"verify\":false", "\"tag\",\"merge\":[\"owner\"]")) {
            String body = "{\"dest\":{\"index\":\"groups\"},\"run\":\"" + run
                    + "\",\"only\":\"not_rejected\",\"archive\":false,\"action\":" + action + "}";
            try (XContentParser parser = createParser(JsonXContent.jsonXContent, body)) {
                ApplyAction.Request apply = ApplyAction.Request.fromXContent(
                        new String[] {INDEX}, parser, new WritePace(Float.POSITIVE_INFINITY, 100));
                assertRefused(
                        action,
                        INDEX,
                        () -> client().execute(ApplyAction.INSTANCE, apply).actionGet());
            }
            assertEquals(action, before, sources());
        }
        client().admin().indices().prepareRefresh("groups").get();
        for (SearchHit group : client().prepareSearch("groups").get().getHits()) {
            assertNull(group.getSourceAsMap().get("applied_at"));
        }
    }

    public void testCopiesAreRestoredAsTheyAreStoredOrNotAtAll() throws IOException {
        fill(MASKED);
        Map<String, Object> before = sources();
        String action = options("\"action\":\"delete\",\"archive\":" + ARCHIVE);
        String run = run(action, Float.POSITIVE_INFINITY, 100).run();
        assertEquals(1, sources().size());
        RestoreAction.Request restore = new RestoreAction.Request(
                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 100));
        client().admin().indices().prepareRefresh(REMOVED).get();
        String copy = Arrays.stream(
                        client().prepareSearch(REMOVED).get().getHits().getHits())
                .map(SearchHit::getId)
                .filter(id -> id.contains("/3/"))
                .findAny()
                .orElseThrow();
        assertRefused(
                "restore",
                copy,
                REMOVED,
                () -> client().execute(RestoreAction.INSTANCE, restore).actionGet());
        assertEquals(1, sources().size());
        client().execute(RestoreAction.INSTANCE, restore).actionGet();
        assertEquals(before, sources());
    }

    /** A filter that changes nothing of them is none. */
    public void testDocumentsThatAreSeenWholeAreMergedAndDeleted() throws IOException {
        fill("eve");
        isMasking = true;
        String action = "\"action\":\"delete\",\"archive\":" + ARCHIVE + ",\"merge\":[\"owner\"]";
        assertEquals(2, run(options(action), Float.POSITIVE_INFINITY, 100).count("deleted"));
        assertEquals(
                List.of("bob 1", "bob 2", "eve"),
                client().prepareGet(INDEX, "1").get().getSource().get("owner"));
    }
}
