/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.counts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurationsTests {

    @Test
    void testATimeIsBelowTheFirstBoundThatItDoesNotExceed() {
        Durations durations = Durations.ofTexts();
        durations.record(0);
        durations.record(5_000);
        durations.record(5_001);
        durations.record(1_000_000_000);
        durations.record(1_000_000_001);
        Durations.Histogram histogram = durations.histogram();
        assertEquals(0.000005, histogram.bounds().getFirst());
        assertEquals(1.0, histogram.bounds().getLast());
        assertEquals(2, histogram.counts().getFirst());
        assertEquals(1, histogram.counts().get(1));
        assertEquals(1, histogram.counts().get(histogram.bounds().size() - 1));
        assertEquals(1, histogram.counts().getLast());
        assertEquals(2_000_010_002L, durations.total());
        assertEquals(2.000010002, histogram.sum(), 1e-12);
    }

    @Test
    void testBoundsAscend() {
        for (Durations durations : List.of(Durations.ofTexts(), Durations.ofSearches(), Durations.ofJobs())) {
            List<Double> bounds = durations.histogram().bounds();
            assertEquals(bounds.stream().sorted().distinct().toList(), bounds);
            assertEquals(
                    Collections.nCopies(bounds.size() + 1, 0L),
                    durations.histogram().counts());
        }
    }

    @Test
    void testAHistogramIsWhole() {
        assertEquals(
                "[counts] must be one more than [bounds], got: 1 and 1",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new Durations.Histogram(List.of(1.0), List.of(1L), 0))
                        .getMessage());
    }
}
