/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.opensearch.OpenSearchParseException;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;

/** Conditions on a document and its original: before and after a refresh, in one bulk, on two nodes. */
public class ConditionsClusterTests extends NearDuplicateClusterTestCase {

    private static final String TENANT = "'same': ['tenant']";

    /** {@code -Dconditions.rounds=250} for two thousand bulks, on {@code -Dcluster.nodes=3}. */
    private static final int ROUNDS = Rounds.of("conditions.rounds", 6, 250);

    private static final int BULKS = 8;

    private static int anyNode() {
        return randomIntBetween(0, internalCluster().size() - 1);
    }

    /** With dates of ISO 8601, and of another format. */
    private void mapped(String index) {
        index(index, 2);
        assertAcked(client().admin()
                .indices()
                .preparePutMapping(index)
                .setSource(
                        "tenant",
                        "type=keyword",
                        "doi",
                        "type=keyword",
                        "source",
                        "type=keyword",
                        "published",
                        "type=date,format=epoch_second",
                        "price",
                        "type=long"));
    }

    private static Map<String, Object> document(long bits, Object... fields) {
        Map<String, Object> document = new HashMap<>(print(bits));
        for (int i = 0; i < fields.length; i += 2) {
            if (fields[i + 1] != null) {
                document.put((String) fields[i], fields[i + 1]);
            }
        }
        return document;
    }

    private static Map<String, Object> of(String tenant) {
        return document(0b1, "tenant", tenant);
    }

    private static BulkItemResponse sendTo(int node, String id, Map<String, Object> source) {
        return sendAll(node, DOCS, Map.of(id, source))[0];
    }

    private static BulkItemResponse[] sendAll(int node, String index, Map<String, Map<String, Object>> documents) {
        String[] nodes = internalCluster().getNodeNames();
        BulkRequestBuilder bulk =
                internalCluster().client(nodes[node % nodes.length]).prepareBulk();
        documents.forEach((id, source) ->
                bulk.add(new IndexRequest(index).id(id).source(source).setPipeline(PIPELINE)));
        return bulk.get(PATIENCE).getItems();
    }

    public void testInOneBulk() {
        index(DOCS, 2);
        pipeline(TENANT);
        assertIndexed(
                send(DOCS, ordered("a", of("A"), "b", of("B"), "none", of(null), "a2", of("A"), "none2", of(null))));
        assertEquals(expected("a", null, "b", null, "none", null, "a2", "a:0?", "none2", "none:0?"), tags(DOCS));
    }

    /** Ten bytes of CBOR are a number of two billion digits, which no heap holds. */
    public void testANumberOfBillionsOfDigitsInABulk() throws IOException {
        index(DOCS, 2, "{'properties':{'weight':{'type':'double'}}}");
        for (String field : List.of("weight", "unmapped")) {
            pipeline("'same': ['" + field + "']");
            Map<String, Object> tiny = document(0b1, field, new BigDecimal(BigInteger.ONE, 2_000_000_000));
            BulkRequestBuilder bulk = node().prepareBulk();
            for (String id : List.of("a", "b")) {
                bulk.add(new IndexRequest(DOCS)
                        .id(field + id)
                        .source(tiny, XContentType.CBOR)
                        .setPipeline(PIPELINE));
            }
            assertIndexed(bulk.get(PATIENCE));
            assertIndexed(sendTo(0, field + "one", document(0b1, field, 1)));
        }
        assertEquals(
                expected(
                        "weighta",
                        null,
                        "weightb",
                        "weighta:0?",
                        "weightone",
                        null,
                        "unmappeda",
                        null,
                        "unmappedb",
                        "unmappeda:0?",
                        "unmappedone",
                        null),
                tags(DOCS));
    }

    public void testBeforeAndAfterARefreshAndOnBothNodes() {
        mapped(DOCS);
        pipeline("'same': [{'field': 'tenant', 'missing': 'any'}]");
        assertIndexed(sendTo(0, "a", of("A")));
        assertIndexed(sendTo(1, "b", of("B")));
        assertIndexed(sendTo(1, "a2", of("A")));
        refresh(DOCS);
        assertIndexed(sendTo(1, "b2", of("B")));
        assertIndexed(sendTo(0, "c", of("C")));
        assertIndexed(sendTo(0, "any", of(null)));
        assertEquals(expected("a", null, "b", null, "a2", "a:0", "b2", "b:0", "c", null, "any", "a:0"), tags(DOCS));
    }

    /** The nearest documents of the window and of the index are of others. */
    public void testManyOfOthersDoNotCrowdOutOnesOwn() {
        mapped(DOCS);
        pipeline("'same': ['tenant'], 'max_distance': 3");
        assertIndexed(sendTo(0, "own", document(0b111, "tenant", "own")));
        Map<String, Map<String, Object>> others = new LinkedHashMap<>();
        for (int i = 0; i < 300; i++) {
            others.put("other" + i, of("other" + i));
        }
        assertIndexed(send(DOCS, others));
        assertIndexed(sendTo(0, "window", of("own")));
        assertIndexed(sendTo(1, "peers", document(0b111, "tenant", "own")));
        refresh(DOCS);
        setting("window.time", "0s");
        assertIndexed(sendTo(0, "index", of("own")));
        pipeline("'differ': ['tenant'], 'max_distance': 3");
        assertIndexed(sendTo(0, "differs", document(0b111, "tenant", "own")));
        setting("window.time", null);
        Map<String, String> tags = tags(DOCS);
        assertEquals("own:2", tags.get("window"));
        assertEquals("own:0", tags.get("peers"));
        assertNotNull(tags.get("index"));
        assertTrue(tags.get("index"), List.of("window:0", "own:2").contains(tags.get("index")));
        assertTrue(tags.get("differs"), tags.get("differs").startsWith("other"));
        assertNull(tags.get("other0"));
    }

    public void testOnlyAcrossSourcesAndWithinATime() {
        index(DOCS, 1);
        pipeline("'differ': ['source'], 'within': {'field': 'published', 'distance': '1h'}");
        assertIndexed(sendTo(0, "a", document(1, "source", "x", "published", "2026-01-01T10:00:00Z")));
        assertIndexed(sendTo(0, "same", document(1, "source", "x", "published", "2026-01-01T10:00:00Z")));
        assertIndexed(sendTo(1, "late", document(1, "source", "y", "published", "2026-01-01T11:00:01Z")));
        assertIndexed(sendTo(1, "near", document(1, "source", "z", "published", "2026-01-01T11:00:00+00:00")));
        assertIndexed(sendTo(1, "undated", document(1, "source", "w")));
        Map<String, String> tags = tags(DOCS);
        assertEquals("late:0", tags.remove("near").replace("a:0", "late:0"));
        assertEquals(expected("a", null, "same", null, "late", null, "undated", null), tags);
        BulkItemResponse refused = sendTo(0, "no-date", document(1, "source", "x", "published", "soon"));
        assertEquals(RestStatus.BAD_REQUEST, refused.getFailure().getStatus());
        assertTrue(
                refused.getFailureMessage(),
                refused.getFailureMessage().contains("[published] of [within] must be a date, got: soon"));
    }

    /** What the stored version says counts, not what was found. */
    public void testADocumentThatMovedToAnotherTenant() {
        mapped(DOCS);
        pipeline("'same': ['tenant'], 'action': 'drop'");
        assertIndexed(sendTo(0, "a", of("A")));
        refresh(DOCS);
        assertIndexed(sendTo(randomIntBetween(0, 1), "a", of("B")));
        assertIndexed(sendTo(randomIntBetween(0, 1), "onlyA", of("A")));
        assertIndexed(sendTo(randomIntBetween(0, 1), "b", of("B")));
        assertEquals(expected("a", null, "onlyA", null), tags(DOCS));
    }

    public void testTwoProcessorsWithOtherConditions() {
        index(DOCS, 1);
        processors("{'near_duplicate': {'differ': ['source'], 'target_field': 'across'}},"
                + "{'near_duplicate': {'same': ['tenant'], 'action': 'drop'}}");
        assertIndexed(sendTo(0, "a", document(1, "tenant", "A", "source", "x")));
        assertIndexed(sendTo(0, "b", document(1, "tenant", "B", "source", "y")));
        assertIndexed(sendTo(0, "a2", document(1, "tenant", "A", "source", "z")));
        Map<String, Map<String, Object>> stored = stored(DOCS);
        assertEquals(List.of("a", "b"), List.copyOf(stored.keySet()));
        assertNull(stored.get("a").get("across"));
        assertEquals("a", ((Map<?, ?>) stored.get("b").get("across")).get("id"));
    }

    private static final List<String> CONDITIONS = List.of(
            "'same': ['tenant']",
            "'same': ['tenant', {'field': 'doi', 'missing': 'any'}]",
            "'differ': ['source']",
            "'within': {'field': 'published', 'distance': '3h'}",
            "'within': {'field': 'price', 'distance': 2}",
            "'same': ['tenant'], 'differ': ['source'], 'within': {'field': 'published', 'distance': '5h'}");

    private static PairConditions conditions(int which) {
        return switch (which) {
            case 0 -> PairConditions.of(List.of("tenant"), null, null);
            case 1 -> PairConditions.of(List.of("tenant", Map.of("field", "doi", "missing", "any")), null, null);
            case 2 -> PairConditions.of(null, List.of("source"), null);
            case 3 -> PairConditions.of(null, null, Map.of("field", "published", "distance", "3h"));
            case 4 -> PairConditions.of(null, null, Map.of("field", "price", "distance", 2));
            default ->
                PairConditions.of(List.of("tenant"), List.of("source"), Map.of("field", "published", "distance", "5h"));
        };
    }

    private Map<String, Object> random(long[] texts) {
        return document(
                randomFrom(texts) ^ (1L << randomIntBetween(0, 4)),
                "tenant",
                randomFrom("A", "B", null),
                "doi",
                randomFrom(Arrays.<Object>asList("x", List.of("x", "y"), List.of("y", "x"), null)),
                "source",
                randomFrom(Arrays.<Object>asList("p", "q", List.of("p", "q"), null)),
                "published",
                randomFrom(Arrays.<Object>asList(1_000_000_000 + randomIntBetween(0, 12) * 3600, null)),
                "price",
                randomFrom(
                        Arrays.<Object>asList(randomIntBetween(0, 9), String.valueOf(randomIntBetween(0, 9)), null)));
    }

    private static long randomFrom(long[] texts) {
        return texts[randomIntBetween(0, texts.length - 1)];
    }

    private static boolean isPair(PairConditions conditions, Map<String, Object> a, Map<String, Object> b) {
        return conditions.areMet(values(conditions, a), values(conditions, b));
    }

    private static PairValues values(PairConditions conditions, Map<String, Object> document) {
        return PairValues.of(
                conditions,
                field -> document.get(field) == null
                        ? List.of()
                        : document.get(field) instanceof List<?> list ? list : List.of(document.get(field)),
                field -> document.get(field) == null
                        ? new double[0]
                        : new double[] {
                            Double.parseDouble(document.get(field).toString())
                                    * (field.equals("published") ? 1000.0 : 1)
                        });
    }

    private static long bits(Map<String, Object> document) {
        return Long.parseUnsignedLong((String) ((Map<?, ?>) document.get("simhash")).get("hash"), 16);
    }

    private static OptionalInt nearest(
            PairConditions conditions, Map<String, Object> document, Map<String, Map<String, Object>> earlier) {
        return earlier.values().stream()
                .filter(other -> isPair(conditions, document, other))
                .mapToInt(other -> Long.bitCount(bits(document) ^ bits(other)))
                .filter(distance -> distance <= 3)
                .min();
    }

    /** Each document is tagged with one of the nearest earlier ones that meet the conditions, or there are none. */
    public void testAsBruteForceTags() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            int which = round % CONDITIONS.size();
            PairConditions conditions = conditions(which);
            String index = "tags" + round;
            mapped(index);
            pipeline("'max_distance': 3, " + CONDITIONS.get(which));
            long[] texts = {randomLong(), randomLong(), randomLong()};
            Map<String, Map<String, Object>> all = new LinkedHashMap<>();
            for (int bulk = 0; bulk < BULKS; bulk++) {
                Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
                for (int i = randomIntBetween(1, 12); i > 0; i--) {
                    documents.put(bulk + "-" + i, random(texts));
                }
                for (BulkItemResponse item : sendAll(anyNode(), index, documents)) {
                    assertIndexed(item);
                }
                all.putAll(documents);
                if (randomBoolean()) {
                    refresh(index);
                }
            }
            Map<String, Map<String, Object>> earlier = new LinkedHashMap<>();
            Map<String, String> tags = tags(index);
            all.forEach((id, document) -> {
                OptionalInt expected = nearest(conditions, document, earlier);
                String why = id + " " + document + " by " + CONDITIONS.get(which) + " among " + earlier;
                String tag = tags.get(id);
                assertEquals(why, expected.isPresent(), tag != null);
                if (tag != null) {
                    Map<String, Object> original = earlier.get(tag.substring(0, tag.indexOf(':')));
                    assertNotNull(why, original);
                    assertTrue(tag + " of " + why, isPair(conditions, document, original));
                    assertEquals(why, expected.getAsInt(), Long.bitCount(bits(document) ^ bits(original)));
                }
                earlier.put(id, document);
            });
            assertAcked(client().admin().indices().prepareDelete(index));
        }
    }

    /** Nothing is dropped, unless a document that meets the conditions is stored and near; also if it is written again. */
    public void testAnOnlyCopyIsNeverDropped() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            int which = round % CONDITIONS.size();
            PairConditions conditions = conditions(which);
            String index = "drops" + round;
            mapped(index);
            pipeline("'max_distance': 3, 'action': 'drop', " + CONDITIONS.get(which));
            long[] texts = {randomLong(), randomLong()};
            int dropped = 0;
            for (int bulk = 0; bulk < 20; bulk++) {
                Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
                Map<String, Map<String, Object>> before = new HashMap<>();
                for (int i = randomIntBetween(1, 8); i > 0; i--) {
                    documents.put("id" + randomIntBetween(0, 60), random(texts));
                }
                List<BulkItemResponse> items = new ArrayList<>(List.of(sendAll(anyNode(), index, documents)));
                for (BulkItemResponse item : items) {
                    assertIndexed(item);
                    if (item.getResponse().getResult() == Result.NOOP) {
                        if (before.isEmpty()) {
                            before.putAll(stored(index));
                        }
                        Map<String, Object> document = documents.get(item.getId());
                        assertTrue(
                                item.getId() + " " + document + " by " + CONDITIONS.get(which),
                                nearest(conditions, document, before).isPresent());
                        dropped++;
                    }
                }
                if (randomInt(3) == 0) {
                    refresh(index);
                }
            }
            assertTrue("nothing dropped by " + CONDITIONS.get(which), dropped > 0);
            assertAcked(client().admin().indices().prepareDelete(index));
        }
    }

    public void testFieldsThatCannotBeComparedAreRefused() {
        index("known", 1);
        assertAcked(client().admin()
                .indices()
                .preparePutMapping("known")
                .setSource("text", "type=text", "n", "type=long", "date", "type=date", "in", "type=nested"));
        Map<String, String> wrong = Map.of(
                "'same': ['text']",
                "[same] must name fields with doc values of keywords, numbers, dates, booleans or addresses, but [text] is of type [text]",
                "'same': ['tenant']",
                "[same] must name mapped fields, but [tenant] is not mapped in [known]",
                "'differ': ['in.a']",
                "[differ] must name fields of the documents themselves, but [in.a] is in [in] of type [nested]",
                "'within': {'field': 'date', 'distance': 3}",
                "[distance] of [within] must be a time with its unit, as in 72h, for [date] of type [date], got: 3",
                "'within': {'field': 'n', 'distance': '3d'}",
                "[distance] of [within] must be a number for [n] of type [long], got: 3d",
                "'within': {'field': 'text', 'distance': '3d'}",
                "[within] must name a date or a number, but [text] is of type [text]");
        wrong.forEach((options, message) -> {
            Exception atPut =
                    expectThrows(OpenSearchParseException.class, () -> pipeline("'index': 'known', " + options));
            assertTrue(atPut.getMessage(), atPut.getMessage().contains(message));
            pipeline(options);
            if (options.contains("tenant")) {
                assertIndexed(sendAll(0, "known", Map.of("a", document(1)))[0]);
                refresh("known");
            }
            BulkItemResponse item = sendAll(0, "known", Map.of("b", document(1)))[0];
            assertTrue(options, item.isFailed());
            assertEquals(RestStatus.BAD_REQUEST, item.getFailure().getStatus());
            assertTrue(item.getFailureMessage(), item.getFailureMessage().contains(message));
        });
        pipeline("'index': 'unknown', 'same': ['tenant']");
    }

    /** An index behind the alias has the field elsewhere in its sources. */
    private void withAnOlderIndex(String alias, String older, String newer, String option) {
        index(
                older,
                1,
                "{'properties':{'meta':{'properties':{'source':{'type':'keyword'}}},"
                        + "'source':{'type':'alias','path':'meta.source'}}}");
        index(newer, 1, "{'properties':{'source':{'type':'keyword'}}}");
        assertAcked(client().admin()
                .indices()
                .prepareAliases()
                .addAlias(older, alias)
                .addAliasAction(IndicesAliasesRequest.AliasActions.add()
                        .index(newer)
                        .alias(alias)
                        .writeIndex(true)));
        client().prepareIndex(older)
                .setId("original")
                .setSource(document(0b1, "meta", Map.of("source", "A")))
                .get();
        refresh(older);
        pipeline(option);
    }

    public void testNothingIsDroppedForASourceThatAnotherIndexHasElsewhere() {
        withAnOlderIndex("across", "across-1", "across-2", "'differ': ['source'], 'action': 'drop'");
        Map<String, Object> same = document(0b1, "source", "A");
        assertIndexed(sendAll(0, "across", Map.of("a", same, "far", document(~0L, "source", "A"))));
        assertIndexed(sendAll(0, "across", Map.of("one", same)));
        assertEquals(expected("a", null, "far", null, "one", null), tags("across-2"));
        assertIndexed(sendAll(0, "across", Map.of("b", document(0b1, "source", "B"))));
        assertEquals(expected("a", null, "far", null, "one", null), tags("across-2"));
    }

    public void testADuplicateInAnIndexThatHasTheFieldElsewhereIsTagged() {
        withAnOlderIndex("within", "within-1", "within-2", "'same': ['source']");
        assertIndexed(sendAll(0, "within", Map.of("one", document(0b11, "source", "A"))));
        assertIndexed(sendAll(
                0, "within", ordered("far", document(~0L, "source", "A"), "other", document(0b1, "source", "B"))));
        assertIndexed(
                sendAll(0, "within", ordered("b", document(~1L, "source", "A"), "a", document(0b1, "source", "A"))));
        assertEquals(
                expected("one", "original:1", "far", null, "other", null, "b", "far:1", "a", "original:0"),
                tags("within-2"));
    }

    private static void assertIndexed(BulkItemResponse[] items) {
        for (BulkItemResponse item : items) {
            assertIndexed(item);
        }
    }

    /** Dynamic strings are texts with a keyword. */
    public void testDynamicFields() {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(DOCS)
                .setSettings(Settings.builder().put("index.number_of_replicas", 0)));
        pipeline("'same': ['meta.tenant'], 'verify': false, 'action': 'drop'");
        Map<String, Object> a = document(1, "meta", Map.of("tenant", "A"));
        Map<String, Object> b = document(1, "meta.tenant", "B");
        assertIndexed(sendTo(0, "a", a));
        assertIndexed(sendTo(0, "b", b));
        refresh(DOCS);
        assertIndexed(sendTo(1, "a2", a));
        assertIndexed(sendTo(1, "b2", b));
        assertEquals(expected("a", null, "b", null), tags(DOCS));
    }
}
