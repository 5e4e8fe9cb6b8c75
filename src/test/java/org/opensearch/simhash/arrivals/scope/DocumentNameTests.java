/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.scope;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.test.OpenSearchTestCase;

public class DocumentNameTests extends OpenSearchTestCase {

    private static final int BITS = 14;

    /** All strings of such blocks have one hash code. */
    private static String colliding(int number) {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < BITS; i++) {
            id.append((number >>> i & 1) == 0 ? "Aa" : "BB");
        }
        return id.toString();
    }

    private static List<DocumentName> names(boolean collide) {
        return IntStream.range(0, 1 << BITS)
                .mapToObj(i -> new DocumentName("docs", collide ? colliding(i) : colliding(0) + i, null))
                .toList();
    }

    private static long nanos(List<DocumentName> names) {
        long began = System.nanoTime();
        Map<DocumentName, Integer> byName = new HashMap<>();
        for (DocumentName name : names) {
            assertNull(byName.put(name, 1));
        }
        for (DocumentName name : names) {
            assertNotNull(byName.get(name));
        }
        return System.nanoTime() - began;
    }

    /** Without an order of names it takes a thousand times as long. */
    public void testMapsOfNamesStayFastWhateverTheIds() {
        assumeTrue("of the night: times are compared", Rounds.NIGHT);
        List<DocumentName> colliding = names(true);
        assertEquals(
                1,
                colliding.stream().mapToInt(DocumentName::hashCode).distinct().count());
        List<DocumentName> others = names(false);
        long best = Long.MAX_VALUE;
        long bestOfOthers = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            best = Math.min(best, nanos(colliding));
            bestOfOthers = Math.min(bestOfOthers, nanos(others));
        }
        assertTrue(best + " against " + bestOfOthers + " ns", best < 100 * bestOfOthers);
    }

    public void testTheOrderIsThatOfEquality() {
        DocumentName plain = new DocumentName("docs", "1", null);
        DocumentName routed = new DocumentName("docs", "1", "r");
        DocumentName elsewhere = new DocumentName("other", "1", null);
        for (DocumentName one : List.of(plain, routed, elsewhere)) {
            for (DocumentName other : List.of(plain, routed, elsewhere)) {
                assertEquals(one.equals(other), one.compareTo(other) == 0);
                assertEquals(Integer.signum(one.compareTo(other)), -Integer.signum(other.compareTo(one)));
            }
        }
    }
}
