/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Membership;
import org.opensearch.simhash.arrivals.decision.Candidate.Standing;
import org.opensearch.simhash.arrivals.decision.Decisions.Verdict;
import org.opensearch.simhash.arrivals.decision.Snapshot.Earlier;
import org.opensearch.simhash.arrivals.ending.Obstacle;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome.Fate;

/** Verdicts on a round's documents by one {@link Snapshot}, in order of arrival. Immutable. */
record Verdicts(Snapshot snapshot, List<Judged> all) {

    /** @param isKeptApart whether a near document was none for it, because people keep the two apart */
    record Judged(
            Sought sought,
            List<Candidate> candidates,
            List<Standing> originals,
            Verdict verdict,
            Memberships groups,
            boolean isKeptApart) {}

    /** @param assuming whether what was not asked yet counts as proven */
    static Verdicts of(Snapshot snapshot, List<Sought> all, boolean assuming) {
        List<Judged> judged = new ArrayList<>();
        for (Sought sought : all) {
            Arrival arrival = sought.arrival;
            Judged one = new Judged(sought, List.of(), List.of(), Verdict.KEPT, Memberships.NONE, false);
            if (arrival.failure() == null) {
                try {
                    one = judged(snapshot, sought, assuming);
                } catch (Exception e) {
                    arrival.failed(e);
                }
            }
            judged.add(one);
            snapshot.decided().put(arrival.number(), outcome(snapshot.batch(), one));
        }
        return new Verdicts(snapshot, judged);
    }

    private static Judged judged(Snapshot snapshot, Sought sought, boolean assuming) {
        Arrival arrival = sought.arrival;
        List<Candidate> all = snapshot.candidates(sought);
        Earlier before = snapshot.earlier(arrival);
        List<Candidate> candidates = before.together(arrival.name().id(), all);
        DuplicateRule rule = snapshot.batch().rule();
        Membership own = rule.givesGroups() ? before.own() : null;
        List<Standing> originals = Memberships.ownFirst(Decisions.originals(arrival.name(), candidates), own);
        Verdict verdict = Decisions.decide(
                rule.action(),
                originals,
                originals.isEmpty() || rule.mayEnd() == false ? null : before(snapshot, sought, assuming),
                candidate -> sought.ending.obstacle(candidate.name()),
                assuming);
        boolean isIndexed = verdict.needsProof() == false;
        Memberships groups = rule.givesGroups() && isIndexed
                ? Memberships.of(snapshot, sought, candidates, originals, before)
                : new Memberships(isIndexed ? before.kept() : null, false);
        return new Judged(sought, all, originals, verdict, groups, candidates.size() < all.size());
    }

    /** What keeps a document from ending for any original; null if nothing does. */
    private static Obstacle before(Snapshot snapshot, Sought sought, boolean assuming) {
        Arrival arrival = sought.arrival;
        if (snapshot.batch().outcome().isUpdate(arrival)) {
            return Obstacle.UPDATE;
        }
        return snapshot.isNew(arrival, assuming) && sought.isElsewhere() == false ? null : Obstacle.OWN_ID;
    }

    static ArrivalOutcome outcome(Batch batch, Judged judged) {
        Arrival arrival = judged.sought().arrival;
        boolean hasFailed = arrival.failure() != null;
        DuplicateAction action = hasFailed ? null : judged.verdict().action();
        if (action == DuplicateAction.DROP || action == DuplicateAction.FAIL) {
            Fate ended = action == DuplicateAction.DROP ? Fate.ENDED : Fate.REFUSED;
            return new ArrivalOutcome(arrival.number(), ended, null, null);
        }
        if (batch.isSimulated()) {
            return ArrivalOutcome.forgotten(arrival.number());
        }
        return new ArrivalOutcome(
                arrival.number(),
                hasFailed || batch.outcome().isUpdate(arrival) ? Fate.PERHAPS : Fate.KEPT,
                arrival.name(),
                action == null ? null : judged.verdict().standing().original().name(),
                hasFailed ? null : judged.groups().given());
    }

    /** Entries that should be stored, but are missing. */
    List<Long> lost() {
        return all.stream()
                .flatMap(judged -> judged.candidates().stream())
                .flatMap(candidate -> snapshot.lost(candidate).stream())
                .distinct()
                .toList();
    }

    /**
     * Which group an arriving document belongs to. It keeps that of its earlier version while its text stays, while it is near a
     * member, or alone in it. Else it has that of its original, or a new one.
     *
     * @param isAlone whether no other document may have the group
     */
    record Memberships(Membership given, boolean isAlone) {

        static final Memberships NONE = new Memberships(null, false);

        /** Originals of the group that the document may keep come first. The order of the others stays. */
        static List<Standing> ownFirst(List<Standing> originals, Membership own) {
            return own == null
                    ? originals
                    : originals.stream()
                            .sorted(Comparator.comparing(standing -> isOf(standing.candidate(), own) == false))
                            .toList();
        }

        private static boolean isOf(Candidate candidate, Membership own) {
            return own.group().equals(candidate.group());
        }

        /**
         * @param candidates near ones and others
         * @param originals of these, in order
         */
        static Memberships of(
                Snapshot snapshot,
                Sought sought,
                List<Candidate> candidates,
                List<Standing> originals,
                Earlier before) {
            Membership own = before.own();
            if (own != null && before.isOfOneText()) {
                return new Memberships(own, false);
            }
            Candidate member = member(candidates, originals, own);
            if (member != null) {
                return new Memberships(with(member, sought.arrival, own, before.apart()), false);
            }
            boolean isAlone = own != null && snapshot.isAlone(sought, own.group());
            String group = isAlone ? own.group() : sought.newGroup();
            return new Memberships(new Membership(group, null, before.apart()), isAlone);
        }

        /** The near document whose group it is; null if there is none. */
        private static Candidate member(List<Candidate> candidates, List<Standing> originals, Membership own) {
            List<Candidate> near =
                    new ArrayList<>(originals.stream().map(Standing::candidate).toList());
            // A document that follows the arriving one may have left its group, or have none.
            candidates.stream()
                    .filter(candidate -> candidate.membership() != null
                            && near.contains(candidate) == false
                            && candidate.standing() != null)
                    .forEach(near::add);
            return near.stream()
                    .filter(candidate -> own != null && isOf(candidate, own))
                    .findFirst()
                    .orElse(near.isEmpty() ? null : near.getFirst());
        }

        /** A document that names no survivor is a survivor itself. */
        private static Membership with(Candidate member, Arrival arrival, Membership own, Set<String> apart) {
            Membership named = member.membership();
            String survivor =
                    named == null || named.survivor() == null ? member.name().id() : named.survivor();
            boolean wasSurvivor = own != null && own.survivor() == null && isOf(member, own);
            // Another index may have the same id.
            boolean isSurvivor = survivor.equals(arrival.name().id())
                    && (wasSurvivor
                            || member.name().index().equals(arrival.name().index()));
            return new Membership(member.group(), isSurvivor ? null : survivor, apart);
        }
    }
}
