/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.search.SearchHit;

/** The query {@code passages} on nodes: sources, shares, evidence, what it refuses. */
public class PassagesClusterTests extends SimHashClusterTestCase {

    private static final String MAPPING = "{'properties': {'passages': {'properties': {"
            + "'terms': {'type': 'keyword', 'doc_values': false}, 'scheme': {'type': 'keyword'}}}}}";

    /** Words that no other text of the test has. */
    private static String words(Random random, int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add("w" + Integer.toString(random.nextInt(Integer.MAX_VALUE), 36));
        }
        return String.join(" ", words);
    }

    private void index(String index, String processor) {
        pipeline(index, "{'processors': [{'simhash': {'field': 'content'}}, {'passages': " + processor + "}]}");
        newIndex(index, MAPPING, 2, 0, "index.default_pipeline", index);
    }

    private static Map<String, Map<String, Object>> contents(Map<String, String> texts) {
        Map<String, Map<String, Object>> documents = new HashMap<>();
        texts.forEach((id, text) -> documents.put(id, Map.of("content", text)));
        return documents;
    }

    private SearchResponse passages(String options, String index) {
        return search("{'query': {'passages': {" + options + "}}, 'ext': {'simhash': {'evidence': true}}}", index);
    }

    public void testFindsByEverySourceAndSaysWhere() {
        index("passages-sources", "{'field': 'content'}");
        Random random = new Random(random().nextLong());
        String mail = words(random, 30);
        String reply = words(random, 100) + "\n> " + mail + "\n" + words(random, 20);
        putAll(
                "passages-sources",
                contents(Map.of("mail", mail, "reply", reply, "far", words(random, 100), "short", "two words")));
        assertEquals(Map.of("mail", 30f, "reply", 30f), scores(passages("'text': '" + mail + "'", "passages-sources")));
        assertEquals(
                Map.of("mail", 30f, "reply", 30f),
                scores(passages("'document': {'content': '" + mail + "'}", "passages-sources")));
        SearchResponse byId = passages("'id': 'mail'", "passages-sources");
        assertEquals(Map.of("reply", 30f), scores(byId));
        assertEquals(Set.of("mail", "reply"), ids(passages("'id': 'mail', 'include_self': true", "passages-sources")));
        SearchHit hit = byId.getHits().getAt(0);
        int from = reply.indexOf(mail);
        assertEquals(
                Map.of(
                        "words",
                        30,
                        "share",
                        1.0,
                        "passages",
                        List.of(Map.of(
                                "from",
                                from,
                                "to",
                                from + mail.length(),
                                "other",
                                Map.of("from", 0, "to", mail.length()),
                                "words",
                                30))),
                hit.field("_simhash").getValue());
        assertEquals(Set.of(), ids(passages("'id': 'mail', 'min_words': 31", "passages-sources")));
        assertEquals(Set.of(), ids(passages("'id': 'short'", "passages-sources")));
    }

    public void testTheShareIsThatOfTheSmallerTextOrOfOne() {
        index("passages-shares", "{'field': 'content'}");
        Random random = new Random(random().nextLong());
        String shared = words(random, 40);
        putAll("passages-shares", contents(Map.of("hit", shared + " " + words(random, 160))));
        String text = "'text': '" + words(random, 40) + " " + shared + "', 'min_share': ";
        assertEquals(Set.of("hit"), ids(passages(text + "0.5", "passages-shares")));
        assertEquals(Set.of(), ids(passages(text + "0.51", "passages-shares")));
        assertEquals(Set.of("hit"), ids(passages(text + "0.5, 'of': 'query'", "passages-shares")));
        assertEquals(Set.of("hit"), ids(passages(text + "0.2, 'of': 'document'", "passages-shares")));
        assertEquals(Set.of(), ids(passages(text + "0.21, 'of': 'document'", "passages-shares")));
    }

    /** Several fields and values: the evidence says which text, and no run spans two. */
    public void testSeveralTextsOfADocument() {
        index("passages-several", "{'fields': ['title', 'content'], 'words': 4, 'window': 2}");
        Random random = new Random(random().nextLong());
        String paragraph = words(random, 12);
        putAll(
                "passages-several",
                Map.of(
                        "hit",
                        Map.of("title", "one two", "content", List.of(words(random, 20), paragraph + " end")),
                        "split",
                        Map.of("title", paragraph.substring(0, 30), "content", paragraph.substring(30, 60))));
        SearchResponse response = passages("'text': '" + paragraph + "', 'min_words': 12", "passages-several");
        assertEquals(Set.of("hit"), ids(response));
        Map<?, ?> evidence =
                (Map<?, ?>) response.getHits().getAt(0).field("_simhash").getValue();
        assertEquals(
                List.of(Map.of(
                        "from",
                        0,
                        "to",
                        paragraph.length(),
                        "text",
                        2,
                        "other",
                        Map.of("from", 0, "to", paragraph.length()),
                        "words",
                        12)),
                evidence.get("passages"));
    }

    public void testRefusesWhatItCannotPromise() {
        index("passages-refused", "{'field': 'content'}");
        putAll("passages-refused", contents(Map.of("1", "a text")));
        refused(
                "[min_words] must be at least [words] + [window] - 1 of the processor, which is 15, got: 14",
                () -> passages("'text': 'x', 'min_words': 14", "passages-refused"));
        newIndex("passages-text", "{'properties': {'passages': {'properties': {'terms': {'type': 'text'}}}}}", 1, 0);
        refused(
                "[passages] [passages.terms] must be of type [keyword] and indexed, but is of type [text]; map [passages]"
                        + " as in the plugin's config/index-template.json",
                () -> passages("'text': 'x', 'pipeline': 'passages-refused'", "passages-text"));
        newIndex("passages-bare", "{'_source': {'enabled': false}, " + MAPPING.substring(1), 1, 0);
        refused(
                "[passages] must have its texts kept in [_source], which it compares, but [passages-bare] keeps none of"
                        + " [content]",
                () -> passages("'text': 'x', 'pipeline': 'passages-refused'", "passages-bare"));
        newIndex("passages-none", "{}", 1, 0);
        assertEquals(Set.of(), ids(passages("'text': 'x', 'pipeline': 'passages-refused'", "passages-none")));
    }

    private static void refused(String message, ThrowingRunnable request) {
        SearchPhaseExecutionException e = expectThrows(SearchPhaseExecutionException.class, request);
        assertEquals(
                message, ExceptionsHelper.unwrapCause(e.guessRootCauses()[0]).getMessage());
        assertEquals(400, e.status().getStatus());
    }
}
