/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pair;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;
import org.opensearch.test.OpenSearchTestCase;

/** What is typed, and which pairs meet it. */
public class PairConditionsTests extends OpenSearchTestCase {

    private static Map<String, Object> map(Object... entries) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }

    private static final PairConditions ALL = PairConditions.of(
            List.of("tenant", map("field", "doi", "missing", "any")),
            "source",
            map("field", "published", "distance", "72h"));

    private static PairValues values(PairConditions conditions, Map<String, Object> document) {
        return PairValues.of(
                conditions,
                field -> listed(document.get(field)),
                field -> listed(document.get(field)).stream()
                        .mapToDouble(value -> ((Number) value).doubleValue())
                        .toArray());
    }

    private static List<?> listed(Object value) {
        return value == null ? List.of() : value instanceof List<?> list ? list : List.of(value);
    }

    private static boolean meet(PairConditions conditions, Map<String, Object> a, Map<String, Object> b) {
        boolean met = conditions.areMet(values(conditions, a), values(conditions, b));
        assertEquals(met, conditions.areMet(values(conditions, b), values(conditions, a)));
        return met;
    }

    public void testSame() {
        PairConditions own = PairConditions.of(List.of("tenant"), null, null);
        assertTrue(meet(own, map("tenant", "a"), map("tenant", "a")));
        assertFalse(meet(own, map("tenant", "a"), map("tenant", "A")));
        assertFalse(meet(own, map("tenant", "a"), map()));
        assertTrue("a missing value is a value of its own", meet(own, map(), map()));
        assertTrue(meet(own, map("tenant", List.of("a", "b")), map("tenant", List.of("b", "a", "a"))));
        assertFalse(meet(own, map("tenant", List.of("a", "b")), map("tenant", "ab")));
        assertTrue("whatever its type", meet(own, map("tenant", 1), map("tenant", 1.0)));
        assertTrue(meet(own, map("tenant", "x".repeat(9_000)), map("tenant", "x".repeat(9_000))));
        assertFalse(meet(own, map("tenant", "x".repeat(9_000)), map("tenant", "x".repeat(9_001))));
        PairConditions any = PairConditions.of(map("field", "tenant", "missing", "any"), null, null);
        assertTrue(meet(any, map("tenant", "a"), map()));
        assertFalse(meet(any, map("tenant", "a"), map("tenant", "b")));
    }

    /** Ten bytes of CBOR: two billion digits, if somebody wrote them out. */
    public void testANumberThatIsTooLongToBeWrittenOutIsComparedAsADouble() {
        PairConditions own = PairConditions.of(List.of("price"), null, null);
        BigDecimal tiny = new BigDecimal(BigInteger.ONE, 2_000_000_000);
        assertTrue(meet(own, map("price", tiny), map("price", 0)));
        assertTrue(meet(own, map("price", tiny), map("price", tiny.negate())));
        assertFalse(meet(own, map("price", tiny), map("price", 1)));
        BigDecimal huge = new BigDecimal(BigInteger.ONE, -2_000_000_000);
        assertTrue(meet(own, map("price", huge), map("price", huge)));
        assertFalse(meet(own, map("price", huge), map("price", huge.add(huge))));
        BigDecimal exact = new BigDecimal("1E-400");
        assertFalse(meet(own, map("price", exact), map("price", 0)));
        assertTrue(meet(own, map("price", exact), map("price", new BigDecimal("10.0E-401"))));
        assertTrue(meet(own, map("price", new BigDecimal("1.5").setScale(3_000)), map("price", 1.5f)));
        assertTrue(meet(own, map("price", Double.MIN_VALUE), map("price", new BigDecimal("4.9E-324"))));
    }

    public void testDiffer() {
        PairConditions differ = PairConditions.of(null, List.of("source"), null);
        assertFalse(meet(differ, map("source", "a"), map("source", "a")));
        assertTrue(meet(differ, map("source", "a"), map("source", "b")));
        assertTrue(meet(differ, map("source", "a"), map()));
        assertFalse(meet(differ, map(), map()));
    }

    public void testWithin() {
        PairConditions within = PairConditions.of(null, null, map("field", "published", "distance", "72h"));
        double day = 24 * 3_600_000;
        assertTrue(meet(within, map("published", 0), map("published", 3 * day)));
        assertFalse(meet(within, map("published", 0), map("published", 3 * day + 1)));
        assertFalse("nobody knows when it was", meet(within, map("published", 0), map()));
        assertFalse(meet(within, map(), map()));
        assertTrue("the nearest", meet(within, map("published", List.of(0, 9 * day)), map("published", 7 * day)));
        PairConditions number = PairConditions.of(null, null, map("field", "published", "distance", 0.5));
        assertTrue(meet(number, map("published", 1), map("published", 1.5)));
        assertFalse(meet(number, map("published", 1), map("published", 1.51)));
    }

    public void testAllOfThem() {
        Map<String, Object> first = map("tenant", "a", "doi", "x", "source", "s", "published", 0);
        assertTrue(meet(ALL, first, map("tenant", "a", "source", "t", "published", 5)));
        assertFalse(meet(ALL, first, map("tenant", "b", "source", "t", "published", 5)));
        assertFalse(meet(ALL, first, map("tenant", "a", "doi", "y", "source", "t", "published", 5)));
        assertFalse(meet(ALL, first, map("tenant", "a", "doi", "x", "source", "s", "published", 5)));
        assertFalse(meet(ALL, first, map("tenant", "a", "doi", "x", "source", "t", "published", 1e12)));
        assertTrue(meet(PairConditions.NONE, first, map()));
        assertEquals(List.of("tenant"), ALL.classes());
        assertEquals(List.of("tenant", "doi", "source", "published"), List.copyOf(ALL.fields()));
        assertEquals(
                List.of("doi", "source", "published"),
                List.copyOf(ALL.withoutClasses().fields()));
    }

    public void testTheyTravelAndAreShownAsTyped() throws IOException {
        for (PairConditions conditions : List.of(ALL, PairConditions.NONE)) {
            assertEquals(conditions, PairConditions.ofFormat(conditions.format()));
        }
        PairValues values = values(ALL, map("tenant", "a", "published", List.of(3, 1)));
        try (BytesStreamOutput out = new BytesStreamOutput()) {
            values.writeTo(out);
            PairValues read = new PairValues(out.bytes().streamInput());
            assertEquals(Arrays.asList("1:a", null, null), read.keys());
            assertArrayEquals(new double[] {1, 3}, read.places(), 0);
        }
        try (XContentBuilder json = JsonXContent.contentBuilder().startObject()) {
            ALL.toXContent(json, ToXContent.EMPTY_PARAMS).endObject();
            // In this order: it is in the ids of groups, which are the same on all nodes.
            assertEquals(
                    "{\"same\":[\"tenant\",{\"field\":\"doi\",\"missing\":\"any\"}],\"differ\":[\"source\"],"
                            + "\"within\":{\"field\":\"published\",\"distance\":\"72h\"}}",
                    json.toString());
        }
    }

    public void testWrongConditionsNameOptionRuleAndValue() {
        String same = "[same] must be a list of names of fields, or of objects with [field] and [missing]";
        assertRefused(same + ", got: 1", 1, null, null);
        assertRefused(same + ", got: {}", map(), null, null);
        assertRefused(same + ", got: [t]", List.of(List.of("t")), null, null);
        assertRefused(same + ", got: null", Arrays.asList("t", null), null, null);
        assertRefused(same + ", got: {field=a, mising=any}", map("field", "a", "mising", "any"), null, null);
        assertRefused(
                "[missing] of [same] must be one of [any, own], got: all",
                map("field", "a", "missing", "all"),
                null,
                null);
        assertRefused("[differ] must be a list of names of fields, got: {field=a}", null, map("field", "a"), null);
        assertRefused("[differ] must name other fields than [same], got in both: a", "a", "a", null);
        String within = "[within] must be an object with [field] and [distance]";
        assertRefused(within + ", got: 72h", null, null, "72h");
        assertRefused(within + ", got: {distance=72h}", null, null, map("distance", "72h"));
        String distance =
                "[distance] of [within] must be a number, or a time with its unit, as in 72h, and not negative";
        for (Object wrong : List.of("-1", -1, "72 hours", "1e999", "NaN", "", "Infinity", List.of(1))) {
            assertRefused(distance + ", got: " + wrong, null, null, map("field", "a", "distance", wrong));
        }
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            many.add("f" + i);
        }
        assertRefused("[same] and [differ] together must have at most 16 fields, got: 17", many, null, null);
        PairConditions.Within days = PairConditions.of(null, null, map("field", "a", "distance", "3d"))
                .within();
        assertEquals(3 * 24 * 3_600_000.0, days.maxDifference(), 0);
        days.requireType(true, false, "date");
        assertEquals(
                "[distance] of [within] must be a number for [a] of type [long], got: 3d",
                expectThrows(IllegalArgumentException.class, () -> days.requireType(false, true, "long"))
                        .getMessage());
        PairConditions.Within three =
                PairConditions.of(null, null, map("field", "a", "distance", 3)).within();
        three.requireType(false, true, "long");
        assertEquals(
                "[distance] of [within] must be a time with its unit, as in 72h, for [a] of type [date], got: 3",
                expectThrows(IllegalArgumentException.class, () -> three.requireType(true, false, "date"))
                        .getMessage());
        assertEquals(
                "[within] must name a date or a number, but [a] is of type [keyword]",
                expectThrows(IllegalArgumentException.class, () -> three.requireType(false, false, "keyword"))
                        .getMessage());
    }

    private static void assertRefused(String message, Object same, Object differ, Object within) {
        assertEquals(
                message,
                expectThrows(IllegalArgumentException.class, () -> PairConditions.of(same, differ, within))
                        .getMessage());
    }
}
