/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.arrival.Membership;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.decision.Candidate.AcceptedVersion;
import org.opensearch.simhash.arrivals.decision.Candidate.Effect;
import org.opensearch.simhash.arrivals.decision.Candidate.Likeness;
import org.opensearch.simhash.arrivals.decision.Candidate.StoredState;
import org.opensearch.simhash.arrivals.decision.Candidate.StoredState.Reading;
import org.opensearch.simhash.arrivals.decision.Sought.FoundCandidate;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.arrivals.lookup.GroupCarriers;
import org.opensearch.simhash.arrivals.lookup.StoredDocuments;
import org.opensearch.simhash.arrivals.lookup.StoredDocuments.Asked;
import org.opensearch.simhash.arrivals.peers.PeerMatch;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome.Fate;
import org.opensearch.simhash.arrivals.window.WindowSnapshot;
import org.opensearch.simhash.arrivals.window.WindowVersion;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.StoredFingerprint;
import org.opensearch.simhash.search.pair.Apart;

/**
 * The knowledge of a round at one moment. Describes the candidates of each document. One thread.
 *
 * @param stored without a request under way
 * @param decided outcomes of the round's earlier documents, by number
 */
record Snapshot(Batch batch, StoredDocuments stored, WindowSnapshot window, Map<Long, ArrivalOutcome> decided) {

    Stream<Long> undecided() {
        return window.versions().values().stream()
                .flatMap(List::stream)
                .filter(version -> version.isUndecided() && version.number() < batch.firstNumber())
                .map(WindowVersion::number);
    }

    /** The window's knowledge before a document is read. */
    Asked asked(DocumentName name) {
        Set<Long> open = numbers(name, version -> version.isAnswered() == false && batch.isOfItsBulk(version) == false);
        open.addAll(window.onTheirWay().getOrDefault(name.unrouted(), Set.of()));
        return new Asked(numbers(name, WindowVersion::isAnswered), open);
    }

    private Set<Long> numbers(DocumentName name, Predicate<WindowVersion> wanted) {
        return window.versions(name).stream()
                .filter(wanted)
                .map(WindowVersion::number)
                .collect(Collectors.toSet());
    }

    /** Entries of versions that should be stored, but are missing. */
    List<Long> lost(Candidate candidate) {
        return stored.isMissing(candidate.name())
                ? window.versions(candidate.name()).stream()
                        .map(WindowVersion::number)
                        .filter(number -> stored.isSettled(candidate.name(), number))
                        .toList()
                : List.of();
    }

    /**
     * Whether certainly no version is stored, or may be soon.
     *
     * @param assuming whether a get proves that; else the shard must have said so
     */
    boolean isNew(Arrival arrival, boolean assuming) {
        DocumentName name = arrival.name();
        boolean isNotStored = stored.isMissing(name)
                || (stored.version(name) == null && batch.scopes().isNeverStarted(name));
        return arrival.isNamed() == false
                || (isNotStored
                        && (assuming || stored.durability(name) == Durability.DURABLE)
                        && isOutdated(arrival) == false
                        && window.preceded().contains(arrival) == false
                        && batch.outcome().isWrittenAgain(name) == false);
    }

    /** Whether an earlier version may have been written during or after the get. */
    private boolean isOutdated(Arrival arrival) {
        DocumentName name = arrival.name();
        Stream<Long> answered = numbers(name, WindowVersion::isAnswered).stream()
                .filter(number -> stored.isSettled(name, number) == false);
        return Stream.concat(stored.open(name).stream(), answered).anyMatch(number -> number < arrival.number());
    }

    List<Candidate> candidates(Sought sought) {
        if (sought.isEmpty()) {
            return List.of();
        }
        List<Candidate> candidates = new ArrayList<>();
        Map<DocumentName, List<PeerMatch>> heard = sought.heard().stream()
                .collect(Collectors.groupingBy(match -> match.name().unrouted()));
        for (FoundCandidate found : sought.found(window)) {
            Candidate candidate = candidate(sought, found, heard);
            if (candidate.hit() != null
                    || candidate.accepted().isEmpty() == false
                    || candidate.stored().reading() == Reading.READ) {
                candidates.add(candidate);
            }
        }
        return candidates;
    }

    private Candidate candidate(Sought sought, FoundCandidate found, Map<DocumentName, List<PeerMatch>> heard) {
        Arrival arrival = sought.arrival;
        StoredState state = state(sought, found);
        List<AcceptedVersion> current = new ArrayList<>();
        boolean isCertain = false;
        boolean isContested = false;
        for (AcceptedVersion accepted : accepted(sought, found, heard, state)) {
            isContested |= accepted.isOpen() && accepted.likeness() == null;
            if (isCertain == false) {
                current.add(accepted);
                isCertain = accepted.isCertain();
            }
        }
        Original hit = found.hit();
        return new Candidate(
                found.name(),
                hit,
                hit != null && (sought.text == null || Double.isNaN(hit.similarity()) == false),
                current,
                isContested,
                state,
                effect(sought, found.name()),
                current.stream()
                        .map(AcceptedVersion::membership)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(state.membership()),
                print(found, state),
                arrival.scope().filters().containsKey(found.name().index()));
    }

    private ArrivedPrint print(FoundCandidate found, StoredState state) {
        return state.print() != null
                ? state.print()
                : window.versions(found.accepted()).stream()
                        .map(WindowVersion::print)
                        .findFirst()
                        .orElse(null);
    }

    /** What the last version of a document before an arriving one says, which may be the same document. */
    private Earlier earlier(DocumentName name, Arrival arrival) {
        boolean isKnown = stored.isMissing(name) || stored.version(name) != null;
        for (WindowVersion version : versions(new FoundCandidate(name, name, null), arrival.number())) {
            boolean isOpen = isOpen(name, version);
            boolean isGone = isOpen == false && isKnown && version.version().equals(stored.version(name)) == false;
            ArrivalOutcome outcome = decided.get(version.number());
            Membership membership = outcome == null ? version.membership() : outcome.membership();
            if (isGone == false && membership != null) {
                return new Earlier(membership, arrival.print().equals(version.print()));
            }
        }
        Map<String, Object> source = stored.source(name);
        Membership membership = membership(source);
        return new Earlier(membership, membership != null && isOfOneText(source, arrival));
    }

    /** @param source or null */
    private Membership membership(Map<String, Object> source) {
        return source == null ? null : Membership.read(source, batch.rule().field());
    }

    private boolean isOfOneText(Map<String, Object> source, Arrival arrival) {
        String field = batch.rule().field();
        return DocumentValues.firstAt(field, source).orElse(null) instanceof Map<?, ?> before
                && DocumentValues.firstAt(field, arrival.document().getSourceAndMetadata())
                                .orElse(null)
                        instanceof Map<?, ?> now
                && StoredFingerprint.areOfOneText(before, now);
    }

    /**
     * What is known of an arriving document. Its stored version is newer than what a client read and sent back. In another index, a
     * document has only what it came with.
     */
    Earlier earlier(Arrival arrival) {
        Earlier before = earlier(arrival.name(), arrival);
        // A later processor of the pipeline sees what the first one gave.
        Membership carried = before.isOfOneText() || arrival.order() != arrival.firstOrder()
                ? null
                : membership(arrival.document().getSourceAndMetadata());
        return carried == null || carried.equals(before.membership()) ? before : new Earlier(carried, true);
    }

    /**
     * What an earlier version of an arriving document says.
     *
     * @param membership null if it says nothing
     * @param isOfOneText whether both are of one text: then it holds
     */
    record Earlier(Membership membership, boolean isOfOneText) {

        /** Null without a group. */
        Membership own() {
            return membership == null || membership.group() == null ? null : membership;
        }

        /** From which the arriving document is kept apart. */
        Set<String> apart() {
            return isOfOneText ? membership.apart() : Set.of();
        }

        /** Of a processor that gives no groups: what people decided of this text, or that it was of another one. */
        Membership kept() {
            return membership == null || membership.apart().isEmpty()
                    ? null
                    : isOfOneText ? membership : new Membership(null, null, Set.of());
        }

        /** Without those that the document is kept apart from. Its story goes with its text. */
        List<Candidate> together(String id, List<Candidate> candidates) {
            if (apart().isEmpty()
                    && candidates.stream()
                            .allMatch(candidate -> candidate.membership() == null
                                    || candidate.membership().apart().isEmpty())) {
                return candidates;
            }
            Apart own = new Apart(id, isOfOneText ? membership.group() : null, apart());
            Apart.InSight all = Apart.InSight.of(
                    Stream.concat(Stream.of(own), candidates.stream().map(Candidate::apart)));
            return candidates.stream()
                    .filter(candidate -> own.isFrom(candidate.apart(), all) == false)
                    .toList();
        }
    }

    /** Whether no other document has the group of a document, as far as known. */
    boolean isAlone(Sought sought, String group) {
        Arrival arrival = sought.arrival;
        if (decided.values().stream()
                .anyMatch(outcome -> outcome.membership() != null
                        && group.equals(outcome.membership().group())
                        && outcome.name() != null
                        && outcome.name().sameDocument(arrival.name()) == false)) {
            return false;
        }
        for (DocumentName carrier : sought.carriers) {
            Membership membership = earlier(carrier, arrival).membership();
            boolean isUnknown =
                    membership == null && stored.isMissing(carrier) == false && stored.source(carrier) == null;
            if (isUnknown || (membership != null && group.equals(membership.group()))) {
                return false;
            }
        }
        return sought.carriers.size() < GroupCarriers.WANTED;
    }

    /** Versions of a candidate, on any node, that came before the document and are not dropped: the newest first. */
    private List<AcceptedVersion> accepted(
            Sought sought, FoundCandidate found, Map<DocumentName, List<PeerMatch>> heard, StoredState state) {
        List<AcceptedVersion> all = new ArrayList<>();
        for (WindowVersion version : versions(found, sought.arrival.number())) {
            all.add(accepted(sought, found, version, state));
        }
        Stream.of(found.accepted().unrouted(), found.name().unrouted())
                .distinct()
                .flatMap(name -> heard.getOrDefault(name, List.of()).stream())
                .forEach(match -> all.add(accepted(sought, found, match, state)));
        all.sort(Comparator.comparingLong(AcceptedVersion::order).reversed());
        return all;
    }

    /** The peer answered before the get, so its version was decided. */
    private AcceptedVersion accepted(Sought sought, FoundCandidate found, PeerMatch heard, StoredState state) {
        Double similarity = sought.text == null ? null : Double.valueOf(sought.similarity(heard));
        Likeness likeness = likeness(found, similarity, heard.distance(), heard.version(), state);
        boolean isOpen = heard.isAnswered() == false;
        boolean isGone = isGone(found, isOpen, heard.version(), state);
        return new AcceptedVersion(
                heard.order(),
                heard.isCertain(),
                isOpen,
                false,
                true,
                likeness,
                isGone ? List.of() : heard.originals(),
                isGone ? null : heard.membership());
    }

    /** The same, in this node's window only. */
    private List<WindowVersion> versions(FoundCandidate found, long before) {
        Stream<WindowVersion> all = window.versions(found.accepted()).stream();
        if (found.name().sameDocument(found.accepted()) == false) {
            all = Stream.concat(all, window.versions(found.name()).stream());
        }
        return all.filter(version -> version.number() < before)
                .filter(version -> isStored(decided.get(version.number())))
                .distinct()
                .toList();
    }

    /** @param outcome null if it is undecided, or of another round */
    private static boolean isStored(ArrivalOutcome outcome) {
        return outcome == null || outcome.fate() == Fate.KEPT || outcome.fate() == Fate.PERHAPS;
    }

    private AcceptedVersion accepted(Sought sought, FoundCandidate found, WindowVersion version, StoredState state) {
        ArrivalOutcome outcome = decided.get(version.number());
        int distance = version.distance(sought.arrival);
        boolean isWithin = distance <= sought.arrival.print().maxDistance(batch.criteria());
        boolean isOpen = isOpen(found.name(), version);
        boolean isGone = isGone(found, isOpen, version.version(), state);
        Double similarity =
                isWithin && sought.text != null ? Double.valueOf(sought.text.similarity(version.number())) : null;
        List<DocumentName> originals = isGone ? List.of() : version.originals();
        if (outcome != null && outcome.original() != null) {
            originals = Stream.concat(originals.stream(), Stream.of(outcome.original()))
                    .toList();
        }
        return new AcceptedVersion(
                version.order(),
                outcome == null ? version.isCertain() : outcome.fate() == Fate.KEPT,
                isOpen,
                batch.holds(version.number()),
                isWithin,
                isWithin ? likeness(found, similarity, distance, version.version(), state) : null,
                originals,
                outcome == null ? (isGone ? null : version.membership()) : outcome.membership());
    }

    private boolean isOpen(DocumentName name, WindowVersion version) {
        return stored.isAsked(name) ? stored.isSettled(name, version.number()) == false : version.isAnswered() == false;
    }

    /** Whether another version is stored, or none: one that was refused or overwritten follows nothing. */
    private boolean isGone(FoundCandidate found, boolean isOpen, Version version, StoredState state) {
        return isOpen == false && state.isKnown() && version.equals(stored.version(found.name())) == false;
    }

    /** @param similarity null if texts are not compared, {@code NaN} if the text is unknown */
    private Likeness likeness(
            FoundCandidate found, Double similarity, int distance, Version version, StoredState state) {
        if (similarity == null) {
            return new Likeness(distance, Double.NaN);
        }
        if (similarity.isNaN()) {
            boolean isStored = version.equals(Version.NONE) == false && version.equals(stored.version(found.name()));
            return isStored ? state.likeness() : null;
        }
        return similarity < 0 ? null : new Likeness(distance, similarity);
    }

    private StoredState state(Sought sought, FoundCandidate found) {
        DocumentName name = found.name();
        if (stored.isMissing(name)) {
            return StoredState.MISSING;
        }
        Version version = stored.version(name);
        if (version == null) {
            return StoredState.UNKNOWN;
        }
        Original hit = found.hit();
        boolean isAsFound = hit != null && version.equals(hit.version()) && stored.hasChanged(name) == false;
        Map<String, Object> source = stored.source(name);
        DocumentName original = source == null
                ? null
                : DuplicateTag.original(source, batch.rule().targetField());
        Membership membership = membership(source);
        Durability durability = durability(found, version);
        boolean isCompared = isAsFound && (sought.text == null || Double.isNaN(hit.similarity()) == false);
        Likeness likeness = isCompared ? new Likeness(hit.distance(), hit.similarity()) : null;
        Reading reading = isCompared ? Reading.READ : Reading.UNREADABLE;
        ArrivedPrint print = null;
        try {
            print = source == null || (isCompared && batch.rule().givesGroups() == false)
                    ? null
                    : ArrivedPrint.read(
                            batch.rule().kind(), source, batch.rule().field());
            if (isCompared == false && print != null) {
                reading = Reading.READ;
                likeness = likeness(sought, source, name, sought.arrival.print().distance(print));
            } else if (source != null && batch.scopes().keepsWholeSource(name.index())) {
                reading = Reading.READ; // a field missing in the get is missing in the document
            }
        } catch (IllegalArgumentException e) {
            // Another program wrote the field.
        }
        return new StoredState(reading, likeness, isAsFound, original, membership, print, durability);
    }

    private Likeness likeness(Sought sought, Map<String, Object> source, DocumentName name, int distance) {
        Arrival arrival = sought.arrival;
        if (distance > arrival.print().maxDistance(batch.criteria())
                || arrival.pairing().isMetBy(batch.pairFields().ofStored(source, name.index())) == false) {
            return null;
        }
        double similarity = sought.text == null ? Double.NaN : sought.text.similarity(source);
        if (similarity < 0 && isNearAlone(sought, distance) && sought.ending.isStale(name)) {
            similarity = Double.NaN; // a duplicate by its fingerprint, which is not that of the text
        }
        return similarity < 0 ? null : new Likeness(distance, similarity);
    }

    /** Whether a fingerprint alone would make a document that may end a near-duplicate. */
    private boolean isNearAlone(Sought sought, int distance) {
        if (sought.ending == null || batch.criteria().verification().field() != null) {
            return false;
        }
        return sought.arrival.print() instanceof ArrivedSketch sketch
                ? sketch.similarity(distance) >= Verification.DEFAULT_MIN_SIMILARITY
                : distance <= EndRule.mostBits(Long.SIZE, false, true);
    }

    /** An answered write that is on disk is durable, even if its shard's checkpoint waits for earlier writes. */
    private Durability durability(FoundCandidate found, Version version) {
        Durability durability = stored.durability(found.name());
        boolean isAnswered = durability == Durability.SYNCED
                && window.versions(found.accepted()).stream()
                        .anyMatch(accepted -> accepted.version().equals(version));
        return isAnswered ? Durability.DURABLE : durability;
    }

    private Effect effect(Sought sought, DocumentName name) {
        if (batch.outcome().endsWithoutIt(name)) {
            return Effect.DELETES;
        }
        return batch.outcome().mayDiffer(name, version -> isNear(sought, version)) ? Effect.CHANGES : Effect.NONE;
    }

    private boolean isNear(Sought sought, Arrival version) {
        int distance = sought.arrival.print().distance(version.print());
        return distance <= sought.arrival.print().maxDistance(batch.criteria())
                && sought.arrival.pairing().isMetBy(version.pairing())
                && (sought.text == null
                        || sought.text.similarity(version.document().getSourceAndMetadata()) >= 0);
    }
}
