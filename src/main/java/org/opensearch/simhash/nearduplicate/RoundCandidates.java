/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.nearduplicate.ArrivalWindow.State;

/**
 * The {@link Candidates} of all documents of a round, and what is stored of them. What goes wrong with a document, fails it
 * alone. One thread at a time.
 */
final class RoundCandidates {

    private final NearDuplicates services;
    private final Round round;
    private final StoredOriginals stored;

    RoundCandidates(NearDuplicates services, Round round) {
        this.services = services;
        this.round = round;
        this.stored = new StoredOriginals(services.memory());
    }

    Candidates of(Arrival arrival) {
        return new Candidates(services, round, arrival, stored);
    }

    /** Looks for them in the window. */
    void look() {
        if (round.criteria().verification() != null) {
            each(arrival -> new ArrivedText(services, round, arrival).keep());
        }
        each(arrival -> of(arrival).look());
    }

    /** Numbers of those that are of earlier rounds and not decided yet. */
    List<Long> undecided() {
        List<Long> numbers = new ArrayList<>();
        for (Arrival arrival : round.arrivals()) {
            for (Original candidate : arrival.inWindow().found()) {
                if (round.arrival(candidate.number()) == null
                        && services.window().state(candidate.number()) == State.UNDECIDED) {
                    numbers.add(candidate.number());
                }
            }
        }
        return numbers;
    }

    /** Whether some must be got: what is stored of them is not known yet. */
    boolean want() {
        each(arrival -> of(arrival).want());
        return stored.wantsNothing() == false;
    }

    /**
     * Gets those that are wanted.
     *
     * @param then runs when it is known what is stored of them
     * @param onFailure runs when that cannot be known; where it takes too much memory, the documents fail
     */
    void get(Runnable then, Runnable onFailure) {
        // Of an original its fingerprint and its tag, and what its text is verified by.
        Set<String> fields =
                new LinkedHashSet<>(List.of(round.rule().field(), round.rule().targetField()));
        Set<String> textFields = new LinkedHashSet<>(fields);
        if (round.criteria().verification() != null) {
            each(arrival -> textFields.addAll(new ArrivedText(services, round, arrival).fields()));
        }
        ActionListener<Void> listener = ActionListener.wrap(nothing -> then.run(), e -> {
            if (ExceptionsHelper.unwrapCause(e) instanceof CircuitBreakingException refused) {
                each(arrival -> arrival.failed(IndexLookup.failure(arrival, refused)));
            }
            onFailure.run();
        });
        stored.fetch(
                services.client(),
                services.settings().lookupTimeout(),
                fields.toArray(String[]::new),
                textFields.toArray(String[]::new),
                listener);
    }

    /** Gives back the memory; nothing can be asked any more. */
    void close() {
        stored.close();
    }

    /**
     * Looks for others in place of those that are rejected, now that their texts are known; false when neither is any missing nor
     * another text.
     */
    boolean lookFurther() {
        List<Arrival> further = new ArrayList<>();
        each(arrival -> {
            if (of(arrival).lookFurther()) {
                further.add(arrival);
            }
        });
        if (further.isEmpty()) {
            return false;
        }
        stored.keepOnly(round.arrivals().stream()
                .flatMap(arrival -> Stream.concat(arrival.inIndex().stream(), arrival.inWindow().found().stream()))
                .map(Original::name));
        return true;
    }

    private void each(Consumer<Arrival> step) {
        for (Arrival arrival : round.arrivals()) {
            if (arrival.failure() == null) {
                try {
                    step.accept(arrival);
                } catch (Exception e) {
                    arrival.failed(IndexLookup.failure(arrival, e));
                }
            }
        }
    }
}
