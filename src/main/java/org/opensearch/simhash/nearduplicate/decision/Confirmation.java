/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.Map;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.lookup.StoredOriginals;

/**
 * Whether a document may be dropped or refused for an original: not for what may be gone when all bulks are done. One thread.
 *
 * @param text null when texts are not compared
 */
record Confirmation(NodeKnowledge knowledge, Batch batch, Arrival arrival, StoredOriginals stored, ArrivedText text) {

    /** Whether an original is stored, at this moment, as near as it was found, and the bulk leaves it so. */
    boolean isStored(Original found) {
        Original original = asKept(found);
        if (batch.holds(original) || mayDiffer(original) || mayBeWrittenOver(original)) {
            return false;
        }
        if (stored.isUnchanged(original)) {
            return true;
        }
        if (original.isInWindow() == false
                && arrival.scope().filters().containsKey(original.name().index())) {
            return false; // nobody knows whether the filter of the alias shows what is stored by now
        }
        return stored.isNear(original, arrival, batch.criteria().maxDistance())
                && (text == null || text.similarity(stored.source(original.name())) >= 0);
    }

    /**
     * Whether an original comes before this document in the same request, of which nothing else takes its place: whoever sent
     * both is told of both. Not where there is a final pipeline: OpenSearch sends documents through it that an earlier one has
     * dropped or failed, and those that it fails itself have been decided on before.
     */
    boolean isSentAlong(Original found) {
        Original original = asKept(found);
        return batch.scopes().finalPipeline(original.name().index()) == null
                && knowledge.window().isSentAlong(original.number(), arrival.answer())
                && mayDiffer(original) == false;
    }

    /** By the entry of the processor that saw it last. */
    private Original asKept(Original original) {
        return original.numbered(Math.max(original.number(), knowledge.window().kept(original.number())));
    }

    private boolean mayDiffer(Original original) {
        boolean isOfAnotherRound =
                batch.holds(original) == false && knowledge.window().isSentAlong(original.number(), arrival.answer());
        return batch.outcome()
                .mayDiffer(
                        original.name(),
                        isOfAnotherRound,
                        version -> version.number() == original.number() || isNear(version));
    }

    /** Whether this node accepted another text by its name before this document, and no get shows yet which of them is stored. */
    private boolean mayBeWrittenOver(Original original) {
        return knowledge.window().acceptedVersions(original.name(), arrival).stream()
                .filter(version -> version != original.number() && stored.wasAnswered(version) == false)
                .anyMatch(version -> isNear(version) == false);
    }

    private boolean isNear(long version) {
        if (knowledge.window().distance(version, arrival) > batch.criteria().maxDistance()) {
            return false;
        }
        Map<String, Object> source = text == null ? null : text.recent(version);
        return text == null || (source != null && text.similarity(source) >= 0);
    }

    private boolean isNear(Arrival version) {
        return arrival.fingerprint().distance(version.fingerprint())
                        <= batch.criteria().maxDistance()
                && (text == null || text.similarity(version.document().getSourceAndMetadata()) >= 0);
    }
}
