/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.sketch;

import java.util.Arrays;

/**
 * MinHash components of a set by fast similarity sketching (Dahlgaard, Knudsen, Thorup, 2017). Each round hashes every
 * feature into one component, and the least hash of a component wins. The next round fills components that are empty.
 * Two sets have the same winner in a component with the probability of their Jaccard similarity.
 *
 * <p>Cost: {@code n} hashes per round, and one round if the set is much larger than the number of components. Expected
 * at most {@code n + k log k} hashes; MinHash with {@code k} permutations takes {@code n * k}.
 */
public final class Signature {

    /** Part of the scheme: another seed changes every sketch. */
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private static final long NONE = Long.MAX_VALUE;

    private Signature() {}

    /**
     * The least hash of each component.
     *
     * @param features distinct hashes, the first {@code size} of the array
     * @param size at least 1
     * @param permutations number of components
     */
    static long[] of(long[] features, int size, int permutations) {
        long[] winners = new long[permutations];
        Arrays.fill(winners, NONE);
        long seed = mix(SEED);
        for (int i = 0; i < size; i++) {
            // Without a branch, because the component is random.
            long hash = mix(features[i] ^ seed);
            int component = component(hash, permutations);
            winners[component] = Math.min(winners[component], hash);
        }
        boolean[] isEmpty = new boolean[permutations];
        Arrays.fill(isEmpty, true);
        for (int round = 1; markEmpty(winners, isEmpty); round++) {
            seed = mix(SEED * (round + 1));
            for (int i = 0; i < size; i++) {
                long hash = mix(features[i] ^ seed);
                // After these random rounds, each further round fills one component.
                int component = round < permutations ? component(hash, permutations) : round - permutations;
                if (isEmpty[component]) {
                    winners[component] = Math.min(winners[component], hash);
                }
            }
        }
        return winners;
    }

    /** The high bits select the component. The others compete in it. */
    private static int component(long hash, int permutations) {
        return (int) (((hash >>> Integer.SIZE) * permutations) >>> Integer.SIZE);
    }

    /** Returns whether any component is empty. */
    private static boolean markEmpty(long[] winners, boolean[] isEmpty) {
        boolean isAny = false;
        for (int i = 0; i < winners.length; i++) {
            isEmpty[i] &= winners[i] == NONE;
            isAny |= isEmpty[i];
        }
        return isAny;
    }

    /** The finaliser of SplitMix64 (Stafford's variant 13): every bit depends on every bit. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
