/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/**
 * What the steps of a search cost, in nanoseconds on one machine; only their ratios matter. A wrong model costs time, never
 * a match.
 *
 * @param scan to compare the next fingerprint of a scan
 * @param seek to find a term in the dictionary, or that it is missing
 * @param open to open the postings of a term found before, and fingerprints to compare them with
 * @param candidate to read a posting and compare that document's fingerprint: mostly a cache miss
 * @param verify to compare the fingerprint of a document that a conjunction proposes, one by one
 * @param posting to read a posting into a bit set
 * @param count to count a set of documents, for each document of the leaf and each count that is kept
 */
record CostModel(double scan, double seek, double open, double candidate, double verify, double posting, double count) {

    /** As measured with 10 million documents in a leaf; docs/benchmarks.md shows what follows from it. */
    static final CostModel MEASURED = new CostModel(1, 250, 350, 14, 20, 1.2, 0.01);

    /** A plan is taken when it promises to cost less than this part of the scan, for promises are kept only roughly. */
    static final double WORTHWHILE = 0.7;

    /** Part of the scan's cost that may be spent on reading statistics before it is clear that probing will save much. */
    static final double STAKE = 0.05;

    /** What counting promises is kept better, and it may cost up to this part of anything else. */
    static final double COUNTING = 0.9;

    /** So many times as long as something else takes, and that is of no account. */
    static final double MUCH = 16;

    /** What it costs to count, for so many documents, sets of which a match is in so many. */
    double counting(double documents, int sets, int shared) {
        return documents * sets * shared * count;
    }

    /** To look for the cheapest plan takes about as long as four look-ups. */
    double planning() {
        return 4 * seek;
    }
}
