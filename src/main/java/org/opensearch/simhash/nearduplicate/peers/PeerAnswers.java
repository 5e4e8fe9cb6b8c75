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
 * Answers what other nodes ask of this node's window. Costs a search of the window for each document, and no thread while it waits.
 * Thread-safe.
 *
 * @param scopes what names mean at the moment, by the indices that are configured
 * @param memory takes bytes, or refuses them, or takes them back when negative
 * @param undecided of which an answer waits
 */
public record PeerAnswers(
        ArrivalWindow window,
        RecentTexts texts,
        Peers peers,
        Function<List<String>, LookupScopes> scopes,
        LongConsumer memory,
        Undecided undecided) {

    /** The rounds of this node that are not decided. */
    @FunctionalInterface
    public interface Undecided {

        /**
         * @param numbers of entries of the window
         * @param then runs when it is decided what becomes of all of them, at once where it is
         */
        void whenDecided(Collection<Long> numbers, Runnable then, Consumer<Exception> onFailure);
    }

    /** @param listener gets the answer, on any thread, when all that came before the documents is decided */
    public void answer(PeerQuestion question, ActionListener<PeerAnswer> listener) {
        // The order counts: a round that enters before this has a lower stamp than the answer, one that enters after it
        // asks.
        peers.heardOf(question.asker());
        window.heard(question.stamp());
        if (question.documents().isEmpty()) {
            listener.onResponse(new PeerAnswer(window.stamp(), 0, List.of()));
        } else {
            new PeerSearch(this, question, listener).look();
        }
    }
}
