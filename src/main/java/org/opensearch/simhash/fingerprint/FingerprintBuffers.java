/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The buffers in which a thread counts features. They are kept from text to text, since cold memory costs as much as
 * hashing a text of 200 words. 90 to 900 kB a thread. One instance per node serves all recipes.
 */
public final class FingerprintBuffers {

    private final ThreadLocal<OfThread> ofThreads = ThreadLocal.withInitial(OfThread::new);

    OfThread ofThread() {
        return ofThreads.get();
    }

    static final class OfThread {

        /** By the ordinal of the kind. The first has all features if kinds weigh the same. */
        final List<FeatureCounts> kinds = Arrays.stream(FeatureKind.values())
                .map(kind -> new FeatureCounts())
                .toList();

        final FeatureCounts distinct = new FeatureCounts();
        final BitVotes votes = new BitVotes();
        final AnalysedTexts analysed = new AnalysedTexts();

        void accountOn(LongConsumer memory) {
            kinds.forEach(counts -> counts.accountOn(memory));
            distinct.accountOn(memory);
        }

        void clear() {
            clearCounts();
            distinct.clear();
            votes.clear();
        }

        void clearCounts() {
            kinds.forEach(FeatureCounts::clear);
        }
    }
}
