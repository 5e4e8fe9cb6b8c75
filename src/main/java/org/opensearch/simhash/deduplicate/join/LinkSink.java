/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Receives each link once, in no order. */
interface LinkSink {

    /** Two fingerprints by number. */
    void pair(int a, int b, int distance);

    /**
     * Receives the number of pairs compared since the last call.
     *
     * @throws RuntimeException to end the search
     */
    void compared(long pairs);
}
