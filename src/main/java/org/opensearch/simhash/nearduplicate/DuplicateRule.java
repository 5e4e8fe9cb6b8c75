/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.List;
import java.util.OptionalInt;
import org.opensearch.simhash.verify.Verification;

/**
 * What counts as a near-duplicate and what becomes of it: the options of a {@code near_duplicate} processor.
 *
 * @param field path of the fingerprint object
 * @param indices to check against; empty for the document's own
 * @param ownDistance empty for that of the dynamic setting
 * @param ownVerification what texts must fulfil, or null
 * @param ownSimilarity whether the similarity is the processor's own, not that of the dynamic setting
 * @param action what becomes of a near-duplicate
 * @param rerouteTo with {@link DuplicateAction#REROUTE} the index, else null
 * @param targetField path of what is written into the document
 */
record DuplicateRule(
        String field,
        List<String> indices,
        OptionalInt ownDistance,
        Verification ownVerification,
        boolean ownSimilarity,
        DuplicateAction action,
        String rerouteTo,
        String targetField) {

    DuplicateRule {
        indices = List.copyOf(indices);
        if (ownDistance.isPresent() && (ownDistance.getAsInt() < 0 || ownDistance.getAsInt() > Long.SIZE)) {
            throw new IllegalArgumentException(
                    "[max_distance] must be between 0 and 64, got: " + ownDistance.getAsInt());
        }
        if (action == DuplicateAction.REROUTE && rerouteTo == null) {
            throw new IllegalArgumentException("[reroute_to] is required with [action] [reroute]");
        }
        if (action != DuplicateAction.REROUTE && rerouteTo != null) {
            throw new IllegalArgumentException("[reroute_to] is only allowed with [action] [reroute], got: " + action);
        }
    }

    /** Most bits in which a near-duplicate differs, as things stand. */
    int maxDistance(NearDuplicateSettings settings) {
        return ownDistance.orElseGet(() -> settings.maxDistance(ownVerification != null));
    }

    /** What texts must fulfil, as things stand; null when they are not compared. */
    Verification verification(NearDuplicateSettings settings) {
        return ownVerification == null || ownSimilarity
                ? ownVerification
                : new Verification(
                        ownVerification.field(),
                        ownVerification.measure(),
                        ownVerification.shingleSize(),
                        settings.minSimilarity(),
                        ownVerification.strictCharacters());
    }
}
