/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A group of 65,000 documents of which all but some are rejected is read in steps, not in steps times steps. */
class LargeRejectionTests {

    private static final int MEMBERS = 65_000;
    private static final int REJECTED = MEMBERS - 10;

    private final AtomicLong reads = new AtomicLong();

    private static Map<String, Object> document(int number) {
        return Map.of("index", "docs", "id", "member-" + number, "fingerprint", "digest:" + number);
    }

    private final List<Object> rejected = new AbstractList<>() {
        @Override
        public Object get(int number) {
            assertTrue(reads.incrementAndGet() <= 2L * MEMBERS, "more reads than steps");
            return "member-" + (number + 1);
        }

        @Override
        public int size() {
            return REJECTED;
        }
    };

    private final Map<String, Object> group = Map.of(
            "survivor",
            document(0),
            "members",
            IntStream.rangeClosed(1, MEMBERS)
                    .mapToObj(LargeRejectionTests::document)
                    .toList(),
            "decision",
            "accepted",
            "rejected",
            rejected,
            "parameters",
            Map.of("field", "simhash"));

    @Test
    void testItsPairsAreFoundInOneStepEach() {
        List<RejectedPair> pairs = RejectedPair.of(group);
        assertEquals(REJECTED, pairs.size());
        assertEquals("member-1", pairs.getFirst().member().id());
        assertEquals("member-" + REJECTED, pairs.getLast().member().id());
    }

    @Test
    void testItsRestIsKnownInOneStepEach() {
        assertNotNull(GroupDocument.versionsWithoutRejected(group));
    }
}
