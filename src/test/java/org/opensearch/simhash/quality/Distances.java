/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

/** How far apart the documents of a data set are, as whole numbers: what a method of finding near-duplicates knows of them. */
public interface Distances {

    /** The largest distance at which a pair can be found; beyond it a pair never is. */
    int largest();

    /** From 0 to {@link #largest()} + 1. */
    int of(int a, int b);
}
