/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Takes the pairs of fingerprints within the distance, each once, in no order. */
interface PairSink {

    /** Positions of two fingerprints, and in how many bits they differ. */
    void pair(int a, int b, int distance);

    /**
     * Is told from time to time how many pairs were compared since.
     *
     * @throws RuntimeException to end the search
     */
    void compared(long pairs);
}
