/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.opensearch.simhash.nearduplicate.ArrivalWindow.State;

/**
 * The {@link Candidates} of all documents of a round, and what is stored of them. What goes wrong with a document, fails it
 * alone. One thread at a time.
 */
final class RoundCandidates {

    private final NearDuplicates services;
    private final Round round;
    private final StoredOriginals stored = new StoredOriginals();

    RoundCandidates(NearDuplicates services, Round round) {
        this.services = services;
        this.round = round;
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
     * @param onFailure runs when that cannot be known
     */
    void get(Runnable then, Runnable onFailure) {
        stored.fetch(services.client(), services.settings().lookupTimeout(), fields(), then, onFailure);
    }

    /** What must be known of an original: its fingerprint, its tag, and what its text is verified by. */
    private String[] fields() {
        Set<String> fields = new LinkedHashSet<>();
        fields.add(round.rule().field());
        fields.add(round.rule().targetField());
        if (round.criteria().verification() != null) {
            each(arrival -> fields.addAll(new ArrivedText(services, round, arrival).fields()));
        }
        return fields.toArray(String[]::new);
    }

    /** Looks for others in place of those that are rejected, now that their texts are known; false when none is missing. */
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
