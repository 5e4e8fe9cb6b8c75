/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.EnumMap;
import java.util.Map;
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

        /** {@link FeatureKind#RUN} has all features if kinds weigh the same. */
        final Map<FeatureKind, FeatureCounts> kinds = new EnumMap<>(FeatureKind.class);

        final FeatureCounts distinct = new FeatureCounts();
        final BitVotes votes = new BitVotes();
        final AnalysedTexts analysed = new AnalysedTexts();

        OfThread() {
            for (FeatureKind kind : FeatureKind.values()) {
                kinds.put(kind, new FeatureCounts());
            }
        }

        void accountOn(LongConsumer memory) {
            kinds.values().forEach(counts -> counts.accountOn(memory));
            distinct.accountOn(memory);
        }

        void clear() {
            clearCounts();
            distinct.clear();
            votes.clear();
        }

        void clearCounts() {
            kinds.values().forEach(FeatureCounts::clear);
        }
    }
}
