/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.common.TriConsumer;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.arrivals.window.RecentTexts;
import org.opensearch.simhash.arrivals.window.WindowVersion;
import org.opensearch.simhash.core.memory.Account;

/**
 * Answers questions of other nodes. Costs a search of the window for each document. No thread waits. Thread-safe.
 *
 * @param scopes by configured indices, in the current cluster state
 * @param undecided takes numbers, what runs when all of them are decided (at once if they are), and who hears of a failure
 */
public record PeerAnswers(
        ArrivalWindow window,
        RecentTexts texts,
        Peers peers,
        Function<List<String>, LookupScopes> scopes,
        LongConsumer memory,
        TriConsumer<Collection<Long>, Runnable, Consumer<Exception>> undecided) {

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

    /** Answers one question, after all earlier near documents are decided. One thread at a time. */
    private static final class PeerSearch {

        /** The document that reaches this size is the last one. */
        static final long MOST_BYTES = 4 << 20;

        private static final long BYTES_PER_MATCH = 128;

        private final PeerAnswers node;
        private final PeerQuestion question;
        private final ActionListener<PeerAnswer> listener;
        private final List<Arrival> asked = new ArrayList<>();
        private final Set<Long> awaited = new HashSet<>();
        private final Set<Map<String, Object>> counted = Collections.newSetFromMap(new IdentityHashMap<>());

        PeerSearch(PeerAnswers node, PeerQuestion question, ActionListener<PeerAnswer> listener) {
            this.node = node;
            this.question = question;
            this.listener = listener;
            LookupScopes scopes = node.scopes().apply(question.rule().configured());
            String self = node.peers().network().self().getId();
            boolean isFirst = self.compareTo(question.asker().getId()) < 0;
            for (PeerDocument document : question.documents()) {
                asked.add(document.arrival(scopes, question.stamp(), isFirst));
            }
        }

        void look() {
            List<List<Original>> found = new ArrayList<>();
            Set<Long> numbers = new HashSet<>();
            long bytes = 0;
            counted.clear();
            for (int i = 0; i < asked.size() && bytes < MOST_BYTES; i++) {
                PeerDocument document = question.documents().get(i);
                List<Original> matches =
                        node.window().nearestTo(asked.get(i), document.maxDistance(), document.wanted());
                for (Original match : matches) {
                    numbers.add(match.number());
                    bytes += BYTES_PER_MATCH + textBytes(text(match));
                }
                found.add(matches);
            }
            Map<Long, WindowVersion> versions = node.window().versions(numbers);
            List<Long> undecided = versions.values().stream()
                    .filter(WindowVersion::isUndecided)
                    .map(WindowVersion::number)
                    .filter(awaited::add)
                    .toList();
            if (undecided.isEmpty()) {
                respond(found, versions);
            } else {
                node.undecided().apply(undecided, this::look, listener::onFailure);
            }
        }

        private void respond(List<List<Original>> found, Map<Long, WindowVersion> versions) {
            try (Account memory = new Account(node.memory())) {
                long bytes = 0;
                counted.clear();
                List<PeerAnswer.Matches> documents = new ArrayList<>();
                for (int i = 0; i < found.size() && (i == 0 || bytes < MOST_BYTES); i++) {
                    List<PeerMatch> matches = new ArrayList<>();
                    long before = bytes;
                    for (Original match : found.get(i)) {
                        WindowVersion version = versions.get(match.number());
                        if (version != null) {
                            PeerMatch said = said(match, version);
                            matches.add(said);
                            bytes += bytes(said);
                        }
                    }
                    memory.take(bytes - before);
                    boolean hasMore =
                            found.get(i).size() == question.documents().get(i).wanted();
                    documents.add(new PeerAnswer.Matches(matches, hasMore));
                }
                listener.onResponse(new PeerAnswer(node.window().stamp(), bytes, documents));
            }
        }

        private PeerMatch said(Original match, WindowVersion version) {
            return new PeerMatch(
                    version.order(),
                    version.name(),
                    match.distance(),
                    version.isCertain(),
                    version.isAnswered(),
                    version.version(),
                    version.originals(),
                    version.membership(),
                    text(match));
        }

        private Map<String, Object> text(Original match) {
            return question.rule().withTexts() ? node.texts().get(match.number()) : null;
        }

        private long bytes(PeerMatch match) {
            long bytes = BYTES_PER_MATCH + Arrival.bytes(match.name());
            for (DocumentName original : match.originals()) {
                bytes += Arrival.bytes(original);
            }
            return bytes + (match.membership() == null ? 0 : match.membership().bytes()) + textBytes(match.text());
        }

        /** Once for all that have it. */
        private long textBytes(Map<String, Object> text) {
            return text != null && counted.add(text) ? RamUsageEstimator.sizeOfMap(text) : 0;
        }
    }
}
