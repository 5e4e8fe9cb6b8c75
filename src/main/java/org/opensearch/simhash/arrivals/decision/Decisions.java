/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.decision.Candidate.Standing;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.arrivals.ending.Obstacle;
import org.opensearch.simhash.arrivals.scope.DocumentName;

/**
 * Decides by what is known at one moment. Two promises: a document ends only for an original that is stored, near and durable, and only if
 * no version of itself may be stored. A stored document never ends, so no two documents end for each other. Pure functions.
 */
final class Decisions {

    private static final int MOST_LOOKED_AT = 16;

    private Decisions() {}

    /**
     * @param action null if it is no near-duplicate
     * @param obstacle what kept it from ending; null if nothing did, or it may not end
     */
    record Verdict(DuplicateAction action, Standing standing, boolean isPending, Obstacle obstacle) {

        static final Verdict KEPT = new Verdict(null, null, false, null);

        /** Whether the document ends or moves for its original. */
        boolean needsProof() {
            return action != null && action != DuplicateAction.TAG;
        }
    }

    /**
     * @param action for a near-duplicate
     * @param before what keeps it from ending for any original; null if nothing does
     * @param look tells what keeps it from ending for a confirmed original; null if nothing does
     * @param assuming whether an unknown durability counts as durable
     */
    static Verdict decide(
            DuplicateAction action,
            List<Standing> originals,
            Obstacle before,
            Function<Candidate, Obstacle> look,
            boolean assuming) {
        if (originals.isEmpty()) {
            return Verdict.KEPT;
        }
        boolean mayEnd = action != DuplicateAction.TAG;
        Obstacle obstacle = before;
        int looked = 0;
        if (mayEnd && obstacle == null) {
            for (Standing standing : originals) {
                if (looked < MOST_LOOKED_AT && standing.candidate().isConfirmed(assuming)) {
                    Obstacle found = look.apply(standing.candidate());
                    if (found == null) {
                        return new Verdict(action, standing, false, null);
                    }
                    obstacle = obstacle == null ? found : obstacle;
                    looked++;
                }
            }
        }
        Standing first = originals.getFirst();
        Durability durability = first.candidate().stored().durability();
        boolean isUnproven = durability != null && durability != Durability.DURABLE;
        boolean isPending = first.isPending() || isUnproven;
        if (mayEnd && obstacle == null) {
            obstacle = isPending ? Obstacle.PENDING : Obstacle.CONTESTED;
        }
        return new Verdict(DuplicateAction.TAG, first, isPending, obstacle);
    }

    /** The nearest first, then the oldest. */
    static List<Standing> originals(DocumentName name, List<Candidate> candidates) {
        List<Standing> originals = candidates.stream()
                .map(Candidate::standing)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(Standing::original, Original.NEAREST_THEN_OLDEST))
                .toList();
        return withoutFollowers(name, oldestFirst(originals));
    }

    /**
     * Sorts equally near originals by age: accepted versions by order, hits by sequence number. A hit without an order
     * is older than all accepted versions, or follows the hit before it.
     */
    private static List<Standing> oldestFirst(List<Standing> sorted) {
        record Aged(Standing standing, long age) {}
        List<Aged> aged = new ArrayList<>();
        int distance = -1;
        long newest = -1;
        for (Standing standing : sorted) {
            Original original = standing.original();
            if (original.distance() != distance) {
                distance = original.distance();
                newest = -1;
            }
            if (standing.candidate().hit() == null) {
                aged.add(new Aged(standing, original.number()));
            } else {
                newest = Math.max(newest, original.number());
                aged.add(new Aged(standing, original.isInWindow() ? original.number() : newest));
            }
        }
        aged.sort(Comparator.<Aged>comparingInt(one -> one.standing().original().distance())
                .thenComparingLong(Aged::age));
        return aged.stream().map(Aged::standing).toList();
    }

    /**
     * Leaves out documents that follow this one, directly or through others. Otherwise a rewritten original would
     * follow its own duplicates, and no original would remain.
     */
    private static List<Standing> withoutFollowers(DocumentName name, List<Standing> originals) {
        List<Standing> left = new ArrayList<>(originals);
        List<DocumentName> leaders = new ArrayList<>(List.of(name));
        boolean changed = true;
        while (changed) {
            changed = left.removeIf(standing -> {
                boolean follows = standing.candidate()
                        .leaders()
                        .anyMatch(leader -> leaders.stream().anyMatch(leader::sameDocument));
                if (follows) {
                    leaders.add(standing.original().name());
                }
                return follows;
            });
        }
        return left;
    }
}
