/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.List;
import java.util.OptionalInt;
import org.opensearch.simhash.match.MaxDistance;
import org.opensearch.simhash.verify.Verification;

/**
 * The options of a {@code near_duplicate} processor.
 *
 * @param field path of the fingerprint object
 * @param indices to compare with; empty for the document's own
 * @param ownDistance empty for the dynamic setting
 * @param ownVerification the rule for texts, or null
 * @param ownSimilarity whether the options have a similarity; if not, the dynamic setting counts
 * @param action for a near-duplicate
 * @param rerouteTo the index for {@link DuplicateAction#REROUTE}, else null
 * @param targetField path of the tag
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
