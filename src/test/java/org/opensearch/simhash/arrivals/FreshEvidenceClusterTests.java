/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.junit.After;
import org.junit.function.ThrowingRunnable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;

/** A document ends only on fresh evidence: both texts are looked at in that moment. */
public class FreshEvidenceClusterTests extends NearDuplicateClusterTestCase {

    private static final String TEXT = words("shared", 60);
    private static final List<String> ACTIONS = List.of("drop", "fail");

    private String sketch;
    private String action;

    private static String words(String prefix, int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(prefix + i);
        }
        return String.join(" ", words);
    }

    /** Their recipes would count for other tests, too. */
    @After
    public void removePipelines() {
        client().admin().cluster().prepareDeletePipeline("*").get();
    }

    /** One of the actions for which documents end, by fingerprints or by sketches. */
    private void pipeline(String simhash, String nearDuplicate) {
        sketch = randomFrom("simhash", "minhash");
        action = randomFrom(ACTIONS);
        processors("{'" + sketch + "': {'field': 'content'" + simhash + "}}, {'near_duplicate': {'sketch': '" + sketch
                + "', 'action': '" + action + "'" + nearDuplicate + "}}");
    }

    private static long count(DuplicateCount count) {
        return internalCluster()
                .getInstance(NearDuplicates.class, internalCluster().getNodeNames()[0])
                .counts()
                .get(count);
    }

    private boolean ends(String id, Map<String, Object> source) {
        BulkItemResponse item = send(DOCS, id, source);
        if (item.isFailed()) {
            assertEquals(item.getFailureMessage(), RestStatus.CONFLICT, item.status());
            return true;
        }
        return item.getResponse().getResult() == Result.NOOP;
    }

    private static String tagOf(String id) {
        GetResponse document = node().prepareGet(DOCS, id).get();
        assertTrue(document.isExists());
        return tag(document.getSourceAsMap());
    }

    private void indices() {
        client().admin().indices().prepareDelete(DOCS + "*", "elsewhere*").get();
        String mapping = "{\"properties\": {\"minhash\": {\"properties\": {"
                + "\"bands\": {\"type\": \"keyword\", \"doc_values\": false},"
                + "\"sketch\": {\"type\": \"binary\", \"doc_values\": true},"
                + "\"digest\": {\"type\": \"keyword\"}, \"scheme\": {\"type\": \"keyword\"}}}}}";
        for (String index : List.of(DOCS, "elsewhere")) {
            index(index, 1);
            client().admin()
                    .indices()
                    .preparePutMapping(index)
                    .setSource(mapping, org.opensearch.common.xcontent.XContentType.JSON)
                    .get();
        }
    }

    public void testACopyEndsByDefault() {
        pipeline("", "");
        indices();
        assertFalse(ends("original", text(TEXT)));
        assertTrue(ends("copy", text(TEXT)));
        assertTrue(ends("near", text(TEXT.replace("shared33", "edited"))));
    }

    /** An update in a bulk, which no pipeline sees, has changed the text of the original. */
    public void testNoneEndsForAnOriginalWithAnotherText() {
        pipeline("", "");
        indices();
        assertFalse(ends("original", text(TEXT)));
        node().prepareBulk()
                .add(new UpdateRequest(DOCS, "original").doc(text(words("other", 60))))
                .get();
        maybeRefresh();
        long before = count(DuplicateCount.STALE_FINGERPRINT);
        assertFalse(ends("copy", text(TEXT)));
        assertNotNull(tagOf("copy"));
        assertEquals(before + 1, count(DuplicateCount.STALE_FINGERPRINT));
    }

    /** Also where no text is compared. */
    public void testNoneEndsForAnOriginalWithoutItsTextOrWithAFewOtherWords() {
        pipeline("", ", 'verify': false");
        indices();
        assertFalse(ends("original", text(TEXT)));
        String newer = randomFrom("", TEXT + " and more", words("other", 60));
        Map<String, Object> print = node().prepareGet(DOCS, "original").get().getSourceAsMap();
        node().prepareIndex(DOCS)
                .setId("original")
                .setSource(
                        newer.isEmpty()
                                ? Map.of(sketch, print.get(sketch))
                                : Map.of("content", newer, sketch, print.get(sketch)))
                .get();
        maybeRefresh();
        assertFalse(ends("copy", text(TEXT)));
        assertNotNull(tagOf("copy"));
    }

    /** A processor behind the fingerprint changed the text, or another index excludes it from its source. */
    public void testNoneEndsWhoseOwnTextIsAnother() {
        pipeline("", "");
        indices();
        assertFalse(ends("original", text(TEXT)));
        processors("{'" + sketch + "': {'field': 'content'}}, {'set': {'field': 'content', 'value': '"
                + words("mine", 60) + "'}}, {'near_duplicate': {'sketch': '" + sketch
                + "', 'verify': false, 'action': '" + action + "'}}");
        assertFalse(ends("changed", text(TEXT)));
        processors("{'" + sketch + "': {'field': 'content'}}, {'remove': {'field': 'content'}}, {'near_duplicate': {"
                + "'sketch': '" + sketch + "', 'action': '" + action + "'}}");
        assertFalse(ends("removed", text(TEXT)));
    }

    public void testADocumentWithAConditionalProcessorDoesNotEndForTheFingerprintThatItCarries() {
        pipeline("", "");
        indices();
        assertFalse(ends("original", text(TEXT)));
        Map<String, Object> print = node().prepareGet(DOCS, "original").get().getSourceAsMap();
        processors("{'" + sketch + "': {'field': 'content', 'if': 'ctx.content != null'}}, {'near_duplicate': {"
                + "'sketch': '" + sketch + "', 'action': '" + action + "'}}");
        assertFalse(ends("carried", Map.of("body", "unique", sketch, print.get(sketch))));
        assertTrue(ends("copy", text(TEXT)));
    }

    public void testTextsWithoutWordsAreDuplicatesOfNothing() {
        pipeline(", 'html': 'text'", "");
        indices();
        long before = count(DuplicateCount.NO_TEXT);
        List<String> blank = List.of("", " ", "\u00a0", "-", "\u2014", "<img src='a.png'>", "<script>x</script>");
        for (String action : List.of("tag", this.action)) {
            processors("{'" + sketch + "': {'field': 'content', 'html': 'text'}}, {'near_duplicate': {'sketch': '"
                    + sketch + "', 'action': '" + action + "'}}");
            for (int i = 0; i < blank.size(); i++) {
                assertFalse(ends(action + i, text(blank.get(i))));
                assertFalse(ends(action + i + "-again", text(blank.get(i))));
                assertNull(tagOf(action + i + "-again"));
                maybeRefresh();
            }
        }
        assertEquals(before + 4L * blank.size(), count(DuplicateCount.NO_TEXT));
    }

    public void testOnePassageOfSeveralEndsNothing() {
        sketch = "simhash";
        action = randomFrom(ACTIONS);
        String each = "{'foreach': {'field': 'chunks', 'processor': {'simhash': {'field': '_ingest._value.text',"
                + " 'target_field': '_ingest._value.simhash'}}}},"
                + "{'script': {'source': 'ctx.simhash = new ArrayList(); for (c in ctx.chunks)"
                + " { ctx.simhash.add(c.remove(\\'simhash\\')) }'}},";
        String near = "{'near_duplicate': {'action': '" + action + "'}}";
        indices();
        BiFunction<String, Integer, Map<String, Object>> passages = (own, count) -> {
            List<Map<String, Object>> chunks = new ArrayList<>(List.of(passage(TEXT)));
            for (int i = 1; i < count; i++) {
                chunks.add(passage(words(own + i, 60)));
            }
            return Map.of("chunks", chunks);
        };
        processors(each.replace("\\'", "\\\"") + near);
        assertFalse(ends("a", passages.apply("a", 9)));
        assertFalse(ends("b", passages.apply("b", 9)));
        assertFalse(ends("alone", passages.apply("c", 1)));
        processors("{'simhash': {'field': 'content'}}," + near);
        assertFalse(ends("whole", text(TEXT)));
        maybeRefresh();
        assertFalse(ends("whole again", text(TEXT + " " + words("tail", 60))));
    }

    private static Map<String, Object> passage(String text) {
        return Map.of("text", text);
    }

    public void testADocumentWithWordsOfItsOwnStays() {
        for (int most : List.of(15, 4, -1)) {
            pipeline("", most == 15 ? "" : ", 'max_own_words': " + most);
            indices();
            String thread = words("shared", 500);
            assertFalse(ends("original", text(thread)));
            for (int own : List.of(0, 4, 5, 15, 16, 25)) {
                long before = count(DuplicateCount.OWN_TEXT);
                boolean isKept = most >= 0 && own > most;
                assertEquals(
                        own + " of " + most,
                        isKept == false,
                        ends("own" + own, text(words("own", own) + " " + thread)));
                if (isKept) {
                    assertNotNull(tagOf("own" + own));
                    client().prepareDelete(DOCS, "own" + own).get();
                }
                assertEquals(before + (isKept ? 1 : 0), count(DuplicateCount.OWN_TEXT));
            }
        }
    }

    public void testARoundedOriginalEndsNothing() {
        sketch = "simhash";
        action = randomFrom(ACTIONS);
        processors("{'simhash': {'field': 'content'}}, {'near_duplicate': {'action': '" + action + "'}}");
        indices();
        assertFalse(ends("original", text(TEXT)));
        Map<String, Object> source = node().prepareGet(DOCS, "original").get().getSourceAsMap();
        @SuppressWarnings("unchecked") // as the processor writes it
        Map<String, Object> print = (Map<String, Object>) source.get("simhash");
        print.put("bits", ((Number) print.get("bits")).longValue() ^ 1);
        node().prepareIndex(DOCS).setId("original").setSource(source).get();
        maybeRefresh();
        long before = count(DuplicateCount.STALE_FINGERPRINT);
        assertFalse(ends("copy", text(TEXT)));
        assertEquals(before + 1, count(DuplicateCount.STALE_FINGERPRINT));
    }

    /** A recipe of the same scheme may read another field: the digest tells which one it was. */
    public void testEachIndexHasItsOwnField() {
        indices();
        sketch = "simhash";
        action = "drop";
        processors("{'simhash': {'field': 'title', 'target_field': 'title_hash'}}, {'simhash': {'field': 'content'}},"
                + " {'near_duplicate': {'action': 'drop'}}");
        assertFalse(ends("original", Map.of("title", "one title", "content", TEXT)));
        assertTrue(ends("copy", Map.of("title", "another one", "content", TEXT)));
        assertFalse(ends("other", Map.of("title", "one title", "content", words("other", 60))));
    }

    /** Documents keep both fields, and nothing says which one was read but the document that comes in. */
    public void testTheFieldThatAnotherPipelineReadsIsNotCompared() {
        for (String other : List.of("a-first", "z-last")) {
            indices();
            processors("{'simhash': {'field': 'title'}}", other);
            processors("{'simhash': {'field': 'content'}}, {'near_duplicate': {'action': 'drop'}}");
            assertFalse(ends("original", Map.of("title", words(other, 20), "content", TEXT)));
            maybeRefresh();
            assertTrue(other, ends("copy", Map.of("title", words("u", 20), "content", TEXT)));
            client().admin().cluster().prepareDeletePipeline(other).get();
        }
    }

    public void testSeveralFieldsAreComparedAsOne() {
        indices();
        processors("{'simhash': {'fields': ['title', 'body.text']}}, {'near_duplicate': {'action': 'drop'}}");
        Map<String, Object> original = Map.of("title", words("t", 9), "body", Map.of("text", TEXT));
        assertFalse(ends("original", original));
        assertTrue(ends("copy", original));
        assertFalse(ends("other", Map.of("title", words("t", 9), "body", Map.of("text", words("x", 60)))));
    }

    public void testLimitsOfWhatDocumentsEndFor() {
        for (String end : ACTIONS) {
            String name = end.split("'", -1)[0];
            refused(
                    "'action': '" + end + "', 'max_distance': 17",
                    "[max_distance] must be between 0 and 16 with [action] [" + name + "], got: 17");
            refused(
                    "'action': '" + end + "', 'verify': false, 'max_distance': 4",
                    "[max_distance] must be between 0 and 3 with [action] [" + name + "] and [verify] false, got: 4");
            refused(
                    "'action': '" + end + "', 'verify': {'min_similarity': 0.4}",
                    "[min_similarity] of [verify] must be between 0.5 and 1.0 with [action] [" + name + "], got: 0.4");
            refused(
                    "'action': '" + end + "', 'sketch': 'minhash', 'verify': false, 'min_similarity': 0.4",
                    "[min_similarity] must be between 0.5 and 1.0 with [action] [" + name
                            + "] and [verify] false, got: 0.4");
            pipeline("'action': '" + end + "', 'max_distance': 16, 'verify': {'min_similarity': 0.5}");
            setting("max_distance", 12);
            try {
                pipeline("'action': '" + end + "', 'verify': {}");
                refused(
                        "'action': '" + end + "', 'verify': false",
                        "[action] [" + name + "] and [verify] false, got: 12,"
                                + " from [plugins.simhash.near_duplicate.max_distance]");
                pipeline("");
                setting("max_distance", 20);
                refused("'action': '" + end + "'", "got: 20, from [plugins.simhash.near_duplicate.max_distance]");
                pipeline("");
            } finally {
                setting("max_distance", null);
            }
        }
    }

    /** Hashes that are not made of text have none to look at. */
    public void testReadyHashesNeedVerifyFalseAndMayBeFarther() {
        String ready = "{'simhash': {'hash_field': 'ready', 'hash_scheme': 'ours'}},";
        for (String verify : List.of("", ", 'verify': {}", ", 'verify': {'field': 'content'}")) {
            Exception e = expectThrows(
                    Exception.class, () -> processors(ready + "{'near_duplicate': {'action': 'drop'" + verify + "}}"));
            assertTrue(
                    e.getMessage(),
                    e.getMessage()
                            .contains("[verify] must be false with [action] [drop] where"
                                    + " [simhash] is not made of text, as by [simhash]"));
        }
        processors(ready + "{'near_duplicate': {'action': 'drop', 'verify': false, 'max_distance': 16}}");
        indices();
        sketch = "simhash";
        action = "drop";
        assertFalse(ends("original", Map.of("ready", "00000000000000ff")));
        assertTrue(ends("copy", Map.of("ready", "000000000000ffff")));
        assertFalse(ends("far", Map.of("ready", "000000000fffffff")));
        // The hash is compared as it is in that moment.
        node().prepareIndex(DOCS)
                .setId("original")
                .setSource(node().prepareGet(DOCS, "original").get().getSourceAsMap())
                .get();
        assertTrue(ends("copy", Map.of("ready", "00000000000000ff")));
    }

    private void refused(String options, String message) {
        String processors = "{'simhash': {'field': 'content'}}, {'minhash': {'field': 'content'}},"
                + " {'near_duplicate': {" + options + "}}";
        refused(() -> processors(processors), message);
    }

    private static void refused(ThrowingRunnable request, String message) {
        Exception e = expectThrows(Exception.class, request);
        assertTrue(e.getMessage(), e.getMessage().contains(message));
        assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)));
    }

    public void testATagNeverWritesOverAText() {
        for (List<String> one : List.of(
                List.of("simhash", "'field': 'content'", "content", "content"),
                List.of("minhash", "'field': 'page.body'", "page", "page.body"),
                List.of("simhash", "'fields': ['title^2', 'content']", "title.tag", "title"),
                List.of("simhash", "'field': 'content', 'language_field': 'language'", "language", "language"),
                List.of("simhash", "'hash_field': 'ready', 'hash_scheme': 'x'", "ready", "ready"),
                List.of("image_hash", "'field': 'picture'", "picture", "picture"))) {
            String written = "{'" + one.get(0) + "': {" + one.get(1) + "}}";
            refused(
                    () -> processors(written + ", {'near_duplicate': {'target_field': '" + one.get(2) + "'}}"),
                    "[target_field] must be apart from [" + one.get(3) + "], which [" + one.get(0) + "] reads, got: "
                            + one.get(2));
        }
        indices();
        processors("{'simhash': {'field': 'content'}}", "prints");
        processors("{'near_duplicate': {'target_field': 'content'}}");
        client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Map.of("index.final_pipeline", PIPELINE))
                .get();
        for (String id : List.of("original", "copy")) {
            BulkItemResponse item = node().prepareBulk()
                    .add(new IndexRequest(DOCS).id(id).source(text(TEXT)).setPipeline("prints"))
                    .get()
                    .getItems()[0];
            assertEquals(item.getFailureMessage(), id.equals("copy"), item.isFailed());
            if (item.isFailed()) {
                assertTrue(
                        item.getFailureMessage(),
                        item.getFailureMessage()
                                .contains("[target_field] must be apart from the text in [content],"
                                        + " which fingerprints are made of, got: content"));
            }
        }
        assertEquals(Map.of("original", TEXT), contents());
    }

    private Map<String, Object> contents() {
        Map<String, Object> contents = new TreeMap<>();
        stored(DOCS).forEach((id, source) -> contents.put(id, source.get("content")));
        return contents;
    }

    public void testASimilarityOfTheClusterIsRefusedWhereDocumentsEndForIt() {
        String rule = "[plugins.simhash.near_duplicate.min_similarity] must be between 0.5 and 1.0 with [action] [drop]"
                + " in pipeline [" + PIPELINE + "], got: 0.3";
        for (String options : List.of("", ", 'sketch': 'minhash'", ", 'sketch': 'minhash', 'verify': false")) {
            processors("{'simhash': {'field': 'content'}}, {'minhash': {'field': 'content'}},"
                    + " {'near_duplicate': {'action': 'drop'" + options + "}}");
            refused(() -> setting("min_similarity", 0.3), rule);
            setting("min_similarity", 0.5);
            setting("min_similarity", null);
        }
        String own = "{'simhash': {'field': 'content'}}, {'near_duplicate': {'action': '%s', 'verify': %s}}";
        for (String[] not : new String[][] {{"tag", "true"}, {"drop", "false"}, {"drop", "{'min_similarity': 0.6}"}}) {
            processors(String.format(Locale.ROOT, own, not[0], not[1]));
            setting("min_similarity", 0.3);
            refused("'action': 'drop'", rule);
            setting("min_similarity", null);
        }
        processors(String.format(Locale.ROOT, own, "drop", "true"));
        refused(() -> setting("max_distance", 17), "got: 17, from [plugins.simhash.near_duplicate.max_distance]");
        refused(() -> setting("min_similarity", "many"), "[plugins.simhash.near_duplicate.min_similarity]");
    }

    public void testOwnWordsAreOnlyOfTexts() {
        String ready = "{'simhash': {'hash_field': 'ready', 'hash_scheme': 'ours'}},";
        String picture = "{'image_hash': {'field': 'picture'}},";
        for (String maker : List.of(ready, picture)) {
            String near = maker + "{'near_duplicate': {'action': 'drop', 'verify': false, 'max_own_words': %d}}";
            refused(
                    () -> processors(String.format(Locale.ROOT, near, 5)),
                    "[max_own_words] must be absent or -1 with [action] [drop] where [simhash] is not made of text, as by ["
                            + (maker.equals(ready) ? "simhash" : "image_hash") + "], got: 5");
            processors(String.format(Locale.ROOT, near, -1));
        }
    }

    public void testAShortTextEndsNothingByDefault() {
        pipeline("", "");
        indices();
        for (String text : List.of("Thanks!", "See attachment.", "物业管理")) {
            long before = count(DuplicateCount.SHORT_TEXT);
            assertFalse(ends(text, text(text)));
            maybeRefresh();
            assertFalse(ends(text + " again", text(text)));
            assertTrue(tagOf(text + " again").startsWith(text + ":"));
            assertEquals(before + 1, count(DuplicateCount.SHORT_TEXT));
        }
    }

    /** What {@code html: main} leaves out of both pages. */
    public void testAPageWithOtherTextAroundTheArticleStays() {
        for (String part : List.of("aside", "nav", "footer")) {
            pipeline(", 'html': 'main'", "");
            indices();
            String article = "<article><h1>Of rivers</h1><p>" + words("shared", 90) + ".</p></article>";
            String around = "<" + part + ">%s</" + part + ">";
            String page = "<html><body>" + article + around + "</body></html>";
            assertFalse(ends("original", text(String.format(Locale.ROOT, page, words("blue", 30)))));
            maybeRefresh();
            long before = count(DuplicateCount.OWN_TEXT);
            assertFalse(ends("other", text(String.format(Locale.ROOT, page, words("red", 30)))));
            assertEquals("original:0", tagOf("other").replace("null", "0"));
            assertEquals(before + 1, count(DuplicateCount.OWN_TEXT));
            assertTrue(ends("copy", text(String.format(Locale.ROOT, page, words("blue", 29)))));
        }
    }

    /** As when an index is built anew behind an alias: it is the same document. */
    public void testADocumentIsNoDuplicateOfItselfInAnotherIndex() {
        for (String what : List.of("tag", "drop", "fail")) {
            indices();
            processors("{'simhash': {'field': 'content'}}, {'near_duplicate': {'action': '" + what
                    + "', 'index': ['elsewhere', 'docs']}}");
            assertIndexed(send("elsewhere", "1", text(TEXT)));
            maybeRefresh();
            assertFalse(ends("1", text(TEXT)));
            assertNull(tagOf("1"));
            assertEquals(what.equals("tag"), ends("2", text(TEXT)) == false);
        }
    }

    /** One bulk stored both. Once the old index is gone, the new one is all there is. */
    public void testTwoDuplicatesDoNotEndForEachOtherInAnotherIndex() {
        for (boolean isRefreshed : List.of(true, false)) {
            indices();
            processors("{'simhash': {'field': 'content'}}, {'near_duplicate': {'action': 'drop',"
                    + " 'index': ['elsewhere', 'docs']}}");
            assertIndexed(send("elsewhere", ordered("1", text(TEXT), "2", text(TEXT + " and more"))));
            if (isRefreshed) {
                refresh("elsewhere");
            }
            assertFalse(ends("1", text(TEXT)));
            assertFalse(ends("2", text(TEXT + " and more")));
            assertTrue(ends("3", text(TEXT)));
        }
    }

    public void testAShortCopyHasNoWordsOfItsOwn() {
        for (int most : List.of(0, 1, 2)) {
            pipeline("", ", 'short_texts': true, 'max_own_words': " + most);
            indices();
            for (String text : List.of("hello world", "hello", "物业管理")) {
                assertFalse(ends(text, text(text)));
                assertTrue(ends(text + " again", text(text)));
            }
        }
    }

    /** OpenSearch serialises a document between its pipelines. */
    public void testAFinalPipelineKeepsWhatTheDefaultOneMade() {
        indices();
        processors(
                "{'simhash': {'field': 'title', 'ignore_missing': true}}, {'remove': {'field': 'title',"
                        + " 'ignore_missing': true}}, {'pipeline': {'name': 'inner'}}",
                "outer");
        processors("{'simhash': {'field': 'caption', 'ignore_missing': true}}", "inner");
        processors("{'simhash': {'field': 'content', 'ignore_missing': true}}", "last");
        client().admin()
                .indices()
                .prepareUpdateSettings(DOCS)
                .setSettings(Map.of("index.default_pipeline", "outer", "index.final_pipeline", "last"))
                .get();
        node().prepareIndex(DOCS).setId("a").setSource("title", TEXT).get();
        node().prepareIndex(DOCS).setId("b").setSource("caption", TEXT).get();
        Object print = stored(DOCS).get("a").get("simhash");
        assertNotNull(print);
        assertEquals(print, stored(DOCS).get("b").get("simhash"));
        BulkRequestBuilder bulk = node().prepareBulk();
        bulk.add(new IndexRequest(DOCS).id("c").source(Map.of("title", TEXT)));
        bulk.add(new IndexRequest(DOCS).id("carried").source(Map.of("simhash", print, "simhash_made_simhash", 1)));
        bulk.add(new IndexRequest(DOCS).id("carried c").source(Map.of("simhash", print)));
        bulk.add(new IndexRequest(DOCS).source(Map.of("title", TEXT)));
        bulk.add(new IndexRequest(DOCS).source(Map.of("simhash", print, "is", "carried")));
        assertIndexed(bulk.get());
        Map<String, Map<String, Object>> all = stored(DOCS);
        assertEquals(print, all.get("c").get("simhash"));
        assertNull(all.get("carried").get("simhash"));
        assertNull(all.get("carried c").get("simhash"));
        assertEquals(
                4,
                all.values().stream()
                        .filter(source -> source.containsKey("simhash"))
                        .count());
        assertTrue(all.values().stream()
                .filter(source -> source.containsKey("is"))
                .noneMatch(source -> source.containsKey("simhash")));
    }

    public void testCopiesOfOneBulkStayAndTheAnswerCountsThem() {
        indices();
        processors("{'simhash': {'field': 'content'}}, {'near_duplicate': {'action': 'drop'}}");
        BulkRequestBuilder bulk = node().prepareBulk();
        for (int i = 0; i < 5; i++) {
            bulk.add(new IndexRequest(DOCS).id("" + i).source(text(TEXT)).setPipeline(PIPELINE));
        }
        assertIndexed(bulk.get());
        assertEquals(5, stored(DOCS).size());
    }

    private void maybeRefresh() {
        if (randomBoolean()) {
            refresh(DOCS);
        }
    }
}
