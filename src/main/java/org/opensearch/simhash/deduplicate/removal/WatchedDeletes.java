/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.opensearch.simhash.deduplicate.removal.Removal.Duplicate;

/**
 * The deletes of one bulk, and what the survivors were before and after them. A document is deleted for good when its survivor was
 * there after it had gone. Any other document that went, or that may have gone, is put back. Knows no node; one thread.
 */
final class WatchedDeletes {

    /** What the deletes ask, and what they want done. */
    interface Guard {

        /** Those that may be deleted: the survivor is durable, and as it was read. */
        List<Duplicate> confirmed(List<Duplicate> batch);

        /** Of those that went, the ones whose survivor is not as it was read, or cannot be asked. Must not fail. */
        Collection<Duplicate> orphans(Collection<Duplicate> gone);

        /** Puts documents back, and returns those that are there again for sure. Must not fail. */
        Collection<Duplicate> putBack(Collection<Duplicate> orphans);

        /** That many documents more are deleted for good. */
        void deleted(int documents);
    }

    /** What became of a document. */
    enum Fate {
        GONE,
        /** The delete was refused. */
        KEPT,
        /** The delete failed, and may have been carried out. */
        UNSURE
    }

    private final Guard guard;
    private final Set<Duplicate> kept;

    /** Sent since the survivors were last asked. */
    private final Set<Duplicate> sent = new LinkedHashSet<>();

    private final Set<Duplicate> gone = new LinkedHashSet<>();

    WatchedDeletes(Collection<Duplicate> batch, Guard guard) {
        this.guard = guard;
        this.kept = new LinkedHashSet<>(batch);
    }

    /**
     * Which of the documents are sent in the next request. Settles those of the request before.
     *
     * @param rest not sent yet, or sent and refused for want of room
     */
    List<Duplicate> next(List<Duplicate> rest) {
        rest.forEach(sent::remove);
        settle();
        List<Duplicate> confirmed = guard.confirmed(rest);
        sent.addAll(confirmed);
        return confirmed;
    }

    /** A request was answered. A document that gets no answer counts as {@link Fate#UNSURE}. */
    void answered(Duplicate duplicate, Fate fate) {
        if (fate == Fate.KEPT) {
            sent.remove(duplicate);
        } else if (fate == Fate.GONE) {
            gone.add(duplicate);
        }
    }

    /** Asks for the survivors of what was sent, and puts back what they are not there for. To be called in the end, whatever failed. */
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

    /** Those that are there for sure. */
    Set<Duplicate> kept() {
        return kept;
    }
}
