/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The 64-bit hash of a feature's UTF-8 bytes. A good SimHash needs a hash whose bits are fair coins even for short features. */
public enum HashFunction {
    /** The first 64 bits of MurmurHash3 x64 128 (Appleby, 2011), seed 0. */
    MURMUR3 {
        @Override
        public long hash(byte[] utf8, int offset, int length) {
            return MURMUR.hashBytesToLong(utf8, offset, length);
        }
    },
    /** XXH3 64 (Collet, 2019) with {@link #SEED}. */
    XXH3 {
        @Override
        public long hash(byte[] utf8, int offset, int length) {
            return XXH.hashBytesToLong(utf8, offset, length);
        }
    },
    /**
     * FNV-1a 64 (Fowler, Noll, Vo), for fingerprints of other systems. It mixes short features badly: unrelated Chinese
     * texts come near each other.
     */
    FNV1A {
        @Override
        public long hash(byte[] utf8, int offset, int length) {
            long hash = 0xcbf29ce484222325L;
            for (int i = offset; i < offset + length; i++) {
                hash = (hash ^ (utf8[i] & 0xff)) * 0x100000001b3L;
            }
            return hash;
        }
    };

    /** The first seed with which all labelled sets keep the promises of the defaults (docs/figures/quality.md). */
    public static final long SEED = 203;

    private static final Hasher64 MURMUR = Hashing.murmur3_128();
    private static final Hasher64 XXH = Hashing.xxh3_64(SEED);

    public abstract long hash(byte[] utf8, int offset, int length);

    /** The hash of a feature of folded tokens: that of one token, or of the hashes of all in their order. */
    long hash(List<String> tokens) {
        long hash = 0;
        for (int i = tokens.size() - 1; i >= 0; i--) {
            byte[] utf8 = tokens.get(i).getBytes(StandardCharsets.UTF_8);
            long token = hash(utf8, 0, utf8.length);
            hash = i == tokens.size() - 1 ? token : join(token, hash);
        }
        return hash;
    }

    /** Joins a token and the feature that follows it, so that each token is hashed once. */
    static long join(long token, long following) {
        return mix((token * 0x8EBC6AF09C88C6E3L) ^ Long.rotateLeft(following, 32));
    }

    /** The finaliserof SplitMix64 (Stafford's variant 13): every bit depends on every bit. */
    public static long mix(long z) {
        long mixed = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
