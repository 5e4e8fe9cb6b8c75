/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The hash of a feature: its token's hash, or a hash of its tokens' hashes in their order. So each token is hashed
 * once.
 */
final class FeatureHash {

    private FeatureHash() {}

    /** Joins a token and the feature that follows it. */
    static long join(long token, long following) {
        return HashFunction.mix((token * 0x8EBC6AF09C88C6E3L) ^ Long.rotateLeft(following, 32));
    }

    /** The hash of a feature of folded tokens. */
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
