/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

/** The work of one scorer in one leaf. The scorer's thread writes it without synchronisation: read it after the search, or accept stale counts. */
public final class LeafEffort {

    public enum Plan {
        /** Not at all: nothing could compete, or nobody asked. */
        NONE,
        PROBE,
        SCAN,
        LEAD,
        /** By digest alone: target or leaf has no fingerprint. */
        DIGEST
    }

    private Plan plan = Plan.NONE;
    long probes;
    long candidates;
    long scanned;
    long compared;
    long matches;

    /** A scan may change to probes when only nearer documents are still wanted. */
    void plan(Plan chosen) {
        this.plan = chosen;
    }

    /** The last plan. */
    public Plan plan() {
        return plan;
    }

    /** Terms looked up, found or not. */
    public long probes() {
        return probes;
    }

    /** Postings of the found terms; a document with two of them counts twice. */
    public long candidates() {
        return candidates;
    }

    public long scanned() {
        return scanned;
    }

    public long compared() {
        return compared;
    }

    /** Documents within the distance, including deleted ones. */
    public long matches() {
        return matches;
    }
}
