/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.search.ingest.FingerprintCounts.BulkTally;
import org.opensearch.test.OpenSearchTestCase;

/** What the processors made for one bulk. */
public class BulkTallyTests extends OpenSearchTestCase {

    public void testOnlyWhatAnotherProcessorMadeInThisPlaceIsKnown() throws Exception {
        FingerprintProcessor maker = processor("title");
        FingerprintProcessor other = processor("body");
        Map<String, Object> print = Map.of("hash", "00000000000000ff", "bits", 255L, "scheme", "v2");
        List<String> place = List.of("simhash", "docs", "1");
        try (BulkTally tally = new BulkTally(bytes -> {})) {
            assertFalse(tally.isMadeByAnother(other, place, print));
            tally.made(maker, place, print);
            assertTrue(tally.isMadeByAnother(other, place, print));
            assertTrue(
                    "parsed again",
                    tally.isMadeByAnother(
                            other, place, Map.of("hash", "00000000000000ff", "bits", 255, "scheme", "v2")));
            assertFalse("a document that it carried", tally.isMadeByAnother(maker, place, print));
            assertFalse(tally.isMadeByAnother(other, List.of("simhash", "docs", "2"), print));
            assertFalse(tally.isMadeByAnother(other, place, Map.of("hash", "00000000000000fe", "scheme", "v2")));
        }
    }

    public void testItsMemoryIsAccountedUntilTheAnswer() throws Exception {
        AtomicLong memory = new AtomicLong();
        FingerprintProcessor maker = processor("title");
        try (BulkTally tally = new BulkTally(memory::addAndGet)) {
            for (int i = 0; i < 10_000; i++) {
                tally.made(maker, List.of("simhash", "docs", "" + i), Map.of("digest", "" + i));
            }
            assertTrue("got " + memory, memory.get() >= 272 * 10_000 && memory.get() <= 320 * 10_000);
        }
        assertEquals(0, memory.get());
    }

    /** Without memory each document is refused, and none waits. */
    public void testRefusedMemoryRefusesEachDocument() throws Exception {
        FingerprintProcessor maker = processor("title");
        LongConsumer ofFirst = bytes -> {
            if (bytes > 0 && bytes < 1 << 14) {
                throw new CircuitBreakingException("no more", CircuitBreaker.Durability.TRANSIENT);
            }
        };
        LongConsumer ofNone = bytes -> ofFirst.accept(Math.min(bytes, 1));
        for (int expected : List.of(92, 100)) {
            int refused = 0;
            try (BulkTally tally = new BulkTally(expected == 92 ? ofFirst : ofNone)) {
                for (int i = 0; i < 100; i++) {
                    try {
                        tally.made(maker, List.of("simhash", "docs", "" + i), Map.of("digest", "" + i));
                    } catch (CircuitBreakingException e) {
                        refused++;
                    }
                }
            }
            assertEquals(expected, refused);
        }
    }

    private static FingerprintProcessor processor(String field) throws Exception {
        var processors = AnalysisModules.processors();
        return (FingerprintProcessor) processors
                .get("simhash")
                .create(processors, null, null, new java.util.HashMap<>(Map.of("field", field)));
    }
}
