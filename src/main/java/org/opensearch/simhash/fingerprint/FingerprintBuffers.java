/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.function.LongConsumer;

/**
 * What a thread counts features in, kept from text to text: fresh buffers come from cold memory, and for a text of 200 words that
 * costs as much as hashing it. 60 to 600 kB a thread, so one for a node: shared by all its recipes, of which there may be
 * thousands. A thread is done with one text before it takes the next, by whatever recipe.
 */
public final class FingerprintBuffers {

    private final ThreadLocal<OfThread> ofThreads = ThreadLocal.withInitial(OfThread::new);

    OfThread ofThread() {
        return ofThreads.get();
    }

    /** The buffers of one thread. */
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
