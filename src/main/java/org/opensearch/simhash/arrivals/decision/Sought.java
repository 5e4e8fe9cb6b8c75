/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.opensearch.common.UUIDs;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.peers.PeerFindings;
import org.opensearch.simhash.arrivals.peers.PeerMatch;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.arrivals.window.WindowCandidates;
import org.opensearch.simhash.arrivals.window.WindowSnapshot;

/** A document of a round with its candidates: in the window, other windows, and the index. One thread. */
final class Sought {

    /**
     * @param accepted name in the window, which may be a data stream without an index
     * @param hit of a search, or null
     */
    record FoundCandidate(DocumentName name, DocumentName accepted, Original hit) {}

    final Arrival arrival;
    /** Null if texts are not compared. */
    final ArrivedText text;

    /** Null if no document may end. */
    final EndingCheck ending;

    final WindowCandidates inWindow = new WindowCandidates();
    private final PeerFindings inOtherWindows;

    /** Other documents of the group that it may keep. */
    List<DocumentName> carriers = List.of();

    boolean areCarriersKnown;

    /** For its group, if it has a new one. */
    private String newGroup;

    Sought(Arrival arrival, ArrivedText text, EndingCheck ending, PeerFindings inOtherWindows) {
        this.arrival = arrival;
        this.text = text;
        this.ending = ending;
        this.inOtherWindows = inOtherWindows;
    }

    void carriedBy(List<DocumentName> names) {
        areCarriersKnown = true;
        carriers = names.stream()
                .filter(name -> name.sameDocument(arrival.name()) == false)
                .distinct()
                .toList();
    }

    String newGroup() {
        if (newGroup == null) {
            newGroup = UUIDs.base64UUID();
        }
        return newGroup;
    }

    /** Finds the next candidates in the window, without texts known to differ. */
    void look(ArrivalWindow window, Criteria criteria) {
        int maxDistance = arrival.print().maxDistance(criteria);
        inWindow.look(window, arrival, maxDistance, match -> text == null ? 1 : text.similarity(match.number()));
    }

    boolean isEmpty() {
        return arrival.inIndex().isEmpty() && inWindow.found().isEmpty() && heard().isEmpty();
    }

    List<PeerMatch> heard() {
        return inOtherWindows.matches(arrival);
    }

    /** Whether other nodes may know more. Of theirs, too, some texts that differ or are not known are enough. */
    boolean hasMoreToHear() {
        int reached = inOtherWindows.reached(arrival);
        Predicate<PeerMatch> isInVain = match -> match.distance() <= reached && (similarity(match) >= 0) == false;
        return reached < Integer.MAX_VALUE
                && heard().stream().filter(isInVain).count() < WindowCandidates.MOST_COMPARED;
    }

    /** Of texts: negative if it is too low, {@code NaN} if the other text is unknown. */
    double similarity(PeerMatch match) {
        return text == null ? 1 : match.text() == null ? Double.NaN : text.similarity(match.text());
    }

    Stream<Long> numbers() {
        return inWindow.found().stream().map(Original::number);
    }

    /** Each candidate once, under its current name, without those that moved out of the scope, or whose texts differ. */
    Collection<FoundCandidate> found(WindowSnapshot snapshot) {
        Map<DocumentName, FoundCandidate> found = new LinkedHashMap<>();
        for (Original hit : arrival.inIndex()) {
            if (isItself(hit.name()) == false) {
                found.putIfAbsent(hit.name().unrouted(), new FoundCandidate(hit.name(), hit.name(), hit));
            }
        }
        Stream.concat(
                        inWindow.found().stream()
                                .map(match -> snapshot.names().getOrDefault(match.number(), match.name())),
                        heard().stream()
                                .filter(match -> (similarity(match) < 0) == false)
                                .map(PeerMatch::name))
                .forEach(accepted -> {
                    DocumentName name = arrival.scope().stored(accepted);
                    if (arrival.scope().counts(accepted.index()) && isItself(name) == false) {
                        found.putIfAbsent(name.unrouted(), new FoundCandidate(name, accepted, null));
                    }
                });
        return found.values();
    }

    /** Also in another index. */
    private boolean isItself(DocumentName name) {
        return name.isOneWith(arrival.name());
    }

    /** Whether another index may have the document. If it ended, so would it, while an index is built anew, for its own duplicate. */
    boolean isElsewhere() {
        return Stream.of(
                        arrival.inIndex().stream().map(Original::name),
                        inWindow.found().stream().map(Original::name),
                        heard().stream().map(PeerMatch::name))
                .flatMap(names -> names)
                .anyMatch(this::isItself);
    }
}
