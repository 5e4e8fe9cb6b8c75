/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.opensearch.simhash.core.fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.MinHashQuery;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.pair.PairConditions;

/**
 * The options of a {@code near_duplicate} processor.
 *
 * @param kind what documents are compared by
 * @param field path of the fingerprint object
 * @param indices to compare with; empty for the document's own
 * @param ownDistance empty for the dynamic setting
 * @param ownEstimate least estimated similarity of sketches; empty for what {@link Criteria} takes
 * @param ownVerification the rule for texts, or null. Without a field it reads what fingerprints are made of
 * @param ownSimilarity whether the options have a similarity; if not, the dynamic setting counts
 * @param passages what texts must share; null if passages are not compared
 * @param action for a near-duplicate
 * @param rerouteTo the index for {@link DuplicateAction#REROUTE}, else null
 * @param targetField path of the tag
 * @param maxOwnWords a document with a longer run of words that its original lacks does not end;
 *     {@link OwnWords#UNLIMITED}
 * @param conditions on a document and its original
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
        String rerouteTo,
        String targetField,
        int maxOwnWords,
        PairConditions conditions,
        boolean givesGroups) {

    /** Most bits for which a document ends. */
    public static final int MOST_BITS = MaxDistance.mostToEnd(Long.SIZE);

    /** For fingerprints of text that is not compared. */
    public static final int MOST_BITS_UNVERIFIED = MaxDistance.DEFAULT;

    private static final int MOST_OWN_WORDS = 1_000_000;

    public DuplicateRule {
        indices = List.copyOf(indices);
        ownDistance.ifPresent(MaxDistance::require);
        ownEstimate.ifPresent(MinHashQuery::requireSimilarity);
        if (passages != null && action != DuplicateAction.TAG) {
            throw new IllegalArgumentException(
                    "[action] must be tag with [sketch] passages, because a passage that documents share ends none of"
                            + " them, got: " + action);
        }
        if (action == DuplicateAction.REROUTE && rerouteTo == null) {
            throw new IllegalArgumentException("[reroute_to] is required with [action] [reroute]");
        }
        if (action != DuplicateAction.REROUTE && rerouteTo != null) {
            throw new IllegalArgumentException("[reroute_to] is only allowed with [action] [reroute], got: " + action);
        }
        if (maxOwnWords < OwnWords.UNLIMITED || maxOwnWords > MOST_OWN_WORDS) {
            throw new IllegalArgumentException("[max_own_words] must be between " + OwnWords.UNLIMITED + " and "
                    + MOST_OWN_WORDS + ", got: " + maxOwnWords);
        }
        if (action != DuplicateAction.TAG) {
            if (ownVerification != null) {
                ownDistance.ifPresent(distance -> requireBits(action, distance, ""));
            } // else the hashes may be long: each document is looked at
            ownEstimate.ifPresent(estimate -> requireSimilarity("[min_similarity]", action, estimate));
            if (ownSimilarity) {
                requireSimilarity("[min_similarity] of [verify]", action, ownVerification.minSimilarity());
            }
        }
    }

    /** Whether documents may end. */
    public boolean mayEnd() {
        return action != DuplicateAction.TAG;
    }

    /**
     * Refuses a distance at which too different documents would end.
     *
     * @param from where it comes from, for the error
     */
    public static void requireBits(DuplicateAction action, int distance, String from) {
        if (distance > MOST_BITS) {
            throw new IllegalArgumentException("[max_distance] must be between 0 and " + MOST_BITS + " with [action] ["
                    + action + "], got: " + distance + from);
        }
    }

    private static void requireSimilarity(String option, DuplicateAction action, double similarity) {
        if (similarity < Verification.LEAST_TO_END) {
            throw new IllegalArgumentException(option + " must be between " + Verification.LEAST_TO_END
                    + " and 1.0 with [action] [" + action + "], got: " + similarity);
        }
    }
}
