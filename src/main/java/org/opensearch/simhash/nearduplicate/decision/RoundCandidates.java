/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.lookup.NodeLookups;
import org.opensearch.simhash.nearduplicate.lookup.StoredOriginals;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.window.EntryState;
import org.opensearch.simhash.nearduplicate.window.WindowCandidates;

/**
 * The {@link Candidates} of all documents of a round, and what is stored of them. What goes wrong with a document, fails it
 * alone. One thread at a time.
 */
public final class RoundCandidates {

    private final NodeKnowledge knowledge;
    private final Batch batch;
    private final StoredOriginals stored;
    private final Map<Arrival, WindowCandidates> inWindow = new HashMap<>();

    public RoundCandidates(NodeKnowledge knowledge, Batch batch, LongConsumer memory) {
        this.knowledge = knowledge;
        this.batch = batch;
        this.stored = new StoredOriginals(memory);
    }

    Candidates of(Arrival arrival) {
        return new Candidates(knowledge, batch, arrival, inWindow(arrival), stored);
    }

    private WindowCandidates inWindow(Arrival arrival) {
        return inWindow.computeIfAbsent(arrival, any -> new WindowCandidates());
    }

    /** Looks for them in the window. */
    public void look() {
        if (batch.criteria().verification() != null) {
            each(arrival -> new ArrivedText(knowledge, batch, arrival).keep());
        }
        each(arrival -> of(arrival).look());
    }

    /**
     * Numbers of those that are of earlier rounds and not decided yet, and of versions not decided yet that may take the place of
     * one that counts: a document must not be dropped for what is about to be written over.
     */
    public List<Long> undecided() {
        List<Long> numbers = new ArrayList<>();
        Set<DocumentName> names = new HashSet<>();
        for (Arrival arrival : batch.arrivals()) {
            originals(arrival).forEach(original -> {
                if (batch.arrival(original.number()) == null
                        && knowledge.window().state(original.number()) == EntryState.UNDECIDED) {
                    numbers.add(original.number());
                }
                names.add(original.name());
            });
        }
        // Each once: many documents of a bulk may have the same original.
        names.forEach(name -> numbers.addAll(
                knowledge.window().undecidedVersions(name, batch.rule().field(), batch.firstNumber())));
        return numbers;
    }

    private Stream<Original> originals(Arrival arrival) {
        return Stream.concat(arrival.inIndex().stream(), inWindow(arrival).found().stream());
    }

    /** Whether some must be got: what is stored of them is not known yet. */
    public boolean want() {
        each(arrival -> of(arrival).want());
        return stored.wantsNothing() == false;
    }

    /**
     * Gets those that are wanted.
     *
     * @param then runs when it is known what is stored of them
     * @param onFailure runs when that cannot be known; where it takes too much memory, the documents fail
     */
    public void get(NodeLookups lookups, Runnable then, Runnable onFailure) {
        // Of an original its fingerprint and its tag, and what its text is verified by.
        Set<String> fields =
                new LinkedHashSet<>(List.of(batch.rule().field(), batch.rule().targetField()));
        Set<String> textFields = new LinkedHashSet<>(fields);
        if (batch.criteria().verification() != null) {
            each(arrival -> textFields.addAll(new ArrivedText(knowledge, batch, arrival).fields()));
        }
        ActionListener<Void> listener = ActionListener.wrap(nothing -> then.run(), e -> {
            if (ExceptionsHelper.unwrapCause(e) instanceof CircuitBreakingException refused) {
                each(arrival -> arrival.failed(refused));
            }
            onFailure.run();
        });
        stored.fetch(
                lookups.client(),
                lookups.timeout().get(),
                fields.toArray(String[]::new),
                textFields.toArray(String[]::new),
                listener);
    }

    /** Gives back the memory; nothing can be asked any more. */
    public void close() {
        stored.close();
    }

    /**
     * Looks for others in place of those that are rejected, now that their texts are known; false when neither is any missing nor
     * another text.
     */
    public boolean lookFurther() {
        List<Arrival> further = new ArrayList<>();
        each(arrival -> {
            if (of(arrival).lookFurther()) {
                further.add(arrival);
            }
        });
        if (further.isEmpty()) {
            return false;
        }
        stored.keepOnly(batch.arrivals().stream().flatMap(this::originals).map(Original::name));
        return true;
    }

    /**
     * The documents of which nothing that was found counts, because it is deleted, or follows the document itself, while the index
     * may know others behind that: they are to be looked up once more.
     */
    public List<Arrival> usedUp() {
        List<Arrival> usedUp = new ArrayList<>();
        each(arrival -> {
            if (of(arrival).areUsedUp()) {
                arrival.lookUpFurther();
                usedUp.add(arrival);
            }
        });
        return usedUp;
    }

    private void each(Consumer<Arrival> step) {
        for (Arrival arrival : batch.arrivals()) {
            if (arrival.failure() == null) {
                try {
                    step.accept(arrival);
                } catch (Exception e) {
                    arrival.failed(e);
                }
            }
        }
    }
}
