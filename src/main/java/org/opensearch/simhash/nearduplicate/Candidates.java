/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.nearduplicate.ArrivalWindow.State;
import org.opensearch.simhash.query.TextVerifier;
import org.opensearch.simhash.verify.Verdict;

/**
 * The documents that one document of a round may be a near-duplicate of: what the index and the window know, put together.
 * The nearest come first; of equally near ones those of the index, in its order, then those of the window as they came. One
 * thread.
 */
final class Candidates {

    /** Originals looked at before a document is kept after all. */
    private static final int MOST_CONFIRMED = 4;

    private final NearDuplicates services;
    private final Round round;
    private final Arrival arrival;
    private final StoredOriginals stored;
    private TextVerifier verifier;

    Candidates(NearDuplicates services, Round round, Arrival arrival, StoredOriginals stored) {
        this.services = services;
        this.round = round;
        this.arrival = arrival;
        this.stored = stored;
    }

    /** What must be known of an original: its fingerprint, and what its text is verified by. */
    static String[] fields(NearDuplicates services, Round round) {
        Set<String> fields = new LinkedHashSet<>();
        fields.add(round.rule().field());
        if (round.criteria().verification() != null) {
            round.arrivals().forEach(arrival -> fields.addAll(textFields(services, round, arrival)));
        }
        return fields.toArray(String[]::new);
    }

    /** The text that is verified, and the field that tells its language where that matters. */
    static List<String> textFields(NearDuplicates services, Round round, Arrival arrival) {
        String text = round.criteria().verification().field();
        Recipe recipe =
                services.queries().recipe(round.rule().field(), arrival.name().index(), scheme(arrival));
        return recipe.languageField() == null ? List.of(text) : List.of(text, recipe.languageField());
    }

    /** Asks for what the decision will depend on. */
    void want() {
        boolean drops = round.rule().action() == DuplicateAction.DROP;
        boolean verifies = round.criteria().verification() != null;
        near().filter(original -> isOfThisRound(original) == false)
                .limit(verifies ? Long.MAX_VALUE : MOST_CONFIRMED)
                .filter(original -> drops || original.isInWindow())
                .forEach(original -> stored.want(original.name()));
    }

    /** Those that are near-duplicates indeed, as things stand at this moment. */
    Stream<Original> originals() {
        return round.criteria().verification() == null
                ? near()
                : near().map(this::verified).filter(original -> original != null);
    }

    /** Whether an original is stored, at this moment, as near as it was found. */
    boolean isStored(Original original) {
        if (isOfThisRound(original)) {
            return false;
        }
        if (stored.isUnchanged(original)) {
            return true;
        }
        int maxDistance = round.criteria().maxDistance();
        if (stored.isNear(original, arrival, round.rule().field(), maxDistance) == false) {
            return false;
        }
        return round.criteria().verification() == null || similarity(stored.source(original.name())) >= 0;
    }

    private Stream<Original> near() {
        List<Original> near = new ArrayList<>();
        for (Original original : arrival.inIndex()) {
            if (services.window()
                            .changedSince(
                                    original.name(), arrival, round.criteria().maxDistance())
                    == false) {
                near.add(original);
            }
        }
        for (WindowMatch match : inWindow()) {
            if (near.stream().noneMatch(original -> original.name().sameDocument(match.name()))) {
                near.add(Original.inWindow(match));
            }
        }
        near.sort(Comparator.comparingInt(Original::distance));
        return near.stream();
    }

    /** What was found on arrival, less what is gone by now; looked for again when nothing of it is left but there may be more. */
    private List<WindowMatch> inWindow() {
        List<WindowMatch> found = arrival.inWindow();
        List<WindowMatch> left = found.stream()
                .filter(match -> services.window().state(match.number()) != State.GONE)
                .filter(match -> isRerouted(match) == false)
                .toList();
        return left.isEmpty() && found.size() == Round.WINDOW_MATCHES
                ? services.window()
                        .nearest(
                                arrival,
                                arrival.scope().indices(),
                                round.criteria().maxDistance(),
                                Round.WINDOW_MATCHES)
                : left;
    }

    private boolean isRerouted(WindowMatch match) {
        DocumentName now = services.window().name(match.number());
        return now != null && arrival.scope().indices().contains(now.index()) == false;
    }

    private boolean isOfThisRound(Original original) {
        return original.isInWindow() && round.arrival(original.number()) != null;
    }

    /** Null when the texts differ, or when there is no text to be had. */
    private Original verified(Original original) {
        if (Double.isNaN(original.similarity()) == false) {
            return original;
        }
        Arrival ofThisRound = round.arrival(original.number());
        Map<String, Object> source =
                ofThisRound == null ? source(original) : ofThisRound.document().getSourceAndMetadata();
        double similarity = source == null ? -1 : similarity(source);
        return similarity < 0 ? null : original.similar(similarity);
    }

    /** As it came in, as long as that is known, else as it is stored. */
    private Map<String, Object> source(Original original) {
        Map<String, Object> recent = services.texts().get(original.number());
        return recent == null ? stored.source(original.name()) : recent;
    }

    /** Of the document's text to another's; negative when it is not enough. */
    private double similarity(Map<String, Object> source) {
        if (verifier == null) {
            String text = DocumentTexts.text(
                    round.criteria().verification().field(), arrival.document().getSourceAndMetadata());
            if (text.isEmpty()) {
                return -1;
            }
            verifier = services.queries()
                    .verifier(
                            round.criteria().verification(),
                            text,
                            round.rule().field(),
                            arrival.name().index(),
                            scheme(arrival));
        }
        Verdict verdict = verifier.verify(source, () -> {});
        return verdict.isSimilar() ? verdict.similarity() : -1;
    }

    private static String scheme(Arrival arrival) {
        return arrival.fingerprint().target().scheme();
    }
}
