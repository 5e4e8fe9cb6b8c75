/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.Map;
import java.util.Optional;

/** Ranked hits, compared by fingerprints or by sketches. */
interface RankedHits {

    /** For each hit the rank of the hit that hides it, or {@link GreedyCollapse#KEPT}. */
    int[] hiddenBy();

    /** How near a hidden hit is to the hit that hides it, as its entry shows it. */
    Map<String, Object> nearness(int by, int hidden);

    /** Number of hits with nothing to compare. */
    int without();

    /** Why no two hits can be compared; empty if two can. */
    Optional<String> whyIncomparable(String field);
}
