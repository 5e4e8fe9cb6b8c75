/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.search.match.FingerprintedDocument;

/** What a cluster says to requests that it cannot serve; each costs only itself. */
public class QueryErrorsClusterTests extends SimHashClusterTestCase {

    private static final String TEXT = "Nine words are enough for more than eight features";

    public void testPipelinesThatAreNotThereOrOfNoUse() {
        pipeline("nothing", "{'processors': [{'set': {'field': 'a', 'value': 1}}]}");
        pipeline("others", """
                {'processors': [{'simhash': {'field': 'a', 'target_field': 'print_a'}},
                                {'simhash': {'field': 'b', 'target_field': 'print_b'}}]}""");
        smallIndex("plain");
        assertRefused(
                400,
                "[pipeline] must be an existing ingest pipeline, got: nowhere",
                () -> near("'text': 'x', 'pipeline': 'nowhere'", "plain"));
        for (String pipeline : List.of("nothing", "others")) {
            assertRefused(
                    400,
                    "[pipeline] must have a [simhash] processor with target_field [simhash], got: " + pipeline
                            + (pipeline.equals("others") ? ", whose processors write [print_a, print_b]" : ""),
                    () -> near("'text': 'x', 'pipeline': '" + pipeline + "'", "plain"));
        }
        for (String source : List.of("'text': 'x'", "'document': {'content': 'x'}")) {
            assertRefused(
                    400,
                    "no ingest pipeline with a [simhash] processor for field [simhash] found for [plain]:"
                            + " set [pipeline], or [index.default_pipeline] of the index; POST /_plugins/_simhash/setup/plain does it",
                    () -> near(source, "plain"));
        }
    }

    public void testKeywordsThatAreWrittenOtherwise() {
        assertAcked(client().admin()
                .indices()
                .prepareCreate("loud")
                .setSettings(Settings.builder()
                        .put("index.analysis.normalizer.loud.type", "custom")
                        .putList("index.analysis.normalizer.loud.filter", "uppercase"))
                .setMapping("simhash.digest", "type=keyword,normalizer=loud"));
        assertWrongMapping(
                "[simhash] [simhash.digest] must be of type [keyword] with all values as they are, but is of type"
                        + " [keyword] with [normalizer] loud; map [simhash] as in the plugin's"
                        + " config/index-template.json",
                "loud");
    }

    /** The only processor that there is reads something else: its fingerprints have the same scheme. */
    public void testAFieldThatIsFilledByAnotherPipeline() {
        pipeline("titles", "{'processors': [{'simhash': {'field': 'title', 'target_field': 'titles'}}]}");
        String fingerprint =
                "{'properties': {'bits': {'type': 'long', 'index': false}, 'scheme': {'type': 'keyword'}}}";
        newIndex(
                "both",
                "{'properties': {'titles': " + fingerprint + ", 'contents': " + fingerprint + "}}",
                1,
                0,
                "index.default_pipeline",
                "titles");
        assertRefused(
                400,
                "the [simhash] processors in the ingest pipelines of [both] write [titles], none of them [contents]:"
                        + " set [pipeline] to one with a processor for it, or with a single processor",
                () -> near("'field': 'contents', 'text': '" + TEXT + "'", "both"));
    }

    public void testDocumentsThatHaveNoText() {
        pipeline("two", "{'processors': [{'simhash': {'fields': ['title^2', 'content']}}]}");
        smallIndex("docs");
        smallIndex("plain", "index.default_pipeline", "two");
        String rule = "[document] must have at least one of the fields ";
        assertRefused(
                400,
                rule + "[content] of the pipeline's processor, got: [body, title]",
                () -> near("'document': {'title': 'x', 'body': 'y'}", "docs"));
        assertRefused(
                400,
                rule + "[content, title] of the pipeline's processor, got: []",
                () -> near("'document': {}", "docs", "plain"));
        assertRefused(
                400,
                "field [content] must hold text, numbers, booleans or arrays of these, got: an object",
                () -> near("'document': {'content': {'a': 'b'}}", "docs"));
        assertEquals(
                "one recipe that applies is enough",
                Set.of(),
                ids(near("'document': {'title': 'x'}", "docs", "plain")));
    }

    public void testWrongMappingsAreNamed() {
        newIndex("docs", "{'properties': {'simhash': {'properties': {'bits': {'type': 'keyword'}}}}}", SHARDS, 1);
        assertWrongMapping(
                "[simhash] [simhash.bits] must be of type [long] with doc values, but is of type [keyword];"
                        + " map [simhash] as in the plugin's config/index-template.json",
                "docs");
    }

    private void assertWrongMapping(String message, String index) {
        SearchPhaseExecutionException e =
                expectThrows(SearchPhaseExecutionException.class, () -> near("'hash': '9f2c4d0011aa22bb'", index));
        assertEquals(400, e.status().getStatus());
        OpenSearchException cause = (OpenSearchException) ExceptionsHelper.unwrapCause(e.guessRootCauses()[0]);
        assertEquals(message, cause.getMessage());
    }

    public void testSegmentsThatAreLeftOutAreMadeUpForByTheBits() {
        newIndex(
                "docs",
                "{'properties': {'simhash': {'properties': {'segment_0': {'type': 'keyword', 'ignore_above': 3},"
                        + " 'segment_1': {'type': 'keyword', 'ignore_above': 3}}}}}",
                1,
                0);
        putAll("docs", sample("en"));
        Map<String, FingerprintedDocument> stored = stored("docs", "simhash");
        stored.forEach((id, document) -> assertEquals(
                bruteForce(stored, target(document), 10),
                scores(near("'id': '" + id + "', 'include_self': true, 'max_distance': 10", "docs"))));
    }

    public void testWhatIsNotMappedMatchesNothing() {
        smallIndex("plain");
        assertEquals(Set.of(), ids(near("'hash': '9f2c4d0011aa22bb', 'max_distance': 64", "plain")));
        assertEquals(Set.of(), ids(near("'hash': '9f2c4d0011aa22bb', 'max_distance': 64", "nowhere*")));
        smallIndex("docs");
        assertEquals(
                "mapped, but empty", Set.of(), ids(near("'hash': '9f2c4d0011aa22bb', 'max_distance': 64", "docs")));
    }

    public void testAFieldThatIsNotMappedMatchesNothingWhateverItIsComparedWith() {
        smallIndex("docs");
        putAll("docs", Map.of("1", Map.of("content", TEXT)));
        for (String source : List.of(
                "'text': '" + TEXT + "'",
                "'document': {'content': '" + TEXT + "'}",
                "'id': '1', 'include_self': true")) {
            for (String verify : List.of("", ", 'verify': {'field': 'content'}")) {
                assertEquals(source, Set.of("1"), ids(near(source + verify, "docs")));
                assertEquals(source, Set.of(), ids(near("'field': 'nowhere', " + source + verify, "docs")));
            }
        }
    }

    public void testABadDocumentOfABulkCostsOnlyItself() {
        smallIndex("docs");
        BulkRequestBuilder bulk = client().prepareBulk();
        bulk.add(client().prepareIndex("docs").setId("good").setSource("content", TEXT));
        bulk.add(client().prepareIndex("docs").setId("object").setSource("content", Map.of("a", "b")));
        bulk.add(client().prepareIndex("docs").setId("missing").setSource("title", "x"));
        bulk.add(client().prepareIndex("docs").setId("also good").setSource("content", TEXT));
        BulkResponse response = bulk.get();
        refresh("docs");
        assertEquals(Set.of("good", "also good"), ids(near("'text': '" + TEXT + "'", "docs")));
        assertFailed(
                response.getItems()[1],
                "field [content] must hold text, numbers, booleans or arrays of these, got: an object");
        assertFailed(
                response.getItems()[2],
                "document has none of the fields [content] of the processor [simhash];"
                        + " [ignore_missing] lets such documents pass");
        assertAcked(client().admin().indices().prepareDelete("docs"));
    }

    public void testStrangeDocumentsHarmNobody() {
        smallIndex("docs");
        BulkRequestBuilder bulk = client().prepareBulk();
        List<String> texts = List.of(
                "",
                "!?.,;: -- ...",
                "\uD83D\uDE00\uD83D\uDE01".repeat(1000),
                "\u200F\u200E\u202E".repeat(1000),
                "x".repeat(100_000),
                "e\u0301\u0302\u0303".repeat(30_000),
                "word ".repeat(200_000));
        for (int i = 0; i < texts.size(); i++) {
            bulk.add(client().prepareIndex("docs").setId("" + i).setSource("content", texts.get(i)));
        }
        bulk.add(client().prepareIndex("docs").setId("good").setSource("content", TEXT));
        BulkResponse response = bulk.get();
        assertFalse(response.buildFailureMessage(), response.hasFailures());
        refresh("docs");
        assertEquals(Set.of("good"), ids(near("'text': '" + TEXT + "'", "docs")));
    }

    public void testAWrongPipelineIsRefusedAndNamed() {
        assertRefused(
                400,
                "[segments] must be between 2 and 8, got: 9",
                () -> pipeline("bad", "{'processors': [{'simhash': {'field': 'a', 'segments': 9}}]}"));
        assertRefused(
                400,
                "unknown option [colour]",
                () -> pipeline("bad", "{'processors': [{'simhash': {'field': 'a', 'colour': 'red'}}]}"));
    }

    private static void assertFailed(BulkItemResponse item, String message) {
        assertEquals(
                message,
                ExceptionsHelper.unwrapCause(item.getFailure().getCause()).getMessage());
        assertEquals(400, item.status().getStatus());
    }
}
