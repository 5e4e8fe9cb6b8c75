/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.core.fingerprint.LongHash;

/** Near-duplicates by hashes of 64 and 256 bits: in one bulk, in the windows of two nodes, and in the index. */
public class LongHashDuplicatesClusterTests extends NearDuplicateClusterTestCase {

    private static final String MAPPED = """
            {'properties': {'tenant': {'type': 'keyword'}, 'simhash': {'properties': {
              'bits_256': {'type': 'binary', 'doc_values': true},
              'scheme': {'type': 'keyword'}}}}}""";

    private static void hashing(LongHashDuplicatesClusterTests test, int length, String options) {
        test.processors("{'simhash': {'hash_field': 'given', 'hash_bits': " + length + ", 'hash_scheme': 'x'}},"
                + " {'near_duplicate': {" + options + "}}");
    }

    private static String random(int length) {
        StringBuilder hex = new StringBuilder();
        while (hex.length() < length / 4) {
            hex.append(HexFormat.of().toHexDigits(randomLong()));
        }
        return hex.toString();
    }

    /** With exactly so many bits flipped. */
    private static String flipped(String hex, int bits) {
        StringBuilder flipped = new StringBuilder(hex);
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < 4 * hex.length(); i++) {
            places.add(i);
        }
        for (int place : randomSubsetOf(bits, places)) {
            int digit = Character.digit(flipped.charAt(place / 4), 16) ^ (1 << place % 4);
            flipped.setCharAt(place / 4, Character.forDigit(digit, 16));
        }
        return flipped.toString();
    }

    /** As 256 bits, which zeros in front of a shorter hash leave at the same distances. */
    private static LongHash padded(Map<String, Object> document) {
        String hash = document.get("given").toString();
        return LongHash.fromHex("0".repeat(64 - hash.length()) + hash);
    }

    private static int distance(Map<String, Object> one, Map<String, Object> other) {
        return padded(one).distance(padded(other));
    }

    private static Map<String, Object> given(String hex, String tenant) {
        Map<String, Object> document = new HashMap<>(Map.of("given", hex));
        if (tenant != null) {
            document.put("tenant", tenant);
        }
        return document;
    }

    private static BulkItemResponse[] sendTo(int node, String index, Map<String, Map<String, Object>> documents) {
        BulkRequestBuilder bulk =
                internalCluster().client(internalCluster().getNodeNames()[node]).prepareBulk();
        documents.forEach((id, source) ->
                bulk.add(new IndexRequest(index).id(id).source(source).setPipeline(PIPELINE)));
        return bulk.get(PATIENCE).getItems();
    }

    private static void forgetWindows(boolean areForgotten) {
        if (areForgotten) {
            setting("window.size", 0);
            setting("window.size", null);
        }
    }

    /** Each document is tagged with one of the nearest earlier ones of its tenant, or there are none. */
    public void testAsBruteForceTags() {
        for (int length : new int[] {64, 256}) {
            int most = randomIntBetween(3, length / 4);
            String index = "tags" + length;
            index(index, 2, randomBoolean() ? MAPPED : "{}");
            boolean isOfTenant = randomBoolean();
            hashing(this, length, "'max_distance': " + most + (isOfTenant ? ", 'same': ['tenant']" : ""));
            List<String> centres = List.of(random(length), random(length), random(length));
            Map<String, Map<String, Object>> all = new LinkedHashMap<>();
            for (int bulk = 0; bulk < 12; bulk++) {
                Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
                for (int i = randomIntBetween(1, 15); i > 0; i--) {
                    String hex = flipped(randomFrom(centres), randomIntBetween(0, most));
                    documents.put(bulk + "-" + i, given(hex, randomFrom("A", "B")));
                }
                for (BulkItemResponse item : sendTo(bulk == 0 ? 0 : randomIntBetween(0, 1), index, documents)) {
                    assertIndexed(item);
                }
                all.putAll(documents);
                if (randomBoolean()) {
                    refresh(index);
                    forgetWindows(randomBoolean());
                }
            }
            assertTagged(index, all, most, isOfTenant);
            assertAcked(client().admin().indices().prepareDelete(index));
        }
        assertNothingHeld();
    }

    private void assertTagged(String index, Map<String, Map<String, Object>> all, int most, boolean isOfTenant) {
        Map<String, Map<String, Object>> earlier = new LinkedHashMap<>();
        Map<String, String> tags = tags(index);
        int tagged = 0;
        for (String id : all.keySet()) {
            Map<String, Object> document = all.get(id);
            OptionalInt expected = earlier.values().stream()
                    .filter(other -> isOfTenant == false || other.get("tenant").equals(document.get("tenant")))
                    .mapToInt(other -> distance(document, other))
                    .filter(distance -> distance <= most)
                    .min();
            String tag = tags.get(id);
            String why = id + " within " + most + " tagged " + tag;
            assertEquals(why, expected.isPresent(), tag != null);
            if (tag != null) {
                tagged++;
                Map<String, Object> original = earlier.get(tag.substring(0, tag.indexOf(':')));
                assertEquals(why, expected.getAsInt(), distance(document, original));
                assertTrue(why, tag.replace("?", "").endsWith(":" + expected.getAsInt()));
            }
            earlier.put(id, document);
        }
        assertTrue("tagged " + tagged, tagged > 10);
    }

    /** In the window and in the index; a quarter of the bits is the most. */
    public void testEndsWithoutVerification() {
        for (int length : new int[] {64, 256}) {
            int most = length / 4;
            String index = "ends" + length;
            index(index, 2, MAPPED);
            String hash = random(length);
            hashing(this, length, "'max_distance': " + most);
            assertIndexed(send(index, "a", given(hash, null)));
            for (boolean isInIndex : new boolean[] {false, true}) {
                if (isInIndex) {
                    refresh(index);
                    forgetWindows(true);
                }
                String ends = "'verify': false, 'max_distance': " + most + ", 'action': ";
                hashing(this, length, ends + "'drop'");
                assertIndexed(send(index, "dropped", given(flipped(hash, most), null)));
                hashing(this, length, ends + "'fail'");
                BulkItemResponse refused = send(index, "refused", given(flipped(hash, most), null));
                assertEquals(RestStatus.CONFLICT, refused.getFailure().getStatus());
                assertEquals(List.of("a"), List.copyOf(stored(index).keySet()));
            }
            hashing(this, length, "'verify': false, 'action': 'drop', 'max_distance': " + (most - 1));
            assertIndexed(send(index, "farther", given(flipped(hash, most), null)));
            assertEquals(List.of("a", "farther"), List.copyOf(stored(index).keySet()));
        }
    }

    /** The pipeline tells the length of its hashes; of others, each document is looked at. */
    public void testAQuarterOfTheBitsIsTheMost() {
        for (int length : new int[] {64, 256}) {
            int most = length / 4;
            String options = "'verify': false, 'action': 'drop', 'max_distance': " + (most + 1);
            Exception refused = expectThrows(IllegalArgumentException.class, () -> hashing(this, length, options));
            assertEquals(
                    "[max_distance] must be between 0 and " + most + " with [action] [drop]"
                            + (length == 64 ? "" : " for hashes of " + length + " bits") + ", got: " + (most + 1),
                    refused.getMessage());
        }
        index(DOCS, 1, MAPPED);
        processors(
                "{'simhash': {'if': 'ctx.given.length() == 64', 'hash_field': 'given', 'hash_bits': 256, 'hash_scheme':"
                        + " 'x'}}, {'simhash': {'if': 'ctx.given.length() == 16', 'hash_field': 'given', 'hash_scheme': 'x'}},"
                        + " {'near_duplicate': {'verify': false, 'action': 'drop', 'max_distance': 64}}");
        String longer = random(256);
        String shorter = random(64);
        assertIndexed(send(DOCS, "longer", given(longer, null)));
        assertIndexed(send(DOCS, "shorter", given(shorter, null)));
        assertIndexed(send(DOCS, "dropped", given(flipped(longer, 64), null)));
        assertIndexed(send(DOCS, "near", given(flipped(shorter, 16), null)));
        assertIndexed(send(DOCS, "far", given(flipped(shorter, 24), null)));
        assertEquals(expected("longer", null, "shorter", null, "far", "shorter:24"), tags(DOCS));
    }

    /** Somebody wrote a hash past the processor, with the binary value left out: no query would find it. */
    public void testABinaryValueThatIsLeftOutIsMended() {
        index(DOCS, 1, MAPPED);
        pipeline("'max_distance': 20");
        String hash = random(256);
        assertIndexed(send(DOCS, "a", Map.of("simhash", Map.of("hash", hash, "scheme", "given-x"))));
        assertEquals(
                LongHash.fromHex(hash).toBase64(),
                ((Map<?, ?>) stored(DOCS).get("a").get("simhash")).get("bits_256"));
        setting("window.size", 0);
        assertIndexed(send(DOCS, "b", Map.of("simhash", Map.of("hash", flipped(hash, 20), "scheme", "given-x"))));
        setting("window.size", null);
        assertEquals(expected("a", null, "b", "a:20"), tags(DOCS));
    }
}
