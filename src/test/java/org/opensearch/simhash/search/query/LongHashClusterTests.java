/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.image.TestImages;

/** Hashes of 256 bits from the pipeline to the search, as a template maps them and as a dynamic mapping does. */
public class LongHashClusterTests extends SimHashClusterTestCase {

    private static final String MAPPED = """
            {'properties': {'picture': {'properties': {
              'bits_256': {'type': 'binary', 'doc_values': true},
              'scheme': {'type': 'keyword'}}}}}""";

    private final Map<String, LongHash> hashes = new TreeMap<>();

    public void testEverySourceFindsWhatBruteForceFinds() {
        for (int length : List.of(256)) {
            String index = "hashes-" + length;
            pipeline(
                    index,
                    "{'processors': [{'simhash': {'hash_field': 'given', 'hash_bits': " + length
                            + ", 'hash_scheme': 'x', 'target_field': 'picture'}}]}");
            String mapping = randomBoolean() ? MAPPED : "{}";
            newIndex(index, mapping, 2, 0, "index.default_pipeline", index);
            LongHash centre = random(length);
            hashes.clear();
            Map<String, Map<String, Object>> documents = new HashMap<>();
            for (int i = 0; i < 120; i++) {
                LongHash hash = i < 3 ? random(length) : flip(centre, randomIntBetween(0, 70));
                hashes.put("" + i, hash);
                documents.put("" + i, Map.of("given", hash.toHex()));
            }
            putAll(index, documents);
            String source = randomFrom(List.copyOf(hashes.keySet()));
            LongHash target = hashes.get(source);
            for (int distance : List.of(0, 3, 15, 16, 31, 40, 64, length)) {
                Map<String, Float> expected = near(target, distance);
                String most = ", 'field': 'picture', 'max_distance': " + distance;
                assertEquals(expected, scores(near("'hash': '" + target.toHex() + "'" + most, index)));
                assertEquals(expected, scores(near("'document': {'given': '" + target.toHex() + "'}" + most, index)));
                assertEquals(expected, scores(near("'id': '" + source + "', 'include_self': true" + most, index)));
                for (SearchHit hit : search(
                                "{'ext': {'simhash': {'evidence': true}}, 'query': {'simhash': {'hash': '"
                                        + target.toHex() + "'" + most + "}}}",
                                index)
                        .getHits()) {
                    int bits = target.distance(hashes.get(hit.getId()));
                    assertEquals(
                            List.of(Map.of("distance", bits)),
                            hit.getFields().get("_simhash").getValues());
                }
            }
            assertRefused(
                    400,
                    "[max_distance] must be between 0 and " + length + ", got: " + (length + 1),
                    () -> near(
                            "'field': 'picture', 'hash': '" + target.toHex() + "', 'max_distance': " + (length + 1),
                            index));
        }
    }

    public void testAPictureInTheQueryFindsItsCopies() {
        for (int length : List.of(64, 256)) {
            String index = "images-" + length;
            pipeline(
                    index,
                    "{'processors': [{'image_hash': {'field': 'image', 'hash_bits': " + length
                            + ", 'target_field': 'picture'}}, {'remove': {'field': 'image'}}]}");
            newIndex(index, MAPPED, 1, 0, "index.default_pipeline", index);
            Map<String, Map<String, Object>> documents = new HashMap<>();
            for (int seed = 0; seed < 6; seed++) {
                documents.put("" + seed, Map.of("image", image("png", seed, 640, 480)));
            }
            documents.put("blank", Map.of("image", blank()));
            putAll(index, documents);
            String most = ", 'field': 'picture', 'max_distance': " + (length == 64 ? 6 : length / 8);
            for (String copy :
                    List.of(image("jpeg", 2, 640, 480), "data:image/jpeg;base64," + image("jpeg", 2, 320, 240))) {
                assertEquals(Set.of("2"), ids(near("'image': '" + copy + "'" + most, index)));
                assertEquals(Set.of("2"), ids(near("'document': {'image': '" + copy + "'}" + most, index)));
            }
            assertEquals(Set.of(), ids(near("'image': '" + blank() + "'" + most, index)));
            assertRefused(
                    400,
                    "[image] must be an image in PNG, JPEG or GIF, got 3 bytes of something else",
                    () -> near("'image': 'AAAA'" + most, index));
        }
        pipeline("texts", "{'processors': [{'simhash': {'field': 'content'}}]}");
        smallIndex("texts", "index.default_pipeline", "texts");
        assertRefused(
                400,
                "[image] needs an ingest pipeline with an [image_hash] processor for the field [simhash], got none of the"
                        + " indices [texts]: set [pipeline]",
                () -> near("'image': '" + blank() + "'", "texts"));
        String missing = "'image': '" + blank() + "', 'pipeline': 'none'";
        assertRefused(400, "[pipeline] must be an existing ingest pipeline, got: none", () -> near(missing, "texts"));
    }

    /** However far one looks: a document has the hash of one algorithm, and so has the picture in the query. */
    public void testHashesOfTwoAlgorithmsAreNeverCompared() {
        newIndex("two", MAPPED, 1, 0);
        for (String algorithm : List.of("phash", "ahash")) {
            pipeline(
                    algorithm,
                    "{'processors': [{'image_hash': {'field': 'image', 'algorithm': '" + algorithm
                            + "', 'target_field': 'picture'}}, {'remove': {'field': 'image'}}]}");
            for (int seed = 0; seed < 3; seed++) {
                client().prepareIndex("two")
                        .setId(algorithm + seed)
                        .setPipeline(algorithm)
                        .setSource(Map.of("image", image("png", seed, 640, 480)))
                        .get();
            }
        }
        refresh("two");
        for (String algorithm : List.of("phash", "ahash")) {
            String most = ", 'field': 'picture', 'max_distance': ";
            String copy = "'image': '" + image("jpeg", 2, 320, 240) + "', 'pipeline': '" + algorithm + "'" + most;
            assertEquals(Set.of(algorithm + 2), ids(near(copy + 2, "two")));
            assertEquals(Set.of(algorithm + 0, algorithm + 1, algorithm + 2), ids(near(copy + 64, "two")));
            String stored = "'id': '" + algorithm + "2'" + most + 64;
            assertEquals(Set.of(algorithm + 0, algorithm + 1), ids(near(stored, "two")));
        }
    }

    /** Several hashes in a document, each of which may be the nearest. */
    public void testTheNearestOfSeveralHashesCounts() {
        newIndex("several", MAPPED, 1, 0);
        LongHash a = random(256);
        LongHash b = random(256);
        Map<String, Object> both = Map.of("picture", List.of(fields(a), fields(b)));
        putAll("several", Map.of("both", both, "one", Map.of("picture", fields(a))));
        String hash = "'field': 'picture', 'max_distance': 9, 'hash': '";
        assertEquals(Set.of("both", "one"), ids(near(hash + flip(a, 9).toHex() + "'", "several")));
        assertEquals(Set.of("both"), ids(near(hash + flip(b, 9).toHex() + "'", "several")));
        assertEquals(Set.of(), ids(near(hash + flip(b, 10).toHex() + "'", "several")));
    }

    public void testCollapsesByLongHashes() {
        newIndex("long", MAPPED, 1, 0);
        LongHash hash = random(256);
        putAll(
                "long",
                Map.of(
                        "a", Map.of("rank", 3, "picture", fields(hash)),
                        "b", Map.of("rank", 2, "picture", fields(flip(hash, 31))),
                        "c", Map.of("rank", 1, "picture", fields(flip(hash, 33)))));
        SearchRequest search = new SearchRequest("long").source(source("{'sort': [{'rank': 'desc'}]}"));
        search.source()
                .searchPipelineSource(new HashMap<>(Map.of(
                        "request_processors", collapse(),
                        "response_processors", collapse())));
        List<String> kept = new ArrayList<>();
        client().search(search).actionGet().getHits().forEach(hit -> kept.add(hit.getId()));
        assertEquals(List.of("a", "c"), kept);
    }

    private static List<Object> collapse() {
        Map<String, Object> options = new HashMap<>(Map.of("field", "picture", "max_distance", 31));
        return new ArrayList<>(List.of(new HashMap<>(Map.of("collapse_near_duplicates", options))));
    }

    private static Map<String, Object> fields(LongHash hash) {
        return new HashMap<>(FingerprintFields.ofHash(hash, "given-x", new SegmentLayout(16, 4)));
    }

    private Map<String, Float> near(LongHash target, int distance) {
        Map<String, Float> near = new TreeMap<>();
        hashes.forEach((id, hash) -> {
            if (target.distance(hash) <= distance) {
                near.put(id, 1 - target.distance(hash) / (float) target.length());
            }
        });
        return near;
    }

    private static LongHash random(int length) {
        byte[] bytes = randomByteArrayOfLength(length / 8);
        return LongHash.fromBytes(bytes, 0, bytes.length);
    }

    private static LongHash flip(LongHash hash, int count) {
        byte[] bytes = hash.toBytes();
        List<Integer> bits = new ArrayList<>();
        for (int bit = 0; bit < hash.length(); bit++) {
            bits.add(bit);
        }
        for (int bit : randomSubsetOf(count, bits)) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        return LongHash.fromBytes(bytes, 0, bytes.length);
    }

    private static String image(String format, long seed, int width, int height) {
        return TestImages.base64(TestImages.write(format, TestImages.draw(seed, width, height)));
    }

    private static String blank() {
        return TestImages.base64(TestImages.write("png", new BufferedImage(90, 90, BufferedImage.TYPE_INT_RGB)));
    }
}
