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
 * Rounds that wait until this node has met the other nodes. They go on one after the other, in the order in which they came: the
 * documents of one bulk may be in several rounds, and an earlier one is the original. No thread waits. Thread-safe.
 */
final class MeetingQueue {

    /** Meets nodes, and tells which did not answer until the deadline, and why. */
    interface Meeting {
        void begin(Set<DiscoveryNode> strangers, long deadline, Consumer<Map<DiscoveryNode, Exception>> then);
    }

    /**
     * A round that waits.
     *
     * @param strangers that it has to meet
     * @param fork runs work on another thread, and tells why it cannot
     * @param listener gets the strangers that did not answer, and why
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

    /** @return whether the round waits; else it knows all nodes, and no other waits */
    boolean join(Guest guest) {
        synchronized (this) {
            if (guest.strangers.isEmpty() && guests.isEmpty()) {
                return false;
            }
            guests.add(guest);
            if (guests.size() > 1) {
                return true; // The first one has begun a meeting, and those behind it follow.
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

    /** Those go on that wait for no other node. */
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

    /** One that has gone on keeps its place until then: another that comes meanwhile waits behind it. */
    private synchronized Guest next(Guest gone) {
        guests.removeFirstOccurrence(gone);
        return guests.peekFirst();
    }
}
