/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

/**
 * What the steps of a search cost, in nanoseconds on one machine; only their ratios matter. Measured by the benchmarks
 * (docs/benchmarks.md).
 */
final class CostModel {

    /** To compare the next fingerprint of a scan. */
    static final double SCAN = 0.8;

    /** To find a term in the dictionary, or that it is missing. */
    static final double SEEK = 900;

    /** To open the postings of a term found before. */
    static final double OPEN = 300;

    /** To read a posting and compare that document's fingerprint. */
    static final double CANDIDATE = 8;

    /** To compare the fingerprint of a document that a conjunction proposes. */
    static final double VERIFY = 20;

    /** A plan is taken when it promises to cost less than this part of the scan. */
    static final double WORTHWHILE = 0.6;

    private CostModel() {}
}
