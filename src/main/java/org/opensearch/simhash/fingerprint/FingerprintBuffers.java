/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.function.LongConsumer;

/**
 * The buffers in which a thread counts features. They are kept from text to text, since cold memory costs as much as
 * hashing a text of 200 words. 60 to 600 kB a thread. One instance per node serves all recipes.
 */
public final class FingerprintBuffers {

    private final ThreadLocal<OfThread> ofThreads = ThreadLocal.withInitial(OfThread::new);

    OfThread ofThread() {
        return ofThreads.get();
    }

    static final class OfThread {

        final FeatureCounts counts = new FeatureCounts();
        /** Features of one ideograph or kana, when they are damped. */
        final FeatureCounts characters = new FeatureCounts();

        final FeatureCounts distinct = new FeatureCounts();
        final BitVotes votes = new BitVotes();
        final AnalysedTexts analysed = new AnalysedTexts();

        void accountOn(LongConsumer memory) {
            counts.accountOn(memory);
            characters.accountOn(memory);
            distinct.accountOn(memory);
        }

        void clear() {
            counts.clear();
            characters.clear();
            distinct.clear();
            votes.clear();
        }
    }
}
