/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SegmentLayoutTests {

    @Test
    void testFourSegmentsAreTheFourGroupsOfFourDigits() {
        assertArrayEquals(
                new String[] {"9f2c", "4d00", "11aa", "22bb"}, new SegmentLayout(4).terms(0x9f2c4d0011aa22bbL));
    }

    @Test
    void testSixSegmentsAreElevenAndTenBitsWide() {
        assertArrayEquals(new String[] {"7ff", "7ff", "7ff", "7ff", "3ff", "3ff"}, new SegmentLayout(6).terms(-1L));
        assertArrayEquals(new String[] {"000", "000", "000", "000", "000", "001"}, new SegmentLayout(6).terms(1L));
    }

    @Test
    void testTheSegmentsAreTheWholeFingerprintMostSignificantFirst() {
        SplittableRandom random = new SplittableRandom(1);
        for (int count = SegmentLayout.MIN; count <= SegmentLayout.MAX; count++) {
            SegmentLayout layout = new SegmentLayout(count);
            for (int n = 0; n < 1000; n++) {
                long fingerprint = random.nextLong();
                long joined = 0;
                int width = 0;
                for (int i = 0; i < count; i++) {
                    joined |= layout.value(fingerprint, i) << layout.shift(i);
                    width += layout.width(i);
                    assertEquals(
                            layout.digits(i),
                            layout.term(layout.value(fingerprint, i), i).length());
                }
                assertEquals(fingerprint, joined);
                assertEquals(64, width);
            }
        }
    }

    @Test
    void testOtherCountsAreRefused() {
        for (int count : new int[] {1, 9}) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> new SegmentLayout(count));
            assertEquals("[segments] must be between 2 and 8, got: " + count, e.getMessage());
        }
    }
}
