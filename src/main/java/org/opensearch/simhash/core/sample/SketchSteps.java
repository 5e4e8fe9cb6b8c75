/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

import java.util.Arrays;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.sketch.SketchWords;

/**
 * Sketches by their estimated similarity, from 1 down to 0.3 in steps of 0.05. A value has the {@link SketchWords} of a sketch.
 *
 * <p>Two sketches that agree in none of the first 32 components are far from each other. Of pairs with a similarity of 0.3, this is wrong
 * once in 90,000 times. It saves three of four steps.
 */
public final class SketchSteps implements Nearness {

    public static final int LAST = 14;
    private static final double OF_ONE = 20;

    private static final int IN_A_LONG = Long.BYTES;
    private static final int TELLING = 4;
    private static final long LOW_NIBBLES = 0x0F0F_0F0F_0F0F_0F0FL;

    /** The fewest agreeing components by step; of the sketches compared last. */
    private volatile Least known = new Least(0, new int[0]);

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Least(long permutations, int[] agreeing) {}

    /** The least estimated similarity of a step. */
    public static double estimate(int step) {
        return (OF_ONE - step) / OF_ONE;
    }

    /** Four bits of each of the first 16 components: similar sketches share windows of these. */
    static long key(long[] values, int at, int length) {
        long first = Long.compress(values[at + 1], LOW_NIBBLES);
        return length < 3 ? first : (first << Integer.SIZE) | Long.compress(values[at + 2], LOW_NIBBLES);
    }

    @Override
    public int last() {
        return LAST;
    }

    @Override
    public void compare(long[] values, int at, long[] drawn, int length, Meeting meeting) {
        long permutations = values[at];
        int[] least = least(permutations);
        for (int start = 0, k = 0; start < drawn.length; start += length, k++) {
            if (drawn[start] == permutations) {
                int agreeing = (int) permutations - differing(values, at, drawn, start, length);
                if (agreeing >= least[LAST]) {
                    meeting.meet(k, step(agreeing, least));
                }
            }
        }
    }

    /** The number of differing components; all of them if none of the first agree. */
    private static int differing(long[] values, int at, long[] drawn, int start, int length) {
        int differing = 0;
        for (int i = 1; i < length; i++) {
            differing += Sketch.differing(values[at + i] ^ drawn[start + i]);
            if (i == TELLING && differing == TELLING * IN_A_LONG) {
                return (length - 1) * IN_A_LONG;
            }
        }
        return differing;
    }

    private static int step(int agreeing, int[] least) {
        int step = 0;
        while (agreeing < least[step]) {
            step++;
        }
        return step;
    }

    private int[] least(long permutations) {
        Least last = known;
        if (last.permutations != permutations) {
            int[] agreeing = new int[LAST + 1];
            Arrays.setAll(agreeing, step -> Sketch.leastAgreeing(estimate(step), (int) permutations));
            last = new Least(permutations, agreeing);
            known = last;
        }
        return last.agreeing;
    }
}
