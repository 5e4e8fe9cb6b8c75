/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The hash of a feature: that of its token, or for several tokens one of the hashes of these, so that each token is hashed once
 * whatever the number of features that it is in. Depends on the order of the tokens.
 */
final class FeatureHash {

    private FeatureHash() {}

    /** Of a token and the feature that follows it: the finaliser of MurmurHash3 over both (Stafford's variant 13). */
    static long join(long token, long following) {
        long hash = (token * 0xD6E8FEB86659FD93L) ^ Long.rotateLeft(following, 32);
        hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
        hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
        return hash ^ (hash >>> 31);
    }

    /** Of a feature of one token or more, which are folded. */
    static long of(List<String> tokens, HashFunction function) {
        long hash = 0;
        for (int i = tokens.size() - 1; i >= 0; i--) {
            byte[] utf8 = tokens.get(i).getBytes(StandardCharsets.UTF_8);
            long token = function.hash(utf8, 0, utf8.length);
            hash = i == tokens.size() - 1 ? token : join(token, hash);
        }
        return hash;
    }
}
