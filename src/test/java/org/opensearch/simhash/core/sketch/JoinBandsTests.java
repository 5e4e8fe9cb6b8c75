/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pairs of the least similarity are compared in a band, all but one in a million. */
class JoinBandsTests {

    private static final int PAIRS = 500_000;

    /** The bound allows half a pair, so that four are improbable. */
    @ParameterizedTest
    @CsvSource({"0.3, 128", "0.5, 128", "0.69, 128", "0.8, 128", "0.95, 128", "0.69, 64", "0.8, 256"})
    void testFewPairsAreMissed(double similarity, int permutations) {
        JoinBands bands = JoinBands.of(similarity, permutations);
        SplittableRandom random = new SplittableRandom(7);
        boolean[] agrees = new boolean[permutations];
        int missed = 0;
        for (int pair = 0; pair < PAIRS; pair++) {
            for (int i = 0; i < permutations; i++) {
                agrees[i] = random.nextDouble() < similarity + (1 - similarity) / 256;
            }
            missed += isCompared(bands, agrees) ? 0 : 1;
        }
        assertTrue(missed < 4, missed + " missed with " + bands);
    }

    private static boolean isCompared(JoinBands bands, boolean[] agrees) {
        for (int band = 0; band < bands.count(); band++) {
            boolean isShared = true;
            for (int i = 0; i < bands.length() && isShared; i++) {
                isShared = agrees[band * bands.length() + i];
            }
            boolean isChecked = bands.isChecked() == false;
            for (int i = 0; i < JoinBands.CHECKED && isChecked == false; i++) {
                isChecked = agrees[bands.checked(band) + i];
            }
            if (isShared && isChecked) {
                return true;
            }
        }
        return false;
    }

    @Test
    void testBandsAreWithinTheSketchAndChecksOutsideOfTheBand() {
        for (int permutations = 4; permutations <= 512; permutations++) {
            for (double similarity = 0.1; similarity < 1; similarity += 0.07) {
                JoinBands bands = JoinBands.of(similarity, permutations);
                assertTrue(bands.count() * bands.length() <= permutations, bands.toString());
                for (int band = 0; band < bands.count() && bands.isChecked(); band++) {
                    int begin = band * bands.length();
                    int checked = bands.checked(band);
                    assertTrue(checked >= 0 && checked + JoinBands.CHECKED <= permutations, bands.toString());
                    assertTrue(
                            checked >= begin + bands.length() || checked + JoinBands.CHECKED <= begin,
                            "band " + band + " of " + bands);
                }
            }
        }
    }

    @Test
    void testLikelierPairsHaveLongerAndFewerBands() {
        assertEquals(new JoinBands(8, JoinBands.of(0.97, 128).count(), 128), JoinBands.of(0.97, 128));
        assertTrue(JoinBands.of(0.9, 128).length() > JoinBands.of(0.6, 128).length());
        assertEquals(1, JoinBands.of(0.05, 128).length());
    }
}
