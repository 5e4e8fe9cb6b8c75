/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.admin.indices.refresh.RefreshRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.write.TagUpdates.TagMapping;
import org.opensearch.simhash.search.query.IndexMapping;

public class TagTests extends DeletingTestCase {

    /** Fingerprints that other systems made have none. */
    public void testDocumentsWithoutASchemeAreTagged() throws IOException {
        createIndex(INDEX);
        for (String id : new String[] {"1", "2"}) {
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setSource(Map.of("simhash", Map.of("bits", 7)))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse response = run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(1, response.count("duplicates"));
        assertEquals(1, response.count("tagged"));
        assertEquals(
                1,
                client().prepareSearch(INDEX)
                        .setQuery(QueryBuilders.termQuery("simhash.duplicate_of", "1"))
                        .get()
                        .getHits()
                        .getTotalHits()
                        .value());
    }

    /** What is read is not throttled: a job of one document a second read each tag by a search of its own. */
    public void testASlowJobReadsTagsAsAFastOne() throws IOException {
        createIndex(INDEX);
        for (int id = 0; id < 30; id++) {
            put(id, 0);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        assertEquals(
                29, run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100).count("tagged"));
        client().admin().indices().prepareRefresh(INDEX).get();
        int fast = searchesOfNoWrites(Float.POSITIVE_INFINITY);
        int slow = searchesOfNoWrites(1);
        assertTrue(slow + " in place of " + fast, slow < fast + 10);
    }

    private int searchesOfNoWrites(float perSecond) throws IOException {
        AtomicInteger searches = new AtomicInteger();
        RequestHook.set(request -> {
            searches.addAndGet(request instanceof SearchRequest ? 1 : 0);
            return null;
        });
        assertEquals(0, run("{\"action\":\"tag\"}", perSecond, 100).count("tagged"));
        return searches.get();
    }

    /** As after a reindex into an index where a dynamic mapping was before the tags. */
    public void testADuplicateOfAChangedSurvivorIsFoundByATagThatIsMappedAsText() throws IOException {
        Map<String, Object> text =
                Map.of("type", "text", "fields", Map.of("keyword", Map.of("type", "keyword", "ignore_above", 256)));
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(Map.of(
                        "properties",
                        Map.of("simhash", Map.of("properties", Map.of("group", text, "duplicate_of", text)))))
                .get();
        Map<String, Object> tagged =
                Map.of("bits", 0, "scheme", "given-a", "group", "Doc-1 Eins", "duplicate_of", "Doc-1 Eins");
        client().prepareIndex(INDEX)
                .setId("Doc-1 Eins")
                .setSource(Map.of("changed", 1, "simhash", given(-1)))
                .get();
        client().prepareIndex(INDEX)
                .setId("Doc-2")
                .setSource(Map.of("simhash", tagged))
                .get();
        client().admin().indices().prepareRefresh(INDEX).get();
        String options = "{\"action\":\"tag\",\"new_since\":{\"exists\":{\"field\":\"changed\"}}}";
        assertEquals(1, run(options, Float.POSITIVE_INFINITY, 100).count("cleared"));
    }

    /** The tag came along when another fingerprint was added: a partial update would put one object in the place of both. */
    public void testATagAmongSeveralFingerprintsStays() throws IOException {
        createIndex(INDEX);
        put(1, 0);
        put(2, 0);
        client().admin().indices().prepareRefresh(INDEX).get();
        assertEquals(
                1, run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100).count("tagged"));
        Map<?, ?> tagged = (Map<?, ?>)
                client().prepareGet(INDEX, "2").get().getSourceAsMap().get("simhash");
        Object several = List.of(tagged, given(-1L));
        client().prepareIndex(INDEX)
                .setId("2")
                .setSource(Map.of("simhash", several))
                .get();
        client().prepareDelete(INDEX, "1").get();
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse response = run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(0, response.count("cleared"));
        assertEquals(1, response.count("stale_fingerprint"));
        assertEquals("a job does not fail for one document", RestStatus.OK, response.status());
        assertTrue(response.toString(), response.warnings().toString().contains("is one of several"));
        assertEquals(
                2,
                ((List<?>) client().prepareGet(INDEX, "2")
                                .get()
                                .getSourceAsMap()
                                .get("simhash"))
                        .size());
    }

    public void testTheEstimateCountsDuplicatesWhetherTheyAreWrittenOrNot() throws IOException {
        fill(Settings.EMPTY);
        client().prepareIndex(INDEX)
                .setId("stale")
                .setSource(Map.of("simhash", Map.of("bits", 0xFFFF, "scheme", "given-a", "group", "1")))
                .get();
        client().admin().indices().prepareRefresh(INDEX).get();
        List<JobStatus> seen = new ArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof BulkRequest || request instanceof RefreshRequest) {
                seen.add(status());
            }
            return null;
        });
        run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 1);
        assertEquals(
                "one to clear, four to tag, and the end",
                List.of(0L, 1L, 2L, 3L, 4L, 5L),
                seen.stream().map(JobStatus::written).toList());
        assertEquals("a tag that is taken back is none of them", -1, seen.get(1).remaining());
        assertEquals(0, seen.getLast().remaining());
        seen.clear();
        run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 1);
        RequestHook.clear();
        assertEquals("all are tagged already", 1, seen.size());
        assertEquals(0, seen.getFirst().remaining());
    }

    public void testIndicesWithoutAMappingGetOne() {
        Map<String, Object> own = Map.of("type", "keyword", "ignore_above", 300);
        for (Map<String, Object> before : List.<Map<String, Object>>of(
                Map.of(),
                Map.of("group", own),
                Map.of("duplicate_of", own),
                Map.of("group", own, "duplicate_of", own))) {
            mapped(before, false);
            Metadata metadata =
                    getInstanceFromNode(ClusterService.class).state().metadata();
            new TagMapping("simhash", null).complete(client(), metadata, List.of(INDEX, "deleted"));
            Map<String, Object> mapping = client().admin()
                    .indices()
                    .prepareGetMappings(INDEX)
                    .get()
                    .getMappings()
                    .get(INDEX)
                    .sourceAsMap();
            for (String part : List.of("group", "duplicate_of")) {
                assertEquals(
                        before.getOrDefault(part, Map.of("type", "keyword")),
                        XContentMapValues.extractValue("properties.simhash.properties." + part, mapping));
            }
            client().admin().indices().prepareDelete(INDEX).get();
        }
    }

    public void testNestedObjectsStayNested() {
        Map<String, Object> nested =
                Map.of("type", "nested", "include_in_root", true, "properties", Map.of("bits", Map.of("type", "long")));
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(Map.of("properties", Map.of("page", Map.of("properties", Map.of("simhash", nested)))))
                .get();
        Metadata metadata = getInstanceFromNode(ClusterService.class).state().metadata();
        new TagMapping("page.simhash", "page.copies").complete(client(), metadata, List.of(INDEX));
        metadata = getInstanceFromNode(ClusterService.class).state().metadata();
        IndexMapping mapping = new IndexMapping(metadata.index(INDEX));
        assertEquals("nested", mapping.definition("page.simhash").get("type"));
        assertEquals(Map.of("type", "keyword"), mapping.definition("page.simhash.group"));
        assertEquals(Map.of("type", "integer"), mapping.definition("page.copies"));
    }

    private void mapped(Map<String, Object> tags, Object dynamic) {
        Map<String, Object> properties = new HashMap<>(tags);
        properties.put("bits", Map.of("type", "long"));
        properties.put("digest", Map.of("type", "keyword"));
        properties.put("scheme", Map.of("type", "keyword"));
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(
                        Map.of("properties", Map.of("simhash", Map.of("dynamic", dynamic, "properties", properties))))
                .get();
    }

    /** Nobody would find what is tagged, nor this job what is tagged no more. */
    public void testTagsThatWouldNotBeFoundAreRefused() throws IOException {
        Map<String, String> wrong = Map.of(
                "{\"type\":\"long\"}", "where it is of type [long]",
                "{\"type\":\"object\",\"enabled\":false}", "where it is of type [object]",
                "{\"type\":\"text\",\"index\":false}", "where it is of type [text] and not indexed",
                "{\"type\":\"text\"}", "where it is of type [text] without an indexed [keyword] below it",
                "{\"type\":\"match_only_text\",\"fields\":{\"keyword\":{\"type\":\"long\"}}}",
                        "where it is of type [match_only_text] without an indexed [keyword] below it",
                "{\"type\":\"keyword\",\"index\":false,\"doc_values\":false}",
                        "where it is of type [keyword] and not indexed");
        for (Map.Entry<String, String> mapping : wrong.entrySet()) {
            mapped(
                    Map.of(
                            "duplicate_of",
                            XContentHelper.convertToMap(JsonXContent.jsonXContent, mapping.getKey(), false)),
                    true);
            put(1, 0);
            put(2, 0);
            client().admin().indices().prepareRefresh(INDEX).get();
            Exception e = expectThrows(
                    IllegalArgumentException.class, () -> run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100));
            assertEquals(
                    "[action] tag needs [simhash.duplicate_of] of type [keyword], got: [" + INDEX + "], "
                            + mapping.getValue(),
                    e.getMessage());
            client().admin().indices().prepareDelete(INDEX).get();
        }
    }

    public void testATagThatIsTooLongForItsFieldIsAFailure() throws IOException {
        Map<String, Object> three = Map.of("type", "keyword", "ignore_above", 3);
        assertTooLong(three);
        client().admin().indices().prepareDelete(INDEX).get();
        assertTooLong(Map.of("type", "text", "fields", Map.of("keyword", three)));
    }

    private void assertTooLong(Map<String, Object> duplicateOf) throws IOException {
        mapped(Map.of("duplicate_of", duplicateOf), "strict");
        for (String id : List.of("abc", "abcd", "bcde", "bcdef")) {
            Map<String, Object> print = Map.of("bits", id.startsWith("a") ? 0 : -1, "scheme", "given-a");
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setSource(Map.of("simhash", print))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        assertOneIsTooLong(1, 0);
        Map<String, Object> stale = Map.of("bits", -1, "scheme", "given-a", "group", "abc", "duplicate_of", "abc");
        client().prepareIndex(INDEX)
                .setId("bcdef")
                .setSource(Map.of("simhash", stale))
                .get();
        client().admin().indices().prepareRefresh(INDEX).get();
        assertOneIsTooLong(0, 1);
        assertOneIsTooLong(0, 0);
    }

    private void assertOneIsTooLong(int tagged, int cleared) throws IOException {
        JobResponse response = run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(tagged, response.count("tagged"));
        assertEquals("of another survivor", cleared, response.count("cleared"));
        assertEquals(1, response.failures().size());
        assertEquals(
                "[tag] needs [simhash.duplicate_of] without an [ignore_above] that an id of 4 characters is above, got: 3",
                response.failures().getFirst().reason());
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    /** Of each document: the id of its group, its survivor, the size. */
    private Map<String, List<Object>> tags() {
        client().admin().indices().prepareRefresh(INDEX).get();
        Map<String, List<Object>> tags = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(INDEX).setSize(100).get().getHits()) {
            Map<String, Object> source = hit.getSourceAsMap();
            tags.put(
                    hit.getId(),
                    Arrays.asList(
                            XContentMapValues.extractValue("simhash.group", source),
                            XContentMapValues.extractValue("simhash.duplicate_of", source),
                            source.get("copies")));
        }
        return tags;
    }

    public void testEveryMemberHasTheIdOfItsGroupWhichStaysWhenTheSurvivorGoes() throws IOException {
        fill(Settings.EMPTY);
        put(5, 0);
        put(9, 0x0F0F_0F0F_0F0FL);
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse response = run("{\"action\":\"tag\",\"size_field\":\"copies\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(2, response.count("groups_new"));
        assertEquals(3, response.count("tagged"));
        assertEquals(2, response.count("grouped"));
        Map<String, List<Object>> tags = tags();
        Object first = tags.get("1").getFirst();
        Object second = tags.get("3").getFirst();
        assertNotEquals(first, second);
        assertEquals(Arrays.asList(first, null, 3), tags.get("1"));
        assertEquals(Arrays.asList(first, "1", null), tags.get("2"));
        assertEquals(Arrays.asList(first, "1", null), tags.get("5"));
        assertEquals(Arrays.asList(second, null, 2), tags.get("3"));
        assertEquals(Arrays.asList(null, null, null), tags.get("9"));
        client().prepareDelete(INDEX, "1").get();
        client().prepareDelete(INDEX, "4").get();
        client().admin().indices().prepareRefresh(INDEX).get();
        response = run("{\"action\":\"tag\",\"size_field\":\"copies\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals("3 is alone", 1, response.count("groups_gone"));
        assertEquals(1, response.count("cleared"));
        tags = tags();
        assertEquals(Arrays.asList(first, null, 2), tags.get("2"));
        assertEquals(Arrays.asList(first, "2", null), tags.get("5"));
        assertEquals(Arrays.asList(null, null, null), tags.get("3"));
        assertEquals("a field that is gone, not null", 1, sourceOf("3").size());
    }

    private Map<String, Object> sourceOf(String id) {
        return client().prepareGet(INDEX, id).get().getSourceAsMap();
    }

    public void testTheGroupsOfDestSayWhatTheyWere() throws IOException {
        createIndex(INDEX);
        for (int i = 1; i <= 5; i++) {
            put(i, i <= 3 ? 0 : -1L);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        String tag = "{\"action\":\"tag\",\"dest\":{\"index\":\"groups\"}}";
        run(tag, Float.POSITIVE_INFINITY, 100);
        Object larger = tags().get("1").getFirst();
        Object smaller = tags().get("4").getFirst();
        // What a document says of its group stays, as with an update that computes the fingerprint itself.
        client().prepareUpdate(INDEX, "4").setDoc(Map.of("simhash", given(0))).get();
        client().prepareUpdate(INDEX, "5").setDoc(Map.of("simhash", given(0))).get();
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse merged = run(tag, Float.POSITIVE_INFINITY, 100);
        assertEquals(1, merged.count("groups_merged"));
        assertEquals(1, merged.count("groups_gone"));
        Map<String, Object> group = groupOf("1");
        assertEquals(larger, group.get("name"));
        assertEquals(List.of(smaller), group.get("merged_from"));
        for (String id : List.of("2", "3")) {
            client().prepareUpdate(INDEX, id)
                    .setDoc(Map.of("simhash", given(-1L)))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse split = run(tag, Float.POSITIVE_INFINITY, 100);
        assertEquals(1, split.count("groups_split"));
        assertEquals(larger, groupOf("1").get("name"));
        assertNull(groupOf("1").get("merged_from"));
        assertEquals(List.of(larger), groupOf("2").get("split_from"));
    }

    private Map<String, Object> groupOf(String survivor) {
        return client().prepareSearch("groups")
                .setQuery(QueryBuilders.termQuery("survivor.id", survivor))
                .get()
                .getHits()
                .getAt(0)
                .getSourceAsMap();
    }

    public void testAFieldForSizesThatCannotHoldThemIsRefused() throws IOException {
        Map<String, String> wrong = Map.of(
                "copies",
                "[size_field] must be of type [integer] or [long], got: [copies], which is of type [text] in ",
                "short",
                "[size_field] must be of type [integer] or [long], got: [short], which is of type [short] in ",
                "pages.copies",
                "[size_field] must be a field of the document or of its objects, got: [pages.copies],"
                        + " where [pages] is of type [nested] in ",
                "copies.raw",
                "[size_field] must be a field of the document or of its objects, got: [copies.raw],"
                        + " where [copies] is of type [text] in ");
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping("copies", "type=text", "short", "type=short", "pages", "type=nested")
                .get();
        put(1, 0);
        put(2, 0);
        client().admin().indices().prepareRefresh(INDEX).get();
        wrong.forEach((field, message) -> {
            Exception e = expectThrows(
                    IllegalArgumentException.class,
                    () -> run("{\"action\":\"tag\",\"size_field\":\"" + field + "\"}", Float.POSITIVE_INFINITY, 100));
            assertEquals(message + "[" + INDEX + "]", e.getMessage());
        });
        assertNull(tags().get("2").getFirst());
    }

    /** A partial update would put an object in the place of the list. */
    public void testASizeBelowAListIsAFailure() throws IOException {
        createIndex(INDEX);
        Object list = List.of(Map.of("name", "a"), Map.of("name", "b"));
        for (String id : List.of("1", "2")) {
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setSource(Map.of("simhash", given(0), "authors", list))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse response =
                run("{\"action\":\"tag\",\"size_field\":\"authors.copies\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(1, response.failures().size());
        assertEquals(
                "[size_field] must be a field of the document or of its objects, got: [authors.copies] below another"
                        + " value",
                response.failures().getFirst().reason());
        assertEquals(list, sourceOf("1").get("authors"));
    }

    public void testAnIdThatIsTooLongForItsFieldIsRefused() {
        mapped(Map.of("group", Map.of("type", "keyword", "ignore_above", 19)), true);
        put(1, 0);
        put(2, 0);
        client().admin().indices().prepareRefresh(INDEX).get();
        Exception e = expectThrows(
                IllegalArgumentException.class, () -> run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100));
        assertEquals(
                "[action] tag needs [simhash.group] with an [ignore_above] of at least 20, got: 19 in [" + INDEX + "]",
                e.getMessage());
    }
}
