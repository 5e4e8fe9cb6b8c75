/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.lookup.StoredDocuments;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.MaxDistance;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.ingest.PreparingRecipes;

/**
 * What keeps an arriving document from ending for a stored one: both texts are looked at, in that moment, not only what
 * is stored of their fingerprints. Remembers what it saw. One thread.
 */
class EndingCheck {

    /** Why a document stays. */
    enum Obstacle {
        STALE(
                DuplicateCount.STALE_FINGERPRINT,
                "their fingerprint, or that of their original, is not that of the text beside it"),
        ROUNDED(
                DuplicateCount.STALE_FINGERPRINT,
                "their original has [bits] that are not those of its [hash]: a client rounded them;"
                        + " POST /_plugins/_simhash/check/{index}/mend mends them"),
        SEVERAL(DuplicateCount.STALE_FINGERPRINT, "their original has several fingerprints, each of a passage"),
        UNREADABLE(
                DuplicateCount.STALE_FINGERPRINT,
                "the text that the fingerprints are made of is not in [_source], or no pipeline has their recipe"),
        NO_TEXT(DuplicateCount.NO_TEXT, "there are no words in their text, or in that of their original"),
        NOT_OF_TEXT(DuplicateCount.NO_TEXT, "their fingerprints are not made of text, which needs [verify] false"),
        OWN_TEXT(DuplicateCount.OWN_TEXT, "they have more than [max_own_words] words of their own in a row"),
        FAR(
                null,
                "without [verify] their fingerprints may differ from that of their original by at most ["
                        + DuplicateRule.MOST_BITS_UNVERIFIED
                        + "] bits, or hashes that are not made of text by a quarter of their bits"),
        UPDATE(null, "they belong to updates, whose other changes must not be lost"),
        OWN_ID(null, "their ids are stored, or may be soon"),
        PENDING(
                null,
                "their originals are not stored for certain yet, as always within one bulk:"
                        + " a job finds and removes them"),
        CONTESTED(
                null,
                "their originals may change by a write under way, or a filtered alias hides some of their versions");

        private final DuplicateCount count;
        private final String warning;

        Obstacle(DuplicateCount count, String warning) {
            this.count = count;
            this.warning = warning;
        }

        /** Null if it is not counted. */
        DuplicateCount count() {
            return count;
        }

        /** In words that follow "because". */
        String warning() {
            return warning;
        }

        private static Obstacle of(Freshness freshness) {
            return switch (freshness.state()) {
                case FRESH -> null;
                case STALE, NONE -> STALE;
                case ROUNDED -> ROUNDED;
                case NO_TEXT -> NO_TEXT;
                case SEVERAL -> SEVERAL;
                case UNREADABLE -> UNREADABLE;
                case NOT_OF_TEXT -> NOT_OF_TEXT;
            };
        }
    }

    private final NodeKnowledge knowledge;
    private final StoredDocuments stored;
    private final Batch batch;
    private final Arrival arrival;
    private final LongConsumer memory;
    private final IdentityHashMap<Map<String, Object>, Optional<Obstacle>> seen =
            new IdentityHashMap<>(ArrivedText.FEW);
    private Freshness own;
    private long nanos;

    /** @param stored of the round */
    EndingCheck(NodeKnowledge knowledge, StoredDocuments stored, Batch batch, Arrival arrival, LongConsumer memory) {
        this.knowledge = knowledge;
        this.stored = stored;
        this.batch = batch;
        this.arrival = arrival;
        this.memory = memory;
    }

    /** Whether the document's own fingerprint is that of its text. */
    Freshness own() {
        if (own == null) {
            own = freshness(document(), arrival.name().index(), memory);
        }
        return own;
    }

    private Map<String, Object> document() {
        return arrival.document().getSourceAndMetadata();
    }

    /** The fields of a stored document that are looked at. */
    Set<String> fields() {
        return recipes(arrival.name().index()).textFields();
    }

    private PreparingRecipes recipes(String index) {
        return batch.preparing(index, knowledge.queries());
    }

    /** Whether the fingerprint of a stored document is not that of its text. */
    boolean isStale(DocumentName original) {
        Freshness.State state = freshness(original).state();
        return state != Freshness.State.FRESH && state != Freshness.State.NOT_OF_TEXT;
    }

    /** @throws OpenSearchTimeoutException if this document's looks exceed the timeout of a lookup */
    private Freshness freshness(DocumentName original) {
        return stored.freshness(original, source -> {
            long began = System.nanoTime() - nanos;
            Freshness found = freshness(source, original.index(), bytes -> {
                if (bytes > 0) {
                    batch.requireTime(began);
                }
                memory.accept(bytes);
            });
            nanos = System.nanoTime() - began;
            batch.requireTime(began);
            return found;
        });
    }

    private Freshness freshness(Map<String, Object> document, String index, LongConsumer account) {
        Freshness ofCopy = own == null
                ? null
                : Freshness.ofCopy(
                        batch.rule().kind(), batch.rule().field(), document, recipes(index), own, document());
        return ofCopy != null
                ? ofCopy
                : Freshness.of(batch.rule().kind(), batch.rule().field(), document, recipes(index), account);
    }

    /** Null if the document may end for a stored one. */
    Obstacle obstacle(DocumentName original) {
        Map<String, Object> found = stored.source(original);
        if (found == null) {
            return Obstacle.UNREADABLE;
        }
        return seen.computeIfAbsent(found, source -> Optional.ofNullable(look(source, original)))
                .orElse(null);
    }

    /** The document's own text first: it is looked at once, for all originals. */
    private Obstacle look(Map<String, Object> original, DocumentName name) {
        boolean isGiven = own().state() == Freshness.State.NOT_OF_TEXT;
        if (isGiven == false && own().isFresh() == false) {
            return Obstacle.of(own());
        }
        Freshness found = freshness(name);
        if (isGiven
                && found.state() == Freshness.State.NOT_OF_TEXT
                && batch.criteria().verification() == null) {
            int distance = arrival.print().distance(print(original));
            return distance > arrival.print().maxDistance(batch.criteria())
                    ? Obstacle.STALE
                    : arrival.print() instanceof ArrivedFingerprint hash
                                    && distance > MaxDistance.mostToEnd(hash.length())
                            ? Obstacle.FAR
                            : null;
        }
        if (isGiven || found.isFresh() == false) {
            return found.isFresh() ? Obstacle.NOT_OF_TEXT : Obstacle.of(found);
        }
        boolean isFar = batch.criteria().verification() == null
                && arrival.print() instanceof ArrivedFingerprint print
                && print.distance(print(original)) > DuplicateRule.MOST_BITS_UNVERIFIED;
        if (isFar) {
            return Obstacle.FAR;
        }
        return hasOwnText(original, found.maker()) ? Obstacle.OWN_TEXT : null;
    }

    private ArrivedPrint print(Map<String, Object> document) {
        return ArrivedPrint.read(batch.rule().kind(), document, batch.rule().field());
    }

    /** Compares what the fingerprints are made of, and what {@code verify} compares. */
    private boolean hasOwnText(Map<String, Object> original, Fingerprinter maker) {
        int maxOwnWords = batch.rule().maxOwnWords();
        if (maxOwnWords == OwnWords.UNLIMITED) {
            return false;
        }
        String field = batch.criteria().verification() == null
                ? null
                : batch.criteria().verification().field();
        List<String> made =
                own().maker().recipe().fields().stream().map(of -> of.path()).toList();
        boolean isAnother = field != null && made.equals(List.of(field)) == false;
        return ownWords(
                                DocumentTexts.storedText(own().maker().recipe(), document()),
                                DocumentTexts.storedText(maker.recipe(), original),
                                maker)
                        > maxOwnWords
                || (isAnother
                        && ownWords(
                                        DocumentTexts.storedText(field, document()),
                                        DocumentTexts.storedText(field, original),
                                        maker)
                                > maxOwnWords);
    }

    private int ownWords(String text, String original, Fingerprinter maker) {
        if (Objects.equals(text, original) && own().maker().recipe().equals(maker.recipe())) {
            return 0; // as in most floods of duplicates
        }
        long began = System.nanoTime();
        try (Account account = new Account(memory)) {
            return OwnWords.longestRun(
                    text == null ? "" : own().maker().prepare(text, account),
                    original == null ? "" : maker.prepare(original, account),
                    account,
                    () -> batch.requireTime(began));
        }
    }
}
