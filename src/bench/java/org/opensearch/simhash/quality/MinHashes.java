/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.SimilarityHashPolicy;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import java.util.stream.IntStream;

/**
 * MinHash (Broder, 1997) with 128 permutations, for comparison: the distance is the number of components that differ. 512
 * bytes a document, against the 8 of a SimHash.
 */
final class MinHashes implements Distances {

    static final int PERMUTATIONS = 128;

    /** Null for a document without features. */
    private final int[][] signatures;

    private MinHashes(int[][] signatures) {
        this.signatures = signatures;
    }

    static MinHashes of(ShingleSets shingles) {
        SimilarityHashPolicy policy = SimilarityHashing.minHash(PERMUTATIONS, Integer.SIZE);
        int[][] signatures = new int[shingles.documents()][];
        IntStream.range(0, signatures.length).parallel().forEach(i -> {
            long[] set = shingles.features(i);
            if (set.length > 0) {
                byte[] packed = policy.createHasher().compute(ElementHashProvider.ofValues(set));
                signatures[i] = IntStream.range(0, PERMUTATIONS)
                        .map(component -> (int) policy.getComponent(packed, component))
                        .toArray();
            }
        });
        return new MinHashes(signatures);
    }

    /** A pair that shares nothing is never found. */
    @Override
    public int largest() {
        return PERMUTATIONS - 1;
    }

    @Override
    public int of(int a, int b) {
        int[] left = signatures[a];
        int[] right = signatures[b];
        if (left == null || right == null) {
            return PERMUTATIONS;
        }
        int different = 0;
        for (int i = 0; i < PERMUTATIONS; i++) {
            different += left[i] == right[i] ? 0 : 1;
        }
        return different;
    }
}
