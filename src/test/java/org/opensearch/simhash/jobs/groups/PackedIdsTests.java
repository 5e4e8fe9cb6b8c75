/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.index.mapper.Uid;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.jobs.groups.DocumentTable.PackedIds;

class PackedIdsTests {

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());

    @Test
    void testKeepsIdsOfAllLengthsInAnyOrder() {
        String[] ids = new String[5_000];
        AtomicLong memory = new AtomicLong();
        PackedIds packed = new PackedIds(ids.length, memory::addAndGet);
        for (int i = 0; i < ids.length; i++) {
            int position = (int) (i * 2_003L % ids.length);
            String text = "x".repeat(random.nextInt(random.nextBoolean() ? 500 : 20));
            ids[position] = random.nextBoolean() ? "" + random.nextInt(Integer.MAX_VALUE) : "ü" + text;
            assertFalse(packed.has(position));
            packed.put(position, Uid.encodeId(ids[position]));
            assertTrue(packed.has(position));
        }
        for (int position = 0; position < ids.length; position++) {
            assertEquals(ids[position], packed.get(position));
        }
        assertTrue(memory.get() > 0);
    }

    @Test
    void testNumbersTakeElevenBytes() {
        int count = 100_000;
        AtomicLong memory = new AtomicLong();
        PackedIds packed = new PackedIds(count, memory::addAndGet);
        for (int i = 0; i < count; i++) {
            packed.put(i, Uid.encodeId("" + (10_000_000 + i)));
        }
        assertTrue(memory.get() <= 11L * count, memory.get() / (double) count + " bytes each");
    }
}
