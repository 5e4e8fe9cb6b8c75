/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What can find nothing says so: searches, collapsed searches, near_duplicate and jobs, each once, and none without a reason. */
@RealNodes(1)
class WarningsIT {

    private static final String TRAM =
            "The city council approved the new tram line on Monday. Construction starts in March and takes three years.";
    /** No equal text: those are found by their digest, whatever their scheme. */
    private static final String NEAR_TRAM = TRAM.replace("March", "April");

    private static final String BREAD =
            "Bake the bread at 230 degrees for ten minutes, then turn the oven down and bake it for half an hour more.";
    private static final String JOB = "/_plugins/_simhash/deduplicate/warned";

    private final RestClient client;

    WarningsIT(RealCluster cluster) {
        this.client = cluster.client();
    }

    @AfterEach
    void remove() {
        client.send("DELETE", "/warned*", null);
        client.send("DELETE", "/_ingest/pipeline/warned*", null);
        client.send("DELETE", "/_search/pipeline/warned", null);
    }

    private void pipeline(String... processors) {
        client.must("PUT", "/_ingest/pipeline/warned", "{\"processors\": [" + String.join(", ", processors) + "]}");
    }

    private static String writer(String more) {
        return "{\"simhash\": {\"field\": \"content\"" + more + "}}";
    }

    private void index(String mappings) {
        client.must(
                "PUT",
                "/warned",
                "{\"settings\": {\"index.default_pipeline\": \"warned\", \"number_of_shards\": 3}, \"mappings\": {"
                        + mappings + "}}");
    }

    private Answer put(String id, String content) {
        return client.must("PUT", "/warned/_doc/" + id + "?refresh=true", Json.write(Map.of("content", content)));
    }

    private Answer search(String options) {
        return client.must("POST", "/warned/_search", "{\"query\": {\"simhash\": {" + options + "}}}");
    }

    private static String text(String text) {
        return "\"text\": \"" + text + "\"";
    }

    private static void assertWarned(Answer answer, String... parts) {
        assertEquals(1, answer.warnings().size(), answer.warnings() + " " + answer.text());
        for (String part : parts) {
            assertTrue(
                    answer.warnings().getFirst().contains(part),
                    answer.warnings().toString());
        }
    }

    private static void assertNotWarned(Answer answer) {
        assertEquals(List.of(), answer.warnings());
    }

    /** Documents of the recipe before, in an index whose pipeline makes another one. */
    private void otherScheme(String... more) {
        pipeline(writer(", \"max_shingle_size\": 3"));
        index("");
        put("1", TRAM);
        put("2", BREAD);
        String[] processors = new String[more.length + 1];
        processors[0] = writer("");
        System.arraycopy(more, 0, processors, 1, more.length);
        pipeline(processors);
    }

    @Test
    void testASearchForAnotherSchemeThanAllDocumentsHave() {
        otherScheme();
        assertWarned(search(text(NEAR_TRAM)), "[simhash] no document in [warned] has a fingerprint of the scheme [v");
        assertWarned(
                client.must(
                        "POST",
                        "/warned/_search",
                        "{\"query\": {\"bool\": {\"should\": [{\"match_all\": {}}, {\"simhash\": {" + text(NEAR_TRAM)
                                + "}}]}}}"),
                "only of others");
        String one = "{}\n{\"query\": {\"simhash\": {" + text(NEAR_TRAM) + "}}}\n";
        assertWarned(client.must("POST", "/warned/_msearch", one + one), "only of others");
        assertWarned(
                client.must(
                        "POST", "/warned/_delete_by_query", "{\"query\": {\"simhash\": {" + text(NEAR_TRAM) + "}}}"),
                "only of others");
        assertNotWarned(search("\"id\": \"1\""));
        put("3", TRAM);
        assertNotWarned(search(text(NEAR_TRAM)));
        assertNotWarned(search(text(BREAD)));
        assertNotWarned(client.must("POST", "/warned/_search", "{\"query\": {\"match_all\": {}}}"));
    }

    @Test
    void testASearchInAPointInTime() {
        otherScheme();
        String id = client.must("POST", "/warned/_search/point_in_time?keep_alive=1m", null)
                .string("pit_id");
        try {
            String body = "{\"query\": {\"simhash\": {" + text(NEAR_TRAM) + "}}, \"pit\": {\"id\": \"" + id + "\"}}";
            assertWarned(client.must("POST", "/_search", body), "no document in the point in time");
        } finally {
            client.must("DELETE", "/_search/point_in_time", "{\"pit_id\": [\"" + id + "\"]}");
        }
    }

    @Test
    void testASearchOfAnIndexThatKeepsNoFingerprints() {
        pipeline(writer(""));
        index("\"dynamic\": false, \"properties\": {\"content\": {\"type\": \"text\"}}");
        assertWarned(search(text(TRAM)), "[dynamic] [false]", "fingerprints are not indexed");
    }

    @Test
    void testASearchOfDocumentsWithoutFingerprint() {
        pipeline(writer(""));
        index("");
        assertNotWarned(search(text(TRAM)));
        client.must("PUT", "/warned/_doc/1?refresh=true&pipeline=_none", Json.write(Map.of("content", TRAM)));
        assertWarned(search(text(TRAM)), "no document in [warned] has a fingerprint in [simhash]");
        assertWarned(search("\"hash\": \"0123456789abcdef\""), "has a fingerprint in [simhash]");
        put("2", TRAM);
        assertNotWarned(search("\"hash\": \"0123456789abcdef\""));
        assertWarned(
                search("\"hash\": \"" + "0123456789abcdef".repeat(4) + "\""),
                "no document in [warned] has a fingerprint in [simhash] of as many bits: nothing is near");
    }

    /** Of several indices one has no place for a fingerprint. */
    @Test
    void testASearchOfAnIndexThatIsNotSetUpAmongOthers() {
        pipeline(writer(""));
        index("");
        put("1", TRAM);
        client.must("PUT", "/warned-old/_doc/1?refresh=true", Json.write(Map.of("content", TRAM)));
        String missed =
                "no document has a fingerprint in [simhash] in [warned-old=1]: these documents are near nothing;"
                        + " GET /_plugins/_simhash/check/warned-old says why";
        for (String text : List.of(TRAM, BREAD)) {
            Answer found = client.must(
                    "POST", "/warned*/_search", "{\"query\": {\"simhash\": {\"hash\": \"0123456789abcdef\"}}}");
            assertWarned(found, missed);
            assertWarned(
                    client.must(
                            "POST",
                            "/warned*/_search",
                            "{\"query\": {\"simhash\": {\"pipeline\": \"warned\", " + text(text) + "}}}"),
                    "] in [warned-old=1]: these documents are near none of this scheme;");
        }
        assertNotWarned(search(text(TRAM)));
        assertJobWarned("/_plugins/_simhash/deduplicate/warned*", "{}", missed);
    }

    /** Of several indices with a place for a fingerprint one has none, and one another. */
    @Test
    void testASearchOfAnIndexWithoutFingerprintsAmongOthers() {
        pipeline(writer(""));
        index("");
        put("1", TRAM);
        for (String other : List.of("none", "other", "empty1", "empty2", "empty3", "empty4")) {
            client.must("PUT", "/warned-" + other, Json.write(Map.of("mappings", new SampleIndex().mappings())));
        }
        client.must("PUT", "/warned-none/_doc/1?refresh=true", Json.write(Map.of("content", TRAM)));
        client.must(
                "PUT",
                "/warned-other/_doc/1?refresh=true",
                Json.write(Map.of("simhash", Map.of("hash", "0123456789abcdef", "bits", 1, "scheme", "v3-other"))));
        String search = "{\"query\": {\"simhash\": {\"pipeline\": \"warned\", " + text(BREAD) + "}}}";
        assertWarned(
                client.must("POST", "/warned*/_search", search),
                "no document has a fingerprint in [simhash] of the scheme [v",
                "] in [warned-none=1, warned-other=1]: these documents are near none of this scheme");
        client.must("DELETE", "/warned-*", null);
        assertNotWarned(client.must("POST", "/warned*/_search", search));
    }

    @Test
    void testASearchAmongBitsThatAClientRounded() {
        pipeline(writer(""));
        index("");
        put("1", TRAM);
        String scheme = client.must("GET", "/warned/_doc/1", null).string("_source.simhash.scheme");
        client.must("DELETE", "/warned/_doc/1?refresh=true", null);
        client.must(
                "PUT",
                "/warned/_doc/2?refresh=true&pipeline=_none",
                "{\"simhash\":{\"hash\":\"859a49e6f4d31cf7\",\"bits\":-8819655663952913000,\"scheme\":\"" + scheme
                        + "\"}}");
        String rounded = "1 of 1 documents looked at in [warned] have [bits] that are not those of [hash]";
        assertWarned(search(text(BREAD) + ",\"max_distance\":2"), rounded);
        Answer found = search("\"max_distance\":11,\"hash\":\"859a49e6f4d31cf7\"");
        assertEquals(1, found.number("hits.total.value"));
        assertWarned(found, rounded);
    }

    @Test
    void testASearchForATextThatIsTooShort() {
        pipeline(writer(""));
        index("");
        put("1", TRAM);
        put("2", "tram");
        assertWarned(search(text("bread")), "[text] has too few features for a fingerprint");
        assertWarned(search("\"document\": {\"content\": \"bread\"}"), "[document] has too few features");
        assertWarned(search("\"id\": \"2\""), "[id] document [2] has too few features");
    }

    @Test
    void testASearchForPassagesOfATextThatIsTooShort() {
        pipeline("{\"passages\":{\"field\":\"content\"}}");
        index(
                "\"properties\":{\"passages\":{\"properties\":{\"terms\":{\"type\":\"keyword\"},\"scheme\":{\"type\":\"keyword\"}}}}");
        put("1", TRAM);
        put("2", "tram");
        String few = "fewer than 15 words in a row, which a passage needs: nothing is found";
        assertWarned(passages("\"text\": \"bread and butter\""), "[text] has " + few);
        assertWarned(passages("\"id\": \"2\""), "[id] document [2] has " + few);
        assertWarned(passages("\"text\": \"" + TRAM + "\", \"min_words\": 500"), "[text] has fewer than 500 words");
        assertNotWarned(passages("\"text\": \"" + TRAM + "\""));
    }

    private Answer passages(String options) {
        return client.must("POST", "/warned/_search", "{\"query\":{\"passages\":{" + options + "}}}");
    }

    @Test
    void testASearchThatVerifiesWhatNoDocumentHas() {
        pipeline(writer(""));
        index("");
        put("1", TRAM);
        String verify = text(TRAM) + ", \"verify\": {\"field\": \"$\"}";
        assertNotWarned(search(verify.replace("$", "content")));
        assertWarned(
                search(verify.replace("$", "contents")),
                "no document in [warned] has the field [contents] of [verify]");
    }

    /** Texts that are not indexed are in the source all the same. */
    @Test
    void testASearchThatVerifiesWhatIsNotIndexed() {
        pipeline(writer(""));
        index("\"properties\": {\"content\": {\"type\": \"object\", \"enabled\": false}}");
        put("1", TRAM);
        assertNotWarned(search(text(BREAD) + ", \"verify\": {\"field\": \"content\"}"));
    }

    @Test
    void testCollapsedHits() {
        client.must(
                "PUT",
                "/_search/pipeline/warned",
                "{\"request_processors\": [{\"collapse_near_duplicates\": {}}],"
                        + " \"response_processors\": [{\"collapse_near_duplicates\": {}}]}");
        pipeline(writer(""));
        index("");
        String all = "/warned/_search?search_pipeline=warned";
        client.must("PUT", "/warned/_doc/1?refresh=true&pipeline=_none", "{\"content\": \"a\"}");
        client.must("PUT", "/warned/_doc/2?refresh=true&pipeline=_none", "{\"content\": \"a\"}");
        assertWarned(client.must("POST", all, "{}"), "[collapse_near_duplicates] none of 2 hits has a fingerprint");
        put("1", "short");
        put("2", "text");
        assertWarned(client.must("POST", all, "{}"), "features enough");
        put("1", TRAM);
        pipeline(writer(", \"max_shingle_size\": 3"));
        put("2", TRAM);
        assertWarned(client.must("POST", all, "{}"), "schemes that cannot be compared");
        put("1", TRAM);
        Answer collapsed = client.must("POST", all, "{}");
        assertNotWarned(collapsed);
        assertEquals(1, collapsed.hits().size());
        String verifying = "{\"search_pipeline\": {\"request_processors\": [{\"collapse_near_duplicates\": {\"verify\":"
                + " {\"field\": \"<field>\"}}}], \"response_processors\": [{\"collapse_near_duplicates\": {}}]}}";
        Answer verified = client.must("POST", "/warned/_search", verifying.replace("<field>", "content"));
        assertNotWarned(verified);
        assertEquals(1, verified.hits().size());
        Answer without = client.must("POST", "/warned/_search", verifying.replace("<field>", "contents"));
        assertWarned(
                without,
                "[collapse_near_duplicates] [verify] could not compare the texts of 2 of 2 hits, which are not hidden (2:"
                        + " no text in [contents])");
        assertEquals(2, without.hits().size());
    }

    @Test
    void testDocumentsThatComeToNearDuplicate() {
        otherScheme("{\"near_duplicate\": {\"verify\": {\"field\": \"content\"}}}");
        assertWarned(
                client.must("POST", "/warned/_update_by_query?scroll_size=1", null),
                "[near_duplicate] no document in [warned] has a fingerprint of the scheme");
        client.must("POST", "/warned/_refresh", null);
        assertNotWarned(put("3", TRAM));
    }

    @Test
    void testADocumentThatComesToNearDuplicate() {
        otherScheme("{\"near_duplicate\": {\"verify\": {\"field\": \"content\"}}}");
        assertWarned(put("3", TRAM), "[near_duplicate] no document in [warned] has a fingerprint of the scheme");
        assertNotWarned(put("4", TRAM));
        assertWarned(put("5", "short"), "[near_duplicate] for [simhash] got a document with too few features");
        String bulk = "{\"index\": {}}\n{\"content\": \"short\"}\n{\"index\": {}}\n"
                + Json.write(Map.of("content", BREAD)) + "\n";
        assertNotWarned(client.must("POST", "/warned/_bulk", bulk));
    }

    @Test
    void testEachNearDocumentThatStaysHasOneReason() {
        String text = IntStream.range(0, 80).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));
        pipeline(writer(""), "{\"near_duplicate\": {\"action\": \"drop\", \"max_own_words\": 0}}");
        index("");
        put("original", text);
        assertNotWarned(put("copy", text));
        put("taken", BREAD);
        String indexed = "[near_duplicate] with [action] [drop] indexed a document with a tag, because ";
        assertWarned(put("taken", text), indexed + "their ids are stored, or may be soon");
        assertWarned(
                put("edited", text.replace("word40", "another")),
                indexed + "they have more than [max_own_words] words of their own in a row");
        String update = Json.write(Map.of("doc", Map.of("content", text), "doc_as_upsert", true));
        assertWarned(
                client.must(
                        "POST",
                        "/_bulk?refresh=true",
                        "{\"update\":{\"_index\":\"warned\",\"_id\":\"new\"}}\n" + update + "\n"),
                indexed + "they belong to updates");
        String other = Json.write(Map.of("content", text.replace("word", "other")));
        String bulk = "{\"index\":{\"_index\":\"warned\",\"_id\":\"%s\"}}\n" + other + "\n";
        assertWarned(
                client.must("POST", "/_bulk?refresh=true", bulk.replace("%s", "x") + bulk.replace("%s", "y")),
                indexed + "their originals are not stored for certain yet");
    }

    @Test
    void testDocumentsThatComeToNearDuplicateBeforeTheirFingerprint() {
        pipeline("{\"near_duplicate\": {}}", writer(""));
        index("");
        long before = withoutFingerprint("duplicates");
        String bulk = ("{\"index\": {}}\n" + Json.write(Map.of("content", TRAM)) + "\n").repeat(50);
        Answer answer = client.must("POST", "/warned/_bulk?refresh=true", bulk);
        assertWarned(answer, "[near_duplicate] for [simhash] got 50 documents without a fingerprint");
        assertEquals(before + 50, withoutFingerprint("duplicates"));
    }

    @Test
    void testDocumentsThatComeToNearDuplicateWithATextThatNobodyHas() {
        pipeline(writer(""));
        index("");
        put("1", TRAM);
        pipeline(writer(""), "{\"near_duplicate\": {\"verify\": {\"field\": \"contents\"}}}");
        assertWarned(put("2", TRAM), "[near_duplicate] no document in [warned] has the field [contents] of [verify]");
    }

    @Test
    void testDocumentsThatComeToAnIndexThatKeepsNoFingerprints() {
        pipeline(writer(""), "{\"near_duplicate\": {}}");
        index("\"dynamic\": false, \"properties\": {\"content\": {\"type\": \"text\"}}");
        assertWarned(put("1", TRAM), "[near_duplicate] the mapping of [warned] has no [simhash]");
    }

    @Test
    void testAJob() {
        pipeline(writer(""));
        index("");
        put("1", TRAM);
        put("2", TRAM);
        Answer right = client.must("POST", JOB, "{}");
        assertNotWarned(right);
        assertEquals(List.of(), right.at("warnings"));
        assertEquals(1, right.number("groups"));

        pipeline(writer(", \"max_shingle_size\": 3"));
        assertJobWarned("{}", "no document has a fingerprint of the scheme [v");
        put("2", TRAM);
        assertJobWarned("{}", "documents have fingerprints of 2 schemes");
        put("1", "short");
        put("2", "text");
        assertJobWarned("{}", "features enough");
        put("1", TRAM);
        put("2", BREAD);
        assertJobWarned("{\"verify\": {\"field\": \"contents\"}}", "has the field [contents] of [verify]");
        client.must("POST", "/warned/_update_by_query?pipeline=_none&refresh=true", """
                {"script": {"source": "ctx._source.remove('simhash')"}}""");
        long before = withoutFingerprint("jobs");
        assertJobWarned("{}", "none of 2 documents has a fingerprint in [simhash]");
        assertEquals(before + 4, withoutFingerprint("jobs"));
    }

    /** Its runs have nobody to say it to. */
    @Test
    void testAScheduleThatLeavesAnArchiveOut() {
        pipeline(writer(""));
        index("");
        put("1", TRAM);
        client.must("PUT", "/warned-removed", """
                {"mappings": {"properties": {"simhash_archive.run": {"type": "keyword"}}}}""");
        String schedule = "/_plugins/_simhash/schedules/warned";
        Answer answer = client.must("PUT", schedule, """
                {"index": "warned*", "every": "1d", "dest": {"index": "groups-warned"}}""");
        client.must("DELETE", schedule, null);
        assertWarned(answer, "[deduplicate] [warned-removed] is an archive of deleted documents, and left out");
    }

    /** In the answer, in its header, and in what is kept of a task that nobody waited for. */
    private void assertJobWarned(String options, String part) {
        assertJobWarned(JOB, options, part);
    }

    private void assertJobWarned(String path, String options, String part) {
        Answer answer = client.must("POST", path, options);
        assertWarned(answer, "[deduplicate] ", part);
        String sentence = answer.string("warnings.0");
        assertTrue(sentence.contains(part), sentence);
        assertEquals("[deduplicate] " + sentence, answer.warnings().getFirst());
        String task = client.must("POST", path + "?wait_for_completion=false", options)
                .string("task");
        Answer kept = client.must("GET", "/_tasks/" + task + "?wait_for_completion=true", null);
        assertEquals(List.of(sentence), kept.at("response.warnings"), kept.text());
    }

    @SuppressWarnings("unchecked")
    private long withoutFingerprint(String section) {
        Map<String, Object> nodes =
                (Map<String, Object>) client.get("/_plugins/_simhash/stats").at("nodes");
        Object node = nodes.values().iterator().next();
        return ((Number) Json.at(node, section + ".without_fingerprint")).longValue();
    }
}
