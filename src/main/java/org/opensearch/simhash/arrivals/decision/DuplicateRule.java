/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.pair.PairConditions;

/**
 * The options of a {@code near_duplicate} processor.
 *
 * @param indices to compare with; empty for the document's own
 * @param ownDistance empty for the dynamic setting
 * @param ownEstimate least estimated similarity of sketches; empty for what {@link Criteria} takes
 * @param ownVerification the rule for texts, or null. Without a field it reads what fingerprints are made of
 * @param ownSimilarity whether the options have a similarity; if not, the dynamic setting counts
 * @param passages what texts must share; null if passages are not compared
 * @param maxOwnWords a document with a longer run of words that its original lacks does not end; {@link OwnWords#UNLIMITED}
 * @param givesGroups whether each document that is accepted gets the id of its group
 */
public record DuplicateRule(
        SketchKind kind,
        String field,
        List<String> indices,
        OptionalInt ownDistance,
        OptionalDouble ownEstimate,
        Verification ownVerification,
        boolean ownSimilarity,
        PassageRule passages,
        DuplicateAction action,
        String targetField,
        int maxOwnWords,
        boolean shortTexts,
        PairConditions conditions,
        boolean givesGroups) {

    public DuplicateRule {
        indices = List.copyOf(indices);
        ownDistance.ifPresent(MaxDistance::require);
        ownEstimate.ifPresent(Sketch::requireSimilarity);
        if (passages != null && action != DuplicateAction.TAG) {
            throw new IllegalArgumentException(
                    "[action] must be tag with [sketch] passages, because a passage that documents share ends none of"
                            + " them, got: " + action);
        }
        if (action != DuplicateAction.TAG) {
            String ends = "[" + action + "]";
            if (ownVerification != null) {
                ownDistance.ifPresent(distance -> EndRule.requireBits(ends, distance, Long.SIZE, true, true, ""));
            } // else the hashes may be long: each document is looked at
            // Without its own similarity, the cluster's counts.
            EndRule.requireSimilarity(
                    ends,
                    ownSimilarity ? ownVerification : null,
                    ownVerification == null && ownEstimate.isPresent() ? ownEstimate.getAsDouble() : null);
        }
    }

    public boolean mayEnd() {
        return action != DuplicateAction.TAG;
    }
}
