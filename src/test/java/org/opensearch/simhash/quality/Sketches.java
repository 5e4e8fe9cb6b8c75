/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.stream.IntStream;
import org.opensearch.simhash.sketch.BandLayout;
import org.opensearch.simhash.sketch.Sketch;

/** What the processor {@code minhash} makes of a data set: the distance is the number of components that differ. */
final class Sketches implements Distances {

    /** Null for a document without features. */
    private final Sketch[] sketches;

    private final int permutations;

    private Sketches(Sketch[] sketches, int permutations) {
        this.sketches = sketches;
        this.permutations = permutations;
    }

    static Sketches of(ShingleSets shingles, int permutations) {
        Sketch[] sketches = new Sketch[shingles.documents()];
        IntStream.range(0, sketches.length).parallel().forEach(i -> {
            long[] set = shingles.features(i);
            if (set.length >= BandLayout.DEFAULT_ROWS) {
                sketches[i] = Sketch.of(set, set.length, permutations);
            }
        });
        return new Sketches(sketches, permutations);
    }

    @Override
    public int largest() {
        return permutations - 1;
    }

    @Override
    public int of(int a, int b) {
        return sketches[a] == null || sketches[b] == null
                ? permutations
                : permutations - sketches[a].agreeing(sketches[b]);
    }
}
