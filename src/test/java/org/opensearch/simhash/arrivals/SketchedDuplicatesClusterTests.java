/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.ClusterTestCase.OwnNodes;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.transport.client.Client;

/** Near-duplicates by sketches: found in the bulk, in the windows of both nodes, and in the index, as fingerprints are. */
@OwnNodes
public class SketchedDuplicatesClusterTests extends NearDuplicateClusterTestCase {

    private static final int WORDS = 200;

    /** Refreshed and forgotten by the window, so that only the index knows it; or not. */
    private enum Knows {
        WINDOW,
        INDEX
    }

    private Random random;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        random = new Random(randomLong());
    }

    private void sketched(String options) {
        processors("{'minhash': {'field': 'content'}}, {'near_duplicate': {'sketch': 'minhash'" + options + "}}");
    }

    private void sketchIndex(String index, int shards) {
        index(
                index,
                shards,
                "{'properties': {'minhash': {'properties': {'bands': {'type': 'keyword'},"
                        + " 'sketch': {'type': 'binary', 'doc_values': true},"
                        + " 'digest': {'type': 'keyword', 'norms': true},"
                        + " 'size': {'type': 'integer'}, 'scheme': {'type': 'keyword'}}}}}");
    }

    private List<String> words(int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(Integer.toString(random.nextInt(Integer.MAX_VALUE), 36));
        }
        return words;
    }

    private static String joined(List<String> words) {
        return String.join(" ", words);
    }

    /** Begins as another text does, for a part of it. */
    private String beginning(List<String> words, int same) {
        List<String> all = new ArrayList<>(words.subList(0, same));
        all.addAll(words(WORDS - same));
        return joined(all);
    }

    private static Object tagOf(Map<String, Object> source, String part) {
        return XContentMapValues.extractValue("near_duplicate." + part, source);
    }

    private static double estimate(Map<String, Object> one, Map<String, Object> other) {
        List<Sketch> sketches = new ArrayList<>();
        for (Map<String, Object> source : List.of(one, other)) {
            sketches.add(Sketch.fromBase64((String) XContentMapValues.extractValue("minhash.sketch", source)));
        }
        return Sketch.similarity(sketches.get(0).agreeing(sketches.get(1)), 128);
    }

    /** For what the window knows, and for what only the index does. */
    private void eachWay(BiConsumer<String, Runnable> test) {
        for (Knows knows : Knows.values()) {
            String index = "sketched-" + knows.name().toLowerCase(Locale.ROOT);
            sketchIndex(index, 2);
            test.accept(index, () -> {
                if (knows == Knows.INDEX) {
                    refresh(index);
                    setting("window.size", 0);
                    setting("window.size", null);
                }
            });
        }
    }

    public void testTheTagNamesTheMostSimilarAndItsEstimate() {
        sketched(", 'min_similarity': 0.5");
        eachWay((index, forget) -> {
            List<String> text = words(WORDS);
            assertIndexed(send(index, "near", text(beginning(text, 150))));
            assertIndexed(send(index, "nearer", text(beginning(text, 190))));
            assertIndexed(send(index, "other", text(joined(words(WORDS)))));
            forget.run();
            BulkResponse bulk = send(
                    index,
                    ordered("a", text(joined(text)), "again", text(joined(text)), "far", text(beginning(text, 40))));
            assertIndexed(bulk);
            Map<String, Map<String, Object>> stored = stored(index);
            assertEquals("nearer", tagOf(stored.get("a"), "id"));
            assertEquals(
                    estimate(stored.get("nearer"), stored.get("a")),
                    (double) tagOf(stored.get("a"), "similarity"),
                    1e-9);
            assertNull("a sketch has no distance in bits", tagOf(stored.get("a"), "distance"));
            assertEquals(false, tagOf(stored.get("a"), "pending"));
            assertEquals("a", tagOf(stored.get("again"), "id"));
            assertEquals(1.0, tagOf(stored.get("again"), "similarity"));
            assertEquals("of one bulk", true, tagOf(stored.get("again"), "pending"));
            assertNull(stored.get("far").get("near_duplicate"));
            assertNull(stored.get("other").get("near_duplicate"));
        });
    }

    public void testDropsAndRefuses() {
        long dropped = count(DuplicateCount.DROPPED);
        eachWay((index, forget) -> {
            List<String> text = words(WORDS);
            sketched("");
            assertIndexed(send(index, "a", text(joined(text))));
            forget.run();
            sketched(", 'action': 'drop'");
            assertIndexed(send(index, "dropped", text(beginning(text, 195))));
            sketched(", 'action': 'fail'");
            BulkItemResponse refused = send(index, "refused", text(joined(text)));
            assertEquals(RestStatus.CONFLICT, refused.getFailure().getStatus());
            assertTrue(
                    refused.getFailureMessage(),
                    refused.getFailureMessage()
                            .contains("[refused] is a near-duplicate of [a] in index [" + index
                                    + "] at an estimated similarity of [1.0]"));
            assertEquals(List.of("a"), List.copyOf(stored(index).keySet()));
        });
        assertEquals(dropped + 2, count(DuplicateCount.DROPPED));
    }

    private static long count(DuplicateCount what) {
        return internalCluster()
                .getInstance(NearDuplicates.class, internalCluster().getNodeNames()[0])
                .counts()
                .get(what);
    }

    /** The old text would stay searchable under the id. */
    public void testAWriteToAStoredIdIsIndexedAndTagged() {
        sketched(", 'action': 'drop'");
        eachWay((index, forget) -> {
            String text = joined(words(WORDS));
            assertIndexed(send(index, "a", text(text)));
            assertIndexed(send(index, "b", text(joined(words(WORDS)))));
            forget.run();
            assertIndexed(send(index, "b", text(text)));
            Map<String, Map<String, Object>> stored = stored(index);
            assertEquals(text, stored.get("b").get("content"));
            assertEquals("a", tagOf(stored.get("b"), "id"));
            assertIndexed(send(index, "b", text(joined(words(WORDS)))));
            assertNull("no longer true", stored(index).get("b").get("near_duplicate"));
            Map<String, Object> own = stored(index).get("a");
            assertIndexed(send(index, "a", text(text)));
            assertEquals("not of its own earlier version", own, stored(index).get("a"));
        });
    }

    /** The tag of an earlier version comes back with the document. */
    public void testATagThatIsNoLongerTrueIsRemoved() {
        sketched("");
        sketchIndex(DOCS, 1);
        String text = joined(words(WORDS));
        assertIndexed(send(DOCS, ordered("a", text(text), "b", text(text))));
        Map<String, Object> changed = new HashMap<>(stored(DOCS).get("b"));
        assertNotNull(changed.get("near_duplicate"));
        changed.put("content", joined(words(WORDS)));
        assertIndexed(send(DOCS, "b", changed));
        assertNull(stored(DOCS).get("b").get("near_duplicate"));
    }

    public void testTextsAreVerified() {
        sketched(", 'verify': {'field': 'content', 'min_similarity': 0.8}");
        eachWay((index, forget) -> {
            List<String> text = words(WORDS);
            assertIndexed(send(index, "a", text(joined(text))));
            forget.run();
            assertIndexed(send(index, ordered("near", text(beginning(text, 190)), "far", text(beginning(text, 165)))));
            Map<String, Map<String, Object>> stored = stored(index);
            assertEquals("a", tagOf(stored.get("near"), "id"));
            assertEquals("of the texts", 188 / 208.0, (double) tagOf(stored.get("near"), "similarity"), 1e-9);
            assertNull("estimated at 0.7 or more", stored.get("far").get("near_duplicate"));
        });
    }

    /** A text of fewer words than a feature has no sketch. */
    public void testShortTextsAreComparedByTheirDigests() {
        sketched("");
        eachWay((index, forget) -> {
            assertIndexed(send(index, "a", text("Two words!")));
            forget.run();
            assertIndexed(send(index, ordered("same", text("two words"), "other", text("other words"))));
            Map<String, Map<String, Object>> stored = stored(index);
            assertNull(XContentMapValues.extractValue("minhash.sketch", stored.get("a")));
            assertEquals("a", tagOf(stored.get("same"), "id"));
            assertEquals(1.0, tagOf(stored.get("same"), "similarity"));
            assertNull(stored.get("other").get("near_duplicate"));
        });
    }

    /** One search for all of a bulk finds what one search for each would. */
    public void testABulkOfManyIsComparedWithTheIndex() {
        sketched("");
        sketchIndex(DOCS, 2);
        Map<String, Map<String, Object>> originals = new TreeMap<>();
        Map<String, Map<String, Object>> copies = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            List<String> text = words(60);
            originals.put("original-" + i, text(joined(text)));
            copies.put("copy-" + i, text(i % 2 == 0 ? joined(text.subList(0, 58)) : joined(words(60))));
        }
        assertIndexed(send(DOCS, originals));
        refresh(DOCS);
        setting("window.size", 0);
        assertIndexed(send(DOCS, copies));
        setting("window.size", null);
        Map<String, Map<String, Object>> stored = stored(DOCS);
        for (int i = 0; i < 300; i++) {
            Object original = tagOf(stored.get("copy-" + i), "id");
            assertEquals(i % 2 == 0 ? "original-" + i : null, original);
            assertNull(stored.get("original-" + i).get("near_duplicate"));
        }
    }

    private static Client client(int node) {
        return internalCluster().client(internalCluster().getNodeNames()[node]);
    }

    private static BulkRequestBuilder bulk(int node, String id, Map<String, Object> source) {
        return client(node)
                .prepareBulk()
                .add(new IndexRequest(DOCS).id(id).source(source).setPipeline(PIPELINE));
    }

    public void testOtherNodesAnswer() throws Exception {
        sketchIndex(DOCS, 2);
        sketched(", 'action': 'drop'");
        String third = internalCluster().startNode();
        try {
            List<String> text = words(WORDS);
            for (int node = 0; node < 3; node++) {
                assertIndexed(
                        bulk(node, "id" + node, text(beginning(text, 190))).get(PATIENCE));
                assertIndexed(
                        bulk(node, "other" + node, text(joined(words(WORDS)))).get(PATIENCE));
            }
            assertEquals(
                    List.of("id0", "other0", "other1", "other2"),
                    List.copyOf(stored(DOCS).keySet()));
        } finally {
            internalCluster().stopRandomNode(settings -> third.equals(settings.get("node.name")));
        }
    }

    public void testOtherNodesAnswerWithTexts() {
        sketchIndex(DOCS, 1);
        sketched(", 'min_similarity': 0.3, 'verify': {'field': 'content', 'min_similarity': 0.8}");
        List<String> text = words(WORDS);
        assertIndexed(bulk(0, "a", text(joined(text))).get(PATIENCE));
        assertIndexed(bulk(1, "near", text(beginning(text, 195))).get(PATIENCE));
        assertIndexed(bulk(1, "far", text(beginning(text, 150))).get(PATIENCE));
        Map<String, Map<String, Object>> stored = stored(DOCS);
        assertEquals("a", tagOf(stored.get("near"), "id"));
        assertNull(stored.get("far").get("near_duplicate"));
    }

    /** Whoever asks first. */
    public void testOfSimultaneousOnesOneIsTheOriginal() {
        sketchIndex(DOCS, 3);
        sketched("");
        int rounds = 10;
        for (int round = 0; round < rounds; round++) {
            String text = joined(words(WORDS));
            List<ActionFuture<BulkResponse>> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                answers.add(bulk(i % 2, round + "-" + i, text(text)).execute());
            }
            answers.forEach(answer -> assertIndexed(answer.actionGet(PATIENCE)));
        }
        Map<String, Integer> originals = new TreeMap<>();
        stored(DOCS).forEach((id, source) -> {
            if (source.get("near_duplicate") == null) {
                originals.merge(id.substring(0, id.indexOf('-')), 1, Integer::sum);
            }
        });
        assertEquals(rounds, originals.size());
        assertTrue(originals.toString(), originals.values().stream().allMatch(count -> count == 1));
    }

    /** Each looks after its own tag. */
    public void testBothKindsInOnePipeline() {
        processors("{'simhash': {'field': 'content'}}, {'minhash': {'field': 'content'}}, {'near_duplicate': {}},"
                + " {'near_duplicate': {'sketch': 'minhash', 'min_similarity': 0.4, 'target_field': 'alike'}}");
        sketchIndex(DOCS, 1);
        List<String> text = words(WORDS);
        assertIndexed(send(DOCS, "a", text(joined(text))));
        assertIndexed(send(DOCS, ordered("copy", text(joined(text)), "alike", text(beginning(text, 140)))));
        Map<String, Map<String, Object>> stored = stored(DOCS);
        assertEquals("a", tagOf(stored.get("copy"), "id"));
        assertEquals(0, tagOf(stored.get("copy"), "distance"));
        assertEquals("a", XContentMapValues.extractValue("alike.id", stored.get("copy")));
        assertNull(stored.get("alike").get("near_duplicate"));
        assertEquals("a", XContentMapValues.extractValue("alike.id", stored.get("alike")));
    }

    /** The fields of the other sketch are no short text. */
    public void testTheObjectOfTheOtherProcessorIsRefused() {
        processors("{'simhash': {'field': 'content'}},"
                + " {'near_duplicate': {'sketch': 'minhash', 'field': 'simhash'}}");
        sketchIndex(DOCS, 1);
        String message = send(DOCS, "a", text(joined(words(WORDS)))).getFailureMessage();
        assertTrue(
                message,
                message.contains("[simhash] must be the object that the [minhash] processor writes,"
                        + " got: an object with [hash]"));
        processors("{'minhash': {'field': 'content'}}, {'near_duplicate': {'field': 'minhash'}}");
        message = send(DOCS, "a", text(joined(words(WORDS)))).getFailureMessage();
        assertTrue(
                message,
                message.contains("[minhash] must be the object that the [simhash] processor writes,"
                        + " got: an object with [sketch]"));
    }

    public void testDocumentsWithoutASketchAreCounted() {
        pipeline("'sketch': 'minhash'");
        sketchIndex(DOCS, 1);
        long without = count(DuplicateCount.WITHOUT_FINGERPRINT);
        assertIndexed(send(DOCS, "a", text("no processor writes a sketch")));
        assertEquals(without + 1, count(DuplicateCount.WITHOUT_FINGERPRINT));
    }

    /** A setting of the cluster, where a pipeline has none of its own. */
    public void testTheSettingIsTheLeastEstimate() {
        sketched("");
        sketchIndex(DOCS, 1);
        List<String> text = words(WORDS);
        assertIndexed(send(DOCS, "a", text(joined(text))));
        assertIndexed(send(DOCS, "b", text(beginning(text, 140))));
        assertNull(stored(DOCS).get("b").get("near_duplicate"));
        setting("min_similarity", 0.4);
        assertIndexed(send(DOCS, "c", text(beginning(text, 140))));
        setting("min_similarity", null);
        assertNotNull(stored(DOCS).get("c").get("near_duplicate"));
    }
}
