/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.search.SearchHit;
import org.opensearch.search.suggest.completion.CompletionSuggestion;
import org.opensearch.simhash.core.fingerprint.Fingerprint;

/** What a hit tells about why it matches: one entry for each clause, whatever the clause became. */
public class EvidenceClusterTests extends SimHashClusterTestCase {

    private static final String TEXT =
            "The quick brown fox jumps over the lazy dog, and then it runs away over the green hills into the dark forest.";

    public void testOneEntryForEachClauseOfTheNearestFingerprint() {
        smallIndex("plain");
        putAll(
                "plain",
                Map.of(
                        "both", Map.of("simhash", List.of(fingerprint(0xf), fingerprint(0xff0))),
                        "one", Map.of("simhash", fingerprint(0xf1)),
                        "other", Map.of("simhash", fingerprint(0xff1)),
                        "far", Map.of("simhash", fingerprint(-1))));
        String both = "{'simhash': {'id': 'both', 'include_self': true, 'max_distance': 10}}";
        Map<String, List<Object>> expected = Map.of(
                "both", List.of(Map.of("distance", 0)),
                "one", List.of(Map.of("distance", 5)),
                "other", List.of(Map.of("distance", 1)));
        assertEquals(expected, evidence(both, "plain"));
        assertEquals(expected, evidence(both.replace("10", "10, 'boost': 2"), "plain"));
        assertEquals(expected, evidence("{'bool': {'filter': " + both + "}}", "plain"));
        String hash = "{'simhash': {'hash': '0000000000000ff0', 'max_distance': 1}}";
        assertEquals(
                Map.of(
                        "both", List.of(Map.of("distance", 0), Map.of("distance", 0)),
                        "one", List.of(Map.of("distance", 5)),
                        "other", List.of(Map.of("distance", 1), Map.of("distance", 1))),
                evidence("{'bool': {'should': [" + both + ", " + hash + "]}}", "plain"));
    }

    public void testEntriesAreInTheOrderOfTheClauses() {
        smallIndex("plain");
        putAll("plain", Map.of("zero", Map.of("simhash", fingerprint(0))));
        List<String> clauses = new ArrayList<>();
        List<Object> expected = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            clauses.add("{'simhash': {'hash': '" + Fingerprint.toHex((1L << i) - 1) + "', 'max_distance': 20}}");
            expected.add(Map.of("distance", i));
        }
        String two = String.join(", ", clauses.subList(2, 4));
        String five = String.join(", ", clauses.subList(4, 9));
        String rest = String.join(", ", clauses.subList(9, 12));
        String query =
                "{'bool': {'must': [" + clauses.get(0) + ", " + clauses.get(1) + "], 'should': [{'bool': {'filter': ["
                        + two + "]}}, {'dis_max': {'queries': [" + five + "]}}, {'bool': {'must': [" + rest + "]}}]}}";
        assertEquals(Map.of("zero", expected), evidence(query, "plain"));
    }

    public void testClausesThatOnlyChangeTheScoreAreShown() {
        smallIndex("plain");
        putAll("plain", Map.of("zero", Map.of("simhash", fingerprint(0))));
        String clause = "{'simhash': {'hash': '000000000000000N', 'max_distance': 20}}";
        String scored = "{'function_score': {'query': " + clause.replace('N', '1')
                + ", 'functions': [{'weight': 3}, {'filter': "
                + clause.replace('N', '3') + ", 'weight': 2}, {'filter': {'bool': {'must_not': "
                + clause.replace('N', '3') + "}}, 'weight': 2}]}}";
        assertEquals(Map.of("zero", List.of(Map.of("distance", 1), Map.of("distance", 2))), evidence(scored, "plain"));
        String rescored = scored + ", 'rescore': {'window_size': 5, 'query': {'rescore_query': "
                + clause.replace('N', '7') + "}}";
        assertEquals(
                Map.of("zero", List.of(Map.of("distance", 1), Map.of("distance", 2), Map.of("distance", 3))),
                evidence(rescored, "plain"));
    }

    public void testTheFilterOfAnAliasIsNobodysBusiness() {
        smallIndex("plain");
        putAll("plain", Map.of("zero", Map.of("simhash", fingerprint(0))));
        assertAcked(client().admin()
                .indices()
                .prepareAliases()
                .addAlias(
                        "plain",
                        "mine",
                        quoted("{'simhash': {'hash': '" + Fingerprint.toHex(31) + "', 'max_distance': 20}}")));
        assertEquals(
                Map.of("zero", List.of(Map.of("distance", 1))),
                evidence("{'simhash': {'hash': '" + Fingerprint.toHex(1) + "', 'max_distance': 20}}", "mine"));
    }

    public void testOneEntryWhereSeveralRecipesPrepareTexts() {
        pipeline("by_type", """
                {'processors': [
                  {'simhash': {'field': 'content', 'if': 'ctx.type != \\"html\\"'}},
                  {'simhash': {'field': 'content', 'if': 'ctx.type == \\"html\\"', 'html': 'text'}}]}""");
        smallIndex("plain", "index.default_pipeline", "by_type");
        String page = "<p>" + TEXT.replace(" ", "</p> <p>") + "</p>";
        putAll(
                "plain",
                Map.of(
                        "text", Map.of("content", TEXT, "type", "text"),
                        "page", Map.of("content", page, "type", "html")));
        List<Object> same = List.of(Map.of("distance", 0, "similarity", 1.0));
        assertEquals(
                Map.of("text", same, "page", same),
                evidence("{'simhash': {'text': '" + TEXT + "', 'verify': {'field': 'content'}}}", "plain"));
    }

    public void testAClauseThatDoesNotMatchForItsTextSaysWhy() {
        smallIndex("docs");
        putAll("docs", Map.of("same", Map.of("content", TEXT), "other", Map.of("content", TEXT + " It is 10.")));
        String query = "{'bool': {'must': {'match_all': {}}, 'should': {'simhash': {'text': '" + TEXT
                + "', 'max_distance': 64, 'verify': {'field': 'content', VERIFY}}}}}";
        List<Object> same = List.of(Map.of("distance", 0, "similarity", 1.0));
        Map.of(
                        "'min_similarity': 0.99", "similarity below [min_similarity]",
                        "'strict_characters': '[0-9]'", "[strict_characters] differ")
                .forEach((option, reason) -> {
                    Map<String, List<Object>> evidence = evidence(query.replace("VERIFY", option), "docs");
                    assertEquals(same, evidence.get("same"));
                    Map<?, ?> other = (Map<?, ?>) evidence.get("other").getFirst();
                    assertEquals(Set.of("distance", "reason"), other.keySet());
                    assertEquals(reason, other.get("reason"));
                });
    }

    /** Sorted by a field the search verifies no text: all of it is done for the evidence, hit by hit. */
    public void testEvidenceEndsWithTheTimeOfTheSearch() {
        pipeline("by_title", "{'processors': [{'simhash': {'field': 'title', 'min_features': 1}}]}");
        newIndex(
                "plain",
                "{'properties': {'rank': {'type': 'integer'}, 'content': {'type': 'text', 'index': false}}}",
                1,
                0,
                "index.default_pipeline",
                "by_title");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            text.append("word").append(i * 31L % 99_991).append(' ');
        }
        Map<String, Map<String, Object>> documents = new TreeMap<>();
        for (int i = 10; i < 40; i++) {
            documents.put("" + i, Map.of("rank", i, "title", "one title", "content", text + "and " + i));
        }
        putAll("plain", documents);
        String clause = "{'simhash': {'id': '10', 'include_self': true, 'verify': {'field': 'content'}}}";
        String body =
                "{'timeout': '200ms', 'sort': ['rank'], '_source': false, 'query': {'bool': {'must': {'match_all': {}}, 'should': "
                        + clause + "}}}";
        SearchRequestBuilder search = prepareSearch(body, "plain");
        search.request().source().ext(List.of(SimHashExt.evidence()));
        SearchResponse response = search.get();
        SearchHit[] hits = response.getHits().getHits();
        assertEquals("no hit is lost", 30, hits.length);
        // To compare all texts takes several seconds, on a busy machine more.
        long compared = Arrays.stream(hits)
                .map(hit -> (Map<?, ?>) hit.field("_simhash").getValue())
                .filter(evidence -> evidence.containsKey("similarity"))
                .count();
        assertTrue(compared + " are compared", compared < 15);
        Map<?, ?> last = (Map<?, ?>) hits[29].field("_simhash").getValue();
        assertEquals("the search timed out", last.get("reason"));
        assertFalse(last.containsKey("similarity"));
    }

    /** Each of a document's fingerprints is compared with each hit. */
    public void testThousandsOfFingerprints() {
        smallIndex("plain");
        List<Object> fingerprints = new ArrayList<>();
        for (long i = 0; i < 3_000; i++) {
            long bits = i * 0x9e3779b97f4a7c15L;
            fingerprints.add(Map.of("bits", bits, "digest", "d" + i, "scheme", "v1-a"));
        }
        Map<String, Map<String, Object>> documents = new TreeMap<>(Map.of("many", Map.of("simhash", fingerprints)));
        for (long i = 0; i < 300; i++) {
            long bits = (i * 0x9e3779b97f4a7c15L) ^ (i % 4 == 0 ? 0 : 1L << (i % 64));
            documents.put(
                    "near" + i,
                    Map.of(
                            "simhash",
                            Map.of("bits", bits, "digest", "d" + i * 7, "scheme", i % 5 == 0 ? "v1-b" : "v1-a")));
        }
        putAll("plain", documents);
        Map<String, List<Object>> evidence =
                evidence("{'simhash': {'id': 'many', 'include_self': true, 'max_distance': 0}}", "plain");
        assertEquals(301, evidence.size());
        evidence.forEach((id, entries) -> assertEquals(id, List.of(Map.of("distance", 0)), entries));
    }

    public void testATextThatTheAnalyzerCannotReadIsSaidToBeSo() {
        indexOfUnreadableTexts("plain");
        putAll(
                "plain",
                Map.of(
                        "1", Map.of("title", TEXT, "content", TEXT),
                        "2", Map.of("title", TEXT, "content", "ab".repeat(200_000))));
        assertEquals(
                Map.of(
                        "1", List.of(Map.of("distance", 0, "similarity", 1.0)),
                        "2", List.of(Map.of("distance", 0, "reason", "not verified: the analyzer fails on the text"))),
                evidence(
                        "{'bool': {'must': {'match_all': {}}, 'should': {'simhash': {'id': '1', 'include_self': true,"
                                + " 'verify': {'field': 'content'}}}}}",
                        "plain"));
    }

    public void testATextThatTheAnalyzerOfOneDocumentCannotReadIsComparedWithTheOthers() {
        pipeline("by_language", """
                {'processors': [{'simhash': {'field': 'content', 'language_field': 'language', 'analyzers': {'sw':
                  {'tokenizer': 'standard', 'char_filter':
                    [{'type': 'pattern_replace', 'pattern': '(a|b)*c', 'replacement': ''}]}}}}]}""");
        smallIndex("plain", "index.default_pipeline", "by_language");
        String text = TEXT + " " + "ab".repeat(200_000);
        putAll(
                "plain",
                Map.of(
                        "1", Map.of("content", text),
                        "2", Map.of("content", TEXT, "language", "sw")));
        Map<String, List<Object>> evidence = evidence(
                "{'bool': {'must': {'match_all': {}}, 'should': {'simhash': {'text': '" + text
                        + "', 'max_distance': 64, 'verify': {'field': 'content'}}}}}",
                "plain");
        assertEquals(List.of(Map.of("distance", 0, "similarity", 1.0)), evidence.get("1"));
        assertEquals(
                "not verified: the analyzer fails on the text",
                ((Map<?, ?>) evidence.get("2").getFirst()).get("reason"));
    }

    public void testSuggestionsHaveNoQueryThatTheyCouldMatch() {
        newIndex("plain", "{'properties': {'title': {'type': 'completion'}}}", 1, 0, "index.codec", "default");
        putAll("plain", Map.of("1", Map.of("title", "tram")));
        SearchRequestBuilder search =
                prepareSearch("{'suggest': {'titles': {'prefix': 'tr', 'completion': {'field': 'title'}}}}", "plain");
        search.request().source().ext(List.of(SimHashExt.evidence()));
        CompletionSuggestion suggested = search.get().getSuggest().getSuggestion("titles");
        assertEquals("1", suggested.getOptions().getFirst().getHit().getId());
    }

    public void testInnerHitsTellHowNearNestedDocumentsAre() {
        newIndex("plain", "{'properties': {'pages': {'type': 'nested'}}}", 1, 0);
        putAll(
                "plain",
                Map.of(
                        "1",
                        Map.of(
                                "pages",
                                List.of(
                                        Map.of("simhash", fingerprint(0xf)),
                                        Map.of("simhash", fingerprint(-1)),
                                        Map.of("simhash", fingerprint(0xff))))));
        SearchRequestBuilder search = prepareSearch("""
                {'query': {'nested': {'path': 'pages', 'inner_hits': {}, 'query':
                  {'simhash': {'field': 'pages.simhash', 'hash': '000000000000000e', 'max_distance': 5}}}}}""", "plain");
        search.request().source().ext(List.of(SimHashExt.evidence()));
        SearchHit hit = search.get().getHits().getAt(0);
        assertNull("it has no fingerprint of its own", hit.field("_simhash"));
        Map<Integer, List<Object>> pages = new TreeMap<>();
        for (SearchHit page : hit.getInnerHits().get("pages")) {
            pages.put(
                    page.getNestedIdentity().getOffset(), page.field("_simhash").getValues());
        }
        assertEquals(Map.of(0, List.of(Map.of("distance", 1)), 2, List.of(Map.of("distance", 5))), pages);
    }

    private Map<String, List<Object>> evidence(String query, String index) {
        SearchRequestBuilder search = prepareSearch("{'query': " + query + "}", index);
        search.request().source().ext(List.of(SimHashExt.evidence()));
        Map<String, List<Object>> evidence = new TreeMap<>();
        for (SearchHit hit : search.get().getHits()) {
            evidence.put(hit.getId(), hit.field("_simhash").getValues());
        }
        return evidence;
    }

    private static Map<String, Object> fingerprint(long bits) {
        return Map.of("bits", bits);
    }
}
