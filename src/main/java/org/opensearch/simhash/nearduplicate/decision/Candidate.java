/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.List;
import java.util.stream.Stream;
import org.opensearch.simhash.durable.Durability;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.decision.StoredState.Reading;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * All that is known, at one moment, of a document that another may be a near-duplicate of. Immutable; asks nobody.
 *
 * @param hit what a search found of it, or null
 * @param isHitKnown whether the search compared its text, where that matters
 * @param accepted what nodes accepted of it lately, the newest first, down to the first that is certain
 * @param isContested whether a write that may be under way would make something of it that is not near
 * @param stored what a get says of it
 * @param effect what the bulk of the other document does to it
 * @param isFiltered whether an alias shows a part of its index, and nobody knows whether another version belongs to that
 */
record Candidate(
        DocumentName name,
        Original hit,
        boolean isHitKnown,
        List<AcceptedVersion> accepted,
        boolean isContested,
        StoredState stored,
        Effect effect,
        boolean isFiltered) {

    /** What a bulk does to a document. */
    enum Effect {
        NONE,
        /** It may be something else in the end. */
        CHANGES,
        DELETES
    }

    /**
     * The document as an original.
     *
     * @param isPending whether what makes it one may not be stored
     * @param isOfRound whether what makes it one is decided on together with the other document
     */
    record Standing(Candidate candidate, Original original, boolean isPending, boolean isOfRound) {}

    /** Null when it is no original, as far as is known. */
    Standing standing() {
        if (effect == Effect.DELETES) {
            return null;
        }
        AcceptedVersion last = lastCertain();
        boolean isWrittenOver = last != null && last.isWithin() == false && (last.isOpen() || stored.isTold() == false);
        Likeness asStored = isWrittenOver ? null : likenessAsStored();
        if (asStored != null) {
            boolean isOfSearch = hit != null && (stored.reading() != Reading.READ || stored.isAsFound());
            boolean isPending = isOfSearch == false
                    && (effect != Effect.NONE || accepted.stream().anyMatch(AcceptedVersion::isOpen));
            return standing(asStored, order(last), isPending, false);
        }
        return accepted.stream()
                .filter(version -> version.likeness() != null && (version.isOpen() || stored.isTold() == false))
                .findFirst()
                .map(version -> standing(version.likeness(), version.order(), true, version.isOfRound()))
                .orElse(null);
    }

    /** Whether nothing of it is known but what is decided on together with the other document. */
    boolean isOfRoundAlone() {
        return hit == null && accepted.stream().allMatch(AcceptedVersion::isOfRound) && accepted.isEmpty() == false;
    }

    /** Whether its text is not known that may be near. */
    boolean isUnclear() {
        boolean isUnread =
                hit != null ? isHitKnown == false : accepted.stream().noneMatch(version -> version.likeness() != null);
        return stored.isTold() == false && isUnread;
    }

    /** Whether this node knows of a newer version than the one that a search found, at another distance, which is stored by now. */
    boolean isOutdated() {
        AcceptedVersion last = lastCertain();
        return last != null
                && last.isOpen() == false
                && (last.likeness() == null || last.likeness().distance() != hit.distance());
    }

    private AcceptedVersion lastCertain() {
        return accepted.stream().filter(AcceptedVersion::isCertain).findFirst().orElse(null);
    }

    private Likeness likenessAsStored() {
        return switch (stored.reading()) {
            case READ -> stored.likeness();
            case MISSING -> null;
            case UNKNOWN, UNREADABLE ->
                hit == null || isHitKnown == false ? null : new Likeness(hit.distance(), hit.similarity());
        };
    }

    /** Its age among what nodes accepted lately; negative when it is older than all of that. */
    private long order(AcceptedVersion last) {
        if (last != null) {
            return last.order();
        }
        return hit != null || accepted.isEmpty() ? -1 : accepted.getFirst().order();
    }

    private Standing standing(Likeness likeness, long order, boolean isPending, boolean isOfRound) {
        Original.Version version = hit == null ? Original.Version.NONE : hit.version();
        Original original = new Original(name, likeness.distance(), likeness.similarity(), version, order);
        return new Standing(this, original, isPending, isOfRound);
    }

    /**
     * Whether the other document may be dropped, refused or rerouted for this one: it is stored, near, and stays so as far as this
     * node knows, and the version that was read is durable.
     *
     * @param assuming whether it counts as durable as long as nobody was asked
     */
    boolean isConfirmed(boolean assuming) {
        boolean isDurable = stored.durability() == Durability.DURABLE || (assuming && stored.durability() == null);
        return isDurable
                && stored.isNear()
                && effect == Effect.NONE
                && isContested == false
                && (isFiltered && hit != null && stored.isAsFound() == false) == false;
    }

    /** The documents that it names as its originals. */
    Stream<DocumentName> leaders() {
        Stream<DocumentName> named = accepted.stream().flatMap(version -> version.originals().stream());
        return stored.original() == null ? named : Stream.concat(named, Stream.of(stored.original()));
    }
}
