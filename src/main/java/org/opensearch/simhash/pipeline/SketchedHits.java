/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.simhash.query.HitSketch;
import org.opensearch.simhash.sketch.Sketch;

/**
 * Ranked hits, compared by their sketches, by the rules of {@link GreedyCollapse}: each with all better hits that stay. At most n²/2
 * comparisons of 128 bytes for n hits, half a second for 10,000.
 */
record SketchedHits(List<HitSketch> hits, double minSimilarity) implements RankedHits {

    private static final double NONE = -1;

    @Override
    public int[] hiddenBy() {
        int[] hiddenBy = new int[hits.size()];
        int[] kept = new int[hits.size()];
        int size = 0;
        for (int rank = 0; rank < hiddenBy.length; rank++) {
            hiddenBy[rank] = firstSimilar(kept, size, hits.get(rank));
            if (hiddenBy[rank] == GreedyCollapse.KEPT) {
                kept[size++] = rank;
            }
        }
        return hiddenBy;
    }

    private int firstSimilar(int[] kept, int size, HitSketch hit) {
        for (int i = 0; i < size; i++) {
            if (similarity(hits.get(kept[i]), hit) >= minSimilarity) {
                return kept[i];
            }
        }
        return GreedyCollapse.KEPT;
    }

    /** 1 for equal digests, else that of the most similar sketches of one scheme. */
    private static double similarity(HitSketch a, HitSketch b) {
        if (Collections.disjoint(a.digests(), b.digests()) == false) {
            return 1;
        }
        boolean isOfOneScheme = (a.schemes().isEmpty() && b.schemes().isEmpty())
                || Collections.disjoint(a.schemes(), b.schemes()) == false;
        double most = NONE;
        if (isOfOneScheme) {
            for (Sketch left : a.sketches()) {
                for (Sketch right : b.sketches()) {
                    if (left.permutations() == right.permutations()) {
                        most = Math.max(most, Sketch.similarity(left.agreeing(right), left.permutations()));
                    }
                }
            }
        }
        return most;
    }

    @Override
    public Map<String, Object> nearness(int by, int hidden) {
        return Map.of("estimate", similarity(hits.get(by), hits.get(hidden)));
    }

    @Override
    public int without() {
        return (int) hits.stream().filter(HitSketch::isNone).count();
    }

    @Override
    public Optional<String> whyIncomparable(String field) {
        return hits.size() > 1 && hits.stream().allMatch(HitSketch::isNone)
                ? Optional.of("none of " + hits.size() + " hits has a sketch in [" + field + "]: nothing is collapsed")
                : Optional.empty();
    }
}
