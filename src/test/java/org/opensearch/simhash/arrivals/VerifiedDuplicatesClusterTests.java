/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.window.RecentTexts;

/** With {@code verify} the texts decide, whatever the fingerprints say and however many are near. */
public class VerifiedDuplicatesClusterTests extends NearDuplicateClusterTestCase {

    private static final String STRICT = "'verify': {'field': 'content', 'strict_characters': '[-+*/=0-9]'}";

    private static Map<String, Object> titled(String title, Object content) {
        return Map.of("title", title, "content", content);
    }

    /** Matches of the index and of the window are verified alike, refreshed or not. */
    public void testTextsOfEqualDigestsAreCompared() {
        for (boolean refreshed : List.of(false, true)) {
            for (String minFeatures : List.of("1", "50")) {
                String index = "titles-" + refreshed + "-" + minFeatures;
                index(index, 1);
                processors(
                        "{'simhash': {'field': 'title', 'min_features': " + minFeatures + "}},"
                                + "{'near_duplicate': {'verify': {'field': 'content'}, 'action': 'drop', 'short_texts': true}}");
                assertIndexed(send(index, "1", titled("Monthly report", "sales went up in the south of the country")));
                if (refreshed) {
                    refresh(index);
                }
                assertEquals(
                        index,
                        Result.CREATED,
                        send(index, "2", titled("Monthly report", "a new canteen opens on the ground floor"))
                                .getResponse()
                                .getResult());
                assertEquals(
                        index,
                        Result.NOOP,
                        send(index, "3", titled("Monthly report", "sales went up in the south of the country"))
                                .getResponse()
                                .getResult());
                assertEquals(expected("1", null, "2", null), tags(index));
            }
        }
    }

    /** Text and fingerprint as OpenSearch indexes them. */
    public void testNamesWithDotsBesideObjects() {
        String body = "sales went up in the south of the country";
        processors("{'simhash': {'field': 'mail.body'}}, {'near_duplicate': {'verify': {'field': 'mail.body'}}}");
        index(DOCS, 1);
        assertIndexed(send(
                DOCS,
                ordered(
                        "1", Map.of("mail.body", body, "mail", Map.of("subject", "a")),
                        "2", Map.of("mail", Map.of("body", body)))));
        refresh(DOCS);
        assertIndexed(send(DOCS, "3", Map.of("mail.body", body, "mail", List.of(Map.of("subject", "b")))));
        assertEquals(expected("1", null, "2", "1:0?", "3", "1:0"), tags(DOCS));
        processors("{'near_duplicate': {}}");
        index("prints", 1);
        Map<String, Object> dotted = new HashMap<>();
        ((Map<?, ?>) print(7).get("simhash")).forEach((part, value) -> dotted.put("simhash." + part, value));
        assertIndexed(send("prints", ordered("1", print(7), "2", dotted)));
        assertEquals(expected("1", null, "2", "1:0?"), tags("prints"));
    }

    public void testStrictCharactersOfEqualDigestsAreCompared() {
        processors("{'simhash': {'field': 'content'}}, {'near_duplicate': {" + STRICT
                + ", 'action': 'drop', 'short_texts': true}}");
        index(DOCS, 1);
        BulkResponse bulk = send(
                DOCS,
                ordered(
                        "1", text("What is 10 + 2?"),
                        "2", text("What is 10 - 2?"),
                        "3", text("What is 10 + 2?")));
        assertIndexed(bulk);
        assertIndexed(send(DOCS, "4", text("What is 10 * 2?")));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        assertIndexed(send(DOCS, "5", text("What is 10 / 2?")));
        assertIndexed(send(DOCS, "6", text("What is 10 * 2?")));
        assertEquals(expected("1", null, "2", null, "3", "1:0?", "4", null, "5", null), tags(DOCS));
    }

    public void testTheSimilarityOfEqualDigestsIsThatOfTheTexts() {
        processors("{'simhash': {'field': 'title'}},"
                + "{'near_duplicate': {'verify': {'field': 'content', 'measure': 'lcs', 'min_similarity': 0.5}}}");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "1", titled("Monthly report", "abcdefgh")));
        assertIndexed(send(DOCS, "2", titled("Monthly report", "abcdefxy")));
        refresh(DOCS);
        assertIndexed(send(DOCS, "3", titled("Monthly report", "abcdefzz")));
        Map<String, Map<String, Object>> stored = stored(DOCS);
        for (String id : List.of("2", "3")) {
            assertEquals("1:0", tag(stored.get(id)));
            assertEquals(0.75, XContentMapValues.extractValue("near_duplicate.similarity", stored.get(id)));
        }
    }

    /** The search compared a text that was overwritten since; the fingerprint stays. */
    public void testTheSimilarityIsThatOfTheTextThatIsStored() {
        processors("{'simhash': {'field': 'title'}},"
                + "{'near_duplicate': {'verify': {'field': 'content', 'measure': 'lcs', 'min_similarity': 0.5}}}");
        index(DOCS, 1);
        assertIndexed(send(DOCS, "1", titled("Monthly report", "abcdefgh")));
        refresh(DOCS);
        assertIndexed(send(DOCS, "1", titled("Monthly report", "zyxwvuts")));
        assertIndexed(send(DOCS, "old", titled("Monthly report", "abcdefgh")));
        assertIndexed(send(DOCS, "new", titled("Monthly report", "zyxwvut-")));
        Map<String, Map<String, Object>> stored = stored(DOCS);
        assertNull(tag(stored.get("old")));
        assertEquals("1:0", tag(stored.get("new")));
        assertEquals(0.875, XContentMapValues.extractValue("near_duplicate.similarity", stored.get("new")));
    }

    public void testADocumentWhoseTextIsNoTextFailsAlone() {
        processors("{'near_duplicate': {'verify': {'field': 'content'}}}");
        index(DOCS, 1);
        Map<String, Object> wrong = with(print(0b1), Map.of("a", 1));
        BulkResponse bulk = send(
                DOCS,
                ordered(
                        "1",
                        wrong,
                        "2",
                        with(print(0b1), "some text of its own"),
                        "3",
                        with(print(0b1), "some text of its own")));
        assertEquals(RestStatus.BAD_REQUEST, bulk.getItems()[0].status());
        assertTrue(
                bulk.getItems()[0].getFailureMessage(),
                bulk.getItems()[0]
                        .getFailureMessage()
                        .contains("[1] could not be looked up in [docs]: field [content]"));
        assertEquals(expected("2", null, "3", "2:0?"), tags(DOCS));
    }

    private static Map<String, Object> with(Map<String, Object> print, Object content) {
        Map<String, Object> document = new HashMap<>(print);
        document.put("content", content);
        return document;
    }

    private static String question(int number) {
        return "A train leaves the station at noon and travels " + number
                + " miles before it stops. How long does it take?";
    }

    /** The original, and forty nearer documents with other numbers. */
    private static Map<String, Map<String, Object>> siblings() {
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        documents.put("original", with(print(0b111), question(7)));
        for (int i = 0; i < 40; i++) {
            documents.put("sibling-" + i, with(print(1L << i), question(100 + i)));
        }
        return documents;
    }

    public void testTheDuplicateBehindManyNearerTextsIsFoundInTheBulk() {
        pipeline(STRICT);
        index(DOCS, 1);
        Map<String, Map<String, Object>> documents = siblings();
        documents.put("copy", with(print(0), question(7)));
        assertIndexed(send(DOCS, documents));
        assertOnlyTheCopyIsTagged("original:3?");
    }

    public void testTheDuplicateBehindManyNearerTextsIsFoundInTheWindow() {
        pipeline(STRICT);
        index(DOCS, 1);
        assertIndexed(send(DOCS, siblings()));
        assertIndexed(send(DOCS, "copy", with(print(0), question(7))));
        assertOnlyTheCopyIsTagged("original:3");
    }

    public void testTheDuplicateBehindManyNearerTextsIsFoundWhenTheirTextsMustBeRead() {
        pipeline(STRICT);
        index(DOCS, 1);
        assertIndexed(send(DOCS, siblings()));
        internalCluster()
                .getInstance(NearDuplicates.class, internalCluster().getNodeNames()[0])
                .roundServices()
                .knowledge()
                .texts()
                .forgetBefore(Long.MAX_VALUE);
        BulkResponse bulk = send(
                DOCS,
                ordered(
                        "copy", with(print(0), question(7)),
                        "other", with(print(0), question(8)),
                        "eleventh", with(print(0), question(111))));
        assertIndexed(bulk);
        Map<String, String> tags = new HashMap<>(tags(DOCS));
        assertEquals("sibling-11:1", tags.remove("eleventh"));
        assertNull(tags.remove("other"));
        assertEquals("original:3", tags.remove("copy"));
        tags.forEach((id, tag) -> assertNull(id, tag));
    }

    /** Neither searches nor the window know the newer version. */
    public void testAnOriginalThatHasChangedSinceItWasFoundIsReadAgain() {
        pipeline("'verify': {'field': 'content', 'measure': 'lcs', 'min_similarity': 0.5}");
        index(DOCS, 1);
        for (String newer : List.of("abcdefxy", "stuvwxyz")) {
            put("original", "abcdefgh");
            refresh(DOCS);
            put("original", newer);
            boolean isStillNear = newer.startsWith("abc");
            assertIndexed(send(DOCS, "copy of " + newer, with(print(0b1), "abcdefgh")));
            String tag = tags(DOCS).get("copy of " + newer);
            assertEquals(newer, isStillNear, tag != null && tag.startsWith("original:"));
        }
    }

    /** One document needs only the original's new distance; the other needs its text. */
    public void testAnOriginalThatHasChangedIsReadAgainForEachThatNeedsItsText() {
        pipeline("'verify': {'field': 'content', 'measure': 'lcs', 'min_similarity': 0.5}, 'max_distance': 4");
        index(DOCS, 1);
        put("original", "abcdefgh");
        refresh(DOCS);
        client().prepareIndex(DOCS)
                .setId("original")
                .setSource(with(print(0b1111110), "abcdefxy"))
                .get();
        BulkRequestBuilder bulk = node().prepareBulk();
        bulk.add(new IndexRequest(DOCS)
                .id("named")
                .source(with(print(0b110000001), "abcdefgh"))
                .setPipeline(PIPELINE));
        bulk.add(new IndexRequest(DOCS).source(with(print(0b1111), "abcdefgh")).setPipeline(PIPELINE));
        BulkResponse response = bulk.get(PATIENCE);
        assertIndexed(response);
        Map<String, String> tags = tags(DOCS);
        assertNull(tags.get("named"));
        assertEquals("original:4", tags.get(response.getItems()[1].getId()));
    }

    private static void put(String id, String content) {
        client().prepareIndex(DOCS)
                .setId(id)
                .setSource(with(print(0b1), content))
                .get();
    }

    public void testTextsThatMustBeReadTakeTooMuchMemory() {
        pipeline("'verify': {'field': 'content'}");
        index(DOCS, 1);
        String text = "some text of its own ".repeat(10_000);
        assertIndexed(send(DOCS, "original", with(print(0b1), text)));
        String name = internalCluster().getNodeNames()[0];
        RecentTexts texts = internalCluster()
                .getInstance(NearDuplicates.class, name)
                .roundServices()
                .knowledge()
                .texts();
        texts.forgetBefore(Long.MAX_VALUE);
        CircuitBreaker breaker =
                internalCluster().getInstance(CircuitBreakerService.class, name).getBreaker("simhash");
        long used = breaker.getUsed();
        long rest = breaker.getLimit() - used - text.length();
        breaker.addWithoutBreaking(rest);
        try {
            BulkItemResponse item = send(DOCS, "copy", with(print(0b1), text));
            assertEquals(item.getFailureMessage(), RestStatus.TOO_MANY_REQUESTS, item.status());
            assertTrue(
                    item.getFailureMessage(),
                    item.getFailureMessage()
                            .contains("[copy] could not be looked up in [docs]: [simhash] Data too large"));
        } finally {
            breaker.addWithoutBreaking(-rest);
        }
        assertEquals(used, breaker.getUsed());
        assertIndexed(send(DOCS, "copy", with(print(0b1), text)));
        assertEquals("original:0", tags(DOCS).get("copy"));
    }

    private void assertOnlyTheCopyIsTagged(String tag) {
        List<String> tagged = new ArrayList<>();
        tags(DOCS).forEach((id, found) -> {
            if (found != null) {
                tagged.add(id + " " + found);
            }
        });
        assertEquals(List.of("copy " + tag), tagged);
    }
}
