/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.simhash.desk.metrics.NodeCounts;
import org.opensearch.simhash.search.query.SearchCounts.SearchCount;

/** Documents that share passages, tagged while they are indexed: in the bulk, in the windows of both nodes, and in the index. */
public class PassageDuplicatesClusterTests extends NearDuplicateClusterTestCase {

    private Random random;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        random = new Random(randomLong());
    }

    private void pipelineOf(String options) {
        processors("{'passages': {'field': 'content'}}, {'near_duplicate': {'sketch': 'passages'" + options + "}}");
    }

    private void passageIndex(String index, int shards) {
        index(
                index,
                shards,
                "{'properties': {'tenant': {'type': 'keyword'}, 'passages': {'properties':"
                        + " {'terms': {'type': 'keyword', 'doc_values': false},"
                        + " 'scheme': {'type': 'keyword'}}}}}");
    }

    private List<String> words(int count) {
        return Stream.generate(() -> Integer.toString(random.nextInt(Integer.MAX_VALUE), 36))
                .limit(count)
                .toList();
    }

    private static Object tagOf(Map<String, Object> source, String part) {
        return XContentMapValues.extractValue("near_duplicate." + part, source);
    }

    /** Forgets the window, so that only the index knows what was refreshed. */
    private void forget() {
        refresh(DOCS);
        setting("window.size", 0);
        setting("window.size", null);
    }

    private static double share(List<String> a, List<String> b) {
        List<String> smaller = a.size() < b.size() ? a : b;
        List<String> larger = a.size() < b.size() ? b : a;
        Set<List<String>> runs = new HashSet<>();
        for (int i = 0; i + 15 <= larger.size(); i++) {
            runs.add(larger.subList(i, i + 15));
        }
        int common = 0;
        int end = 0;
        for (int i = 0; i + 15 <= smaller.size(); i++) {
            if (runs.contains(smaller.subList(i, i + 15))) {
                common += i + 15 - Math.max(i, end);
                end = i + 15;
            }
        }
        return (double) common / smaller.size();
    }

    /** Against all pairs of texts. What is stored stays in the index, in the window, or in both. */
    public void testTagsEachDocumentThatSharesEnoughWithAnEarlierOne() {
        double least = random.nextBoolean() ? 0.001 : random.nextDouble();
        pipelineOf(", 'min_share': " + least);
        passageIndex(DOCS, 2);
        Map<String, List<String>> texts = new LinkedHashMap<>();
        for (int bulk = 0; bulk < 8; bulk++) {
            Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
            for (int i = 0; i < 8; i++) {
                List<String> text = new ArrayList<>(words(20 + random.nextInt(60)));
                if (texts.isEmpty() == false && random.nextInt(3) > 0) {
                    List<String> other = new ArrayList<>(texts.values()).get(random.nextInt(texts.size()));
                    int from = random.nextInt(other.size());
                    text.addAll(other.subList(from, Math.min(other.size(), from + 5 + random.nextInt(60))));
                }
                String id = "d" + texts.size();
                texts.put(id, text);
                documents.put(id, text(String.join(" ", text)));
            }
            assertIndexed(send(DOCS, documents));
            if (random.nextBoolean()) {
                forget();
            }
        }
        Map<String, Map<String, Object>> stored = stored(DOCS);
        List<String> earlier = new ArrayList<>();
        texts.forEach((id, text) -> {
            boolean isExpected = earlier.stream().anyMatch(other -> share(text, texts.get(other)) >= least);
            Object original = tagOf(stored.get(id), "id");
            assertEquals(id, isExpected, original != null);
            if (original != null) {
                double share = share(text, texts.get(original));
                assertTrue(id + " of " + original, share >= least && earlier.contains(original));
                assertEquals(share, (double) tagOf(stored.get(id), "similarity"), 1e-9);
                assertNull("terms have no distance", tagOf(stored.get(id), "distance"));
            }
            earlier.add(id);
        });
        assertNothingHeld();
    }

    public void testConditionsGroupsAndRewrites() {
        pipelineOf(", 'min_share': 0.8, 'same': ['tenant'], 'groups': 'all'");
        passageIndex(DOCS, 1);
        String mail = String.join(" ", words(40));
        String reply = String.join(" ", words(60)) + " " + mail;
        assertIndexed(send(DOCS, "mail", Map.of("content", mail, "tenant", "a")));
        if (random.nextBoolean()) {
            forget();
        }
        assertIndexed(send(
                DOCS,
                ordered(
                        "reply", Map.of("content", reply, "tenant", "a"),
                        "foreign", Map.of("content", reply, "tenant", "b"),
                        "short", Map.of("content", "too short", "tenant", "a"))));
        Map<String, Map<String, Object>> stored = stored(DOCS);
        assertEquals("mail", tagOf(stored.get("reply"), "id"));
        assertNull(stored.get("foreign").get("near_duplicate"));
        assertNull(stored.get("short").get("near_duplicate"));
        Object group = XContentMapValues.extractValue("passages.group", stored.get("mail"));
        assertNotNull(group);
        assertEquals(group, XContentMapValues.extractValue("passages.group", stored.get("reply")));
        assertNotEquals(group, XContentMapValues.extractValue("passages.group", stored.get("foreign")));
        Map<String, Object> other = Map.of("content", String.join(" ", words(60)), "tenant", "a");
        assertIndexed(send(DOCS, "reply", other));
        assertNull("no longer true", stored(DOCS).get("reply").get("near_duplicate"));
    }

    /** All find an original at once: few texts are compared for each. */
    public void testAFloodOfEqualTextsAndMegabytesOfOneWord() {
        pipelineOf("");
        passageIndex(DOCS, 1);
        String text = String.join(" ", words(100));
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        for (int i = 0; i < 600; i++) {
            documents.put("d" + i, text(text));
        }
        documents.put("word", text("same ".repeat(200_000)));
        documents.put("again", text("other words before " + "same ".repeat(210_000)));
        assertIndexed(send(DOCS, documents));
        Map<String, Map<String, Object>> stored = stored(DOCS);
        assertNull(stored.get("d0").get("near_duplicate"));
        for (int i = 1; i < 600; i++) {
            assertEquals("d0", tagOf(stored.get("d" + i), "id"));
        }
        assertNull(stored.get("word").get("near_duplicate"));
        assertEquals("word", tagOf(stored.get("again"), "id"));
        assertNothingHeld();
    }

    private static long comparedInIndices() {
        long compared = 0;
        for (NodeCounts node : internalCluster().getInstances(NodeCounts.class)) {
            compared += node.searches().counts().get(SearchCount.COMPARED);
        }
        return compared;
    }

    /** All terms are those of the footer, but for one document. */
    public void testAmongManyTextsOfOneFooterSomeAreComparedAndThoseOfRareTermsInAnyCase() {
        pipelineOf(", 'min_share': 0.9, 'max_document_share': 1.0");
        passageIndex(DOCS, 1);
        String footer = String.join(" ", words(30));
        String paragraph = String.join(" ", words(30));
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        for (int i = 0; i < 700; i++) {
            documents.put("d" + i, Map.of("content", List.of(String.join(" ", words(12)), footer)));
        }
        documents.put("last", Map.of("content", List.of(paragraph, footer)));
        assertIndexed(send(DOCS, documents));
        forget();
        long before = comparedInIndices();
        assertIndexed(send(DOCS, "new", Map.of("content", List.of(String.join(" ", words(12)), footer))));
        assertIndexed(send(DOCS, "copy", Map.of("content", List.of(footer, paragraph))));
        long compared = comparedInIndices() - before;
        assertTrue("compared " + compared, compared > 256 && compared <= 2 * 2 * 256);
        Map<String, Map<String, Object>> stored = stored(DOCS);
        assertNull(stored.get("new").get("near_duplicate"));
        assertEquals("last", tagOf(stored.get("copy"), "id"));
        assertNothingHeld();
    }

    public void testRefusesWhatWouldEndDocuments() {
        for (String action : List.of("drop", "fail")) {
            refused(
                    ", 'action': '" + action + "'",
                    "[action] must be tag with [sketch] passages, because a passage that documents share ends none of"
                            + " them, got: ");
        }
        refused(", 'verify': true", "[verify] must stand without [sketch] passages");
        refused(", 'min_share': 2", "[min_share] must be between 0 and 1, got: 2.0");
        refused(", 'max_distance': 3", "[max_distance] is only allowed with [sketch] simhash, got: 3");
        refused(", 'target_field': 'passages.terms'", "[target_field] must be apart from the fingerprint");
    }

    private void refused(String options, String message) {
        Exception e = expectThrows(Exception.class, () -> pipelineOf(options));
        assertTrue(e.toString(), e.toString().contains(message));
    }
}
