/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.sketch.Sketch;

/** The query {@code minhash} on nodes: sources, verification, containment, evidence, both sketches in one pipeline. */
public class MinHashClusterTests extends SimHashClusterTestCase {

    private static final String BOTH =
            "{'processors': [{'simhash': {'field': 'content'}}, {'minhash': {'field': 'content'}}]}";

    /** Words that no other text of the test has. */
    private static String words(Random random, int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(Integer.toString(random.nextInt(Integer.MAX_VALUE), 36));
        }
        return String.join(" ", words);
    }

    private void index(String index) {
        pipeline("both", BOTH);
        newIndex(index, "{}", 2, 0, "index.default_pipeline", "both");
    }

    private static Map<String, Map<String, Object>> contents(Map<String, String> texts) {
        Map<String, Map<String, Object>> documents = new TreeMap<>();
        texts.forEach((id, text) -> documents.put(id, Map.of("content", text)));
        return documents;
    }

    private SearchResponse similar(String options, String index) {
        return search("{'query': {'minhash': {" + options + "}}, 'ext': {'simhash': {'evidence': true}}}", index);
    }

    public void testFindsByEverySourceAndScoresByTheEstimate() {
        index("docs-sources");
        Random random = new Random(random().nextLong());
        String text = words(random, 200);
        String near = text + " " + words(random, 20);
        putAll(
                "docs-sources",
                contents(Map.of("text", text, "near", near, "far", words(random, 200), "short", "two words")));
        Map<?, ?> stored = (Map<?, ?>)
                client().prepareGet("docs-sources", "text").get().getSource().get("minhash");
        String sketch = stored.get("sketch").toString();
        Map<?, ?> other = (Map<?, ?>)
                client().prepareGet("docs-sources", "near").get().getSource().get("minhash");
        float estimate = (float) Sketch.similarity(
                Sketch.fromBase64(sketch)
                        .agreeing(Sketch.fromBase64(other.get("sketch").toString())),
                128);
        assertEquals(Map.of("text", 1f, "near", estimate), scores(similar("'text': '" + text + "'", "docs-sources")));
        assertEquals(
                Map.of("text", 1f, "near", estimate),
                scores(similar("'document': {'content': '" + text + "'}", "docs-sources")));
        assertEquals(Map.of("near", estimate), scores(similar("'id': 'text'", "docs-sources")));
        assertEquals(Set.of("text", "near"), ids(similar("'id': 'text', 'include_self': true", "docs-sources")));
        assertEquals(
                Map.of("text", 1f, "near", estimate), scores(similar("'sketch': '" + sketch + "'", "docs-sources")));
        assertEquals(Map.of("short", 1f), scores(similar("'text': 'Two words!'", "docs-sources")));
        assertEquals(Set.of("text"), ids(similar("'text': '" + text + "', 'min_similarity': 0.99", "docs-sources")));
        SearchHit hit = similar("'id': 'text'", "docs-sources").getHits().getAt(0);
        assertEquals(
                estimate, ((Number) ((Map<?, ?>) hit.field("_simhash").getValue()).get("estimate")).floatValue(), 1e-6);
    }

    public void testTextsAreVerifiedAsInTheOtherQuery() {
        index("docs-verified");
        Random random = new Random(random().nextLong());
        String text = words(random, 200);
        putAll(
                "docs-verified",
                contents(Map.of("text", text, "near", text + " " + words(random, 10), "far", words(random, 200))));
        SearchResponse response = similar("'id': 'text', 'verify': {'field': 'content'}", "docs-verified");
        assertEquals(Set.of("near"), ids(response));
        Map<?, ?> evidence =
                (Map<?, ?>) response.getHits().getAt(0).field("_simhash").getValue();
        assertEquals(Set.of("estimate", "similarity"), evidence.keySet());
        assertEquals(198 / 208.0, response.getHits().getAt(0).getScore(), 1e-6);
        assertEquals(
                Set.of(),
                ids(similar(
                        "'id': 'text', 'min_similarity': 0.7, 'verify': {'field': 'content', 'min_similarity': 0.99}",
                        "docs-verified")));
    }

    /** Replies of 200 words that quote a mail of 66; and mails that share a footer of 20 words with it. The estimate alone errs. */
    public void testContainmentFindsAMailInsideOfAReply() {
        index("docs-replies");
        Random random = new Random(7);
        int cases = 20;
        String footer = words(random, 20);
        Map<String, String> texts = new HashMap<>();
        List<String> mails = new ArrayList<>();
        for (int i = 0; i < cases; i++) {
            String mail = words(random, 66);
            mails.add(mail);
            texts.put("reply" + i, words(random, 40) + " " + mail + " " + words(random, 94));
            texts.put("footer" + i, words(random, 46) + " " + footer);
        }
        putAll("docs-replies", contents(texts));
        int found = 0;
        int verified = 0;
        for (int i = 0; i < cases; i++) {
            String options = "'text': '" + mails.get(i) + "', 'containment': true";
            Set<String> expected = Set.of("reply" + i);
            found += ids(similar(options, "docs-replies")).equals(expected) ? 1 : 0;
            verified +=
                    ids(similar(options + ", 'verify': {'field': 'content', 'measure': 'containment'}", "docs-replies"))
                                    .equals(expected)
                            ? 1
                            : 0;
            assertEquals(
                    Set.of(),
                    ids(similar(
                            "'id': 'footer" + i + "', 'containment': true, 'verify': {'field': 'content', 'measure':"
                                    + " 'containment'}",
                            "docs-replies")));
        }
        assertTrue(found + " of " + cases + " found", found >= 19);
        assertEquals("found and verified", cases, verified);
    }

    public void testSearchResultsAreCollapsedBySketches() {
        index("docs-collapsed");
        Random random = new Random(random().nextLong());
        String text = words(random, 200);
        putAll(
                "docs-collapsed",
                contents(Map.of(
                        "a",
                        text,
                        "b",
                        text + " " + words(random, 20),
                        "c",
                        text + " " + words(random, 200),
                        "d",
                        "two words",
                        "e",
                        "Two words!")));
        String sorted =
                "{'sort': ['_doc'], 'size': 10, 'query': {'match_all': {}}, 'search_pipeline': {'request_processors':"
                        + " [{'collapse_near_duplicates': {'sketch': 'minhash'<more>}}], 'response_processors':"
                        + " [{'collapse_near_duplicates': {}}]}}";
        SearchResponse response = search(sorted.replace("<more>", ""), "docs-collapsed");
        assertEquals(3, response.getHits().getHits().length);
        for (SearchHit hit : response.getHits()) {
            assertEquals(
                    hit.getId(),
                    hit.getId().equals("c") ? Set.of() : Set.of("_near_duplicates"),
                    hit.getFields().keySet());
            if (hit.getId().equals("c") == false) {
                Map<?, ?> hidden = (Map<?, ?>) hit.field("_near_duplicates").getValue();
                assertTrue(hidden.toString(), ((Number) hidden.get("estimate")).doubleValue() >= 0.8);
            }
        }
        assertEquals(
                "half of the text is enough",
                2,
                search(sorted.replace("<more>", ", 'min_similarity': 0.3"), "docs-collapsed")
                        .getHits()
                        .getHits()
                        .length);
        assertRefused(
                400,
                "[collapse_near_duplicates] [max_distance] is only allowed with [sketch] simhash, got: 3",
                () -> search(sorted.replace("<more>", ", 'max_distance': 3"), "docs-collapsed"));
    }

    public void testWhatCannotBeComparedIsRefused() {
        index("docs-refused");
        put("docs-refused", "1", "content", "a text of some words that is long enough for a sketch");
        refresh("docs-refused");
        pipeline("simhash-only", "{'processors': [{'simhash': {'field': 'content'}}]}");
        smallIndex("docs-one", "index.default_pipeline", "simhash-only");
        assertRefused(
                400,
                "no ingest pipeline with a [minhash] processor for field [minhash] found for [docs-one]: set [pipeline],"
                        + " or [index.default_pipeline] of the index; POST /_plugins/_simhash/setup/docs-one"
                        + " {\"sketch\": \"minhash\"} does it",
                () -> similar("'text': 'some words'", "docs-one"));
        assertRefused(
                400,
                "[pipeline] must have a [minhash] processor with target_field [minhash], got: simhash-only",
                () -> similar("'text': 'some words', 'pipeline': 'simhash-only'", "docs-refused"));
        put("docs-one", "2", "content", "a text without a sketch");
        refresh("docs-one");
        assertRefused(
                400,
                "[id] document [2] of index [docs-one] has no sketch in [minhash] of its _source",
                () -> similar("'id': '2'", "docs-one"));
    }
}
