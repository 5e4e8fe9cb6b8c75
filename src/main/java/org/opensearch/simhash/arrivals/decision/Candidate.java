/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.Membership;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.decision.Candidate.StoredState.Reading;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.search.pair.Apart;

/**
 * A document that an arriving one may be a near-duplicate of, as known at one moment. Immutable.
 *
 * @param hit found by a search, or null
 * @param isHitKnown whether the search verified the text, or no text needs it
 * @param accepted lately: the newest first, ending with the first certain one
 * @param isContested whether an open write may make it differ
 * @param membership what its last version says, or null
 * @param isFiltered whether a filtered alias shows only a part of its index, and may hide other versions
 */
record Candidate(
        DocumentName name,
        Original hit,
        boolean isHitKnown,
        List<AcceptedVersion> accepted,
        boolean isContested,
        StoredState stored,
        Effect effect,
        Membership membership,
        ArrivedPrint print,
        boolean isFiltered) {

    enum Effect {
        NONE,
        /** It may differ in the end. */
        CHANGES,
        DELETES
    }

    /**
     * The candidate as an original.
     *
     * @param isPending whether the near version may not be stored
     * @param isOfRound whether the near version belongs to the arriving document's round
     */
    record Standing(Candidate candidate, Original original, boolean isPending, boolean isOfRound) {}

    /** Null if it is no original, as far as known. */
    Standing standing() {
        if (effect == Effect.DELETES) {
            return null;
        }
        AcceptedVersion last = lastCertain();
        boolean isWrittenOver =
                last != null && last.isWithin() == false && (last.isOpen() || stored.isKnown() == false);
        Likeness asStored = isWrittenOver ? null : likenessAsStored();
        if (asStored != null) {
            boolean isOfSearch = hit != null && (stored.reading() != Reading.READ || stored.isAsFound());
            boolean isPending = isOfSearch == false
                    && (effect != Effect.NONE || accepted.stream().anyMatch(AcceptedVersion::isOpen));
            return standing(asStored, order(last), isPending, false);
        }
        return accepted.stream()
                .filter(version -> version.likeness() != null && (version.isOpen() || stored.isKnown() == false))
                .findFirst()
                .map(version -> standing(version.likeness(), version.order(), true, version.isOfRound()))
                .orElse(null);
    }

    /** Whether only versions of the arriving document's round are known. */
    boolean isOfRoundAlone() {
        return hit == null && accepted.stream().allMatch(AcceptedVersion::isOfRound) && accepted.isEmpty() == false;
    }

    /** Whether it may be near, but its text is unknown. */
    boolean isUnclear() {
        boolean isUnread =
                hit != null ? isHitKnown == false : accepted.stream().noneMatch(version -> version.likeness() != null);
        return stored.isKnown() == false && isUnread;
    }

    /** Whether a newer version than the hit, at another distance, is written. */
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

    /** Its order of arrival; negative if it is older than all accepted versions. */
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
     * Whether the arriving document may be dropped or refused: the candidate is stored, near and durable, and no known write changes that.
     *
     * @param assuming whether an unknown durability counts as durable
     */
    boolean isConfirmed(boolean assuming) {
        boolean isDurable = stored.durability() == Durability.DURABLE || (assuming && stored.durability() == null);
        return isDurable
                && stored.likeness() != null
                && effect == Effect.NONE
                && isContested == false
                && (isFiltered && hit != null && stored.isAsFound() == false) == false;
    }

    /** The group that it names, or that its duplicates have if it names none. */
    String group() {
        return membership == null || membership.group() == null ? Membership.groupOf(name, print) : membership.group();
    }

    Apart apart() {
        return new Apart(name.id(), group(), membership == null ? Set.of() : membership.apart());
    }

    Stream<DocumentName> leaders() {
        Stream<DocumentName> named = accepted.stream().flatMap(version -> version.originals().stream());
        return stored.original() == null ? named : Stream.concat(named, Stream.of(stored.original()));
    }

    /**
     * A version that a node accepted lately, compared with the arriving document. The other components are as in {@code WindowVersion}.
     *
     * @param isOpen whether its write may be under way; then the stored version may be older
     * @param isWithin whether the fingerprints are near
     * @param likeness null if it is not near, or its text is unknown
     */
    record AcceptedVersion(
            long order,
            boolean isCertain,
            boolean isOpen,
            boolean isOfRound,
            boolean isWithin,
            Likeness likeness,
            List<DocumentName> originals,
            Membership membership) {}

    /**
     * A document as a real-time get tells it.
     *
     * @param likeness of the stored version; null if it is not near, or not read
     * @param isAsFound whether it is the version that the search found
     * @param durability null until asked
     */
    record StoredState(
            Reading reading,
            Likeness likeness,
            boolean isAsFound,
            DocumentName original,
            Membership membership,
            ArrivedPrint print,
            Durability durability) {

        enum Reading {
            /** Not read, or the get failed. */
            UNKNOWN,
            MISSING,
            /** Stored, but not comparable. */
            UNREADABLE,
            READ
        }

        static final StoredState UNKNOWN = new StoredState(Reading.UNKNOWN, null, false, null, null, null, null);
        static final StoredState MISSING = new StoredState(Reading.MISSING, null, false, null, null, null, null);

        /** Whether the stored version is known, or known to be missing. */
        boolean isKnown() {
            return reading == Reading.READ || reading == Reading.MISSING;
        }
    }

    /** How near a version is to the arriving document, as in {@link Original}. */
    record Likeness(int distance, double similarity) {}
}
