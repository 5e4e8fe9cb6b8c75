/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.fingerprint.Folding;

/**
 * Cosine of the weighted shingles of two texts. Rare words count most, so a shared footer counts little. Analyses both
 * texts as a whole and sorts their shingles. Memory: 16 bytes per shingle.
 */
final class CosineComparison implements TextComparison.Rest {

    private final Verification verification;
    private final Folding folding;
    private final TokenShingles shingles;
    private final TokenWeights weights;
    private final String text;
    private final ShingleVector own;

    CosineComparison(
            Verification verification,
            Folding folding,
            Analyzer analyzer,
            TokenWeights weights,
            String text,
            LongConsumer memory,
            Runnable checkCancelled) {
        this.verification = verification;
        this.folding = folding;
        this.shingles = new TokenShingles(analyzer, folding, verification.shingleSize());
        this.weights = weights;
        this.text = text;
        this.own = ShingleVector.of(shingles, weights, text, memory, checkCancelled);
    }

    @Override
    public Verdict compare(String other, LongConsumer memory, Runnable checkCancelled) {
        ShingleVector vector = ShingleVector.of(shingles, weights, other, memory, checkCancelled);
        double similarity = own.isEmpty() && vector.isEmpty()
                ? CodePoints.areEqualWithoutSpace(folding, text, other, memory) ? 1 : 0
                : own.cosine(vector);
        return Verdict.of(similarity, verification.minSimilarity());
    }

    @Override
    public long bytes() {
        return own.bytes();
    }
}
