/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How well two ways of dividing the same documents into groups agree (Hubert and Arabie, 1985): 1 when they are the same,
 * about 0 when they agree no more than by chance.
 */
final class AdjustedRand {

    private AdjustedRand() {}

    /**
     * The adjusted Rand index.
     *
     * @param a the group of each document
     * @param b the group of each document by the other way
     */
    static double index(List<?> a, List<?> b) {
        if (a.size() != b.size()) {
            throw new IllegalArgumentException(
                    "both must group the same documents, got: " + a.size() + " and " + b.size());
        }
        Map<Object, Long> together = new HashMap<>();
        Map<Object, Long> ofA = new HashMap<>();
        Map<Object, Long> ofB = new HashMap<>();
        for (int i = 0; i < a.size(); i++) {
            together.merge(List.of(a.get(i), b.get(i)), 1L, Long::sum);
            ofA.merge(a.get(i), 1L, Long::sum);
            ofB.merge(b.get(i), 1L, Long::sum);
        }
        double pairs = pairs(a.size());
        double agreed = pairs(together);
        double byChance = pairs == 0 ? 0 : pairs(ofA) * pairs(ofB) / pairs;
        double most = (pairs(ofA) + pairs(ofB)) / 2;
        return most == byChance ? 1 : (agreed - byChance) / (most - byChance);
    }

    private static double pairs(Map<Object, Long> sizes) {
        return sizes.values().stream().mapToDouble(AdjustedRand::pairs).sum();
    }

    private static double pairs(long size) {
        return size * (size - 1) / 2.0;
    }
}
