/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.ArrayList;
import java.util.List;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.arrival.Membership;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.decision.Decisions.Verdict;
import org.opensearch.simhash.arrivals.ending.Obstacle;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome.Fate;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.warnings.RequestWarnings;

/** Carries out a round's verdicts in the documents, the window and the counts. One thread, one use. */
public record Judgement(
        NodeKnowledge knowledge, Batch batch, Counters<DuplicateCount> counts, RequestWarnings warnings) {

    /** One decision for each document, in order. */
    public List<DocumentResult> carryOut(RoundKnowledge round) {
        List<DocumentResult> decisions = new ArrayList<>();
        List<ArrivalOutcome> outcomes = new ArrayList<>();
        for (Verdicts.Judged judged : round.verdicts().all()) {
            Arrival arrival = judged.sought().arrival;
            DocumentResult decision;
            try {
                decision = arrival.failure() == null ? decision(judged) : failed(arrival.failure());
            } catch (Exception e) {
                decision = failed(e);
                arrival.failed(e);
            }
            decisions.add(decision);
            outcomes.add(Verdicts.outcome(batch, judged));
        }
        knowledge.window().decide(outcomes);
        return decisions;
    }

    /** Fails all documents. A pipeline that ignores failures may store them. */
    public void giveUp() {
        knowledge
                .window()
                .decide(batch.arrivals().stream()
                        .map(arrival -> batch.isSimulated()
                                ? ArrivalOutcome.forgotten(arrival.number())
                                : new ArrivalOutcome(arrival.number(), Fate.PERHAPS, arrival.name(), null))
                        .toList());
    }

    /** A pipeline that ignores or handles failures indexes the document. */
    private DocumentResult failed(Exception failure) {
        counts.increment(DuplicateCount.FAILED);
        return DocumentResult.failed(failure);
    }

    private DocumentResult decision(Verdicts.Judged judged) {
        Arrival arrival = judged.sought().arrival;
        Verdict verdict = judged.verdict();
        Membership given = judged.groups().given();
        if (given != null && (given.group() != null || given.apart().isEmpty() == false)) {
            given.write(arrival.document(), batch.rule().field());
        }
        if (judged.isKeptApart()) {
            counts.increment(DuplicateCount.KEPT_APART);
        }
        switch (verdict.action()) {
            case null ->
                DuplicateTag.remove(
                        arrival.document(),
                        batch.rule().targetField(),
                        original -> knowledge.window().follows(arrival.name(), arrival.answer(), original));
            case TAG -> {
                tag(arrival, verdict);
                count(DuplicateCount.TAGGED, arrival);
                stays(verdict.obstacle());
            }
            case DROP -> {
                count(DuplicateCount.DROPPED, arrival);
                return DocumentResult.DROPPED;
            }
            case FAIL -> {
                // First: it may be refused memory.
                Exception refusal = refusal(judged.sought(), verdict.standing().original());
                count(DuplicateCount.REFUSED, arrival);
                return DocumentResult.failed(refusal);
            }
        }
        return DocumentResult.KEPT;
    }

    /** Tells why a document that might have ended is indexed. */
    private void stays(Obstacle obstacle) {
        if (obstacle == null) {
            return;
        }
        if (obstacle.kind() != null && obstacle.kind() != Obstacle.Kind.NOT_SIMILAR) {
            counts.increment(DuplicateCount.valueOf(obstacle.kind().name()));
        }
        warnings.count("[near_duplicate] with [action] [" + batch.rule().action() + "] indexed %s with a tag, because "
                + obstacle.reason());
    }

    /** @throws IllegalArgumentException if the tag would be written over a text, or into one */
    private void tag(Arrival arrival, Verdict verdict) {
        String target = batch.rule().targetField();
        String index = arrival.name().index();
        for (String text : batch.preparing(index, knowledge.queries()).textFields()) {
            boolean isIn = ProcessorOptions.isWithin(text, target) || ProcessorOptions.isWithin(target, text);
            if (isIn && DocumentTexts.storedText(text, arrival.document().getSourceAndMetadata()) != null) {
                throw new IllegalArgumentException("[target_field] must be apart from the text in [" + text
                        + "], which fingerprints are made of, got: " + target);
            }
        }
        Original original = verdict.standing().original();
        DuplicateTag.write(arrival.document(), target, arrival.print(), original, verdict.isPending());
    }

    private void count(DuplicateCount what, Arrival arrival) {
        counts.increment(what);
        if (batch.tally() == null || arrival.print().isWhole() == false) {
            return;
        }
        if (what == DuplicateCount.TAGGED) {
            batch.tally().marked();
        } else {
            batch.tally().ended();
        }
    }

    private static Exception refusal(Sought sought, Original original) {
        Arrival arrival = sought.arrival;
        String nearness = arrival.print() instanceof ArrivedSketch sketch
                ? "an estimated similarity of [" + sketch.similarity(original.distance()) + "]"
                : "distance [" + original.distance() + "]";
        String similarity = Double.isNaN(original.similarity()) ? "" : ", similarity [" + original.similarity() + "]";
        return new OpenSearchStatusException(
                "[" + arrival.name().id() + "] is a near-duplicate of ["
                        + original.name().id() + "] in index ["
                        + original.name().index() + "] at " + nearness + similarity
                        + (sought.text == null ? "" : sought.text.differences(sought.ending.source(original.name()))),
                RestStatus.CONFLICT);
    }

    /** @param failure or null */
    public record DocumentResult(boolean dropped, Exception failure) {

        /** Goes on, tagged or not. */
        public static final DocumentResult KEPT = new DocumentResult(false, null);

        static final DocumentResult DROPPED = new DocumentResult(true, null);

        public static DocumentResult failed(Exception e) {
            return new DocumentResult(false, e);
        }
    }
}
