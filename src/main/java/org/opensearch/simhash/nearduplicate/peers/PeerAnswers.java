/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;
import org.opensearch.simhash.nearduplicate.window.ArrivalWindow;
import org.opensearch.simhash.nearduplicate.window.RecentTexts;

/**
 * Answers questions of other nodes. Costs a search of the window for each document. No thread waits. Thread-safe.
 *
 * @param scopes by configured indices, in the current cluster state
 * @param memory of the circuit breaker
 * @param undecided rounds to wait for
 */
public record PeerAnswers(
        ArrivalWindow window,
        RecentTexts texts,
        Peers peers,
        Function<List<String>, LookupScopes> scopes,
        LongConsumer memory,
        Undecided undecided) {

    @FunctionalInterface
    public interface Undecided {

        /**
         * @param numbers of entries
         * @param then runs when all are decided, at once if they are
         */
        void whenDecided(Collection<Long> numbers, Runnable then, Consumer<Exception> onFailure);
    }

    /** @param listener gets the answer on any thread, after all earlier near documents are decided */
    public void answer(PeerQuestion question, ActionListener<PeerAnswer> listener) {
        // In this order. Then an earlier round has a lower stamp than the answer, and a later round asks the asker.
        peers.heardOf(question.asker());
        window.heard(question.stamp());
        if (question.documents().isEmpty()) {
            listener.onResponse(new PeerAnswer(window.stamp(), 0, List.of()));
        } else {
            new PeerSearch(this, question, listener).look();
        }
    }
}
