/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.ending;

import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.search.ingest.Freshness.State;

/** Why a near-duplicate stays. The first ones are states of a fingerprint, of the document or of its original. */
public enum Obstacle {
    STALE(Kind.STALE_FINGERPRINT, State.STALE),
    ROUNDED(Kind.STALE_FINGERPRINT, State.ROUNDED),
    SEVERAL(Kind.STALE_FINGERPRINT, State.SEVERAL),
    UNREADABLE(Kind.STALE_FINGERPRINT, State.UNREADABLE),
    NONE(Kind.STALE_FINGERPRINT, State.NONE),
    NOT_OF_TEXT(Kind.STALE_FINGERPRINT, State.NOT_OF_TEXT),
    NO_TEXT(Kind.NO_TEXT, State.NO_TEXT),
    SHORT_TEXT(Kind.SHORT_TEXT, State.SHORT_TEXT),
    SAME_ID(null, "an original with the same [_id] in another index is the same document"),
    FAR(
            Kind.NOT_SIMILAR,
            "without [verify] their fingerprints may differ from that of their original by at most ["
                    + MaxDistance.DEFAULT
                    + "] bits, or hashes that are not made of text by a quarter of their bits"),
    NOT_SIMILAR(Kind.NOT_SIMILAR, "their text is not similar enough to that of their original"),
    OWN_TEXT(Kind.OWN_TEXT, "they have more than [max_own_words] words of their own in a row"),
    /** Of an arriving document, as all that follow. */
    UPDATE(null, "they belong to updates, whose other changes must not be lost"),
    OWN_ID(null, "their ids are stored, or may be soon"),
    PENDING(
            null,
            "their originals are not stored for certain yet, as always within one bulk: a job finds and removes them"),
    CONTESTED(
            null, "their originals may change by a write under way, or a filtered alias hides some of their versions");

    public enum Kind {
        STALE_FINGERPRINT,
        NO_TEXT,
        SHORT_TEXT,
        OWN_TEXT,
        NOT_SIMILAR
    }

    private final Kind kind;
    private final String reason;

    Obstacle(Kind kind, State state) {
        this(kind, "the fingerprint of each, or of its original, " + state.reason());
    }

    Obstacle(Kind kind, String reason) {
        this.kind = kind;
        this.reason = reason;
    }

    static Obstacle of(State state) {
        return state == State.FRESH ? null : valueOf(state.name());
    }

    /** Null if it is not counted. */
    public Kind kind() {
        return kind;
    }

    /** Whether it says something of the document alone, which its owner may not know. */
    public boolean isUnexpected() {
        return compareTo(SHORT_TEXT) <= 0;
    }

    /** In words that follow "because". */
    public String reason() {
        return reason;
    }
}
