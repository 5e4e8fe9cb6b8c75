/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Takes fingerprints as they come in from the shards. A document with several fingerprints comes several times. */
public interface RowSink {

    /**
     * A stratum that rows may have from now on.
     *
     * @param guard equal for strata that differ in their schemes only: equal digests count across them
     * @param key the same for the same stratum in other passes, on other nodes, too
     */
    void stratum(int stratum, int guard, long key);

    /**
     * A fingerprint.
     *
     * @param address of the document
     * @param digest hash of the digest; 0 when there is none
     * @param stratum only fingerprints of one stratum are compared: those of one scheme, and of equal guards; at least 0
     */
    void add(long address, long fingerprint, long digest, int stratum);

    /** A document that has a digest and no fingerprint. */
    void addWithoutBits(long address, long digest, int stratum);
}
