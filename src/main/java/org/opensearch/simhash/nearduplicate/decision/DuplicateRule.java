/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.List;
import java.util.OptionalInt;
import org.opensearch.simhash.match.MaxDistance;
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
public record DuplicateRule(
        String field,
        List<String> indices,
        OptionalInt ownDistance,
        Verification ownVerification,
        boolean ownSimilarity,
        DuplicateAction action,
        String rerouteTo,
        String targetField) {

    public DuplicateRule {
        indices = List.copyOf(indices);
        ownDistance.ifPresent(MaxDistance::require);
        if (action == DuplicateAction.REROUTE && rerouteTo == null) {
            throw new IllegalArgumentException("[reroute_to] is required with [action] [reroute]");
        }
        if (action != DuplicateAction.REROUTE && rerouteTo != null) {
            throw new IllegalArgumentException("[reroute_to] is only allowed with [action] [reroute], got: " + action);
        }
    }
}
