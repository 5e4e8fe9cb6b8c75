/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

/**
 * A document with its fingerprints or sketches: values of equal length, one after the other, a fingerprint one long,
 * a sketch several ({@link SketchSteps}). Only values of one stratum are compared.
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Document(long address, long[] bits, int[] strata) {

    public int length() {
        return bits.length / strata.length;
    }

    /** 64 bits. Near documents share windows of them. */
    long key(int k) {
        int length = length();
        return length == 1 ? bits[k] : SketchSteps.key(bits, k * length, length);
    }

    /** A hash of two numbers, by the finalizer of MurmurHash3. */
    public static long hash(long a, long b) {
        long mixed = a * 0x9E37_79B9_7F4A_7C15L + b;
        mixed = (mixed ^ mixed >>> 33) * 0xFF51_AFD7_ED55_8CCDL;
        mixed = (mixed ^ mixed >>> 33) * 0xC4CE_B9FE_1A85_EC53L;
        return mixed ^ mixed >>> 33;
    }
}
