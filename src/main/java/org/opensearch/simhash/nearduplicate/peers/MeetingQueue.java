/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.action.ActionListener;

/**
 * Rounds that wait until this node has met the others. They continue in order, because an earlier round of a bulk has
 * the originals. No thread waits. Thread-safe.
 */
final class MeetingQueue {

    /** Meets nodes; returns those that did not answer in time, with the reasons. */
    interface Meeting {
        void begin(Set<DiscoveryNode> strangers, long deadline, Consumer<Map<DiscoveryNode, Exception>> then);
    }

    /**
     * A waiting round.
     *
     * @param strangers to meet
     * @param fork runs work on another thread, or reports why it cannot
     * @param listener gets strangers that did not answer, with the reasons
     */
    record Guest(
            Set<DiscoveryNode> strangers,
            long deadline,
            BiConsumer<Runnable, Consumer<Exception>> fork,
            ActionListener<Map<DiscoveryNode, Exception>> listener) {

        private void goOn(Map<DiscoveryNode, Exception> failures) {
            Map<DiscoveryNode, Exception> own = new HashMap<>(failures);
            own.keySet().retainAll(strangers);
            listener.onResponse(own);
        }
    }

    private final Meeting meeting;
    private final Deque<Guest> guests = new ArrayDeque<>();

    MeetingQueue(Meeting meeting) {
        this.meeting = meeting;
    }

    /** @return false if the round may enter now: all nodes are known, and no round waits */
    boolean join(Guest guest) {
        synchronized (this) {
            if (guest.strangers.isEmpty() && guests.isEmpty()) {
                return false;
            }
            guests.add(guest);
            if (guests.size() > 1) {
                return true; // The first round's meeting is under way.
            }
        }
        begin(guest);
        return true;
    }

    private void begin(Guest first) {
        meeting.begin(
                first.strangers,
                first.deadline,
                failures -> first.fork.accept(() -> release(first.strangers, failures), this::fail));
    }

    /** Continues rounds whose strangers were all asked. */
    private void release(Set<DiscoveryNode> asked, Map<DiscoveryNode, Exception> failures) {
        for (Guest guest = first(); guest != null; guest = next(guest)) {
            if (asked.containsAll(guest.strangers) == false) {
                begin(guest);
                return;
            }
            guest.goOn(failures);
        }
    }

    private void fail(Exception e) {
        for (Guest guest = first(); guest != null; guest = next(guest)) {
            guest.listener.onFailure(e);
        }
    }

    private synchronized Guest first() {
        return guests.peekFirst();
    }

    /** A round keeps its place until it has continued, so that new ones wait behind it. */
    private synchronized Guest next(Guest gone) {
        guests.removeFirstOccurrence(gone);
        return guests.peekFirst();
    }
}
