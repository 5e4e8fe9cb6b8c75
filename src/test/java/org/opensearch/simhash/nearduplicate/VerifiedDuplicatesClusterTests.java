/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.List;
import java.util.Map;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.common.xcontent.support.XContentMapValues;

/** With {@code verify} the texts decide, whatever the fingerprints say. */
public class VerifiedDuplicatesClusterTests extends NearDuplicateClusterTestCase {

    private static final String STRICT = "'verify': {'field': 'content', 'strict_characters': '[-+*/=0-9]'}";

    private static Map<String, Object> titled(String title, Object content) {
        return Map.of("title", title, "content", content);
    }

    /** Refreshed or not: what the index finds and what the window finds is verified alike. */
    public void testTextsOfEqualDigestsAreCompared() {
        for (boolean refreshed : List.of(false, true)) {
            for (String minFeatures : List.of("1", "50")) {
                String index = "titles-" + refreshed + "-" + minFeatures;
                index(index, 1);
                processors("{'simhash': {'field': 'title', 'min_features': " + minFeatures + "}},"
                        + "{'near_duplicate': {'verify': {'field': 'content'}, 'action': 'drop'}}");
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

    public void testStrictCharactersOfEqualDigestsAreCompared() {
        processors("{'simhash': {'field': 'content'}}, {'near_duplicate': {" + STRICT + ", 'action': 'drop'}}");
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
}
