/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.FeatureSink;
import org.opensearch.simhash.core.fingerprint.Shingles.Features;

/** Gives features their texts, for people to see. Memory follows the longest feature. Not thread-safe. */
final class SpelledFeatures implements Features {

    private static final byte SEPARATOR = ' ';
    /** One less than a power of two; the ring holds the tokens of the largest shingle. */
    private static final int RING = Recipe.MAX_SHINGLE_SIZE - 1;

    private static final int UNACCOUNTED = 1 << 16;

    private final FeatureSink sink;
    private final LongConsumer memory;

    private final byte[][] tokens = new byte[RING + 1][];
    private int count;
    private byte[] spelled = new byte[256];

    SpelledFeatures(FeatureSink sink, LongConsumer memory) {
        this.sink = sink;
        this.memory = memory;
    }

    @Override
    public void token(byte[] utf8, int offset, int length) {
        account(length);
        tokens[count++ & RING] = Arrays.copyOfRange(utf8, offset, offset + length);
    }

    @Override
    public void feature(long hash, int size, FeatureKind kind) {
        int end = 0;
        for (int i = count - size; i < count; i++) {
            byte[] token = tokens[i & RING];
            int needed = end + token.length + 1;
            if (needed > spelled.length) {
                account(2L * needed);
                spelled = Arrays.copyOf(spelled, 2 * needed);
            }
            System.arraycopy(token, 0, spelled, end, token.length);
            end += token.length;
            spelled[end++] = SEPARATOR;
        }
        sink.feature(hash, kind, spelled, 0, end - 1);
    }

    private void account(long bytes) {
        if (bytes > UNACCOUNTED) {
            memory.accept(bytes);
        }
    }
}
