/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import org.opensearch.simhash.core.sketch.SketchWords;

/** Receives fingerprints from the shards. A document with several fingerprints comes several times in a row. */
public interface RowSink {

    /**
     * Announces a stratum.
     *
     * @param guard equal for strata that differ only in scheme; equal digests link across them
     * @param key of the stratum in all passes and on all nodes
     */
    void stratum(int stratum, int guard, long key);

    /**
     * @param address of the document
     * @param digest hash of the digest; 0 if there is none
     * @param stratum at least 0
     */
    void add(long address, long fingerprint, long digest, int stratum);

    /** A document with a digest and no fingerprint. */
    void addWithoutBits(long address, long digest, int stratum);

    /**
     * The same as {@link #add}, of a hash or a sketch.
     *
     * @param hash of its words
     * @param words as of {@link SketchWords}
     * @param at where they start
     */
    default void addWords(long address, long hash, long digest, int stratum, long[] words, int at) {
        add(address, hash, digest, stratum);
    }
}
