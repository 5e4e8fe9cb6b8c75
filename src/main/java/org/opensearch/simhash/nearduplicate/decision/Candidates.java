/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.lookup.StoredOriginals;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.window.EntryState;
import org.opensearch.simhash.nearduplicate.window.WindowCandidates;

/**
 * The documents that one document of a round may be a near-duplicate of: what the index and the window know, put together.
 * The nearest come first; of equally near ones the oldest, as {@link OldestFirst} has it. One thread.
 */
final class Candidates {

    /** Originals of the window that are confirmed, or not, before a document is kept after all. */
    private static final int MOST_CONFIRMED = 4;

    private final NodeKnowledge knowledge;
    private final Batch batch;
    private final Arrival arrival;
    private final WindowCandidates inWindow;
    private final StoredOriginals stored;
    /** Null when texts are not compared. */
    private final ArrivedText text;

    Candidates(
            NodeKnowledge knowledge, Batch batch, Arrival arrival, WindowCandidates inWindow, StoredOriginals stored) {
        this.knowledge = knowledge;
        this.batch = batch;
        this.arrival = arrival;
        this.inWindow = inWindow;
        this.stored = stored;
        this.text = batch.criteria().verification() == null ? null : new ArrivedText(knowledge, batch, arrival);
    }

    /** Looks for the next ones in the window. */
    void look() {
        inWindow.look(knowledge.window(), arrival, batch.criteria().maxDistance(), this::unlessRecentTextDiffers);
    }

    /** Asks for what the decision will depend on. */
    void want() {
        inWindow.check(this::current);
        List<Original> others =
                near().filter(original -> batch.holds(original) == false).toList();
        if (batch.rule().action().needsConfirmation() || arrival.isNamed()) {
            others.stream()
                    .filter(original -> original.isInWindow() == false)
                    .forEach(original -> want(original, needsText(original)));
        }
        arrival.inIndex().stream()
                .filter(original -> isOutdated(original) || isChanged(original))
                .forEach(original -> want(original, needsText(original)));
        others.stream()
                .filter(original -> original.isInWindow() && isKnownToBeSimilar(original) == false)
                .forEach(original -> want(original, true));
        others.stream()
                .filter(original -> original.isInWindow() && isKnownToBeSimilar(original))
                .limit(MOST_CONFIRMED)
                .forEach(original -> want(original, text != null));
    }

    /** Searches may still see what the window knows, in several versions: it is one document, and asked for once. */
    private void want(Original original, boolean withText) {
        knowledge
                .window()
                .answeredVersions(original.name(), arrival)
                .forEach(version -> stored.answered(version, original.name()));
        stored.want(original.name(), withText);
    }

    private long newest(Original inIndex) {
        return knowledge.window().newestVersion(inIndex.name(), arrival);
    }

    /**
     * Whether the window knows a newer version of what a search found, far from this document, unless a get showed once the bulk of
     * that one had been answered that it was never stored.
     */
    private boolean isWrittenOver(Original inIndex) {
        int maxDistance = batch.criteria().maxDistance();
        long newest = newest(inIndex);
        return knowledge.window().distance(newest, arrival) > maxDistance
                && knowledge.window().state(newest)
                        != EntryState.GONE // of what left the window meanwhile nothing is known
                && (stored.wasAnswered(newest) == false || stored.isNear(inIndex, arrival, maxDistance) == false);
    }

    /** Whether the window knows a newer version of what a search found, at another distance, which is stored or never will be. */
    private boolean isOutdated(Original inIndex) {
        long newest = newest(inIndex);
        return knowledge.window().isAnswered(newest)
                && knowledge.window().distance(newest, arrival) != inIndex.distance();
    }

    /** As near as what is stored by now, where a get told; null when the text of that differs. */
    private Original asStored(Original original) {
        int distance = stored.distance(original, arrival);
        boolean isOther = distance != original.distance() || (stored.isChanged(original) && stored.hasText(original));
        Original now = isOther ? original.at(distance) : original;
        Map<String, Object> source =
                isOther && text != null && stored.hasText(original) ? stored.source(original.name()) : null;
        return source == null ? now : verified(now, source);
    }

    private boolean isKnownToBeSimilar(Original original) {
        return text == null || Double.isNaN(original.similarity()) == false;
    }

    /** Searches have compared the texts: what they found needs none unless another version is stored by now. */
    private boolean needsText(Original original) {
        return isKnownToBeSimilar(original) == false || isChanged(original);
    }

    private boolean isChanged(Original original) {
        return text != null && stored.isChanged(original) && stored.hasText(original) == false;
    }

    /**
     * Goes on in the window when none of those found there is near indeed, now that their texts are known. True only when it went
     * on, or {@link #want} asks for more by now: the round comes back here at once.
     */
    boolean lookFurther() {
        boolean forgot = forgetGone();
        inWindow.check(this::verified);
        if (needsMore()) {
            look();
            return true;
        }
        return near().anyMatch(original -> isChanged(original) || (forgot && isUnknown(original)));
    }

    /** Takes out of the window what a get has not found there, though it must be stored by now; whether there was any. */
    private boolean forgetGone() {
        int before = inWindow.found().size();
        inWindow.check(original -> {
            if (isGone(original) == false) {
                return original;
            }
            if (stored.isMissing(original)) {
                knowledge.window().drop(original.number());
            }
            return null;
        });
        return inWindow.found().size() < before;
    }

    /** Whether an original of the window took the place of those that are gone, and nothing was asked about it. */
    private boolean isUnknown(Original original) {
        return original.isInWindow() && batch.holds(original) == false && stored.isAsked(original) == false;
    }

    /** Whether it is certain that an original is not stored, or will not be once the bulk is done. */
    private boolean isGone(Original original) {
        return batch.outcome().endsWithoutIt(original.name())
                || (batch.holds(original) == false
                        && stored.isGone(
                                original,
                                arrival,
                                batch.criteria().maxDistance(),
                                () -> batch.scopes()
                                        .keepsWholeSource(original.name().index())));
    }

    /** Whether none of those found in the index counts, and it may know others that are nearer or older than what does. */
    boolean areUsedUp() {
        if (arrival.mayHaveMore() == false) {
            return false;
        }
        int reached =
                arrival.inIndex().stream().mapToInt(Original::distance).max().orElse(-1);
        return originals().stream()
                .filter(original -> batch.holds(original) == false) // may be dropped for what is found then
                .noneMatch(original -> original.distance() < reached
                        || (original.distance() == reached && original.isInWindow() == false));
    }

    /** Those that are near-duplicates indeed, as things stand at this moment. */
    List<Original> originals() {
        while (needsMore()) {
            look();
            inWindow.check(this::verified);
        }
        List<Original> originals = new ArrayList<>(verified().toList());
        new Followers(knowledge.window(), batch.rule().targetField(), stored).removeFrom(originals, arrival.name());
        return originals;
    }

    /** What is known of those that are near-duplicates indeed. */
    Confirmation confirmation() {
        return new Confirmation(knowledge, batch, arrival, stored, text);
    }

    private boolean needsMore() {
        return inWindow.hasMore() && verified().noneMatch(original -> original.distance() <= inWindow.reached());
    }

    private Stream<Original> verified() {
        return near().map(this::verified).filter(original -> original != null);
    }

    private Stream<Original> near() {
        List<Original> inIndex = arrival.inIndex().stream()
                .filter(original -> isWrittenOver(original) == false)
                .filter(original -> isGone(original) == false)
                .map(this::asStored)
                .filter(original -> original != null)
                .sorted(Original.NEAREST_THEN_OLDEST)
                .toList();
        OldestFirst near = new OldestFirst();
        near.addStored(inIndex, this::newest);
        for (Original original : inWindow.found()) {
            Original current = current(original);
            Original now = current == null || isGone(current) ? null : asStored(current);
            if (now != null && near.contains(now) == false) {
                near.addAccepted(now);
            }
        }
        return near.sorted().stream();
    }

    /** By the name that it has now; null when it does not count: some is gone by now, and some went into another index. */
    private Original current(Original original) {
        DocumentName now = knowledge.window().name(original.number());
        boolean counts = now != null
                && arrival.scope().counts(now.index())
                && (isUndecided(original) || knowledge.window().kept(original.number()) >= 0);
        DocumentName found = counts ? arrival.scope().stored(now) : null;
        if (found == null || found.sameDocument(arrival.name())) {
            return null;
        }
        return found.equals(original.name()) ? original : original.named(found);
    }

    private boolean isUndecided(Original original) {
        return batch.holds(original) && knowledge.window().state(original.number()) == EntryState.UNDECIDED;
    }

    /** Null when it is known already that the texts differ. */
    private Original unlessRecentTextDiffers(Original original) {
        Map<String, Object> recent = text == null ? null : text.recent(original.number());
        return recent == null ? original : verified(original, recent);
    }

    /** Null when the texts differ, or when there is no text to be had. */
    private Original verified(Original original) {
        if (isKnownToBeSimilar(original)) {
            return original;
        }
        Map<String, Object> recent = text.recent(original.number());
        Map<String, Object> source = recent == null ? stored.source(original.name()) : recent;
        return source == null ? null : verified(original, source);
    }

    private Original verified(Original original, Map<String, Object> source) {
        double similarity = text.similarity(source);
        return similarity < 0 ? null : original.similar(similarity);
    }
}
