/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.peers.PeerFindings;
import org.opensearch.simhash.nearduplicate.peers.PeerMatch;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.window.ArrivalWindow;
import org.opensearch.simhash.nearduplicate.window.WindowCandidates;
import org.opensearch.simhash.nearduplicate.window.WindowSnapshot;

/** A document of a round, and where its originals are sought: which documents the window, those of other nodes and the index found near it. One thread. */
final class Sought {

    /**
     * A document that was found.
     *
     * @param name by which it is stored
     * @param accepted by which a window knows it: that of a data stream, before its first index was there
     * @param hit what a search found of it, or null
     */
    record Found(DocumentName name, DocumentName accepted, Original hit) {}

    private final Arrival arrival;
    /** Null when texts are not compared. */
    private final ArrivedText text;

    private final WindowCandidates inWindow = new WindowCandidates();
    private final PeerFindings inOtherWindows;

    Sought(Arrival arrival, ArrivedText text, PeerFindings inOtherWindows) {
        this.arrival = arrival;
        this.text = text;
        this.inOtherWindows = inOtherWindows;
    }

    Arrival arrival() {
        return arrival;
    }

    ArrivedText text() {
        return text;
    }

    WindowCandidates inWindow() {
        return inWindow;
    }

    /** Looks for the next ones in the window; those whose texts are known to differ are passed. */
    void look(ArrivalWindow window, int maxDistance) {
        inWindow.look(window, arrival, maxDistance, match -> text != null && text.similarity(match.number()) < 0);
    }

    boolean isEmpty() {
        return arrival.inIndex().isEmpty() && inWindow.found().isEmpty() && heard().isEmpty();
    }

    /** What other nodes accepted before the document, near it. */
    List<PeerMatch> heard() {
        return inOtherWindows.matches(arrival);
    }

    Stream<Long> numbers() {
        return inWindow.found().stream().map(Original::number);
    }

    /** The documents found, each once, with the names that they have by now; none of those that went where they do not count. */
    Collection<Found> found(WindowSnapshot snapshot, Map<Long, DocumentName> decided) {
        Map<DocumentName, Found> found = new LinkedHashMap<>();
        for (Original hit : arrival.inIndex()) {
            found.putIfAbsent(hit.name().unrouted(), new Found(hit.name(), hit.name(), hit));
        }
        for (Original match : inWindow.found()) {
            DocumentName inSnapshot = snapshot.names().getOrDefault(match.number(), match.name());
            DocumentName accepted = decided.getOrDefault(match.number(), inSnapshot);
            DocumentName name = arrival.scope().stored(accepted);
            if (arrival.scope().counts(accepted.index()) && name.sameDocument(arrival.name()) == false) {
                found.putIfAbsent(name.unrouted(), new Found(name, accepted, null));
            }
        }
        for (PeerMatch match : heard()) {
            DocumentName name = arrival.scope().stored(match.name());
            if (arrival.scope().counts(match.name().index()) && name.sameDocument(arrival.name()) == false) {
                found.putIfAbsent(name.unrouted(), new Found(name, match.name(), null));
            }
        }
        return found.values();
    }
}
