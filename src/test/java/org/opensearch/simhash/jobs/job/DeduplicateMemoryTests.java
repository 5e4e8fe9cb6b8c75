/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

/** Jobs have room for some fingerprints at a time. */
class DeduplicateMemoryTests {

    @Test
    void testSomeFingerprintsHaveToFit() {
        for (String value : new String[] {"0", "1kb", "16383b", "0%"}) {
            Exception e = assertThrows(IllegalArgumentException.class, () -> bytes(value), value);
            String shown = e.getMessage();
            assertEquals(
                    "[plugins.simhash.deduplicate.memory] must be at least 16kb, got: ",
                    shown.substring(0, shown.indexOf(": ") + 2),
                    shown);
        }
        assertEquals(16 << 10, bytes("16kb"));
        assertEquals(1 << 20, bytes("1mb"));
    }

    private static long bytes(String value) {
        return DeduplicateMemory.ALLOWANCE
                .get(Settings.builder()
                        .put(DeduplicateMemory.ALLOWANCE.getKey(), value)
                        .build())
                .getBytes();
    }
}
