/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.Windows;

/** Documents with several fingerprints, for example of title and text, each with a processor of its own. */
public class SeveralFieldsClusterTests extends NearDuplicateClusterTestCase {

    private static final String PROCESSORS = "{'near_duplicate': {'field': 'title', 'target_field': 'near_title'}},"
            + "{'near_duplicate': {'field': 'text', 'target_field': 'near_text'}}";

    private static Map<String, Object> document(long title, long text) {
        Map<String, Object> document = new HashMap<>();
        document.put("title", print(title).get("simhash"));
        document.put("text", print(text).get("simhash"));
        return document;
    }

    private static String named(Map<String, Object> source, String field) {
        return source.get(field) instanceof Map<?, ?> tag ? (String) tag.get("id") : null;
    }

    private Map<String, String> named(String index, String field) {
        Map<String, String> originals = new TreeMap<>();
        stored(index).forEach((id, source) -> originals.put(id, named(source, field)));
        return originals;
    }

    public void testEachFingerprintIsComparedWithItsLike() {
        processors(PROCESSORS);
        for (boolean refreshed : new boolean[] {false, true}) {
            String index = "fields-" + refreshed;
            index(index, 1);
            assertIndexed(send(index, "A", document(0, 0xFFFFFF)));
            assertIndexed(send(index, "B", document(0xFFFFFF, 0)));
            if (refreshed) {
                refresh(index);
            }
            assertIndexed(send(index, "C", document(1, 0x00FF00FF)));
            assertIndexed(send(index, "D", document(0x7777_0000_0000L, 0xFFFFFE)));
            assertEquals(expected("A", null, "B", null, "C", "A", "D", null), named(index, "near_title"));
            assertEquals(expected("A", null, "B", null, "C", null, "D", "A"), named(index, "near_text"));
        }
    }

    /** A later processor does not take away the knowledge of an earlier one. */
    public void testADocumentThatIsWrittenAgainStaysAnOriginalForBoth() {
        processors(PROCESSORS);
        index(DOCS, 1);
        assertIndexed(send(DOCS, "A", document(0, 0xFFFFFF)));
        refresh(DOCS);
        assertIndexed(send(DOCS, "A", document(0, 0xFFFFFF)));
        assertIndexed(send(DOCS, "B", document(0b1, 0xFFFFFF ^ 0b1)));
        assertEquals(expected("A", null, "B", "A"), named(DOCS, "near_title"));
        assertEquals(expected("A", null, "B", "A"), named(DOCS, "near_text"));
    }

    /** The first processor kept it. */
    public void testWhatTheSecondProcessorEndsIsNoOriginalForTheFirst() {
        for (String action : List.of("drop", "fail")) {
            processors("{'near_duplicate': {'field': 'title'}}," + "{'near_duplicate': {'field': 'text', 'action': '"
                    + action + "'}}");
            String index = "ended-by-" + action;
            index(index, 1);
            assertIndexed(send(index, "A", document(0, 0xFFFFFF)));
            assertIndexed(send(index, "B", document(0x3333_0000_0000L, 0x7777_0000_0000L)));
            send(index, "E", document(0x5555_0000_0000_0000L, 0xFFFFFF));
            send(index, "C", document(0x1111_1111_1111_1111L, 0xFFFFFF));
            List<String> ids = Windows.names(window()).stream()
                    .filter(name -> name.index().equals(index))
                    .map(DocumentName::id)
                    .toList();
            if (action.equals("drop")) {
                assertEquals("each by both fields", List.of("A", "A", "B", "B"), ids);
            }
            assertIndexed(send(index, "D", document(0x3333_0000_0001L, 0)));
            assertEquals("B", named(index, "near_duplicate").get("D"));
            assertIndexed(send(index, "F", document(0x5555_0000_0000_0001L, 0xFF00_0000_0000L)));
            assertNull("E is not stored", named(index, "near_duplicate").get("F"));
        }
    }

    /** Both processors' entries are one document. The second entry replaces the first, and keeps its originals. */
    public void testTwoProcessorsOfOneFieldKnowTogetherWhatADocumentFollows() {
        index("archive", 1);
        processors("{'near_duplicate': {'action': 'drop'}},"
                + "{'near_duplicate': {'index': 'archive', 'target_field': 'in_archive'}}");
        index(DOCS, 1);
        assertIndexed(send(DOCS, ordered("A", print(0b1), "B", print(0b11))));
        BulkItemResponse edited = send(DOCS, "A", print(0b111));
        assertIndexed(edited);
        assertEquals(
                "not for its own duplicate",
                Result.UPDATED,
                edited.getResponse().getResult());
        assertEquals(expected("A", null, "B", "A:1?"), tags(DOCS));
    }

    public void testTheLastOfTwoProcessorsOfOneFieldFailsDuplicates() {
        index("archive", 1);
        processors("{'near_duplicate': {'index': 'archive', 'target_field': 'in_archive'}},"
                + "{'near_duplicate': {'action': 'fail'}}");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "A", print(0b1)));
        assertEquals(RestStatus.CONFLICT, send(DOCS, "B", print(0b11)).status());
    }

    /** The first processor enters all documents before the second sees any. The order of arrival stays. */
    public void testDocumentsThatOnlyTheSecondOfTwoProcessorsLinksDoNotNameEachOther() {
        // Fingerprints that are not made of text may be farther.
        processors("{'simhash': {'hash_field': 'ready', 'hash_scheme': 'test'}}", "ready");
        for (String action : List.of("tag", "drop", "fail")) {
            processors("{'near_duplicate': {'action': 'drop', 'max_distance': 3}},"
                    + "{'near_duplicate': {'max_distance': 10, 'action': '" + action + "'}}");
            client().admin().indices().prepareDelete(DOCS + "*").get();
            index(DOCS, 1);
            BulkItemResponse[] items =
                    send(DOCS, ordered("A", print(0), "B", print(0b11111))).getItems();
            assertIndexed(items[0]);
            assertIndexed(items[1]);
            assertEquals(action, expected("A", null, "B", "A:5?"), tags(DOCS));
        }
    }

    /**
     * In between it had another text. Its first version does not make it older than a document that arrived in between.
     */
    public void testAVersionThatComesAgainIsAsYoungAsItsLastOne() {
        pipeline("");
        index(DOCS, 1);
        var bulk = node().prepareBulk();
        bulk.add(new IndexRequest(DOCS).id("X").source(print(0)).setPipeline(PIPELINE));
        bulk.add(new IndexRequest(DOCS).id("X").source(print(~0L)).setPipeline(PIPELINE));
        bulk.add(new IndexRequest(DOCS).id("Y").source(print(1)).setPipeline(PIPELINE));
        bulk.add(new IndexRequest(DOCS).id("X").source(print(0)).setPipeline(PIPELINE));
        assertIndexed(bulk.get());
        assertEquals(expected("X", "Y:1?", "Y", null), tags(DOCS));
    }

    /** It is refused if the name exists, and the stored version stays. */
    public void testWhatIsToBeCreatedWithoutAFingerprintTakesThePlaceOfNone() {
        pipeline("'action': 'drop'");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "X", print(0)));
        var bulk = node().prepareBulk();
        bulk.add(new IndexRequest(DOCS).id("X").source(Map.of()).create(true).setPipeline(PIPELINE));
        bulk.add(new IndexRequest(DOCS).id("Y").source(print(1)).setPipeline(PIPELINE));
        BulkItemResponse[] items = bulk.get().getItems();
        assertTrue(items[0].isFailed());
        assertEquals(Result.NOOP, items[1].getResponse().getResult());
    }

    /** A document that follows another by any field is its duplicate, and no original of it. */
    public void testWhatFollowsADocumentByOneFieldIsNoOriginalOfItByAnother() {
        processors("{'near_duplicate': {'field': 'title'}}, {'near_duplicate': {'field': 'text', 'action': 'drop'}}");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "O", document(0, 0xFFFFFF)));
        assertIndexed(send(DOCS, "U", document(1, 0x7777_0000_0000L)));
        BulkItemResponse edited = send(DOCS, "O", document(0, 0x7777_0000_0001L));
        assertIndexed(edited);
        assertEquals(Result.UPDATED, edited.getResponse().getResult());
    }

    /** The second processor's entry replaces the first, and keeps the originals of the upsert. */
    public void testTwoProcessorsOfOneFieldKnowTogetherWhatAnUpsertFollows() {
        index("archive", 1);
        processors("{'near_duplicate': {'action': 'drop'}},"
                + "{'near_duplicate': {'index': 'archive', 'target_field': 'in_archive'}}");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "O", print(0b1)));
        client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Settings.builder().put("index.default_pipeline", PIPELINE))
                .get();
        var upsert = node().prepareBulk();
        upsert.add(new UpdateRequest(DOCS, "U").doc(print(0b11)).docAsUpsert(true));
        assertIndexed(upsert.get());
        BulkItemResponse edited = send(DOCS, "O", print(0b111));
        assertIndexed(edited);
        assertEquals(Result.UPDATED, edited.getResponse().getResult());
    }

    /** Both processors use one target field. The first one's tag is not of an earlier version. */
    public void testATagStaysWhenTheNextProcessorFindsNothing() {
        processors("{'near_duplicate': {'field': 'title'}}, {'near_duplicate': {'field': 'text'}}");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "A", document(0, 0xFFFFFF)));
        assertIndexed(send(DOCS, "B", document(0b1, 0x7777_0000_0000L)));
        Map<String, Object> titleOnly = document(0b11, 0);
        titleOnly.remove("text");
        assertIndexed(send(DOCS, "C", titleOnly));
        assertEquals("A", named(DOCS, "near_duplicate").get("B"));
        assertEquals("B", named(DOCS, "near_duplicate").get("C"));
        Map<String, Object> tagged = new HashMap<>(stored(DOCS).get("B"));
        tagged.put("title", print(0x3333_0000_0000L).get("simhash"));
        assertIndexed(send(DOCS, "B", tagged));
        assertEquals(null, named(DOCS, "near_duplicate").get("B"));
    }

    /** OpenSearch serialises the document between the default and the final pipeline. */
    public void testATagStaysWhenTheFinalPipelineFindsNothing() {
        processors("{'near_duplicate': {'field': 'text'}}", "last");
        processors("{'near_duplicate': {'field': 'title'}}");
        index(DOCS, 1);
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Settings.builder().put("index.final_pipeline", "last")));
        assertIndexed(send(DOCS, "A", document(0, 0xFFFFFF)));
        assertIndexed(send(DOCS, "B", document(0b1, 0x7777_0000_0000L)));
        Map<String, Object> titleOnly = document(0b11, 0);
        titleOnly.remove("text");
        assertIndexed(send(DOCS, "C", titleOnly));
        assertEquals("A", named(DOCS, "near_duplicate").get("B"));
        assertEquals("B", named(DOCS, "near_duplicate").get("C"));
        for (String id : List.of("B", "C")) {
            Map<String, Object> tagged = new HashMap<>(stored(DOCS).get(id));
            tagged.put(
                    "title",
                    print(id.equals("B") ? 0x3333_0000_0000L : 0x3333_0000_0000_0000L)
                            .get("simhash"));
            assertIndexed(send(DOCS, id, tagged));
            assertEquals(null, named(DOCS, "near_duplicate").get(id));
        }
    }
}
