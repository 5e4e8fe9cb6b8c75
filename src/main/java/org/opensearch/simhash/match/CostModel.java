/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/**
 * Costs of search steps in nanoseconds; only the ratios matter. A wrong model costs time, never a match.
 *
 * @param scan compare the next fingerprint of a scan
 * @param seek look up a term, found or not
 * @param open open the postings of a found term, and fingerprints to compare
 * @param candidate read a posting and compare its fingerprint: mostly a cache miss
 * @param verify compare a document that a conjunction proposes
 * @param posting read a posting into a bit set
 * @param count count sets, per document of the leaf and per kept count
 */
record CostModel(double scan, double seek, double open, double candidate, double verify, double posting, double count) {

    /** Measured with 10 million documents in a leaf, see docs/figures/benchmarks.md. */
    static final CostModel MEASURED = new CostModel(1, 250, 350, 14, 20, 1.2, 0.01);

    /** Measured with a million hashes of 256 bits. */
    static final CostModel LONG = new CostModel(20, 250, 350, 40, 40, 1.2, 0.01);

    /** @param length of the fingerprints in bits */
    static CostModel of(int length) {
        return length == Long.SIZE ? MEASURED : LONG;
    }

    /** A plan is taken below this part of the scan's cost, since estimates are rough. */
    static final double WORTHWHILE = 0.7;

    /** Part of the scan's cost to spend on statistics before a large gain is certain. */
    static final double STAKE = 0.05;

    /** Like {@link #WORTHWHILE}; estimates for counting are better. */
    static final double COUNTING = 0.9;

    /** A cost this many times smaller than another is ignored. */
    static final double MUCH = 16;

    /** Cost of counting {@code documents} in {@code sets}, when a match is in {@code shared} of them. */
    double counting(double documents, int sets, int shared) {
        return documents * sets * shared * count;
    }

    /** Finding the cheapest plan takes about as long as four look-ups. */
    double planning() {
        return 4 * seek;
    }
}
