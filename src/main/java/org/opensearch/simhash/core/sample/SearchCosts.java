/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

/** The costs of searches and jobs at each step, over all documents of an index. One thread. */
public interface SearchCosts {

    /** In bytes of heap, at most. */
    long BYTES = 32 << 10;

    void add(Document document);

    /** The documents that a search compares. */
    double candidates(int step);

    /** Nanoseconds for one thread to find all pairs. */
    double joinNanos(int step);
}
