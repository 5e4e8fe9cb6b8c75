/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.test.OpenSearchTestCase;

public class RecentTextsTests extends OpenSearchTestCase {

    private final AtomicLong memory = new AtomicLong();

    private static Map<String, Object> document(String text) {
        return Map.of("content", text, "other", Map.of("language", "en"));
    }

    public void testKeepsWhatIsAskedForAndTheLastOnes() {
        RecentTexts texts = new RecentTexts(memory::addAndGet, 100_000);
        for (int i = 0; i < 1000; i++) {
            texts.put(i, document("x".repeat(1000) + i), List.of("content", "other.language", "missing"));
        }
        assertNull(texts.get(0));
        assertEquals(Map.of("content", "x".repeat(1000) + 999, "other.language", "en"), texts.get(999));
        assertTrue("" + memory.get(), memory.get() > 0 && memory.get() <= 1 << 19);
        texts.forgetBefore(999);
        assertNull(texts.get(998));
        assertNotNull(texts.get(999));
        texts.forgetBefore(1000);
        assertNull(texts.get(999));
        assertEquals(0, memory.get());
    }

    public void testEqualTextsAreKeptOnce() {
        RecentTexts texts = new RecentTexts(memory::addAndGet, 400_000);
        for (int i = 0; i < 5_000; i++) {
            texts.put(i, document("x".repeat(1000) + i % 5), List.of("content"));
        }
        assertEquals(Map.of("content", "x".repeat(1000) + 0), texts.get(0));
        assertSame(texts.get(1), texts.get(4_996));
        assertTrue("" + memory.get(), memory.get() <= 1 << 19);
        texts.forgetBefore(4_999);
        assertNull(texts.get(4_996));
        assertEquals(Map.of("content", "x".repeat(1000) + 4), texts.get(4_999));
        texts.put(5_000, document("y"), List.of("content"));
        texts.put(5_001, document("y"), List.of("other.language"));
        assertEquals(Map.of("content", "y"), texts.get(5_000));
        assertEquals(Map.of("other.language", "en"), texts.get(5_001));
        texts.forgetBefore(6_000);
        assertEquals(0, memory.get());
    }

    /** Other processors may still change the document, on another thread. */
    public void testKeepsTextsAsTheyWereWhateverBecomesOfTheDocument() {
        RecentTexts texts = new RecentTexts(memory::addAndGet, 1 << 20);
        List<Object> pages = new ArrayList<>(List.of("one", List.of("two", 3)));
        texts.put(1, Map.of("content", pages), List.of("content"));
        pages.set(0, "x".repeat(1 << 21));
        assertEquals("one\ntwo\n3", DocumentTexts.text("content", texts.get(1)));
        texts.put(2, Map.of("content", pages), List.of("content"));
        assertNull("larger than all may be", texts.get(2));
        assertNotNull("and drives out no other", texts.get(1));
        Map<String, Object> object = Map.of("content", Map.of("a", 1));
        expectThrows(IllegalArgumentException.class, () -> texts.put(3, object, List.of("content")));
    }

    public void testATextThatDoesNotFitIsNotKept() {
        RecentTexts texts = new RecentTexts(memory::addAndGet, 100);
        texts.put(1, document("x".repeat(1000)), List.of("content"));
        assertNull(texts.get(1));
        assertEquals(0, memory.get());
    }

    public void testRefusedMemoryIsNoFailure() {
        RecentTexts texts = new RecentTexts(
                bytes -> {
                    throw new CircuitBreakingException("full", CircuitBreaker.Durability.TRANSIENT);
                },
                100_000);
        texts.put(1, document("x"), List.of("content"));
        assertNull(texts.get(1));
    }
}
