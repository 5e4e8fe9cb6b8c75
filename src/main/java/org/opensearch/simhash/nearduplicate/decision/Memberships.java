/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Membership;
import org.opensearch.simhash.nearduplicate.decision.Candidate.Standing;

/**
 * Which group an arriving document belongs to. It keeps that of its earlier version while it is near a member, or alone
 * in it. Else it has that of its original, or a new one.
 *
 * @param own what the earlier version says; null if there is none
 * @param given to the document
 * @param isAlone whether no other document may have the group
 */
record Memberships(Membership own, Membership given, boolean isAlone) {

    static final Memberships NONE = new Memberships(null, null, false);

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
            Membership own,
            Decided decided) {
        Candidate member = member(candidates, originals, own);
        if (member != null) {
            return new Memberships(own, with(member, sought.arrival(), own), false);
        }
        boolean isAlone = own != null && snapshot.isAlone(sought, own.group(), decided);
        return new Memberships(own, new Membership(isAlone ? own.group() : sought.newGroup(), null), isAlone);
    }

    /** The near document whose group it is; null if there is none. */
    private static Candidate member(List<Candidate> candidates, List<Standing> originals, Membership own) {
        List<Candidate> near =
                new ArrayList<>(originals.stream().map(Standing::candidate).toList());
        // One that follows the document has a group that it may have left, or none.
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

    /** A document that names no survivor is one. */
    private static Membership with(Candidate member, Arrival arrival, Membership own) {
        Membership named = member.membership();
        String survivor =
                named == null || named.survivor() == null ? member.name().id() : named.survivor();
        boolean wasSurvivor = own != null && own.survivor() == null && isOf(member, own);
        // Another index may have the same id.
        boolean isSurvivor = survivor.equals(arrival.name().id())
                && (wasSurvivor || member.name().index().equals(arrival.name().index()));
        return new Membership(member.group(), isSurvivor ? null : survivor);
    }
}
