/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The deletes of one bulk, watched by checks of the survivors before and after. A delete is final if the survivor was confirmed
 * after it. Any other document that was or may have been deleted is put back. Independent of nodes. One thread.
 */
final class WatchedDeletes {

    interface Guard {

        /** The documents whose survivor is unchanged and durable. */
        List<Duplicate> confirmed(List<Duplicate> batch);

        /** The documents whose survivor has changed or cannot be asked. Must not fail. */
        Collection<Duplicate> orphans(Collection<Duplicate> gone);

        /** Creates documents again and returns those that certainly exist. Must not fail. */
        Collection<Duplicate> putBack(Collection<Duplicate> orphans);

        /** Counts final deletes. */
        void deleted(int documents);
    }

    enum Fate {
        GONE,
        /** The delete was refused. */
        KEPT,
        /** The delete failed, but may have been carried out. */
        UNSURE
    }

    private final Guard guard;
    private final Set<Duplicate> kept;

    /** Since the last check of the survivors. */
    private final Set<Duplicate> sent = new LinkedHashSet<>();

    private final Set<Duplicate> gone = new LinkedHashSet<>();

    WatchedDeletes(Collection<Duplicate> batch, Guard guard) {
        this.guard = guard;
        this.kept = new LinkedHashSet<>(batch);
    }

    /**
     * The documents of the next request. Settles the last one.
     *
     * @param rest not sent yet, or rejected for lack of room
     */
    List<Duplicate> next(List<Duplicate> rest) {
        rest.forEach(sent::remove);
        settle();
        List<Duplicate> confirmed = guard.confirmed(rest);
        sent.addAll(confirmed);
        return confirmed;
    }

    /** A document without an answer is {@link Fate#UNSURE}. */
    void answered(Duplicate duplicate, Fate fate) {
        if (fate == Fate.KEPT) {
            sent.remove(duplicate);
        } else if (fate == Fate.GONE) {
            gone.add(duplicate);
        }
    }

    /** Checks the survivors of sent deletes and puts documents back. Must be called at the end, even after a failure. */
    void settle() {
        if (sent.isEmpty()) {
            return;
        }
        List<Duplicate> settled = new ArrayList<>(sent);
        sent.clear();
        Collection<Duplicate> orphans = guard.orphans(settled);
        Collection<Duplicate> back = orphans.isEmpty() ? orphans : guard.putBack(orphans);
        settled.removeAll(Set.copyOf(back));
        settled.forEach(kept::remove);
        guard.deleted((int) settled.stream().filter(gone::contains).count());
    }

    /** The documents that certainly exist. */
    Set<Duplicate> kept() {
        return kept;
    }
}
