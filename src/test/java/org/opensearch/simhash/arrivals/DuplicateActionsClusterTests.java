/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.ingest.SimulateDocumentBaseResult;
import org.opensearch.action.ingest.SimulatePipelineRequest;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.simhash.arrivals.arrival.Arrivals;

/** The actions: duplicates are tagged, dropped or refused, and never lost. */
public class DuplicateActionsClusterTests extends NearDuplicateClusterTestCase {

    public void testDocumentsOfOneBulkKnowThoseBeforeThem() {
        pipeline("");
        assertIndexed(send(DOCS, ordered("1", print(0b1), "2", print(0b11), "3", print(~0L), "4", print(0b1111))));
        assertEquals(expected("1", null, "2", "1:1?", "3", null, "4", "2:2?"), tags(DOCS));
    }

    public void testFindsWhatIsStoredAndNotYetRefreshed() {
        pipeline("");
        index(DOCS, 2);
        assertIndexed(send(DOCS, "1", print(0b1)));
        assertIndexed(send(DOCS, "2", print(0b11)));
        assertEquals(expected("1", null, "2", "1:1"), tags(DOCS));
    }

    public void testFindsWhatOnlyTheIndexKnows() {
        pipeline("");
        index(DOCS, 2);
        client().prepareIndex(DOCS).setId("1").setSource(print(0b1)).get();
        refresh(DOCS);
        assertIndexed(send(DOCS, "2", print(0b11)));
        assertIndexed(send(DOCS, "3", print(0b111111)));
        assertEquals(expected("1", null, "2", "1:1", "3", null), tags(DOCS));
    }

    public void testNamesTheNearestThenTheOldest() {
        pipeline("");
        index(DOCS, 1);
        for (int i = 0; i < 20; i++) {
            send(DOCS, "far-" + i, print(0b111));
        }
        send(DOCS, "near-1", print(0b1));
        send(DOCS, "near-2", print(0b1));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        assertIndexed(send(DOCS, "new", print(0b0)));
        assertEquals("near-1:1", tags(DOCS).get("new"));
    }

    public void testDropsOnlyWhatHasAStoredOriginal() {
        pipeline("'action': 'drop'");
        BulkResponse first = send(DOCS, ordered("1", print(0b1), "2", print(0b11)));
        assertIndexed(first);
        assertEquals(Result.CREATED, first.getItems()[1].getResponse().getResult());
        BulkResponse second = send(DOCS, ordered("3", print(0b11), "4", print(~0L), "5", print(0b1)));
        assertIndexed(second);
        assertEquals(Result.NOOP, second.getItems()[0].getResponse().getResult());
        assertEquals("3", second.getItems()[0].getId());
        assertEquals(Result.CREATED, second.getItems()[1].getResponse().getResult());
        assertEquals(Result.NOOP, second.getItems()[2].getResponse().getResult());
        assertEquals(expected("1", null, "2", "1:1?", "4", null), tags(DOCS));
    }

    public void testDropsByWhatARefreshMadeVisible() {
        pipeline("'action': 'drop'");
        index(DOCS, 2);
        client().prepareIndex(DOCS).setId("1").setSource(print(0b1)).get();
        refresh(DOCS);
        assertEquals(Result.NOOP, send(DOCS, "2", print(0b11)).getResponse().getResult());
        assertEquals(expected("1", null), tags(DOCS));
    }

    public void testADroppedDocumentIsNoOriginal() {
        pipeline("'action': 'drop'");
        index(DOCS, 1);
        send(DOCS, "1", print(0b0));
        send(DOCS, "2", print(0b111)); // dropped
        assertIndexed(send(DOCS, "3", print(0b111111)));
        assertEquals(expected("1", null, "3", null), tags(DOCS));
        // 4 is near 3, which is in this bulk; 3 was dropped in another one
        assertIndexed(send(DOCS, ordered("4", print(0b111), "5", print(0b11111000))));
        assertEquals(List.of("1", "3", "5"), List.copyOf(tags(DOCS).keySet()));
    }

    public void testNothingIsDroppedForAnOriginalThatChangedSince() {
        pipeline("'action': 'drop'");
        index(DOCS, 1);
        client().prepareIndex(DOCS).setId("1").setSource(print(0b1)).get();
        refresh(DOCS);
        client().prepareIndex(DOCS).setId("1").setSource(print(~0L)).get();
        assertEquals(Result.CREATED, send(DOCS, "2", print(0b11)).getResponse().getResult());
        assertEquals(expected("1", null, "2", null), tags(DOCS));
    }

    public void testNothingIsDroppedForAnOriginalThatWasDeleted() {
        pipeline("'action': 'drop'");
        index(DOCS, 1);
        send(DOCS, "1", print(0b1));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        client().prepareDelete(DOCS, "1").get();
        assertEquals(Result.CREATED, send(DOCS, "2", print(0b11)).getResponse().getResult());
        assertEquals(expected("2", null), tags(DOCS));
    }

    public void testAnErrorNamesTheOriginalAndTheDistance() {
        pipeline("'action': 'fail'");
        assertIndexed(send(DOCS, ordered("1", print(0b1), "2", print(0b111), "3", print(~0L))));
        assertEquals(expected("1", null, "2", "1:2?", "3", null), tags(DOCS));
        BulkItemResponse failed = send(DOCS, "4", print(0b1));
        assertEquals(RestStatus.CONFLICT, failed.status());
        String message = failed.getFailureMessage();
        assertTrue(message, message.contains("[4] is a near-duplicate of [1] in index [docs] at distance [0]]"));
    }

    /** As docs/near-duplicate.md shows it. */
    public void testOpenSearchSendsTaggedDocumentsOn() {
        processors("{'near_duplicate': {}}, " + SENT_ON);
        assertIndexed(send(DOCS, ordered("1", print(0b1), "with", print(0b1))));
        assertIndexed(send(DOCS, ordered("2", print(0b111), "3", print(~0L))));
        assertEquals(expected("1", null, "3", null), tags(DOCS));
        assertEquals(expected("2", "1:2", "with", "1:0?"), tags("elsewhere"));
        // 2 is not in docs, so 4, which is near 2 alone, is new there
        assertIndexed(send(DOCS, "4", print(0b11111)));
        assertEquals(expected("1", null, "3", null, "4", null), tags(DOCS));
    }

    public void testADocumentIsNoDuplicateOfItsOwnEarlierVersion() {
        pipeline("'action': 'drop'");
        index(DOCS, 1);
        send(DOCS, "1", print(0b1));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        assertEquals(Result.UPDATED, send(DOCS, "1", print(0b11)).getResponse().getResult());
        assertEquals(Result.UPDATED, send(DOCS, "1", print(0b11)).getResponse().getResult());
        assertEquals(expected("1", null), tags(DOCS));
    }

    public void testAnOldVersionIsNoOriginal() {
        pipeline("");
        index(DOCS, 1);
        send(DOCS, "1", print(0b1));
        refresh(DOCS);
        send(DOCS, "1", print(~0L));
        assertIndexed(send(DOCS, "2", print(0b1)));
        assertIndexed(send(DOCS, "3", print(~1L)));
        assertEquals(expected("1", null, "2", null, "3", "1:1"), tags(DOCS));
    }

    public void testDocumentsWithoutIdsGetOnes() {
        pipeline("");
        BulkRequestBuilder bulk = node().prepareBulk();
        for (int i = 0; i < 3; i++) {
            bulk.add(new IndexRequest(DOCS).source(print(0b1)).setPipeline(PIPELINE));
        }
        BulkResponse response = bulk.get();
        assertIndexed(response);
        String first = response.getItems()[0].getId();
        Map<String, String> tags = tags(DOCS);
        assertNull(tags.get(first));
        assertEquals(first + ":0?", tags.get(response.getItems()[1].getId()));
        assertEquals(first + ":0?", tags.get(response.getItems()[2].getId()));
    }

    public void testEqualDigestsAreEnough() {
        pipeline("");
        String digest = Arrivals.digest(1);
        assertIndexed(send(
                DOCS,
                ordered(
                        "1",
                        print(OptionalLong.empty(), digest),
                        "2",
                        print(OptionalLong.empty(), digest),
                        "3",
                        print(OptionalLong.empty(), Arrivals.digest(2)))));
        refresh(DOCS);
        assertIndexed(send(DOCS, "4", print(OptionalLong.empty(), Arrivals.digest(2))));
        assertEquals(expected("1", null, "2", "1:0?", "3", null, "4", "3:0"), tags(DOCS));
    }

    public void testADocumentWithoutFingerprintPasses() {
        pipeline("'action': 'fail'");
        Map<String, Object> empty = new HashMap<>();
        empty.put("simhash", null);
        assertIndexed(send(DOCS, ordered("1", Map.of("a", 1), "2", Map.of("simhash", Map.of()), "3", empty)));
        assertEquals(expected("1", null, "2", null, "3", null), tags(DOCS));
    }

    public void testWrongTypesAreErrorsOfTheirDocuments() {
        pipeline("");
        BulkResponse response = send(
                DOCS,
                ordered(
                        "1", Map.of("simhash", "0123456789abcdef"),
                        "2", Map.of("simhash", Map.of("hash", 7)),
                        "3", Map.of("simhash", Map.of("hash", "xyz")),
                        "4", Map.of("simhash", Map.of("digest", "abc")),
                        "5", Map.of("simhash", Map.of("bits", 1.5)),
                        "6", print(1)));
        List<String> messages = List.of(
                "[simhash] must be the object that the [simhash] processor writes, got: String",
                "[simhash.hash] must be a string, got: 7",
                "[simhash.hash] must be 16 or 64 lowercase hex digits, got: xyz",
                "[simhash.digest] must be 32 lowercase hex digits, got: abc",
                "[simhash.bits] must be a whole number of 64 bits, got: 1.5");
        for (int i = 0; i < messages.size(); i++) {
            BulkItemResponse item = response.getItems()[i];
            assertEquals(RestStatus.BAD_REQUEST, item.status());
            assertTrue(item.getFailureMessage(), item.getFailureMessage().contains(messages.get(i)));
        }
        assertIndexed(response.getItems()[5]);
    }

    public void testAnswersComeInTheOrderOfTheRequest() {
        pipeline("'action': 'drop'");
        index(DOCS, 1);
        send(DOCS, "original", print(0b1));
        Map<String, Object> wrong = Map.of("simhash", "no object");
        BulkResponse response = send(
                DOCS,
                ordered(
                        "0",
                        wrong,
                        "1",
                        print(0b1),
                        "2",
                        print(~0L),
                        "3",
                        print(0b11),
                        "4",
                        wrong,
                        "5",
                        print(0xff00ff00)));
        for (int i = 0; i < 6; i++) {
            assertEquals("" + i, response.getItems()[i].getId());
        }
        assertTrue(response.getItems()[0].isFailed());
        assertEquals(Result.NOOP, response.getItems()[1].getResponse().getResult());
        assertEquals(Result.CREATED, response.getItems()[2].getResponse().getResult());
        assertEquals(Result.NOOP, response.getItems()[3].getResponse().getResult());
        assertTrue(response.getItems()[4].isFailed());
        assertEquals(Result.CREATED, response.getItems()[5].getResponse().getResult());
    }

    public void testEqualDigestsOfOtherRecipesAreFound() {
        pipeline("");
        index(DOCS, 1);
        String digest = Arrivals.digest(7);
        Map<String, Object> other = new HashMap<>();
        ((Map<?, ?>) print(OptionalLong.of(~0L), digest).get("simhash")).forEach((k, v) -> other.put((String) k, v));
        other.put("scheme", "v1-11111111");
        client().prepareIndex(DOCS)
                .setId("1")
                .setSource(Map.of("simhash", other))
                .get();
        refresh(DOCS);
        assertIndexed(send(
                DOCS,
                ordered(
                        "2",
                        print(OptionalLong.of(0), digest),
                        "3",
                        print(OptionalLong.of(0xff00ff), Arrivals.digest(9)))));
        assertEquals("1:0", tags(DOCS).get("2"));
        assertNull(tags(DOCS).get("3"));
    }

    public void testASimulatedDocumentIsNoOriginal() {
        pipeline("");
        index(DOCS, 1);
        send(DOCS, "1", print(0b1));
        for (String id : List.of("1", "2")) {
            String hash = id.equals("1") ? "ffffffffffffffff" : "0000000000000001";
            String body = "{'docs': [{'_index': 'docs', '_id': '" + id + "', '_source': {'simhash': {'hash': '" + hash
                    + "', 'scheme': '" + Arrivals.SCHEME + "'}}}]}";
            var request = new SimulatePipelineRequest(new BytesArray(body.replace('\'', '"')), MediaTypeRegistry.JSON);
            request.setId(PIPELINE);
            var result = (SimulateDocumentBaseResult) node().admin()
                    .cluster()
                    .simulatePipeline(request)
                    .actionGet()
                    .getResults()
                    .getFirst();
            assertNull(result.getFailure());
            assertEquals(
                    id.equals("1") ? null : "1:0",
                    tag(result.getIngestDocument().getSourceAndMetadata()));
        }
        assertIndexed(send(DOCS, ordered("3", print(~0L), "4", print(0b1))));
        assertEquals(expected("1", null, "3", null, "4", "1:0"), tags(DOCS));
    }

    public void testSeveralIndicesAreChecked() {
        pipeline("'index': ['docs', 'archive']");
        index(DOCS, 1);
        index("archive", 1);
        send("archive", "1", print(0b1));
        send("archive", "2", print(~0L));
        refresh("archive");
        assertIndexed(send(DOCS, "1", print(0b1)));
        assertIndexed(send(DOCS, "4", print(0b1)));
        assertIndexed(send("other", "9", print(0b1)));
        assertIndexed(send(DOCS, "3", print(~1L)));
        // The first one is the document with its id in the archive.
        assertEquals(expected("1", null, "4", "1:0", "3", "2:1"), tags(DOCS));
        assertEquals(expected("9", "1:0"), tags("other"));
    }

    public void testWithACondition() {
        processors("{'near_duplicate': {'if': 'ctx.check == true', 'action': 'drop'}}");
        index(DOCS, 1);
        Map<String, Object> checked = new HashMap<>(print(0b1));
        checked.put("check", true);
        BulkRequestBuilder bulk = node().prepareBulk();
        for (int i = 0; i < 50; i++) {
            bulk.add(new IndexRequest(DOCS)
                    .id("" + i)
                    .source(i % 2 == 0 ? checked : print(0b1))
                    .setPipeline(PIPELINE));
        }
        assertIndexed(bulk.get());
        Map<String, String> tags = tags(DOCS);
        assertEquals(50, tags.size());
        for (int i = 0; i < 50; i++) {
            assertEquals(i % 2 == 0 && i > 0 ? "0:0?" : null, tags.get("" + i));
        }
    }
}
