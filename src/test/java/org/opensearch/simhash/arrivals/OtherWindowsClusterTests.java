/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.ClusterTestCase.OwnNodes;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.test.transport.StubbableTransport.SendRequestBehavior;
import org.opensearch.transport.TransportService;

/** Documents that reach two nodes before a refresh. */
@OwnNodes
public class OtherWindowsClusterTests extends NearDuplicateClusterTestCase {

    private static final String GETS = "indices:data/read/mget[shard][s]";
    private static final String QUESTION = "internal:simhash/near_duplicate/window";

    private static String name(int node) {
        return internalCluster().getNodeNames()[node];
    }

    private static BulkItemResponse sendTo(int node, String id, Map<String, Object> source) {
        return bulk(node, id, source).get(PATIENCE).getItems()[0];
    }

    private static BulkRequestBuilder bulk(int node, String id, Map<String, Object> source) {
        return internalCluster()
                .client(name(node))
                .prepareBulk()
                .add(new IndexRequest(DOCS).id(id).source(source).setPipeline(PIPELINE));
    }

    private static long count(int node, DuplicateCount what) {
        return internalCluster()
                .getInstance(NearDuplicates.class, name(node))
                .counts()
                .get(what);
    }

    private static void onQuestions(int node, SendRequestBehavior behavior) {
        ((MockTransportService) internalCluster().getInstance(TransportService.class, name(node)))
                .addSendBehavior((connection, id, action, request, options) -> {
                    if (action.equals(QUESTION)) {
                        behavior.sendRequest(connection, id, action, request, options);
                    } else {
                        connection.sendRequest(id, action, request, options);
                    }
                });
    }

    private static void asBefore(int node) {
        ((MockTransportService) internalCluster().getInstance(TransportService.class, name(node))).clearAllRules();
    }

    public void testTheLaterOneNamesTheOneThatAnotherNodeTook() {
        index(DOCS, 2);
        pipeline("");
        assertIndexed(sendTo(0, "a", print(0b1)));
        assertIndexed(sendTo(1, "b", print(0b11)));
        assertIndexed(sendTo(0, "c", print(0b111)));
        assertIndexed(sendTo(1, "far", print(~0L)));
        assertEquals(expected("a", null, "b", "a:1", "c", "b:1", "far", null), tags(DOCS));
    }

    /** Also among many, and the same on both nodes. */
    public void testOfEquallyNearOnesTheOldestIsNamed() {
        index(DOCS, 2);
        pipeline("");
        for (int i = 0; i < 8; i++) {
            assertIndexed(sendTo(i % 2, "id" + i, print(0xf0)));
        }
        Map<String, String> tags = tags(DOCS);
        assertNull(tags.remove("id0"));
        assertEquals(List.of("id0:0"), tags.values().stream().distinct().toList());
    }

    public void testAnotherNodeIsNotAskedWhereTheSettingSaysSo() {
        index(DOCS, 1);
        pipeline("");
        setting("window.nodes", "local");
        assertIndexed(sendTo(0, "a", print(0b1)));
        assertIndexed(sendTo(1, "b", print(0b1)));
        setting("window.nodes", null);
        assertEquals(expected("a", null, "b", null), tags(DOCS));
    }

    public void testADuplicateOfWhatAnotherNodeHasStoredIsDropped() {
        index(DOCS, 2);
        pipeline("'action': 'drop'");
        assertIndexed(sendTo(0, "a", print(0b1)));
        assertIndexed(sendTo(1, "b", print(0b11)));
        assertEquals(expected("a", null), tags(DOCS));
    }

    public void testWhatWasDeletedIsNoOriginal() {
        index(DOCS, 2);
        pipeline("");
        for (int i = 0; i < 20; i++) {
            setting("window.nodes", "local");
            assertIndexed(sendTo(0, "deleted" + i, print(0b1)));
            setting("window.nodes", null);
            client().prepareDelete(DOCS, "deleted" + i).get();
        }
        assertIndexed(sendTo(0, "there", print(0b11)));
        assertIndexed(sendTo(1, "b", print(0b1)));
        assertEquals(expected("there", null, "b", "there:1"), tags(DOCS));
    }

    public void testTextsAreCompared() {
        index(DOCS, 1);
        processors("{'simhash': {'field': 'content'}},"
                + " {'near_duplicate': {'max_distance': 64, 'verify': {'field': 'content', 'min_similarity': 0.5}}}");
        String text = "one two three four five six seven eight nine ten";
        assertIndexed(sendTo(0, "a", text(text)));
        assertIndexed(sendTo(0, "other", text("nothing of this is in any other text of the test at all")));
        assertIndexed(sendTo(1, "b", text(text + " eleven")));
        Map<String, String> tags = tags(DOCS);
        assertNull(tags.get("other"));
        assertTrue(tags.toString(), tags.get("b").startsWith("a:"));
    }

    /** As in the node's own window: of texts that differ, 256 are compared, and none is read again. */
    public void testTextsThatDifferAreAskedForAFewTimesAndNeverRead() {
        List<String> sent = nearButOther(600);
        assertIndexed(sendTo(1, "b", withText("something else that nobody else has ever said or written")));
        asBefore(1);
        assertEquals(sent.toString(), 4, sent.stream().filter(QUESTION::equals).count()); // for 8, 32, 128, 512
        assertEquals(
                sent.toString(), List.of(), sent.stream().filter(GETS::equals).toList());
        assertNull(stored(DOCS).get("b").get("near_duplicate"));
    }

    public void testAmongTextsThatDifferTheEqualOneIsFound() {
        List<String> sent = nearButOther(100);
        String text = "one two three four five six seven eight nine ten";
        assertIndexed(sendTo(0, "a", withText(text)));
        assertIndexed(sendTo(1, "b", withText(text)));
        asBefore(1);
        assertTrue(sent.toString(), sent.contains(GETS));
        assertEquals("a:0", tags(DOCS).get("b"));
    }

    private static Map<String, Object> withText(String text) {
        Map<String, Object> source = new HashMap<>(print(0b1));
        source.put("content", text);
        return source;
    }

    /** Fills the window of one node, where the documents are; returns what the other one sends from then on. */
    private List<String> nearButOther(int count) {
        index(DOCS, 1);
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Settings.builder().put("index.routing.allocation.require._name", name(0))));
        ensureGreen(DOCS);
        client().admin()
                .cluster()
                .prepareHealth(DOCS)
                .setWaitForNoRelocatingShards(true)
                .get();
        pipeline("'action': 'drop', 'verify': {'field': 'content', 'min_similarity': 0.5}");
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String text = IntStream.range(10 * i, 10 * i + 10)
                    .mapToObj(word -> "w" + word)
                    .collect(Collectors.joining(" "));
            documents.put("other" + i, withText(text));
        }
        setting("window.nodes", "local");
        assertIndexed(send(DOCS, documents));
        setting("window.nodes", null);
        List<String> sent = Collections.synchronizedList(new ArrayList<>());
        ((MockTransportService) internalCluster().getInstance(TransportService.class, name(1)))
                .addSendBehavior((connection, id, action, request, options) -> {
                    sent.add(action);
                    connection.sendRequest(id, action, request, options);
                });
        return sent;
    }

    /** Whichever node asks first. */
    public void testOfSimultaneousOnesOneIsTheOriginal() {
        index(DOCS, 3);
        pipeline("");
        for (int round = 0; round < 20; round++) {
            long bits = randomLong();
            List<ActionFuture<BulkResponse>> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                answers.add(bulk(i % 2, round + "-" + i, print(bits)).execute());
            }
            answers.forEach(answer -> assertIndexed(answer.actionGet(PATIENCE)));
        }
        Map<String, Long> untagged = tags(DOCS).entrySet().stream()
                .filter(entry -> entry.getValue() == null)
                .collect(Collectors.groupingBy(
                        entry -> entry.getKey().substring(0, entry.getKey().indexOf('-')), Collectors.counting()));
        assertEquals(20, untagged.size());
        assertEquals(
                untagged.toString(),
                20,
                untagged.values().stream().mapToLong(Long::longValue).sum());
    }

    public void testANodeThatDoesNotAnswerFailsTheDocuments() {
        index(DOCS, 1);
        pipeline("");
        assertIndexed(sendTo(1, "a", print(0b1)));
        setting("lookup_timeout", "1s");
        onQuestions(1, (connection, id, action, request, options) -> {});
        BulkItemResponse failed = sendTo(1, "b", print(0b1));
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, failed.getFailure().getStatus());
        assertTrue(
                failed.getFailureMessage(),
                failed.getFailureMessage().contains("node [" + name(0) + "] does not say what it accepted lately"));

        setting("window.unanswered", "leave_out");
        long before = count(1, DuplicateCount.WINDOW_INCOMPLETE);
        assertIndexed(sendTo(1, "c", print(0b1)));
        assertEquals(before + 1, count(1, DuplicateCount.WINDOW_INCOMPLETE));
        setting("window.unanswered", null);
        setting("lookup_timeout", null);
        asBefore(1);
        assertEquals(expected("a", null, "c", "a:0"), tags(DOCS));
    }

    /** A node without the plugin, or with another version. */
    public void testANodeThatDoesNotKnowTheQuestionIsLeftOutAndCounted() throws Exception {
        index(DOCS, 1);
        pipeline("");
        String third = internalCluster().startNode();
        try {
            int node = List.of(internalCluster().getNodeNames()).indexOf(third);
            onQuestions(
                    node,
                    (connection, id, action, request, options) ->
                            connection.sendRequest(id, "internal:simhash/nobody_knows", request, options));
            assertIndexed(sendTo(node, "a", print(0b1)));
            assertIndexed(sendTo(node, "b", print(0b1)));
            assertEquals(2, count(node, DuplicateCount.WINDOW_INCOMPLETE));
            assertEquals(expected("a", null, "b", "a:0"), tags(DOCS));
        } finally {
            internalCluster().stopRandomNode(settings -> third.equals(settings.get("node.name")));
        }
    }

    /** It leaves before it answers. */
    public void testANodeThatLeavesIsAskedNoMore() throws Exception {
        index(DOCS, 1);
        pipeline("");
        String third = internalCluster().startNode();
        int node = List.of(internalCluster().getNodeNames()).indexOf(third);
        assertIndexed(sendTo(node, "a", print(0b1)));
        assertIndexed(sendTo(0, "b", print(0b1)));
        CountDownLatch asked = new CountDownLatch(1);
        AtomicInteger lost = new AtomicInteger();
        int here = List.of(internalCluster().getNodeNames()).indexOf(name(0).equals(third) ? name(1) : name(0));
        onQuestions(here, (connection, id, action, request, options) -> {
            if (connection.getNode().getName().equals(third) && lost.getAndIncrement() == 0) {
                asked.countDown(); // Never sends it: the end of the connection answers.
            } else {
                connection.sendRequest(id, action, request, options);
            }
        });
        ActionFuture<BulkResponse> answer = bulk(here, "c", print(0b1)).execute();
        asked.await();
        String there = name(here);
        internalCluster().stopRandomNode(settings -> third.equals(settings.get("node.name")));
        assertIndexed(answer.actionGet(PATIENCE));
        asBefore(List.of(internalCluster().getNodeNames()).indexOf(there));
        assertNotNull(tags(DOCS).get("c"));
    }
}
