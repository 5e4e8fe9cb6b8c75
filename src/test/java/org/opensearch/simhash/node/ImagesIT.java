/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.opensearch.simhash.core.image.TestImages;

/** Hashes of images on a real node: made there, or given with the document; searched, caught at ingest, collapsed, grouped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@RealNodes(1)
class ImagesIT {

    private static final String INDEX = "pictures";

    private final RestClient client;

    ImagesIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    @BeforeAll
    void index() {
        client.must("PUT", "/_ingest/pipeline/pictures", """
                {"processors": [
                  {"image_hash": {"field": "image", "target_field": "picture", "ignore_missing": true}},
                  {"simhash": {"hash_field": "given", "hash_format": "signed", "hash_scheme": "other-system",
                               "target_field": "known", "ignore_missing": true}},
                  {"near_duplicate": {"field": "picture", "max_distance": 6}}]}""");
        client.must("PUT", "/" + INDEX, """
                {"settings": {"index.default_pipeline": "pictures", "number_of_shards": 1, "number_of_replicas": 0},
                 "mappings": {"properties": {"image": {"type": "binary"}, "given": {"type": "keyword"}}}}""");
        put("one", Map.of("image", jpeg(1), "given", "1"));
        put("one-small", Map.of("image", png(1, 120, 90), "given", "3"));
        put("two", Map.of("image", jpeg(2), "given", "-1"));
        put("three", Map.of("image", jpeg(3), "given", -2));
        client.must("POST", "/" + INDEX + "/_refresh", null);
    }

    @AfterAll
    void remove() {
        client.must("DELETE", "/" + INDEX, null);
        client.must("DELETE", "/_ingest/pipeline/pictures", null);
    }

    @Test
    void testSearchesByIdAndByHashFindNearPictures() {
        assertEquals(Set.of("one-small"), ids(Map.of("field", "picture", "id", "one", "max_distance", 6)));
        assertEquals(Set.of("one-small"), ids(Map.of("field", "known", "id", "one", "max_distance", 1)));
        assertEquals(Set.of("three"), ids(Map.of("field", "known", "id", "two", "max_distance", 1)));
        Answer one = client.get("/" + INDEX + "/_doc/one");
        assertEquals("phash-v1", one.string("_source.picture.scheme"));
        assertEquals("given-other-system", one.string("_source.known.scheme"));
        assertEquals("0000000000000001", one.string("_source.known.hash"));
        assertEquals(
                Set.of("one", "one-small"),
                ids(Map.of("field", "picture", "hash", one.string("_source.picture.hash"), "max_distance", 6)));
        assertEquals(
                Set.of("two", "three"), ids(Map.of("field", "known", "hash", "ffffffffffffffff", "max_distance", 3)));
    }

    @Test
    void testCompareTellsTheBitsInWhichHashesDiffer() {
        Map<String, ?> one = Map.of("index", INDEX, "id", "one");
        String hash = client.get("/" + INDEX + "/_doc/one").string("_source.picture.hash");
        String other = client.get("/" + INDEX + "/_doc/two").string("_source.picture.hash");
        int distance = Long.bitCount(Long.parseUnsignedLong(hash, 16) ^ Long.parseUnsignedLong(other, 16));
        Answer stored = compare(Map.of("field", "picture", "a", one, "b", Map.of("index", INDEX, "id", "two")));
        assertEquals(distance, stored.number("distance"), stored.text());
        assertEquals(distance, ((List<?>) stored.at("differing_bits")).size());
        assertEquals(other, stored.string("b.hash"));
        assertEquals("phash-v1", stored.string("b.scheme"));
        for (Map<String, ?> side : List.<Map<String, ?>>of(
                Map.of("hash", hash), Map.of("image", jpeg(1)), Map.of("document", Map.of("image", jpeg(1))), one)) {
            Answer same = compare(Map.of("field", "picture", "a", one, "b", side));
            assertEquals(0, same.number("distance"), same.text());
            assertEquals(List.of(), same.at("differing_bits"));
            Answer apart = compare(
                    Map.of("field", "picture", "pipeline", "pictures", "a", Map.of("image", jpeg(2)), "b", side));
            assertEquals(distance, apart.number("distance"), apart.text());
        }
        Answer given = compare(Map.of("field", "known", "a", one, "b", Map.of("document", Map.of("given", "-1"))));
        assertEquals(63, given.number("distance"), given.text());
        String zeros = "0".repeat(63);
        Answer longer = compare(Map.of("a", Map.of("hash", zeros + "5"), "b", Map.of("hash", "8" + zeros)));
        assertEquals(List.of(0, 2, 255), longer.at("differing_bits"));
    }

    @Test
    void testCompareRefusesWhatHasNoSuchHash() {
        Map<String, ?> one = Map.of("index", INDEX, "id", "one");
        Map<String, ?> hash = Map.of("hash", "0123456789abcdef");
        assertRefused("16 or 64 lowercase hex digits, got: 12G", Map.of("a", Map.of("hash", "12G"), "b", hash));
        assertRefused("got: 64 and 256 bits", Map.of("a", hash, "b", Map.of("hash", "0".repeat(64))));
        assertRefused("[b.image] needs an ingest pipeline", Map.of("a", hash, "b", Map.of("image", jpeg(1))));
        assertRefused(
                "[b.image] must be an image in PNG, JPEG or GIF, got 10 bytes",
                Map.of(
                        "pipeline",
                        "pictures",
                        "field",
                        "picture",
                        "a",
                        hash,
                        "b",
                        Map.of("image", "bm8gcGljdHVyZQ==")));
        assertRefused(
                "[b.text] needs a pipeline that makes fingerprints of texts",
                Map.of("field", "picture", "a", one, "b", Map.of("text", "some words")));
        assertRefused("must have one fingerprint in [field]", Map.of("field", "nothing", "a", one, "b", hash));
        assertRefused(
                "The following fields are not allowed together: [hash, text] ",
                Map.of("a", hash, "b", new TreeMap<>(Map.of("hash", "0123456789abcdef", "text", "words"))));
        assertRefused("one of [pipeline] and [config] is required", Map.of("a", hash, "b", Map.of("text", "words")));
        Answer text = compare(Map.of("config", Map.of(), "a", hash, "b", Map.of("text", "the quick brown fox jumps")));
        assertTrue(text.number("distance") > 0, text.text());
    }

    private Answer compare(Map<String, ?> body) {
        return client.must("POST", "/_plugins/_simhash/compare", Json.write(body));
    }

    private void assertRefused(String rule, Map<String, ?> body) {
        Answer answer = client.send("POST", "/_plugins/_simhash/compare", Json.write(body));
        assertEquals(400, answer.status(), answer.text());
        assertTrue(answer.string("error.reason").contains(rule), answer.text());
    }

    @Test
    void testANearPictureIsCaughtAtIngest() {
        assertEquals("one", client.get("/" + INDEX + "/_doc/one-small").string("_source.near_duplicate.id"));
        assertFalse(client.get("/" + INDEX + "/_doc/two").text().contains("near_duplicate"));
    }

    @Test
    void testAJobGroupsPictures() {
        Answer job = client.must("POST", "/_plugins/_simhash/deduplicate/" + INDEX + "?wait_for_completion=true", """
                {"field": "picture", "max_distance": 6, "action": "report", "dest": {"index": "pictures-groups"}}""");
        client.must("POST", "/pictures-groups/_refresh", null);
        Answer groups = client.must("POST", "/pictures-groups/_search", null);
        assertEquals(1, job.number("groups"), job.text());
        assertTrue(groups.text().contains("one-small"), groups.text());
        client.must("DELETE", "/pictures-groups", null);
    }

    /** Hashes of 256 bits. */
    @Test
    void testAJobDeletesNearScansAndARestoreBringsThemBack() {
        client.must("PUT", "/_ingest/pipeline/scans", """
                {"processors": [{"image_hash": {"field": "image", "hash_bits": 256, "target_field": "picture"}},
                                {"remove": {"field": "image"}}]}""");
        client.must("PUT", "/scans", """
                {"settings": {"index.default_pipeline": "scans", "number_of_shards": 2, "number_of_replicas": 0},
                 "mappings": {"properties": {"picture": {"properties": {
                   "bits_256": {"type": "binary", "doc_values": true}, "scheme": {"type": "keyword"}}}}}}""");
        for (int i = 0; i < 20; i++) {
            String image = i < 5 ? png(i, 120, 90) : jpeg(i % 10);
            client.must("PUT", "/scans/_doc/" + i, Json.write(Map.of("image", image)));
        }
        client.must("POST", "/scans/_refresh", null);
        String path = "/_plugins/_simhash/deduplicate/scans";
        Answer deleted = client.must("POST", path + "?wait_for_completion=true", """
                {"field": "picture", "max_distance": 31, "action": "delete", "verify": false,
                 "archive": {"index": "scans-removed"}}""");
        assertEquals(10, deleted.number("deleted"), deleted.text());
        Answer left = client.must("POST", "/scans/_search?size=20", null);
        assertEquals(Set.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), new TreeSet<>(left.ids()));
        Answer restored = client.must(
                "POST",
                path + "/restore",
                "{\"run\":\"" + deleted.string("run") + "\",\"archive\":{\"index\":\"scans-removed\"}}");
        assertEquals(10, restored.number("restored"), restored.text());
        Answer again = client.must("POST", path + "?wait_for_completion=true", """
                {"field": "picture", "max_distance": 31}""");
        assertEquals(10, again.number("groups"), again.text());
        client.must("DELETE", "/scans,scans-removed", null);
        client.must("DELETE", "/_ingest/pipeline/scans", null);
    }

    /** A search that ends after its first document counts none in a segment of more than 4,096. */
    @Test
    void testAJobReadsALargeSegment() {
        client.must("PUT", "/many", """
                {"settings": {"number_of_shards": 1, "number_of_replicas": 0},
                 "mappings": {"properties": {"picture": {"properties": {
                   "bits_256": {"type": "binary", "doc_values": true}, "scheme": {"type": "keyword"}}}}}}""");
        StringBuilder bulk = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            byte[] hash = new byte[32];
            new Random(i / 2).nextBytes(hash);
            bulk.append("{\"index\":{}}\n")
                    .append(Json.write(Map.of(
                            "picture",
                            Map.of("bits_256", Base64.getEncoder().encodeToString(hash), "scheme", "given-x"))))
                    .append('\n');
        }
        client.must("POST", "/many/_bulk?refresh=true", bulk.toString());
        Answer job = client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/many?wait_for_completion=true",
                "{\"field\": \"picture\", \"max_distance\": 31}");
        assertEquals(5_000, job.number("fingerprinted"), job.text());
        assertEquals(2_500, job.number("pairs"), job.text());
        client.must("DELETE", "/many", null);
    }

    @Test
    void testNearPicturesAreCollapsed() {
        Answer answer = client.must("POST", "/" + INDEX + "/_search", """
                {"query": {"match_all": {}}, "sort": ["_doc"], "search_pipeline": {
                  "request_processors": [{"collapse_near_duplicates": {"field": "picture", "max_distance": 6}}],
                  "response_processors": [{"collapse_near_duplicates": {}}]}}""");
        assertEquals(Set.of("one", "two", "three"), new TreeSet<>(answer.ids()));
    }

    @Test
    void testATextIsNotComparedWithPictures() {
        for (String field : List.of("picture", "known")) {
            for (Map<String, Object> source : List.of(
                    Map.<String, Object>of("text", "a text"),
                    Map.<String, Object>of("document", Map.of("text", "a text")))) {
                Map<String, Object> query = new HashMap<>(source);
                query.put("field", field);
                String expected = source.containsKey("text")
                        ? "use [hash] or [id]"
                        : "[document] must have the field that the pipeline's processor reads, got: [text]";
                Answer answer = client.send("POST", "/" + INDEX + "/_search", body(query));
                assertEquals(400, answer.status());
                assertTrue(
                        answer.reason().contains("use [hash] or [id]")
                                || answer.reason().contains(expected),
                        answer.text());
                query.put("pipeline", "pictures");
                answer = client.send("POST", "/" + INDEX + "/_search", body(query));
                assertTrue(answer.text().contains(expected), answer.text());
            }
        }
        Answer helper = client.send("POST", "/_plugins/_simhash/fingerprint", """
                {"config": {"hash_field": "given", "hash_scheme": "x"}, "text": "a text"}""");
        assertEquals(400, helper.status());
        assertTrue(helper.text().contains("[config] must be of texts"), helper.text());
    }

    @Test
    void testABadImageHarmsNoOtherDocument() {
        byte[] png = TestImages.write("png", TestImages.draw(20, 300, 300));
        byte[] bomb = png.clone();
        bomb[16] = 0x7F;
        bomb[20] = 0x7F;
        Map<String, Object> bad = new LinkedHashMap<>();
        bad.put("no-base64", "%%%");
        bad.put("text", "aGVsbG8gd29ybGQ=");
        bad.put("truncated", TestImages.base64(Arrays.copyOf(png, png.length / 2)));
        bad.put("bomb", TestImages.base64(bomb));
        bad.put("array", List.of(TestImages.base64(png)));
        List<String> lines = new ArrayList<>();
        int good = 30;
        for (Map.Entry<String, Object> entry : bad.entrySet()) {
            lines.add("{\"index\":{\"_id\":\"bad-" + entry.getKey() + "\"}}");
            lines.add(Json.write(Map.of("image", entry.getValue())));
            lines.add("{\"index\":{\"_id\":\"good-" + entry.getKey() + "\"}}");
            lines.add(Json.write(Map.of("image", jpeg(good++))));
        }
        client.must("PUT", "/_ingest/pipeline/only-images", """
                {"processors": [{"image_hash": {"field": "image"}}]}""");
        long before = memory();
        Answer bulk = client.must("POST", "/" + INDEX + "/_bulk?pipeline=only-images", String.join("\n", lines) + "\n");
        for (int i = 0; i < 2 * bad.size(); i++) {
            Object item = bulk.at("items." + i + ".index");
            String id = (String) Json.at(item, "_id");
            if (id.startsWith("bad-")) {
                assertEquals(400, ((Number) Json.at(item, "status")).intValue(), item.toString());
                assertTrue(item.toString().contains("field [image] must be"), item.toString());
            } else {
                assertEquals(201, ((Number) Json.at(item, "status")).intValue(), item.toString());
            }
            client.send("DELETE", "/" + INDEX + "/_doc/" + id + "?refresh=true", null);
        }
        client.must("DELETE", "/_ingest/pipeline/only-images", null);
        // What near_duplicate keeps in mind of others is on it, too, and ends within a minute.
        assertTrue(memory() <= before, "bytes that no image gave back");
    }

    private long memory() {
        return ((Map<?, ?>) client.get("/_nodes/stats/breaker").at("nodes"))
                .values().stream()
                        .mapToLong(node ->
                                ((Number) Json.at(node, "breakers.simhash.estimated_size_in_bytes")).longValue())
                        .sum();
    }

    @Test
    void testAllFormatsAreDecodedOnTheNode() {
        BufferedImage picture = TestImages.draw(40, 400, 300);
        assertSameHash(List.of(
                TestImages.write("png", picture), TestImages.write("jpeg", picture), TestImages.write("gif", picture)));
    }

    private void assertSameHash(List<byte[]> files) {
        Set<String> hashes = new TreeSet<>();
        for (byte[] file : files) {
            Answer answer = client.must(
                    "POST",
                    "/_ingest/pipeline/_simulate",
                    Json.write(Map.of(
                            "pipeline",
                            Map.of("processors", List.of(Map.of("image_hash", Map.of("field", "image")))),
                            "docs",
                            List.of(Map.of("_source", Map.of("image", TestImages.base64(file)))))));
            hashes.add(answer.string("docs.0.doc._source.simhash.hash"));
        }
        String first = hashes.iterator().next();
        for (String hash : hashes) {
            int distance = Long.bitCount(Long.parseUnsignedLong(first, 16) ^ Long.parseUnsignedLong(hash, 16));
            assertTrue(distance <= 4, hashes.toString());
        }
    }

    private Set<String> ids(Map<String, Object> query) {
        return new TreeSet<>(
                client.must("POST", "/" + INDEX + "/_search", body(query)).ids());
    }

    private static String body(Map<String, Object> query) {
        return Json.write(Map.of("query", Map.of("simhash", query)));
    }

    private void put(String id, Map<String, Object> document) {
        client.must("PUT", "/" + INDEX + "/_doc/" + id + "?refresh=true", Json.write(document));
    }

    private static String jpeg(int seed) {
        return TestImages.base64(TestImages.write("jpeg", TestImages.draw(seed, 640, 480)));
    }

    private static String png(int seed, int width, int height) {
        return "data:image/png;base64,"
                + TestImages.base64(TestImages.write("png", TestImages.draw(seed, width, height)));
    }
}
