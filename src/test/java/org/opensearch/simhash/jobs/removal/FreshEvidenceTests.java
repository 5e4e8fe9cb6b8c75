/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;

/** A document is deleted only for texts that were looked at, in the versions that are deleted and kept. */
public class FreshEvidenceTests extends DeletingTestCase {

    private static final String VERIFIED = "{\"action\":\"delete\",\"archive\":false}";
    private static final String UNVERIFIED = "{\"action\":\"delete\",\"archive\":false,\"verify\":false}";
    private static final Map<String, Object> SIMHASH = Map.of(
            "type",
            "object",
            "properties",
            Map.of(
                    "bits",
                    Map.of("type", "long"),
                    "digest",
                    Map.of("type", "keyword"),
                    "scheme",
                    Map.of("type", "keyword")));

    private final Random random = new Random(7);

    private String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("w")
                    .append(Integer.toString(1_000 + random.nextInt(100_000), 36))
                    .append(' ');
        }
        return text.toString();
    }

    private void pipeline(String id, String processor) {
        client().admin()
                .cluster()
                .preparePutPipeline(id, new BytesArray("{\"processors\":[" + processor + "]}"), MediaTypeRegistry.JSON)
                .get();
    }

    private void create(Map<String, Object> source) {
        pipeline("prints", "{\"simhash\":{\"field\":\"content\"}}");
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.default_pipeline", "prints"))
                .setMapping(Map.of("_source", source, "properties", Map.of("simhash", SIMHASH)))
                .get();
    }

    private void create() {
        create(Map.of());
    }

    private void write(String id, Object content) {
        client().prepareIndex(INDEX)
                .setId(id)
                .setSource(Map.of("content", content))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    /** As an update in a bulk does: no pipeline runs. */
    private void change(String id, Map<String, Object> part) {
        Map<String, Object> source =
                new HashMap<>(client().prepareGet(INDEX, id).get().getSourceAsMap());
        part.forEach((name, value) -> {
            if (value == null) {
                source.remove(name);
            } else {
                source.put(name, value);
            }
        });
        client().prepareIndex(INDEX)
                .setId(id)
                .setSource(source)
                .setPipeline("_none")
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private Map<String, Object> print(String id) {
        return new HashMap<>(
                castMap(client().prepareGet(INDEX, id).get().getSourceAsMap().get("simhash")));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> castMap(Object map) {
        return (Map<String, Object>) map;
    }

    private JobResponse job(String json) throws IOException {
        return run(json, Float.POSITIVE_INFINITY, randomFrom(1, 100));
    }

    private void assertNothingEnds(String count, int documents, String json) throws IOException {
        Set<String> before = ids(INDEX);
        JobResponse response = job(json);
        assertEquals(json + response, 0, response.count("deleted"));
        assertEquals(json + response, documents, response.count(count));
        assertEquals(before, ids(INDEX));
    }

    public void testEqualAndNearTextsAreDeleted() throws IOException {
        create();
        String text = words(60);
        write("1", text);
        write("2", text);
        write("3", text + words(1));
        write("4", words(60));
        JobResponse response = job(VERIFIED);
        assertEquals(response.toString(), 2, response.count("deleted"));
        assertEquals(List.of(), response.warnings());
        assertEquals(Set.of("1", "4"), ids(INDEX));
    }

    public void testShortTextsStayByDefault() throws IOException {
        for (String text : List.of("Thanks!", "See attachment.", "物业管理", "intentionally left blank")) {
            create();
            write("1", text);
            write("2", text);
            for (String json : List.of(VERIFIED, UNVERIFIED)) {
                JobResponse response = job(json);
                assertEquals(1, response.count("duplicates"));
                assertEquals(0, response.count("deleted"));
                assertEquals(1, response.count("short_text"));
                assertEquals(
                        "1 document stays, because the fingerprint of each, or of its survivor, is of a text with fewer"
                                + " words or features than [min_features]; [short_texts] lets such texts end",
                        response.warnings().getLast());
            }
            assertEquals(1, job(VERIFIED.replace("}", ",\"short_texts\":true}")).count("deleted"));
            assertEquals(Set.of("1"), ids(INDEX));
            client().admin().indices().prepareDelete(INDEX).get();
        }
    }

    /** What {@code html: main} leaves out of both pages. */
    public void testPagesWithOtherTextAroundTheArticleStay() throws IOException {
        create();
        pipeline("prints", "{\"simhash\":{\"field\":\"content\",\"html\":\"main\"}}");
        String article = "<html><body><article><h1>Of rivers</h1><p>" + words(90) + ".</p></article><aside>";
        String aside = words(30);
        write("1", article + aside + "</aside>");
        write("2", article + words(30) + "</aside>");
        write("3", article + aside + words(5) + "</aside>");
        JobResponse response = job(VERIFIED);
        assertEquals(response.toString(), 1, response.count("deleted"));
        assertEquals(response.toString(), 1, response.count("own_text"));
        assertEquals(Set.of("1", "2"), ids(INDEX));
    }

    /** Whichever of both has the fingerprint of an older text, and whatever became of the text. */
    public void testAFingerprintOfAnotherTextEndsNothing() throws IOException {
        for (String stale : List.of("1", "2")) {
            for (Object now : List.of(words(60), List.of("a list", words(30)), 17)) {
                create();
                String text = words(60);
                write("1", text);
                write("2", text);
                change(stale, Map.of("content", now));
                assertNothingEnds("stale_fingerprint", 1, VERIFIED);
                assertNothingEnds("stale_fingerprint", 1, UNVERIFIED);
                client().admin().indices().prepareDelete(INDEX).get();
            }
        }
    }

    public void testWithoutItsTextADocumentEndsNothing() throws IOException {
        for (String stale : List.of("1", "2")) {
            for (Object now : List.of("", "  ", "\u00a0", "-", "\u2014")) {
                create();
                String text = words(60);
                write("1", text);
                write("2", text);
                change(stale, Map.of("content", now));
                assertNothingEnds("no_text", 1, VERIFIED);
                assertNothingEnds("no_text", 1, UNVERIFIED);
                client().admin().indices().prepareDelete(INDEX).get();
            }
            create();
            String text = words(60);
            write("1", text);
            write("2", text);
            Map<String, Object> gone = new HashMap<>();
            gone.put("content", null);
            change(stale, gone);
            assertNothingEnds("stale_fingerprint", 1, randomFrom(VERIFIED, UNVERIFIED));
            client().admin().indices().prepareDelete(INDEX).get();
        }
    }

    /** The other documents of a group end for one that is fresh. */
    public void testAnotherSurvivorTakesThePlaceOfAStaleOne() throws IOException {
        create();
        String text = words(60);
        for (int i = 1; i <= 4; i++) {
            write("" + i, text);
        }
        change("1", Map.of("content", words(60)));
        JobResponse response = job(VERIFIED);
        assertEquals(response.toString(), 2, response.count("deleted"));
        assertEquals(1, response.count("stale_fingerprint"));
        assertEquals(Set.of("1", "2"), ids(INDEX));
    }

    public void testACarriedFingerprintEndsNothing() throws IOException {
        create();
        write("1", words(60));
        client().prepareIndex(INDEX)
                .setId("2")
                .setSource(Map.of("body", "its own", "simhash", print("1")))
                .setPipeline("_none")
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        assertNothingEnds("stale_fingerprint", 1, VERIFIED);
        assertNothingEnds("stale_fingerprint", 1, UNVERIFIED);
    }

    public void testWhereTheTextIsNotKeptNothingEndsAndTheAnswerSaysSo() throws IOException {
        create(Map.of("excludes", List.of("content")));
        String text = words(60);
        write("1", text);
        write("2", text);
        for (String json : List.of(VERIFIED, UNVERIFIED)) {
            JobResponse response = job(json);
            assertEquals(response.toString(), 0, response.count("deleted"));
            assertTrue(
                    response.toString(),
                    response.warnings()
                            .toString()
                            .contains("its text is not in [_source], or no pipeline has its recipe"));
        }
        assertEquals(Set.of("1", "2"), ids(INDEX));
    }

    public void testBitsThatAClientRoundedEndNothing() throws IOException {
        create();
        String text = words(60);
        for (int i = 1; i <= 4; i++) {
            write("" + i, text);
        }
        for (String id : List.of("2", "3", "4")) {
            Map<String, Object> print = print(id);
            print.put("bits", (long) (double) (Long) print.get("bits"));
            change(id, Map.of("simhash", print));
        }
        for (String json : List.of(VERIFIED, UNVERIFIED, "{\"action\":\"tag\"}")) {
            JobResponse response = job(json);
            assertEquals(response.toString(), 0, response.count("deleted"));
            assertEquals("the survivor has right bits", json.contains("tag") ? 1 : 0, response.count("grouped"));
            assertTrue(response.toString(), response.count("stale_fingerprint") >= 2);
            assertTrue(
                    response.toString(),
                    response.warnings().toString().contains("POST /_plugins/_simhash/check/" + INDEX + "/mend"));
        }
        assertEquals(4, ids(INDEX).size());
    }

    public void testAReportTellsOfRoundedBitsAndOfHashesThatHardlyVary() throws IOException {
        create();
        for (int i = 1; i <= 4; i++) {
            write("" + i, words(60));
            Map<String, Object> print = print("" + i);
            print.put("bits", (double) (Long) print.get("bits"));
            change("" + i, Map.of("simhash", print));
        }
        String warnings = job("{}").warnings().toString();
        assertTrue(warnings, warnings.contains("4 of 4 documents looked at have [bits] that are not those of [hash]"));
        assertTrue(warnings, warnings.contains("POST /_plugins/_simhash/check/" + INDEX + "/mend"));
        client().admin().indices().prepareDelete(INDEX).get();
        createIndex(INDEX);
        for (int i = 0; i < 40; i++) {
            put(i, random.nextInt() & 0xFFFFFFFFL);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        warnings = job("{}").warnings().toString();
        assertTrue(warnings, warnings.contains("constant_bits: 40 different imported hashes vary in 32 of 64 bits"));
        for (int i = 0; i < 40; i++) {
            put(i, random.nextLong());
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        assertEquals(List.of(), job("{}").warnings());
        for (int i = 0; i < 100; i++) {
            put(i, 0);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        warnings = job("{}").warnings().toString();
        assertTrue(warnings, warnings.contains("constant_bits: all of 100 imported hashes are the same"));
    }

    /** Twelve thousand random fingerprints: a sample is looked at. */
    public void testAJobTellsBeforeItJoinsThatMostPairsAreNearByChance() throws IOException {
        createIndex(INDEX);
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 0; i < 12_000; i++) {
            bulk.add(client().prepareIndex(INDEX)
                    .setSource(Map.of("simhash", given(random.nextLong()), "tenant", "one")));
        }
        assertFalse(bulk.setRefreshPolicy(RefreshPolicy.IMMEDIATE).get().hasFailures());
        String warnings = job("{\"max_distance\":16}").warnings().toString();
        assertTrue(warnings, warnings.contains("within 16 bits most pairs are near by chance"));
        assertTrue(warnings, warnings.contains("Most groups would be wrong"));
        assertEquals(List.of(), job("{\"max_distance\":7}").warnings());
        assertEquals(
                List.of(), job("{\"max_distance\":16,\"same\":[\"tenant\"]}").warnings());
    }

    /** A job over a quarter of the documents, in three shards, looks at as many as one over all. */
    public void testTheSampleForChanceIsOfWhatTheJobReads() throws IOException {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Map.of("index.number_of_shards", 3, "index.number_of_replicas", 0))
                .get();
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 0; i < 12_000; i++) {
            bulk.add(client().prepareIndex(INDEX)
                    .setSource(Map.of("simhash", given(random.nextLong() >>> 8), "number", i)));
        }
        assertFalse(bulk.setRefreshPolicy(RefreshPolicy.IMMEDIATE).get().hasFailures());
        String warnings = job("{\"max_distance\":16,\"query\":{\"range\":{\"number\":{\"gte\":9000}}}}")
                .warnings()
                .toString();
        int sample = Integer.parseInt(warnings.replaceAll("(?s).*in a sample of (\\d+) fingerprints.*", "$1"));
        assertTrue(warnings, sample > 1_000 && sample <= 2_000);
    }

    public void testADocumentWithSeveralFingerprintsEndsNothing() throws IOException {
        pipeline(
                "passages",
                "{\"foreach\":{\"field\":\"chunks\",\"processor\":{\"simhash\":{\"field\":\"_ingest._value.text\","
                        + "\"target_field\":\"_ingest._value.simhash\"}}}}");
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.default_pipeline", "passages"))
                .setMapping(Map.of("properties", Map.of("chunks", Map.of("properties", Map.of("simhash", SIMHASH)))))
                .get();
        String shared = words(40);
        for (int i = 1; i <= 3; i++) {
            List<Map<String, String>> chunks = new ArrayList<>(List.of(Map.of("text", words(40))));
            chunks.add(Map.of("text", shared));
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("chunks", chunks))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        String field = ",\"field\":\"chunks.simhash\"}";
        assertEquals(1, job("{\"action\":\"report\"" + field).count("groups"));
        for (String json : List.of(VERIFIED, UNVERIFIED)) {
            JobResponse response = job(json.replace("}", field));
            assertEquals(response.toString(), 0, response.count("deleted"));
            assertEquals(RestStatus.OK, response.status());
            assertTrue(response.toString(), response.count("stale_fingerprint") >= 2);
            assertTrue(response.toString(), response.warnings().toString().contains("its survivor, is one of several"));
        }
        assertEquals(3, ids(INDEX).size());
    }

    /** Each run of a schedule goes on from the last one, and deletes what it can. */
    public void testADocumentWithSeveralFingerprintsDoesNotHoldUpASchedule() throws IOException {
        createIndex(INDEX);
        for (int i = 1; i <= 3; i++) {
            put(i, 0);
        }
        client().prepareIndex(INDEX)
                .setId("4")
                .setSource(Map.of("simhash", List.of(given(0), given(-1L))))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        String scheduled = UNVERIFIED.replace("}", ",\"new_since\":\"last\",\"dest\":{\"index\":\"hourly\"}}");
        JobResponse first = job(scheduled);
        assertEquals(first.toString(), 2, first.count("deleted"));
        assertEquals(1, first.count("stale_fingerprint"));
        assertEquals(RestStatus.OK, first.status());
        assertEquals(Set.of("1", "4"), ids(INDEX));
        assertTrue(job(scheduled).toString().contains("\"new_since\":\"" + first.run()));
    }

    public void testATextOfAChainEndsOnlyForOneThatIsLikeIt() throws IOException {
        create();
        String[] text = words(60).split(" ");
        for (int id = 1; id <= 3; id++) {
            text[15 * id] = "first" + id;
            text[15 * id + 1] = "second" + id;
            write("" + id, String.join(" ", text));
        }
        JobResponse response = job(VERIFIED.replace("}", ",\"linkage\":\"chain\",\"max_distance\":11}"));
        assertEquals(response.toString(), 2, response.count("duplicates"));
        assertEquals(response.toString(), 1, response.count("deleted"));
        assertEquals(response.toString(), 1, response.count("not_similar"));
        assertEquals(Set.of("1", "3"), ids(INDEX));
    }

    /** In a chain, members may be far from the survivor. */
    public void testAHashBeyondTheDistanceIsNotSimilar() throws IOException {
        createIndex(INDEX);
        put(1, 0);
        put(2, 0b111);
        put(3, 0b111111);
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse response = job(UNVERIFIED.replace("}", ",\"linkage\":\"chain\",\"max_distance\":3}"));
        assertEquals(response.toString(), 2, response.count("duplicates"));
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("not_similar"));
        assertEquals(0, response.count("stale_fingerprint"));
        assertEquals(Set.of("1", "3"), ids(INDEX));
    }

    /** Filled by copy_to and stored: it is in no source. */
    public void testTheTextToCompareMayBeAStoredField() throws IOException {
        pipeline("prints", "{\"simhash\":{\"field\":\"content\"}}");
        Map<String, Object> fields = new HashMap<>();
        fields.put("simhash", SIMHASH);
        fields.put("content", Map.of("type", "text", "copy_to", "stored"));
        fields.put("stored", Map.of("type", "text", "store", true));
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.default_pipeline", "prints"))
                .setMapping(Map.of("properties", fields))
                .get();
        String text = words(60);
        write("1", text);
        write("2", text);
        write("3", text + words(1));
        JobResponse response = job(VERIFIED.replace("}", ",\"verify\":{\"field\":\"stored\"}}"));
        assertEquals(response.toString(), 0, response.count("no_text"));
        assertEquals(2, response.count("deleted"));
        assertEquals(Set.of("1"), ids(INDEX));
    }

    /** What the texts of candidates are is compared, whatever fingerprints they have. */
    public void testCandidatesNeedNoFingerprintOfText() throws IOException {
        create();
        String text = words(60);
        for (int i = 1; i <= 3; i++) {
            Map<String, Object> source = new HashMap<>(Map.of("content", text));
            if (i > 1) {
                source.put("simhash", given(random.nextLong()));
            }
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setPipeline("_none")
                    .setSource(source)
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        client().prepareIndex("log")
                .setSource(Map.of("near", List.of("1", "2", "3")))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        String candidates =
                ",\"candidates\":{\"index\":\"log\",\"field\":\"near\"},\"verify\":{\"field\":\"content\"}}";
        JobResponse response = job(VERIFIED.replace("}", candidates));
        assertEquals(response.toString(), 2, response.count("deleted"));
        assertEquals(Set.of("1"), ids(INDEX));
    }

    /** No search for it could be sent. */
    public void testAnEmptyIdAmongCandidatesIsRefused() throws IOException {
        create();
        client().prepareIndex("log")
                .setId("1")
                .setSource(Map.of("near", List.of("", "a")))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        Exception e = expectThrows(
                IllegalArgumentException.class,
                () -> job(
                        "{\"candidates\":{\"index\":\"log\",\"field\":\"near\"},\"verify\":{\"field\":\"content\"}}"));
        assertEquals(
                "[field] of [candidates] must be an array of ids or of objects with [id] and [score], got: [, a] in"
                        + " document [1]",
                e.getMessage());
    }

    /** Of many documents some are drawn for what the warnings say. */
    public void testTheWarningsLookAtSomeDocuments() throws IOException {
        createIndex(INDEX);
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 0; i < 10_001; i++) {
            bulk.add(client().prepareIndex(INDEX).setSource(Map.of("simhash", given(random.nextInt() & 0xFFFFFFFFL))));
        }
        assertFalse(bulk.setRefreshPolicy(RefreshPolicy.IMMEDIATE).get().hasFailures());
        List<String> samples = new CopyOnWriteArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search
                    && search.source().size() == 200
                    && search.source().toString().contains("{\"documents\":")) {
                samples.add(search.source().toString());
            }
            return null;
        });
        String warnings = job("{\"max_distance\":0}").warnings().toString();
        assertTrue(
                warnings,
                warnings.matches(
                        ".*constant_bits: (1[5-9][0-9]|200) different imported hashes vary in 32 of 64 bits.*"));
        assertEquals(1, samples.size());
    }

    public void testALongRunOfOwnWordsKeepsADocument() throws IOException {
        create();
        String quoted = words(400);
        write("1", quoted);
        write("2", words(40) + quoted);
        write("3", words(5) + quoted);
        String loose = ",\"verify\":{\"min_similarity\":0.6}}";
        JobResponse response = job(VERIFIED.replace("}", loose));
        assertEquals(response.toString(), 1, response.count("own_text"));
        assertEquals(1, response.count("deleted"));
        assertEquals(Set.of("1", "2"), ids(INDEX));
        assertEquals(
                1, job(VERIFIED.replace("}", ",\"max_own_words\":-1" + loose)).count("deleted"));
    }

    public void testWithoutVerifyDistancesAreSmall() throws IOException {
        create();
        write("1", words(60));
        IllegalArgumentException e = expectThrows(
                IllegalArgumentException.class, () -> job(UNVERIFIED.replace("}", ",\"max_distance\":4}")));
        assertEquals(
                "[max_distance] must be between 0 and 3 with [action] delete and [verify] false, got: 4",
                e.getMessage());
        job(UNVERIFIED.replace("}", ",\"max_distance\":3}"));
    }

    public void testHashesAreComparedAsTheyAreStored() throws IOException {
        createIndex(INDEX);
        put(1, 0);
        put(2, 0xFFFF);
        Map<String, Object> edited = new HashMap<>(given(0xFFFF));
        edited.put("hash", "ffffffffffffffff");
        Map<String, Object> withoutHash = new HashMap<>(given(0));
        withoutHash.remove("hash");
        List.of(edited, withoutHash)
                .forEach(print -> client().prepareIndex(INDEX)
                        .setSource(Map.of("simhash", print))
                        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                        .get());
        IllegalArgumentException e = expectThrows(IllegalArgumentException.class, () -> job(VERIFIED));
        assertEquals(
                "[verify] must be false with [action] delete where fingerprints are not made of text, got:"
                        + " fingerprints of the schemes [given-a]",
                e.getMessage());
        JobResponse response = job(UNVERIFIED.replace("}", ",\"max_distance\":16}"));
        assertEquals(response.toString(), 1, response.count("deleted"));
        assertEquals(2, response.count("stale_fingerprint"));
        assertEquals(3, ids(INDEX).size());
    }
}
