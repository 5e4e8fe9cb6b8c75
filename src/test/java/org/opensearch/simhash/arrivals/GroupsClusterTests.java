/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.rest.RestStatus;

/** The ids of groups that documents get at ingest, on two nodes. */
public class GroupsClusterTests extends NearDuplicateClusterTestCase {

    private static final String ALL = "'groups': 'all'";

    /** At 3 bits A is near B, and B is near C, but A is not near C. D is near none. */
    private static final long A = 0;

    private static final long B = 0b111;
    private static final long C = 0b111111;
    private static final long D = -1L << 20;

    private static BulkResponse sendTo(int node, String id, long bits) {
        return internalCluster()
                .client(internalCluster().getNodeNames()[node])
                .prepareBulk()
                .add(new IndexRequest(DOCS).id(id).source(print(bits)).setPipeline(PIPELINE))
                .get(PATIENCE);
    }

    /** Group and survivor of each document. */
    private record Said(String group, String survivor) {}

    private Map<String, Said> said() {
        Map<String, Said> said = new TreeMap<>();
        stored(DOCS)
                .forEach((id, source) ->
                        said.put(id, new Said((String) XContentMapValues.extractValue("simhash.group", source), (String)
                                XContentMapValues.extractValue("simhash.duplicate_of", source))));
        return said;
    }

    private void send(long bits, String id) {
        assertIndexed(send(DOCS, id, print(bits)));
    }

    public void testEachDocumentHasTheGroupOfItsOriginalInOneBulk() {
        pipeline(ALL);
        index(DOCS, 2);
        assertIndexed(send(DOCS, ordered("1", print(A), "2", print(B), "3", print(C), "4", print(D))));
        Map<String, Said> said = said();
        String group = said.get("1").group();
        assertEquals(20, group.length());
        assertEquals(new Said(group, null), said.get("1"));
        assertEquals(new Said(group, "1"), said.get("2"));
        // The survivor of the group, not the nearest original.
        assertEquals(new Said(group, "1"), said.get("3"));
        assertEquals("2:3?", tags(DOCS).get("3"));
        assertNull(said.get("4").survivor());
        assertNotEquals(group, said.get("4").group());
    }

    public void testAMappingThatWouldLoseGroupsIsRefused() {
        Map<String, String> refused = Map.of(
                "type=long", "of type [keyword], got: [docs], where it is of type [long]",
                "type=text",
                        "of type [keyword], got: [docs], where it is of type [text] without an indexed [keyword] below it",
                "type=keyword,ignore_above=19", "with an [ignore_above] of at least 20, got: 19 in [docs]");
        refused.forEach((mapping, rule) -> {
            assertAcked(client().admin().indices().prepareCreate(DOCS).setMapping("simhash.group", mapping));
            String message = "[groups] all needs [simhash.group] " + rule;
            pipeline(ALL);
            BulkItemResponse item = send(DOCS, "1", print(A));
            assertTrue(mapping, item.isFailed());
            String got = item.getFailure().getCause().getMessage();
            assertTrue(got, got.endsWith(message));
            assertEquals(RestStatus.BAD_REQUEST, item.getFailure().getStatus());
            Exception atPut = expectThrows(Exception.class, () -> pipeline(ALL + ", 'index': ['docs']"));
            assertTrue(atPut.getMessage(), atPut.getMessage().contains(message));
            pipeline("'groups': 'none'");
            assertIndexed(send(DOCS, "1", print(A)));
            assertAcked(client().admin().indices().prepareDelete(DOCS));
        });
    }

    public void testAGroupIsThatOfTheWindowAndOfOtherNodesAndOfTheIndex() {
        pipeline(ALL);
        index(DOCS, 2);
        assertIndexed(sendTo(0, "1", A));
        assertIndexed(sendTo(0, "2", B));
        assertIndexed(sendTo(1, "3", C));
        refresh(DOCS);
        assertIndexed(sendTo(1, "4", A | 1L << 9));
        Map<String, Said> said = said();
        String group = said.get("1").group();
        for (String id : List.of("2", "3", "4")) {
            assertEquals(id, new Said(group, "1"), said.get(id));
        }
    }

    public void testWithoutGroupsNothingIsWritten() {
        pipeline("");
        index(DOCS, 1);
        send(A, "1");
        send(B, "2");
        assertEquals(new Said(null, null), said().get("2"));
        assertEquals("1:3", tags(DOCS).get("2"));
    }

    public void testDuplicatesOfAnOriginalWithoutAGroupHaveOneOnAllNodes() {
        pipeline("");
        index(DOCS, 1);
        send(A, "1");
        refresh(DOCS);
        pipeline(ALL);
        assertIndexed(sendTo(0, "2", 0b11));
        assertIndexed(sendTo(1, "3", 0b11000));
        Map<String, Said> said = said();
        assertEquals(new Said(null, null), said.get("1"));
        String group = said.get("2").group();
        assertEquals(new Said(group, "1"), said.get("2"));
        assertEquals(new Said(group, "1"), said.get("3"));
        // Written again, it has their group.
        send(A, "1");
        assertEquals(new Said(group, null), said().get("1"));
    }

    public void testADocumentThatIsAloneKeepsItsGroup() {
        for (boolean refreshed : List.of(false, true)) {
            pipeline(ALL);
            if (refreshed == false) {
                index(DOCS, 1);
            }
            String id = "alone-" + refreshed;
            send(A, id);
            if (refreshed) {
                refresh(DOCS);
            }
            String group = said().get(id).group();
            send(D, id);
            assertEquals(new Said(group, null), said().get(id));
            send(D ^ (1L << 40), id);
            assertEquals(new Said(group, null), said().get(id));
            client().prepareDelete(DOCS, id).get();
        }
    }

    /** Also in one bulk, where nothing is stored yet. */
    public void testADocumentThatIsWrittenTwiceInABulkKeepsItsGroup() {
        pipeline(ALL);
        index(DOCS, 1);
        send(A, "1");
        String group = said().get("1").group();
        var bulk = node().prepareBulk();
        for (long bits : List.of(D, C, B)) {
            bulk.add(new IndexRequest(DOCS).id("1").source(print(bits)).setPipeline(PIPELINE));
        }
        assertIndexed(bulk.get(PATIENCE));
        assertEquals(new Said(group, null), said().get("1"));
    }

    public void testADocumentThatLeavesItsGroupHasANewOne() {
        for (boolean refreshed : List.of(false, true)) {
            pipeline(ALL);
            if (refreshed == false) {
                index(DOCS, 1);
            }
            String survivor = "survivor-" + refreshed;
            String duplicate = "duplicate-" + refreshed;
            send(A, survivor);
            send(B, duplicate);
            if (refreshed) {
                refresh(DOCS);
            }
            // The survivor leaves. Its duplicate keeps the group, and so what comes to it.
            send(D, survivor);
            send(C, "next-" + refreshed);
            Map<String, Said> said = said();
            String group = said.get(duplicate).group();
            assertNotEquals(group, said.get(survivor).group());
            assertNull(said.get(survivor).survivor());
            assertEquals(group, said.get("next-" + refreshed).group());
            // It comes back.
            send(A, survivor);
            assertEquals(new Said(group, null), said().get(survivor));
            // The duplicate leaves.
            send(D, duplicate);
            assertNotEquals(group, said().get(duplicate).group());
            assertNull(said().get(duplicate).survivor());
            for (String id : List.of(survivor, duplicate, "next-" + refreshed)) {
                client().prepareDelete(DOCS, id).get();
            }
        }
    }

    /** Others of its group are in an index that it is not compared with: its own. */
    public void testADocumentThatLeavesItsGroupIsSeenInItsOwnIndex() {
        index("others", 1);
        index(DOCS, 1);
        pipeline("");
        assertIndexed(send("others", "original", print(A)));
        refresh("others");
        pipeline(ALL + ", 'index': 'others'");
        send(A, "1");
        send(B, "2");
        refresh(DOCS);
        String group = said().get("2").group();
        assertEquals(new Said(group, "original"), said().get("1"));
        setting("window.time", "0s");
        try {
            send(D, "1");
        } finally {
            setting("window.time", null);
        }
        assertEquals(group, said().get("2").group());
        assertNotEquals(group, said().get("1").group());
    }

    public void testADocumentKeepsItsGroupWhileItIsNearAMemberAlthoughAnotherIsNearer() {
        pipeline(ALL);
        index(DOCS, 1);
        long other = A | 0b111111L << 20;
        send(A, "1");
        send(other, "2");
        send(A | 0b1L, "3");
        refresh(DOCS);
        String group = said().get("1").group();
        // Three bits from the first, and three from the second; then two.
        send(A | 0b111L << 20, "3");
        assertEquals(new Said(group, "1"), said().get("3"));
        assertEquals("1:3", tags(DOCS).get("3"));
        send(A | 0b1111L << 20, "3");
        assertEquals(new Said(said().get("2").group(), "2"), said().get("3"));
    }

    public void testAnEditedSurvivorKeepsTheGroupOfItsDuplicates() {
        pipeline(ALL);
        index(DOCS, 1);
        send(A, "1");
        send(0b1, "2");
        refresh(DOCS);
        String group = said().get("1").group();
        send(0b11, "1");
        assertEquals(new Said(group, null), said().get("1"));
        assertEquals(new Said(group, "1"), said().get("2"));
    }

    /** An id that was deleted may come back with another text. */
    public void testADeletedSurvivorChangesNoIdAndItsIdIsFree() {
        pipeline(ALL);
        index(DOCS, 1);
        send(A, "1");
        send(B, "2");
        String group = said().get("2").group();
        client().prepareDelete(DOCS, "1").get();
        send(C, "3");
        send(D, "1");
        Map<String, Said> said = said();
        assertEquals(group, said.get("2").group());
        assertEquals(group, said.get("3").group());
        assertNotEquals(group, said.get("1").group());
    }

    public void testADocumentWithoutADuplicateThatMightEndHasAGroup() {
        pipeline("'action': 'drop', " + ALL);
        index(DOCS, 1);
        send(A, "1");
        send(B, "2");
        send(D, "3");
        assertEquals(2, said().size());
        assertNotNull(said().get("1").group());
        assertNotEquals(said().get("1").group(), said().get("3").group());
    }

    public void testASimulationShowsAGroup() throws Exception {
        pipeline(ALL);
        index(DOCS, 1);
        send(A, "1");
        String body =
                "{'docs': [{'_index': 'docs', '_id': '2', '_source': {'simhash': {'hash': '0000000000000001'}}}]}";
        var answer = client().admin()
                .cluster()
                .prepareSimulatePipeline(
                        new org.opensearch.core.common.bytes.BytesArray(body.replace('\'', '"')),
                        org.opensearch.core.xcontent.MediaTypeRegistry.JSON)
                .setId(PIPELINE)
                .get();
        assertTrue(answer.getResults().toString(), answer.getResults().size() == 1);
        assertEquals(1, said().size());
        assertNothingHeld();
    }
}
