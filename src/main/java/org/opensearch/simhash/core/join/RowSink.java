/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import org.opensearch.simhash.core.sketch.SketchWords;

/** Receives fingerprints from the shards. A document with several fingerprints comes several times in a row. */
public interface RowSink {

    /**
     * Announces a stratum. Its key is the same everywhere; guards are equal for those that differ only in scheme,
     * across which equal digests link.
     */
    void stratum(int stratum, int guard, long key);

    /** A document with a fingerprint; the digest is 0 if there is none. */
    void add(long address, long fingerprint, long digest, int stratum);

    /** A document with a digest and no fingerprint. */
    void addWithoutBits(long address, long digest, int stratum);

    /** The same as {@link #add}, of a hash or a sketch by {@link SketchWords} from {@code at} on. */
    void addWords(long address, long hash, long digest, int stratum, long[] words, int at);
}
