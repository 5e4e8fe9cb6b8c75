/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksResponse;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchService;
import org.opensearch.simhash.jobs.HookedClusterTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.request.JsonResponse;

/** Calibrations on two nodes in this JVM: what is told is what is there, whatever is there. */
public class CalibrateClusterTests extends HookedClusterTestCase {

    private static final String INDEX = "docs-calibrate";
    private static final int WORDS = 60;

    private final Random words = new Random(11);

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            text.append(Integer.toString(words.nextInt(5_000), 36)).append("x ");
        }
        return text.toString();
    }

    private String edited(String text, int changes) {
        String[] parts = text.split(" ");
        for (int i = 0; i < changes; i++) {
            parts[words.nextInt(parts.length)] = "changed" + words.nextInt(1_000);
        }
        return String.join(" ", parts);
    }

    /** Texts, and of some a copy of which a word or two differ. */
    private void fill(String index, int texts, int copies) {
        Map<String, Map<String, Object>> documents = new TreeMap<>();
        for (int i = 0; i < texts; i++) {
            String text = text();
            documents.put("t" + i, Map.of("content", text));
            if (i < copies) {
                documents.put("c" + i, Map.of("content", edited(text, i % 3)));
            }
        }
        putAll(index, documents);
    }

    @After
    public void nothingIsLeft() throws Exception {
        assertBusy(() -> {
            for (CircuitBreakerService breakers : internalCluster().getInstances(CircuitBreakerService.class)) {
                assertEquals(0, breakers.getBreaker(CircuitBreaker.REQUEST).getUsed());
            }
            for (SearchService searches : internalCluster().getInstances(SearchService.class)) {
                assertEquals(0, searches.getActiveContexts());
            }
        });
    }

    private Map<String, Object> calibrate(String body, String... indices) throws IOException {
        Map<String, Object> answer = start(body, indices).actionGet().asMap();
        assertSane(answer);
        return answer;
    }

    private ActionFuture<JsonResponse> start(String body, String... indices) throws IOException {
        String node = randomFrom(internalCluster().getNodeNames());
        NamedXContentRegistry names = internalCluster().getInstance(NamedXContentRegistry.class, node);
        try (XContentParser parser = JsonXContent.jsonXContent.createParser(
                names, LoggingDeprecationHandler.INSTANCE, body.replace('\'', '"'))) {
            CalibrateAction.Request request =
                    new CalibrateAction.Request(indices, CalibrateOptions.fromXContent(parser));
            return client(node).execute(CalibrateAction.INSTANCE, request);
        }
    }

    /** As JSON that others can read: no number is none, no interval is upside down. */
    private static void assertSane(Map<String, Object> answer) {
        String json = new JsonResponse(answer).toString();
        assertFalse(json, json.contains("NaN") || json.contains("Infinity"));
        for (Map<?, ?> row : rows(answer, "distances")) {
            for (String share : List.of("near", "precision", "recall")) {
                double low = number(row, share, "low");
                double high = number(row, share, "high");
                assertTrue(row.toString(), 0 <= low && low <= high && high <= 1);
                Object estimate = ((Map<?, ?>) row.get(share)).get("estimate");
                if (estimate != null) {
                    assertTrue(row.toString(), low <= (double) estimate + 1e-6 && (double) estimate - 1e-6 <= high);
                }
            }
        }
    }

    private static List<Map<?, ?>> rows(Map<?, ?> answer, String name) {
        List<Map<?, ?>> rows = new ArrayList<>();
        if (answer.get(name) instanceof List<?> list) {
            list.forEach(row -> rows.add((Map<?, ?>) row));
        }
        return rows;
    }

    private static double number(Map<?, ?> object, String... path) {
        Object at = object;
        for (String name : path) {
            at = ((Map<?, ?>) at).get(name);
        }
        return ((Number) at).doubleValue();
    }

    public void testAWholeSampleTellsTheTruth() throws IOException {
        newIndex(INDEX, "{}", 2, 0);
        fill(INDEX, 200, 60);
        Set<String> nodes = new TreeSet<>();
        client().admin()
                .cluster()
                .prepareState()
                .get()
                .getState()
                .routingTable()
                .allShards(INDEX)
                .forEach(shard -> nodes.add(shard.currentNodeId()));
        assertEquals("a shard on each node", 2, nodes.size());
        Map<String, Object> answer = calibrate("{}", INDEX);
        assertEquals(260.0, number(answer, "documents"), 0);
        assertEquals(260.0, number(answer, "fingerprinted"), 0);
        assertEquals(260.0, number(answer, "sampled"), 0);
        List<Map<?, ?>> distances = rows(answer, "distances");
        assertEquals(25, distances.size());
        double within = 0;
        for (Map<?, ?> row : distances) {
            within +=
                    number(row, "distance") <= number(answer, "suggestion", "max_distance") ? number(row, "pairs") : 0;
            assertEquals(number(row, "pairs"), number(row, "pairs_low"), 0);
        }
        Map<?, ?> suggestion = (Map<?, ?>) answer.get("suggestion");
        assertTrue(suggestion.toString(), number(suggestion, "expected", "recall", "estimate") >= 0.99);
        assertTrue(suggestion.toString(), number(suggestion, "expected", "precision", "estimate") >= 0.99);
        assertTrue(suggestion.toString(), within >= number(suggestion, "expected", "pairs"));
        String next = (String) suggestion.get("next");
        assertTrue(next, next.startsWith("POST /_plugins/_simhash/deduplicate/" + INDEX + "\n{"));
        Map<?, ?> first = distances.getFirst();
        assertEquals(3, rows(first, "examples").size());
        assertEquals(INDEX, ((Map<?, ?>) rows(first, "examples").getFirst().get("first")).get("index"));
        assertEquals(1.0, number(first, "similarity", "p50"), 0);
        List<Map<?, ?>> similarities = rows(answer, "similarities");
        assertEquals(6, similarities.size());
        assertEquals(number(suggestion, "expected", "pairs"), number(similarities.get(3), "pairs"), 1);
    }

    /** As people read them, from where they differ. */
    public void testPairsAreShownWhereTheyDiffer() throws IOException {
        pipeline("pages", "{'processors': [{'simhash': {'field': 'content', 'html': 'main'}}]}");
        newIndex(INDEX, "{}", 1, 0, "index.default_pipeline", "pages");
        String frame = "<html><body><nav>" + "<a href='/'>home</a> ".repeat(40) + "</nav><main><p>";
        String text = text() + " " + text();
        putAll(
                INDEX,
                Map.of(
                        "a", Map.of("content", frame + text + " ends in March</p></main></body></html>"),
                        "b", Map.of("content", frame + text + " ends in May</p></main></body></html>")));
        Set<String> shown = new TreeSet<>();
        for (Map<?, ?> row : rows(calibrate("{}", INDEX), "distances")) {
            for (Map<?, ?> example : rows(row, "examples")) {
                shown.add(String.valueOf(((Map<?, ?>) example.get("first")).get("text")));
                shown.add(String.valueOf(((Map<?, ?>) example.get("second")).get("text")));
            }
        }
        assertEquals(shown.toString(), 2, shown.size());
        for (String each : shown) {
            assertTrue(each, each.startsWith("… ") && each.length() < 100);
            assertTrue(each, each.endsWith(" ends in March") || each.endsWith(" ends in May"));
        }
    }

    public void testWordsAreCutWhole() {
        String words = "word ".repeat(100).strip();
        assertEquals("word ".repeat(40).strip() + " …", ShownDocument.words(words, words, 200));
        assertEquals("short", ShownDocument.words("short", "other", 200));
        assertEquals("", ShownDocument.words("", "other", 200));
        String start = ShownDocument.words(words + " a", words + " b", 200);
        assertTrue(start, start.startsWith("… word ") && start.endsWith(" word a"));
        String pictures = "\uD83D\uDE00".repeat(300);
        for (String other : List.of("", pictures, "x", pictures.substring(0, 101), pictures.substring(0, 100) + "x")) {
            String shown = ShownDocument.words(pictures, other, 200);
            assertEquals(shown, shown, new String(shown.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        }
    }

    /** Texts, and of each a copy of which none to seven words differ. */
    private void fillAround(String index) {
        Map<String, Map<String, Object>> documents = new TreeMap<>();
        for (int i = 0; i < 120; i++) {
            String text = text();
            documents.put("t" + i, Map.of("content", text));
            documents.put("c" + i, Map.of("content", edited(text, i % 8)));
        }
        putAll(index, documents);
    }

    /** Answers all pairs of an answer as somebody does to whom texts are near from a similarity on. */
    private static List<String> judged(Map<String, Object> answer, double least) {
        List<String> judged = new ArrayList<>();
        for (Map<?, ?> pair : rows((Map<?, ?>) answer.get("judging"), "pairs")) {
            judged.add("{'a':" + place(pair, "first") + ",'b':" + place(pair, "second") + ",'near':"
                    + (number(pair, "similarity") >= least) + "}");
        }
        return judged;
    }

    private static String place(Map<?, ?> pair, String side) {
        Map<?, ?> shown = (Map<?, ?>) pair.get(side);
        return "{'_index':'" + shown.get("index") + "','_id':'" + shown.get("id") + "'}";
    }

    public void testJudgementsMoveTheSuggestion() throws IOException {
        newIndex(INDEX, "{}", 2, 0);
        fillAround(INDEX);
        Map<String, Object> before = calibrate("{}", INDEX);
        assertFalse(before.containsKey("judging"));
        Map<String, Object> asked = calibrate("{'judged': []}", INDEX);
        assertEquals(before.get("suggestion"), asked.get("suggestion"));
        assertEquals(12, judged(asked, 0).size());
        assertEquals(0.8, number(asked, "judging", "min_similarity"), 0);
        for (double least : List.of(0.62, 0.88)) {
            List<String> all = new ArrayList<>();
            Map<String, Object> answer = asked;
            double width = 1;
            for (int round = 0; round < 2; round++) {
                all.addAll(judged(answer, least));
                assertEquals("no pair twice", all.size(), new TreeSet<>(all).size());
                answer = calibrate("{'judged': " + all + "}", INDEX);
                double low = number(answer, "judging", "low");
                double high = number(answer, "judging", "high");
                assertTrue(answer.get("judging").toString(), low < least && least <= high && high - low <= width);
                width = high - low;
            }
            assertTrue("width " + width, width < 0.1);
            assertEquals(all.size(), number(answer, "judging", "judged"), 0);
            assertEquals(least, number(answer, "judging", "min_similarity"), width);
            assertEquals(number(answer, "judging", "min_similarity"), number(answer, "verify", "min_similarity"), 0);
            assertEquals(0, number(answer, "judging", "contradicted"), 0);
            double pairs = number(answer, "suggestion", "expected", "pairs");
            double usual = number(before, "suggestion", "expected", "pairs");
            assertTrue(pairs + " of " + usual, least < 0.8 ? pairs > usual : pairs < usual);
            String next = (String) ((Map<?, ?>) answer.get("suggestion")).get("next");
            assertTrue(next, next.contains("" + number(answer, "verify", "min_similarity")));
        }
    }

    /** Of the pair itself, and of no other where nothing else is known. */
    public void testAJudgementTakesThePlaceOfWhatTextsSay() throws IOException {
        smallIndex(INDEX);
        String text = text();
        putAll(INDEX, Map.of("a", Map.of("content", text), "b", Map.of("content", text), "c", Map.of("content", text)));
        Map<String, Object> answer = calibrate(
                "{'judged': [{'a': 'a', 'b': {'_index': '" + INDEX + "', '_id': 'b'}, 'near': false},"
                        + " {'a': 'gone', 'b': 'b', 'near': true}]}",
                INDEX);
        assertEquals(2 / 3.0, number(rows(answer, "distances").getFirst(), "near", "estimate"), 1e-6);
        assertEquals(0.8, number(answer, "verify", "min_similarity"), 0);
        assertWarns(
                answer,
                "1 of 2 judged pairs are left out: a document is not there, or the texts have nothing in common.");
        assertWarns(answer, "No similarity agrees with all judgements: 0.8 contradicts 1 of 1.");
        String each =
                "[judged] must have each pair of two documents once, with [_index] where several have an id, got: ";
        String twice = "{'a': 'a', 'b': 'b', 'near': true}";
        assertRefused(each + "{_id=a}, {_id=b}", "{'judged': [" + twice + "," + twice.replace("true", "false") + "]}");
        assertRefused(each + "{_id=a}, {_id=a}", "{'judged': [{'a': 'a', 'b': 'a', 'near': true}]}");
        smallIndex("other-calibrate");
        putAll("other-calibrate", Map.of("a", Map.of("content", text)));
        Throwable cause = ExceptionsHelper.unwrapCause(
                expectThrows(Exception.class, () -> calibrate("{'judged': [" + twice + "]}", "*-calibrate")));
        assertEquals(each + "{_id=a}, {_id=b}", cause.getMessage());
    }

    public void testASeedGivesTheSameAnswerAgain() throws IOException {
        newIndex(INDEX, "{}", 2, 1);
        fill(INDEX, 300, 100);
        ensureGreen(INDEX);
        String body = "{'sample_size': 50, 'pairs_per_distance': 5, 'seed': 3}";
        Map<String, Object> answer = calibrate(body, INDEX);
        assertEquals(50.0, number(answer, "sampled"), 0);
        assertEquals(timeless(answer), timeless(calibrate(body, INDEX)));
        assertNotEquals(timeless(answer), timeless(calibrate(body.replace("3", "4"), INDEX)));
    }

    private static String timeless(Map<String, Object> answer) {
        return new JsonResponse(answer).toString().replaceAll("\"took\":[0-9]+", "\"took\":0");
    }

    public void testHowManyDocumentsWereDrawnIsSaidWhereThatIsTooFew() throws IOException {
        newIndex(INDEX, "{}", 2, 0);
        fill(INDEX, 300, 0);
        assertWarns(
                calibrate("{'sample_size': 50}", INDEX),
                "No near pair was seen: 50 of 300 documents were drawn, and the others may have some."
                        + " [sample_size] may be up to 300.");
        assertFalse(calibrate("{}", INDEX).get("warnings").toString().contains("were drawn"));
    }

    private static void assertWarns(Map<String, Object> answer, String warning) {
        assertTrue(answer.toString(), ((List<?>) answer.get("warnings")).contains(warning));
    }

    public void testFewOrNoDocuments() throws IOException {
        smallIndex(INDEX);
        for (int documents = 0; documents <= 2; documents++) {
            Map<String, Object> answer = calibrate("{}", INDEX);
            assertEquals(documents, number(answer, "sampled"), 0);
            assertEquals(25, rows(answer, "distances").size());
            if (documents == 0) {
                assertNull(answer.get("suggestion"));
                assertTrue(answer.toString(), answer.get("warnings").toString().contains("No document matches"));
            } else {
                String why = (String) ((Map<?, ?>) answer.get("suggestion")).get("why");
                assertTrue(why, why.startsWith("No near pair was seen"));
            }
            putAll(INDEX, Map.of("" + documents, Map.of("content", text())));
        }
    }

    public void testAllEqual() throws IOException {
        smallIndex(INDEX);
        String text = text();
        Map<String, Map<String, Object>> documents = new TreeMap<>();
        for (int i = 0; i < 80; i++) {
            documents.put("" + i, Map.of("content", text));
        }
        putAll(INDEX, documents);
        Map<String, Object> answer = calibrate("{'pairs_per_distance': 200}", INDEX);
        assertEquals(80 * 79 / 2.0, number(rows(answer, "distances").getFirst(), "pairs"), 0);
        Map<?, ?> suggestion = (Map<?, ?>) answer.get("suggestion");
        assertEquals(0.0, number(suggestion, "max_distance"), 0);
        assertEquals(false, suggestion.get("verify"));
    }

    public void testAllTooShort() throws IOException {
        smallIndex(INDEX);
        putAll(INDEX, Map.of("1", Map.of("content", "two words"), "2", Map.of("content", "two words")));
        Map<String, Object> answer = calibrate("{}", INDEX);
        assertEquals(2.0, number(answer, "documents"), 0);
        assertEquals(0.0, number(answer, "fingerprinted"), 0);
        assertTrue(answer.toString(), answer.get("warnings").toString().contains("too few features"));
    }

    public void testWhereThereIsNoTextItIsRefused() throws IOException {
        newIndex(INDEX, "{'_source': {'excludes': ['content']}}", 1, 0);
        fill(INDEX, 5, 5);
        String kept =
                "[verify] must have a [field] that is kept in [_source] or stored, got: [content], which is neither in ["
                        + INDEX + "]";
        assertRefused(kept, "{}");
        assertRefused(kept, "{'verify': {'field': 'content'}}");
        assertRefused(
                "[verify] must have a [field] that holds a text, got: [simhash], which is an object in [" + INDEX + "]",
                "{'verify': {'field': 'simhash'}}");
        String message = ExceptionsHelper.unwrapCause(
                        expectThrows(Exception.class, () -> calibrate("{'verify': {'field': 'other'}}", INDEX)))
                .getMessage();
        assertTrue(
                message,
                message.startsWith("[field] of [verify] must hold a text, got: [other], which is mapped in none"));
        assertRefused(
                "[field] must be the object that the [simhash] processor writes, but [print.bits] is not mapped in ["
                        + INDEX + "]: map it, and set a pipeline; POST /_plugins/_simhash/setup/" + INDEX
                        + " {\"target_field\": \"print\"} does it",
                "{'field': 'print'}");
        putAll(
                INDEX,
                Map.of("picture", Map.of("content", "a text", "print", Map.of("bits_256", "A".repeat(43) + "="))));
        assertRefused(
                "[field] must hold fingerprints of 64 bits, which is all that [calibrate] compares"
                        + " (hashes of images and ready hashes are made of none), got: [print.bits_256]",
                "{'field': 'print'}");
    }

    /** Not what the digest lacks, which is refused when fingerprints are read. */
    public void testWithoutASourceTheTextIsMissed() throws IOException {
        newIndex(INDEX, "{'_source': {'enabled': false}}", 1, 0);
        fill(INDEX, 5, 5);
        assertRefused(
                "[verify] must have a [field] that is kept in [_source] or stored, got: [content], which is neither in ["
                        + INDEX + "]",
                "{}");
    }

    public void testWithoutAPipelineTheTextHasToBeNamed() throws IOException {
        newIndex(INDEX, "{}", 1, 0);
        fill(INDEX, 20, 20);
        client().admin()
                .indices()
                .prepareUpdateSettings(INDEX)
                .setSettings(Map.of("index.default_pipeline", "_none"))
                .get();
        assertRefused(
                "[verify] must name the [field] of the text to compare, for no pipeline tells it"
                        + " (hashes of images and ready hashes are made of none), got: nothing",
                "{}");
        assertEquals(40.0, number(calibrate("{'verify': {'field': 'content'}}", INDEX), "sampled"), 0);
    }

    private void assertRefused(String message, String body) {
        Throwable cause = ExceptionsHelper.unwrapCause(expectThrows(Exception.class, () -> calibrate(body, INDEX)));
        assertEquals(message, cause.getMessage());
        assertEquals(400, ExceptionsHelper.status(cause).getStatus());
    }

    public void testSeveralSchemesAreTold() throws IOException {
        smallIndex(INDEX);
        fill(INDEX, 20, 10);
        pipeline("other", "{'processors': [{'simhash': {'field': 'content', 'analyzer': 'english'}}]}");
        Map<String, Object> source = Map.of("content", text());
        client().prepareIndex(INDEX)
                .setId("other")
                .setPipeline("other")
                .setSource(source)
                .get();
        refresh(INDEX);
        Map<String, Object> answer = calibrate("{}", INDEX);
        assertEquals(2, ((Map<?, ?>) answer.get("schemes")).size());
        assertTrue(answer.toString(), answer.get("warnings").toString().contains("of 2 schemes"));
    }

    public void testRecipesBesideOneAnother() throws IOException {
        pipeline(
                "both",
                "{'processors': [{'simhash': {'field': 'content', 'target_field': 'simhash'}},"
                        + "{'simhash': {'field': 'content', 'target_field': 'words', 'analyzer': 'english'}}]}");
        smallIndex(INDEX, "index.default_pipeline", "both");
        fill(INDEX, 40, 20);
        Map<String, Object> answer = calibrate("{'field': ['simhash', 'words'], 'examples': 0}", INDEX);
        List<Map<?, ?>> fields = rows(answer, "fields");
        assertEquals(
                List.of("simhash", "words"),
                fields.stream().map(field -> field.get("field")).toList());
        assertNull(answer.get("distances"));
        for (Map<?, ?> field : fields) {
            assertEquals(60.0, number(field, "sampled"), 0);
            assertEquals(25, rows(field, "distances").size());
            assertNotNull(field.get("suggestion"));
        }
        String next = (String) ((Map<?, ?>) fields.get(1).get("suggestion")).get("next");
        assertTrue(next, next.contains("\"words\""));
    }

    /** Of the same pairs, by comparing all texts, all fingerprints and all sketches here. One document has no sketch. */
    public void testSketchesBesideFingerprintsAreMeasuredOnTheSamePairs() throws IOException {
        pipeline("sketched", "{'processors': [{'simhash': {'field': 'content'}}, {'minhash': {'field': 'content'}}]}");
        newIndex(INDEX, "{}", 2, 0, "index.default_pipeline", "sketched");
        Map<String, Map<String, Object>> documents = new TreeMap<>();
        for (int i = 0; i < 60; i++) {
            String text = text();
            documents.put("t" + i, Map.of("content", text));
            documents.put("c" + i, Map.of("content", edited(text, 2 + i % 20)));
        }
        putAll(INDEX, documents);
        client().prepareIndex(INDEX)
                .setId("c0")
                .setPipeline("fingerprint")
                .setSource(documents.get("c0"))
                .get();
        refresh(INDEX);
        List<Map<String, Object>> sources = new ArrayList<>();
        for (SearchHit hit : client().prepareSearch(INDEX).setSize(200).get().getHits()) {
            sources.add(hit.getSourceAsMap());
        }
        double least = 0.22; // 0.35, less three standard deviations of an estimate by 128 components
        int near = 0;
        int within = 0;
        int furthest = 0;
        int sketched = 0;
        for (int a = 0; a < sources.size(); a++) {
            for (int b = 0; b < a; b++) {
                int distance = Long.bitCount(bits(sources.get(a)) ^ bits(sources.get(b)));
                if (distance <= 40 && jaccard(sources.get(a), sources.get(b)) >= 0.35) {
                    near++;
                    within += distance <= 16 ? 1 : 0;
                    furthest = distance <= 16 ? Math.max(furthest, distance) : furthest;
                    sketched += estimate(sources.get(a), sources.get(b)) >= least ? 1 : 0;
                }
            }
        }
        assertTrue(
                "a case in point: " + within + ", " + sketched + " of " + near, within < sketched && sketched < near);
        String body = "{'min_similarity': 0.35, 'max_distance': 40, 'pairs_per_distance': 2000}";
        Map<?, ?> suggestion = (Map<?, ?>) calibrate(body, INDEX).get("suggestion");
        assertEquals("no more are within 16", furthest, number(suggestion, "max_distance"), 0);
        assertEquals(within / (double) near, number(suggestion, "expected", "recall", "estimate"), 1e-6);
        assertEquals(least, number(suggestion, "minhash", "min_similarity"), 0);
        for (String end : List.of("estimate", "low", "high")) {
            assertEquals(sketched / (double) near, number(suggestion, "minhash", "recall", end), 2e-6);
        }
        String why = (String) suggestion.get("why");
        String share = String.format(Locale.ROOT, "%.1f %%", 100.0 * sketched / near);
        assertTrue(why, why.contains("[minhash] finds more of them, " + share + " from an estimate of 0.22 on"));
        // A part of the documents leaves some doubt.
        Map<?, ?> part = (Map<?, ?>)
                calibrate(body.replace("{", "{'sample_size': 50,"), INDEX).get("suggestion");
        assertTrue(
                part.toString(), number(part, "minhash", "recall", "low") < number(part, "minhash", "recall", "high"));
        // Of sketches themselves there is nothing to say beside.
        Map<?, ?> ofSketches =
                (Map<?, ?>) calibrate("{'sketch': 'minhash'}", INDEX).get("suggestion");
        assertFalse(ofSketches.toString(), ofSketches.containsKey("minhash"));
    }

    private static long bits(Map<?, ?> source) {
        return ((Number) ((Map<?, ?>) source.get("simhash")).get("bits")).longValue();
    }

    /** Of shingles of three words. */
    private static double jaccard(Map<?, ?> first, Map<?, ?> second) {
        Set<String> one = shingles((String) first.get("content"));
        Set<String> both = new TreeSet<>(shingles((String) second.get("content")));
        int sum = one.size() + both.size();
        both.retainAll(one);
        return both.size() / (double) (sum - both.size());
    }

    private static Set<String> shingles(String text) {
        String[] parts = text.strip().split(" ", -1);
        Set<String> shingles = new TreeSet<>();
        for (int i = 0; i + 3 <= parts.length; i++) {
            shingles.add(parts[i] + " " + parts[i + 1] + " " + parts[i + 2]);
        }
        return shingles;
    }

    /** 0 where a sketch is missing. */
    private static double estimate(Map<?, ?> first, Map<?, ?> second) {
        byte[] one = sketch(first);
        byte[] two = sketch(second);
        int agreeing = 0;
        for (int i = 4; i < Math.min(one.length, two.length); i++) {
            agreeing += one[i] == two[i] ? 1 : 0;
        }
        return (agreeing / 128.0 - 1 / 256.0) / (1 - 1 / 256.0);
    }

    private static byte[] sketch(Map<?, ?> source) {
        Map<?, ?> object = (Map<?, ?>) source.get("minhash");
        return object == null ? new byte[0] : Base64.getDecoder().decode((String) object.get("sketch"));
    }

    /** Short texts: a character measure, unless another one is asked for. */
    public void testShortTextsAreComparedByCharacters() throws IOException {
        smallIndex(INDEX);
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        for (int i = 0; i < 40; i++) {
            String line = text().substring(0, 60);
            documents.put("a" + i, Map.of("content", line));
            documents.put("b" + i, Map.of("content", line.replace('a', 'e')));
        }
        putAll(INDEX, documents);
        Map<String, Object> answer = calibrate("{}", INDEX);
        assertShort(answer);
        assertEquals("levenshtein", ((Map<?, ?>) answer.get("verify")).get("measure"));
        answer = calibrate("{'verify': {'field': 'content', 'measure': 'jaccard'}}", INDEX);
        assertShort(answer);
        assertEquals("jaccard", ((Map<?, ?>) answer.get("verify")).get("measure"));
    }

    private static void assertShort(Map<String, Object> answer) {
        String why = (String) ((Map<?, ?>) answer.get("suggestion")).get("why");
        assertTrue(why, why.contains("a large distance with a character measure is the right choice"));
    }

    /** Nothing is written: an index that may not be written is calibrated as others are. A query chooses. */
    public void testOnlyReads() throws IOException {
        smallIndex(INDEX);
        fill(INDEX, 20, 10);
        client().admin()
                .indices()
                .prepareUpdateSettings(INDEX)
                .setSettings(Map.of("index.blocks.read_only", true))
                .get();
        try {
            Map<String, Object> answer = calibrate("{'query': {'ids': {'values': ['t1', 'c1', 't2']}}}", INDEX);
            assertEquals(3.0, number(answer, "documents"), 0);
            assertTrue(((Map<?, ?>) answer.get("suggestion"))
                    .get("next")
                    .toString()
                    .contains("\"ids\""));
        } finally {
            client().admin()
                    .indices()
                    .prepareUpdateSettings(INDEX)
                    .setSettings(Map.of("index.blocks.read_only", false))
                    .get();
        }
    }

    /** Cancelled before any of its searches: it ends, says so, and lets go of the point in time and of its memory. */
    public void testEndsWhenItIsCancelled() throws Exception {
        newIndex(INDEX, "{}", 2, 0);
        fill(INDEX, 60, 20);
        AtomicInteger searches = new AtomicInteger();
        RequestHook.set(request -> {
            searches.addAndGet(isOfCalibration(request) ? 1 : 0);
            return null;
        });
        calibrate("{}", INDEX);
        int all = searches.get();
        assertTrue("searches: " + all, all >= 7);
        for (int at = 1; at <= all; at++) {
            AtomicInteger left = new AtomicInteger(at);
            CountDownLatch reached = new CountDownLatch(1);
            CountDownLatch cancelled = new CountDownLatch(1);
            RequestHook.set(request -> {
                if (isOfCalibration(request) && left.decrementAndGet() == 0) {
                    reached.countDown();
                    await(cancelled);
                }
                return null;
            });
            ActionFuture<JsonResponse> calibration = start("{}", INDEX);
            await(reached);
            CancelTasksResponse stopped = client().admin()
                    .cluster()
                    .cancelTasks(new CancelTasksRequest().setActions(CalibrateAction.NAME))
                    .actionGet();
            assertEquals(1, stopped.getTasks().size());
            cancelled.countDown();
            Exception failure =
                    expectThrows(Exception.class, () -> calibration.actionGet(TimeValue.timeValueSeconds(30)));
            Throwable cause = ExceptionsHelper.unwrapCause(failure);
            assertTrue(at + " of " + all + ": " + failure, cause instanceof TaskCancelledException);
            assertTrue(cause.getMessage(), cause.getMessage().startsWith("task cancelled ["));
        }
    }

    private static boolean isOfCalibration(ActionRequest request) {
        return request instanceof SearchRequest search
                && search.source().pointInTimeBuilder() != null
                && search.getParentTask().isSet();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What it keeps, reads and compares is on the breaker: where there is no room it is refused, and nothing stays there. */
    public void testIsRefusedWhereThereIsNoRoom() throws Exception {
        smallIndex(INDEX);
        Map<String, Map<String, Object>> documents = new TreeMap<>();
        String longText = (text() + "\n").repeat(400);
        for (int i = 0; i < 4; i++) {
            documents.put("" + i, Map.of("content", longText + i));
        }
        putAll(INDEX, documents);
        assertEquals(4.0, number(calibrate("{}", INDEX), "sampled"), 0);
        // The first for what is kept of the fingerprints, the second for the shingles of two texts.
        for (String limit : List.of("400kb", "2000kb")) {
            limitRequests(limit);
            try {
                Throwable cause =
                        ExceptionsHelper.unwrapCause(expectThrows(Exception.class, () -> calibrate("{}", INDEX)));
                assertEquals(
                        limit + ": " + cause,
                        429,
                        ExceptionsHelper.status(cause).getStatus());
                assertTrue(cause.toString(), cause.getMessage().contains("data for [simhash deduplicate]"));
            } finally {
                limitRequests(null);
                forgetWarningsOfBreakers();
            }
        }
    }

    /** A pattern may name indices without fingerprints: nothing is asked of their texts. */
    public void testIndicesWithoutFingerprintsDoNotMatter() throws IOException {
        smallIndex(INDEX);
        fill(INDEX, 20, 10);
        assertAcked(client().admin()
                .indices()
                .prepareCreate("other-calibrate")
                .setMapping("{\"_source\":{\"enabled\":false}}")
                .get());
        client().prepareIndex("other-calibrate")
                .setId("1")
                .setSource("content", text())
                .get();
        refresh("other-calibrate");
        Map<String, Object> answer = calibrate("{}", "*-calibrate");
        assertEquals(31.0, number(answer, "documents"), 0);
        assertEquals(30.0, number(answer, "fingerprinted"), 0);
        assertEquals("content", ((Map<?, ?>) answer.get("verify")).get("field"));
        assertEquals(0.8, number(answer, "verify", "min_similarity"), 0);
    }

    public void testAnArchiveIsLeftOut() throws Exception {
        fill(INDEX, 100, 30);
        for (String id : List.of("t1", "t2")) {
            Map<String, Object> copy =
                    new HashMap<>(client().prepareGet(INDEX, id).get().getSourceAsMap());
            copy.put("simhash_archive", Map.of("run", "r", "index", INDEX, "id", id));
            client().prepareIndex(INDEX + "-removed").setId(id).setSource(copy).get();
        }
        refresh(INDEX + "-removed");
        Map<String, Object> answer = calibrate("{}", INDEX + "*");
        assertEquals(130, answer.get("documents"));
        assertEquals(
                "[" + INDEX
                        + "-removed] is an archive of deleted documents, and left out: it takes part where it is named"
                        + " alone",
                ((List<?>) answer.get("warnings")).getFirst());
        assertEquals(2, calibrate("{}", INDEX + "-removed").get("documents"));
    }
}
