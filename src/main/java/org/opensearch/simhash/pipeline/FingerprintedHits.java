/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.simhash.query.HitFingerprint;

/** Ranked hits, compared by their fingerprints. */
record FingerprintedHits(List<HitFingerprint> fingerprints, int maxDistance) implements RankedHits {

    @Override
    public int[] hiddenBy() {
        return GreedyCollapse.of(fingerprints, maxDistance);
    }

    @Override
    public Map<String, Object> nearness(int by, int hidden) {
        return Map.of("distance", GreedyCollapse.distance(fingerprints.get(by), fingerprints.get(hidden)));
    }

    @Override
    public int without() {
        return (int) fingerprints.stream().filter(HitFingerprint::isNone).count();
    }

    @Override
    public Optional<String> whyIncomparable(String field) {
        if (fingerprints.size() < 2) {
            return Optional.empty();
        }
        if (fingerprints.stream().allMatch(HitFingerprint::isNone)) {
            return Optional.of("none of " + fingerprints.size() + " hits has a fingerprint in [" + field
                    + "]: nothing is collapsed; GET /_plugins/_simhash/check/{index} says why");
        }
        if (fingerprints.stream().allMatch(hit -> hit.bits().isEmpty())) {
            return Optional.of("none of " + fingerprints.size()
                    + " hits has features enough for a fingerprint: only equal texts are collapsed");
        }
        List<String> schemes =
                fingerprints.stream().flatMap(hit -> hit.schemes().stream()).toList();
        boolean isEachAlone = schemes.size() > 1 && schemes.stream().distinct().count() == schemes.size();
        return isEachAlone
                ? Optional.of(
                        "the hits have fingerprints of schemes that cannot be compared with each other: nothing is"
                                + " collapsed; GET /_plugins/_simhash/check/{index} says why")
                : Optional.empty();
    }
}
