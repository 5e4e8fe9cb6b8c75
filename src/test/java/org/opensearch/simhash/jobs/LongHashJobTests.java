/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Jobs over hashes of 256 bits. */
public class LongHashJobTests extends DeletingTestCase {

    private static final Map<String, Object> BINARY = Map.of("type", "binary", "doc_values", true);

    private final List<LongHash> hashes = new ArrayList<>();

    private static LongHash random(int length) {
        long[] words = new long[length / Long.SIZE];
        for (int i = 0; i < words.length; i++) {
            words[i] = randomLong();
        }
        return new LongHash(words);
    }

    private static LongHash flip(LongHash hash, int count) {
        byte[] bytes = hash.toBytes();
        for (int i = 0; i < count; i++) {
            bytes[randomInt(bytes.length - 1)] ^= (byte) (1 << randomInt(7));
        }
        return LongHash.fromBytes(bytes, 0, bytes.length);
    }

    private static Map<String, Object> print(LongHash hash) {
        return FingerprintFields.ofHash(hash, "pdq-v1", new SegmentLayout(4 * hash.words(), hash.words()));
    }

    /** As the documentation maps them. */
    private static Map<String, Object> mapped() {
        Map<String, Object> parts = Map.of("bits_256", BINARY, "scheme", Map.of("type", "keyword"));
        return Map.of(
                "properties", Map.of("simhash", Map.of("properties", parts), "tenant", Map.of("type", "keyword")));
    }

    private void create(Map<String, Object> mapping) {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.number_of_shards", 2))
                .setMapping(mapping)
                .get();
    }

    private void put(Map<String, Map<String, Object>> documents) {
        BulkRequestBuilder bulk = client().prepareBulk();
        documents.forEach(
                (id, source) -> bulk.add(client().prepareIndex(INDEX).setId(id).setSource(source)));
        BulkResponse response = bulk.get();
        assertFalse(response.buildFailureMessage(), response.hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    /** Some hundred hashes around two centres, of two tenants. */
    private void fill(int length, Map<String, Object> mapping) {
        create(mapping);
        List<LongHash> centres = List.of(random(length), random(length));
        Map<String, Map<String, Object>> documents = new HashMap<>();
        for (int i = 0; i < 120; i++) {
            hashes.add(flip(centres.get(randomInt(1)), randomIntBetween(0, 40)));
            documents.put("" + i, Map.of("simhash", print(hashes.get(i)), "tenant", "t" + i % 2));
        }
        put(documents);
    }

    private long pairs(int distance, int step) {
        long pairs = 0;
        for (int i = 0; i < hashes.size(); i++) {
            for (int j = i + step; j < hashes.size(); j += step) {
                pairs += hashes.get(i).distance(hashes.get(j)) <= distance ? 1 : 0;
            }
        }
        return pairs;
    }

    private JobResponse run(String json) throws IOException {
        return run(json, Float.POSITIVE_INFINITY, 100);
    }

    public void testLinksAreThoseOfBruteForce() throws IOException {
        int length = 256;
        boolean isMapped = randomBoolean();
        fill(length, isMapped ? mapped() : Map.of());
        for (int distance : new int[] {0, 3, 31, randomIntBetween(4, 63), 64}) {
            JobResponse response = run("{\"max_distance\":" + distance + "}");
            assertEquals(pairs(distance, 1), response.count("pairs"));
            assertEquals(120, response.count("fingerprinted"));
            response =
                    run("{\"max_distance\":" + distance + ",\"same\":\"tenant" + (isMapped ? "" : ".keyword") + "\"}");
            assertEquals("of one tenant", pairs(distance, 2), response.count("pairs"));
        }
    }

    public void testGroupsAreTaggedAndNewOnesAreEnough() throws IOException {
        create(mapped());
        LongHash first = random(256);
        LongHash other = random(256);
        put(Map.of(
                "1", Map.of("simhash", print(first)),
                "2", Map.of("simhash", print(flip(first, 25))),
                "3", Map.of("simhash", print(other)),
                "4", Map.of("simhash", print(flip(other, 3)))));
        assertEquals(1, run("{\"max_distance\":3}").count("groups"));
        String near = "{\"max_distance\":31,\"action\":\"tag\"";
        assertEquals(
                1, run(near + ",\"new_since\":{\"ids\":{\"values\":[\"2\"]}}}").count("tagged"));
        assertEquals(0, run(near + ",\"new_since\":{\"ids\":{\"values\":[]}}}").count("groups"));
        assertEquals(1, run(near + ",\"linkage\":\"chain\"}").count("tagged"));
        Map<?, ?> tagged =
                (Map<?, ?>) client().prepareGet(INDEX, "4").get().getSource().get("simhash");
        assertEquals("3", tagged.get("duplicate_of"));
        assertEquals("the tag leaves the hash", 2, run("{\"max_distance\":31}").count("groups"));
    }

    /** The hash and the doc value are compared in the versions that the delete names. */
    public void testDeletesWhatIsNearAndNotWhatSomebodyChanged() throws IOException {
        create(mapped());
        LongHash hash = random(256);
        Map<String, Object> broken = new HashMap<>(print(random(256)));
        broken.put("bits_256", hash.toBase64());
        put(Map.of(
                "1", Map.of("simhash", print(hash)),
                "2", Map.of("simhash", print(flip(hash, 20))),
                "3", Map.of("simhash", broken)));
        assertRefused(
                "[verify] must be false with [action] delete where fingerprints are not made of text,"
                        + " got: fingerprints of the schemes [pdq-v1]",
                "{\"max_distance\":31,\"action\":\"delete\",\"archive\":false}");
        JobResponse response =
                run("{\"max_distance\":31,\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE + "}");
        assertEquals(1, response.count("deleted"));
        assertFalse(client().prepareGet(INDEX, "2").get().isExists());
        assertTrue(client().prepareGet(INDEX, "3").get().isExists());
        assertEquals(
                1,
                client().prepareSearch(REMOVED)
                        .setQuery(QueryBuilders.matchAllQuery())
                        .get()
                        .getHits()
                        .getTotalHits()
                        .value());
    }

    public void testRefusesWhatItCannotCompare() throws IOException {
        create(mapped());
        put(Map.of(
                "1", Map.of("simhash", print(random(256))),
                "2", Map.of("simhash", print(random(256))),
                "3", Map.of("simhash", given(5))));
        assertRefused(
                "[field] must hold hashes of 64 bits, or longer ones, in the documents of a job: select some by [query],"
                        + " got: both, in [simhash.bits] and in [simhash.bits_256]",
                "{}");
        String few = "{\"max_distance\":40,\"query\":{\"ids\":{\"values\":[";
        assertEquals(0, run(few + "\"1\",\"2\"]}}}").count("pairs"));
        assertRefused(
                "[max_distance] must be between 0 and 16 for fingerprints of 64 bits, got: 40", few + "\"3\"]}}}");
        client().admin().indices().prepareDelete(INDEX).get();
        create(Map.of(
                "properties", Map.of("simhash", Map.of("properties", Map.of("bits_256", Map.of("type", "binary"))))));
        put(Map.of("1", Map.of("simhash", print(random(256)))));
        assertRefused(
                "[simhash.bits_256] must have doc values under one name in all indices of a job over hashes of more than"
                        + " 64 bits, got: [simhash.bits_256 without doc values]",
                "{}");
    }

    /** Where a shard does not answer, a job would take hashes of 256 bits for others. */
    public void testNoSearchTakesAPartForAll() throws IOException {
        create(mapped());
        LongHash hash = random(256);
        put(Map.of("1", Map.of("simhash", print(hash)), "2", Map.of("simhash", print(hash))));
        List<SearchRequest> searches = new ArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search) {
                searches.add(search);
            }
            return null;
        });
        assertEquals(1, run("{\"dest\":{\"index\":\"groups\"}}").count("groups"));
        assertEquals(
                1, run("{\"dest\":{\"index\":\"groups\"},\"max_distance\":5}").count("groups"));
        RequestHook.clear();
        assertTrue(
                searches.stream().anyMatch(search -> List.of(search.indices()).equals(List.of("groups"))));
        searches.removeIf(search -> Boolean.FALSE.equals(search.allowPartialSearchResults()));
        assertEquals(List.of(), searches);
    }

    private void assertRefused(String message, String json) {
        assertEquals(
                message,
                expectThrows(IllegalArgumentException.class, () -> run(json)).getMessage());
    }
}
