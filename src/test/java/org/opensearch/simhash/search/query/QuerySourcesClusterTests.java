/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.search.match.FingerprintedDocument;
import org.opensearch.simhash.search.match.Print.Target;

/** A hash, a text, a document or an id to compare with, in a cluster: what it becomes, and what it finds. */
public class QuerySourcesClusterTests extends SimHashClusterTestCase {

    private static final String TEXT =
            "The quick brown fox jumps over the lazy dog, and then it runs away over the green hills into the dark forest.";

    public void testAllSourcesFindWhatBruteForceFinds() {
        spreadIndex("docs");
        putAll("docs", sample("en"));
        Map<String, FingerprintedDocument> stored = stored("docs", "simhash");
        assertTrue(stored.size() > 50);
        for (String id : randomSubsetOf(5, stored.keySet())) {
            Target target = target(stored.get(id));
            int distance = randomFrom(0, 3, 6, 10, 20, 30);
            Map<String, Float> expected = bruteForce(stored, target, distance);
            String option = ", 'max_distance': " + distance;

            Object text = sample("en").get(id).get("content");
            String content = json(Map.of("content", text));
            assertEquals(expected, scores(near("'document': " + content + option, "docs")));
            assertEquals(
                    expected,
                    scores(near(
                            "'text': " + content.substring(content.indexOf(':') + 1, content.length() - 1) + option,
                            "docs")));
            assertEquals(expected, scores(near("'id': '" + id + "', 'include_self': true" + option, "docs")));
            String hash = Fingerprint.toHex(target.bits().getAsLong());
            assertEquals(expected, scores(near("'hash': '" + hash + "'" + option, "docs")));

            expected.remove(id);
            assertEquals(expected, scores(near("'id': '" + id + "'" + option, "docs")));
        }
    }

    public void testTheDefaultDistanceIsThree() {
        smallIndex("docs");
        putAll("docs", sample("de"));
        Map<String, FingerprintedDocument> stored = stored("docs", "simhash");
        stored.forEach((id, document) -> assertEquals(
                bruteForce(stored, target(document), 3),
                scores(near("'id': '" + id + "', 'include_self': true", "docs"))));
    }

    public void testTheRecipeIsThatOfTheDefaultPipelineThenOfTheFinalOne() {
        pipeline("words", "{'processors': [{'simhash': {'field': 'content', 'max_shingle_size': 1}}]}");
        pipeline("nothing", "{'processors': [{'set': {'field': 'seen', 'value': true}}]}");
        smallIndex("by_default", "index.default_pipeline", "words");
        smallIndex("by_final", "index.final_pipeline", "words");
        smallIndex("by_final_only", "index.default_pipeline", "nothing", "index.final_pipeline", "words");
        smallIndex("by_both", "index.default_pipeline", "words", "index.final_pipeline", "nothing");
        for (String index : new String[] {"by_default", "by_final", "by_final_only", "by_both"}) {
            putAll(index, Map.of("1", Map.of("content", TEXT)));
            assertEquals(Map.of("1", 1f), scores(near("'text': '" + TEXT + "'", index)));
        }
    }

    public void testADocumentHasEachOfTheFingerprintsOfItsArrays() {
        smallIndex("docs");
        pipeline("none", "{'processors': []}");
        Map<String, Object> one = Map.of("bits", 0L, "scheme", "v1-a");
        Map<String, Object> three = Map.of("bits", List.of(255L << 40, 255L), "scheme", List.of("v1-a", "v1-b"));
        Map<String, Object> hashes =
                Map.of("hash", List.of("000000000000ffff", "ffff000000000000"), "digest", List.of("d", "e"));
        Map<String, Map<String, Object>> documents = Map.of(
                "zero", Map.of("simhash", one),
                "low", Map.of("simhash", Map.of("bits", 254L, "scheme", "v1-b")),
                "middle", Map.of("simhash", Map.of("bits", 127L << 40, "scheme", "v1-a")),
                "digest", Map.of("simhash", Map.of("digest", "e", "scheme", "v1-c")),
                "several", Map.of("simhash", List.of(three)),
                "mixed", Map.of("simhash", List.of(one, List.of(three))),
                "hashes", Map.of("simhash", List.of(hashes)));
        BulkRequestBuilder bulk = client().prepareBulk();
        documents.forEach((id, source) -> bulk.add(
                client().prepareIndex("docs").setId(id).setPipeline("none").setSource(source)));
        assertFalse(bulk.get().hasFailures());
        refresh("docs");
        assertEquals(Set.of("low", "middle", "mixed"), ids(near("'id': 'several', 'max_distance': 1", "docs")));
        assertEquals(Set.of("low", "middle", "zero", "several"), ids(near("'id': 'mixed', 'max_distance': 1", "docs")));
        assertEquals(Set.of("digest"), ids(near("'id': 'hashes', 'max_distance': 1", "docs")));
        long[] many = new long[StoredPrints.MOST + 1];
        client().prepareIndex("docs")
                .setId("many")
                .setPipeline("none")
                .setSource("simhash", Map.of("bits", many))
                .get();
        assertRefused(
                400,
                "[id] document [many] of index [docs] has more than 10000 fingerprints in [simhash]: use [hash]",
                () -> near("'id': 'many'", "docs"));
    }

    public void testNoIndexAtAllIsNoMatch() {
        assertEquals(Map.of(), scores(near("'text': '" + TEXT + "'", "none-*")));
        assertEquals(Map.of(), scores(near("'document': {'content': '" + TEXT + "'}", "none-*")));
        assertRefused(
                404,
                "[id] document [1] not found: no index of this cluster is searched; set [index]",
                () -> near("'id': '1'", "none-*"));
    }

    public void testPipelinesThatCallOthersAreFollowed() {
        pipeline("leaf", "{'processors': [{'simhash': {'field': 'content', 'weighting': 'tf'}}]}");
        pipeline("middle", "{'processors': [{'pipeline': {'name': 'leaf', 'if': 'ctx.content != null'}}]}");
        pipeline("top", "{'processors': [{'set': {'field': 'a', 'value': 1}}, {'pipeline': {'name': 'middle'}}]}");
        smallIndex("plain", "index.default_pipeline", "top");
        putAll("plain", Map.of("1", Map.of("content", TEXT)));
        assertEquals(Map.of("1", 1f), scores(near("'text': '" + TEXT + "'", "plain")));
        assertEquals(Map.of("1", 1f), scores(near("'text': '" + TEXT + "', 'pipeline': 'middle'", "plain")));
    }

    public void testPipelinesThatCallOneAnotherDoNotHang() {
        pipeline("a", "{'processors': [{'pipeline': {'name': 'b'}}]}");
        pipeline("b", "{'processors': [{'pipeline': {'name': 'a'}}]}");
        smallIndex("plain", "index.default_pipeline", "a");
        assertRefused(
                400,
                "no ingest pipeline with a [simhash] processor for field [simhash] found for [plain]:"
                        + " set [pipeline], or [index.default_pipeline] of the index; POST /_plugins/_simhash/setup/plain does it",
                () -> near("'text': 'x'", "plain"));
    }

    public void testConditionalProcessorsAreFoundAndEachRecipeCounts() {
        pipeline("by_language", """
                {'processors': [
                  {'simhash': {'if': 'ctx.language == "zh"', 'field': 'content', 'analyzer': 'smartcn'}},
                  {'simhash': {'if': 'ctx.language != "zh"', 'field': 'content', 'ignore_failure': true}}
                ]}""".replace("\"", "\\\""));
        smallIndex("plain", "index.default_pipeline", "by_language");
        putAll(
                "plain",
                Map.of(
                        "en",
                        Map.of("content", TEXT, "language", "en"),
                        "zh",
                        Map.of("content", TEXT, "language", "zh")));
        assertEquals(Map.of("en", 1f, "zh", 1f), scores(near("'text': '" + TEXT + "'", "plain")));
        assertEquals(
                Map.of("en", 1f, "zh", 1f), scores(near("'text': '" + TEXT + "', 'pipeline': 'by_language'", "plain")));
    }

    public void testProcessorsThatDifferInTheirFieldOnlyAreFoundEach() {
        pipeline("by_field", """
                {'processors': [
                  {'simhash': {'field': 'body', 'ignore_missing': true}},
                  {'simhash': {'field': 'content', 'if': 'ctx.content != null'}}
                ]}""");
        smallIndex("plain", "index.default_pipeline", "by_field");
        putAll("plain", Map.of("body", Map.of("body", TEXT), "content", Map.of("content", TEXT)));
        Map<String, Float> both = Map.of("body", 1f, "content", 1f);
        assertEquals(both, scores(near("'document': {'content': '" + TEXT + "'}", "plain")));
        assertEquals(both, scores(near("'document': {'body': '" + TEXT + "'}", "plain")));
        assertEquals(both, scores(near("'text': '" + TEXT + "'", "plain")));
    }

    public void testAChangedPipelineIsSeenAtOnce() {
        smallIndex("docs");
        putAll("docs", Map.of("old", Map.of("content", TEXT)));
        pipeline(
                "fingerprint",
                "{'processors': [{'simhash': {'field': 'content', 'weighting': 'tf', 'html': 'text'}}]}");
        assertEquals("another scheme, another text", Map.of("old", 1f), scores(near("'text': '" + TEXT + "'", "docs")));
        assertEquals(Set.of(), ids(near("'text': '" + TEXT + " More.', 'max_distance': 64", "docs")));
        putAll("docs", Map.of("new", Map.of("content", TEXT)));
        assertEquals(Set.of("new"), ids(near("'text': '" + TEXT + " More.', 'max_distance': 64", "docs")));
    }

    public void testAChangedPipelineIsSeenWhereAnswersAreCached() throws Exception {
        smallIndex("docs");
        putAll(
                "docs",
                Map.of(
                        "1", Map.of("content", TEXT),
                        "2", Map.of("content", "<p>" + TEXT.replace(" ", "</p> <p>") + "</p>")));
        String count =
                "{'size': 0, 'track_total_hits': true, 'query': {'simhash': {'id': '1', 'include_self': true, 'pipeline': 'fingerprint',"
                        + " 'max_distance': 64, 'verify': {'field': 'content', 'min_similarity': 0.95}}}}";
        assertAcked(client().admin()
                .indices()
                .prepareAliases()
                .addAlias("docs", "like", "{\"simhash\": {\"text\": \"" + TEXT + "\", \"max_distance\": 64}}"));
        String all = "{'size': 0, 'track_total_hits': true}";
        for (String html : List.of("none", "text", "none")) {
            pipeline("fingerprint", "{'processors': [{'simhash': {'field': 'content', 'html': '" + html + "'}}]}");
            long expected = html.equals("text") ? 2 : 1;
            assertBusy(() -> assertEquals(
                    expected,
                    prepareSearch(count, "docs")
                            .setRequestCache(true)
                            .get()
                            .getHits()
                            .getTotalHits()
                            .value()));
            assertBusy(() -> assertEquals(
                    "by distance, or by digest alone",
                    html.equals("text") ? 1 : 2,
                    prepareSearch(all, "like")
                            .setRequestCache(true)
                            .get()
                            .getHits()
                            .getTotalHits()
                            .value()));
        }
    }

    public void testOtherTargetFields() {
        pipeline("two", """
                {'processors': [
                  {'simhash': {'field': 'title', 'target_field': 'prints.title'}},
                  {'simhash': {'fields': ['title^2', 'content'], 'target_field': 'prints.whole'}}
                ]}""");
        smallIndex("plain", "index.default_pipeline", "two");
        putAll(
                "plain",
                Map.of(
                        "1",
                        Map.of(
                                "title",
                                TEXT,
                                "content",
                                "Beneath an old bridge some children built small boats of paper, wood and string while it rained."),
                        "2",
                        Map.of("title", "Other", "content", TEXT)));
        assertEquals(Set.of("1"), ids(near("'field': 'prints.title', 'text': '" + TEXT + "'", "plain")));
        assertEquals(
                Set.of("2"),
                ids(near(
                        "'field': 'prints.whole', 'document': {'title': 'Other', 'content': '" + TEXT + "'}",
                        "plain")));
        assertEquals(
                Set.of("1", "2"),
                ids(near("'field': 'prints.whole', 'id': '1', 'include_self': true, 'max_distance': 64", "plain")));
    }

    public void testAFingerprintThatIsRenamedAfterwards() {
        pipeline(
                "renaming",
                "{'processors': [{'simhash': {'field': 'content', 'target_field': 'made', 'html': 'text'}},"
                        + " {'rename': {'field': 'made', 'target_field': 'simhash'}}]}");
        smallIndex("plain", "index.default_pipeline", "renaming");
        smallIndex("docs");
        putAll("plain", Map.of("1", Map.of("content", TEXT)));
        String verify = ", 'verify': {'field': 'content'}";
        assertEquals(Map.of("1", 1f), scores(near("'text': '<p>" + TEXT + "</p>'", "plain")));
        assertEquals(Map.of("1", 1f), scores(near("'text': '<p>" + TEXT + "</p>'" + verify, "plain")));
        assertEquals(
                "what another index writes is not asked",
                Map.of(),
                scores(near("'text': '<p>" + TEXT + "</p>'", "plain", "docs")));
    }

    public void testIndicesOfDifferentRecipesInOneSearch() {
        pipeline("fnv", "{'processors': [{'simhash': {'field': 'content', 'hash_function': 'fnv1a', 'segments': 6}}]}");
        spreadIndex("docs");
        spreadIndex("plain", "index.default_pipeline", "fnv");
        smallIndex("empty");
        Map<String, Map<String, Object>> documents = sample("fr");
        putAll("docs", documents);
        Map<String, Map<String, Object>> renamed = new HashMap<>();
        documents.forEach((id, source) -> renamed.put("fnv." + id, source));
        putAll("plain", renamed);
        for (String id : randomSubsetOf(5, documents.keySet())) {
            String content = json(Map.of("content", documents.get(id).get("content")));
            Map<String, FingerprintedDocument> defaults = stored("docs", "simhash");
            Map<String, FingerprintedDocument> fnv = stored("plain", "simhash");
            Map<String, Float> expected = new TreeMap<>(bruteForce(defaults, target(defaults.get(id)), 12));
            expected.putAll(bruteForce(fnv, target(fnv.get("fnv." + id)), 12));
            assertEquals(
                    expected,
                    scores(near("'document': " + content + ", 'max_distance': 12", "docs", "plain", "empty")));
        }
        pipeline("given", "{'processors': [{'simhash': {'hash_field': 'given', 'hash_scheme': 'x'}}]}");
        smallIndex("hashes", "index.default_pipeline", "given");
        putAll("hashes", Map.of("hashed", Map.of("given", "00000000000000ff")));
        Object text = documents.values().iterator().next().get("content");
        String content = "'document': " + json(Map.of("content", text));
        Set<String> near = ids(near(content, "docs"));
        assertEquals(near, ids(near(content, "docs", "hashes")));
        String both = "'document': " + json(Map.of("content", text, "given", "00000000000000ff"));
        assertEquals(near, ids(near(both + ", 'verify': {'field': 'content'}, 'max_distance': 3", "docs", "hashes")));
        near.add("hashed");
        assertEquals(near, ids(near(both, "docs", "hashes")));
        assertEquals(Set.of("hashed"), ids(near("'document': {'given': '00000000000000ff'}", "docs", "hashes")));
    }

    public void testShortTextsMatchByDigestAlone() {
        smallIndex("docs");
        putAll(
                "docs",
                Map.of(
                        "a", Map.of("content", "Hello, world"),
                        "b", Map.of("content", "  hello\n WORLD "),
                        "c", Map.of("content", "Hello worlds"),
                        "d", Map.of("content", "!!!"),
                        "e", Map.of("content", "???"),
                        "f", Map.of("content", "! ! !"),
                        "long", Map.of("content", TEXT)));
        for (String distance : new String[] {"0", "64"}) {
            String option = ", 'max_distance': " + distance;
            assertEquals(Map.of("a", 1f, "b", 1f), scores(near("'text': 'hello world'" + option, "docs")));
            assertEquals(Map.of("b", 1f), scores(near("'id': 'a'" + option, "docs")));
            for (String source : List.of("'document': {'content': '!!!'}", "'text': '! ! !'", "'id': 'd'")) {
                assertEquals("without words " + source, Map.of(), scores(near(source + option, "docs")));
            }
            assertEquals(Map.of(), scores(near("'text': 'Goodbye'" + option, "docs")));
            assertEquals("a long text is not near short ones", Map.of(), scores(near("'id': 'long'" + option, "docs")));
        }
    }

    public void testTheLanguageOfADocumentCounts() {
        pipeline(
                "languages",
                "{'processors': [{'simhash': {'field': 'content', 'language_field': 'language', 'min_features': 1}}]}");
        smallIndex("plain", "index.default_pipeline", "languages");
        putAll("plain", Map.of("1", Map.of("content", "我购买了道具和服装。", "language", "zh-CN")));
        String content = "'content': '我购买了道具和服装！'";
        assertEquals(
                Set.of("1"), ids(near("'document': {" + content + ", 'language': 'ZH'}, 'max_distance': 0", "plain")));
        assertEquals(Set.of(), ids(near("'document': {" + content + "}, 'max_distance': 0", "plain")));
    }
}
