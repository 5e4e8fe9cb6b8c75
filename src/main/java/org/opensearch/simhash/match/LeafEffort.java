/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.util.Locale;

/**
 * What one scorer did in one Lucene leaf. Written by the thread that runs the scorer, without synchronisation; read it
 * when the search is over, or accept counts that lag behind.
 */
public final class LeafEffort {

    /** How the matches of a leaf are found. */
    public enum Plan {
        /** Not at all: nothing in the leaf could compete, or nobody asked. */
        NONE,
        /** By the terms of the segments. */
        PROBE,
        /** By comparing all fingerprints of the leaf. */
        SCAN,
        /** By comparing the documents that the rest of a conjunction proposes. */
        LEAD,
        /** By the digest alone: the target or the leaf has no fingerprint. */
        DIGEST
    }

    private final int leaf;
    private Plan plan = Plan.NONE;
    long probes;
    long candidates;
    long scanned;
    long compared;
    long matches;

    LeafEffort(int leaf) {
        this.leaf = leaf;
    }

    /** May change underway: a scan turns to probes when only near documents are still wanted. */
    void plan(Plan chosen) {
        this.plan = chosen;
    }

    /** Ordinal of the leaf within its index reader. */
    public int leaf() {
        return leaf;
    }

    /** The plan, the last one where it was changed underway. */
    public Plan plan() {
        return plan;
    }

    /** Terms looked up, whether the leaf has them or not. */
    public long probes() {
        return probes;
    }

    /** Postings of the terms found, read or counted; a document in two of them counts twice. */
    public long candidates() {
        return candidates;
    }

    /** Fingerprints compared by scanning. */
    public long scanned() {
        return scanned;
    }

    /** Fingerprints compared one by one: of candidates that share enough, or of documents that a conjunction proposed. */
    public long compared() {
        return compared;
    }

    /** Documents found within the distance, deleted ones included. */
    public long matches() {
        return matches;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "leaf %d: %s, probes %d, candidates %d, scanned %d, compared %d, matches %d",
                leaf,
                plan.name().toLowerCase(Locale.ROOT),
                probes,
                candidates,
                scanned,
                compared,
                matches);
    }
}
