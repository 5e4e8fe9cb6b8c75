/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * Decides what becomes of the documents of a round, in the order in which they came, so that each decision counts for those
 * after it. One thread, one use.
 */
public record Judgement(
        NodeKnowledge knowledge, Batch batch, RoundCandidates candidates, Counters<DuplicateCount> counts) {

    public List<Decision> decide() {
        List<Decision> decisions = new ArrayList<>();
        for (Arrival arrival : batch.arrivals()) {
            decisions.add(decide(arrival));
        }
        return decisions;
    }

    private Decision decide(Arrival arrival) {
        if (arrival.failure() != null) {
            // Where failures are ignored or handled, it goes on to be indexed all the same.
            counts.increment(DuplicateCount.FAILED);
            return failed(arrival, arrival.failure());
        }
        try {
            Candidates own = candidates.of(arrival);
            List<Original> originals = own.originals();
            if (originals.isEmpty()) {
                DuplicateTag.remove(
                        arrival.document(),
                        batch.rule().targetField(),
                        original -> knowledge.window().follows(arrival.name(), arrival.answer(), original));
                return kept(arrival, arrival.name(), Decision.KEPT);
            }
            // What else an update would change must not be lost with it.
            return switch (batch.outcome().isUpdate(arrival)
                    ? DuplicateAction.TAG
                    : batch.rule().action()) {
                case TAG -> tagged(arrival, originals.getFirst(), own);
                case DROP -> dropped(arrival, originals, own);
                case FAIL -> refused(arrival, originals, own);
                case REROUTE -> rerouted(arrival, originals.getFirst(), own);
            };
        } catch (CircuitBreakingException | OpenSearchTimeoutException e) {
            arrival.failed(e);
            counts.increment(DuplicateCount.FAILED);
            return failed(arrival, arrival.failure());
        } catch (Exception e) {
            counts.increment(DuplicateCount.FAILED);
            return failed(arrival, e);
        }
    }

    private Decision tagged(Arrival arrival, Original original, Candidates own) {
        tag(arrival, original, own);
        counts.increment(DuplicateCount.TAGGED);
        return kept(arrival, arrival.name(), Decision.KEPT);
    }

    private Decision dropped(Arrival arrival, List<Original> originals, Candidates own) {
        Optional<Original> confirmed =
                originals.stream().filter(own.confirmation()::isStored).findFirst();
        if (confirmed.isEmpty()) {
            return tagged(arrival, originals.getFirst(), own);
        }
        knowledge.window().end(arrival.number());
        counts.increment(DuplicateCount.DROPPED);
        return Decision.DROPPED;
    }

    /** To be refused is final for whoever sent the document: it must not be for an original that nobody ever stores. */
    private Decision refused(Arrival arrival, List<Original> originals, Candidates own) {
        Confirmation confirmation = own.confirmation();
        Optional<Original> confirmed = originals.stream()
                .filter(original -> confirmation.isSentAlong(original) || confirmation.isStored(original))
                .findFirst();
        if (confirmed.isEmpty()) {
            return tagged(arrival, originals.getFirst(), own);
        }
        Original original = confirmed.get();
        // No more than by this field: its pipeline may ignore that, and index it. Otherwise the answer tells.
        knowledge.window().refuse(arrival.number());
        counts.increment(DuplicateCount.REFUSED);
        String similarity = Double.isNaN(original.similarity()) ? "" : ", similarity [" + original.similarity() + "]";
        String together = confirmation.isStored(original) ? "" : ", which comes with the same bulk and may fail yet";
        return Decision.failed(new OpenSearchStatusException(
                "[" + arrival.name().id() + "] is a near-duplicate of ["
                        + original.name().id() + "] in index ["
                        + original.name().index() + "] at distance [" + original.distance() + "]" + similarity
                        + together,
                RestStatus.CONFLICT));
    }

    private Decision rerouted(Arrival arrival, Original original, Candidates own) {
        String last = batch.scopes().finalPipeline(arrival.name().index());
        if (last != null) {
            // OpenSearch would take the other documents of the bulk for one another in there, or never answer.
            throw new IllegalArgumentException(
                    "[action] [reroute] needs an index without [index.final_pipeline], got: ["
                            + arrival.name().index() + "] with [" + last + "]");
        }
        tag(arrival, original, own);
        arrival.document()
                .setFieldValue(
                        IngestDocument.Metadata.INDEX.getFieldName(),
                        batch.rule().rerouteTo());
        counts.increment(DuplicateCount.REROUTED);
        String id = arrival.name().id();
        String routing = Arrival.routing(arrival.document());
        return kept(arrival, batch.scopes().name(batch.rule().rerouteTo(), id, routing), Decision.KEPT);
    }

    private void tag(Arrival arrival, Original original, Candidates own) {
        boolean pending = original.isInWindow() && own.confirmation().isStored(original) == false;
        DuplicateTag.write(arrival.document(), batch.rule().targetField(), original, pending);
        knowledge.window().follow(arrival.number(), original.name());
    }

    private Decision kept(Arrival arrival, DocumentName name, Decision decision) {
        if (batch.isSimulated() || batch.outcome().isUpdate(arrival)) {
            keepPerhaps(arrival);
        } else {
            knowledge.window().keep(arrival.number(), name);
        }
        return decision;
    }

    private Decision failed(Arrival arrival, Exception failure) {
        keepPerhaps(arrival);
        return Decision.failed(failure);
    }

    /** The document may be indexed, unless that is only played: what is stored by its name counts as well. */
    public void keepPerhaps(Arrival arrival) {
        if (batch.isSimulated()) {
            knowledge.window().drop(arrival.number());
        } else {
            knowledge.window().keepBeside(arrival.number());
        }
    }
}
