/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.core.memory.LongSet;

/**
 * Jaccard and containment of the sets of token shingles; of texts in scripts without spaces weighted, see {@link TokenShingles}.
 *
 * <p>The other text is streamed and never collected: each of its shingles is one of the prepared text's, or foreign.
 * Foreign shingles are remembered only while they count. So memory follows the prepared text (except for Jaccard with
 * {@code min_similarity} 0, where all count). Analysis ends at the first foreign shingle too many. Texts without tokens
 * are similar if {@link CodePoints} takes them for equal.
 */
final class ShingleComparison implements TextComparison.Rest {

    private final Verification verification;
    private final TokenShingles shingles;
    private final String text;
    private final LongSet own;
    /** What the own shingles count. */
    private long counted;

    ShingleComparison(
            Verification verification, Analyzer analyzer, String text, LongConsumer memory, Runnable checkCancelled) {
        this.verification = verification;
        this.shingles = new TokenShingles(analyzer, verification.shingleSize());
        this.text = text;
        this.own = new LongSet(memory);
        TokenShingles.Visitor collect = (shingle, weight) -> {
            counted += own.add(shingle) ? TokenShingles.letters(shingle) : 0;
            return true;
        };
        shingles.forEach(text, TokenWeights.EQUAL, collect, checkCancelled);
    }

    @Override
    public Verdict compare(String other, LongConsumer memory, Runnable checkCancelled) {
        memory.accept(own.slots() / Byte.SIZE);
        Overlap overlap = new Overlap(memory);
        boolean hasTokens = shingles.forEach(other, TokenWeights.EQUAL, overlap, checkCancelled);
        if (own.size() == 0 && hasTokens == false) {
            return Verdict.of(CodePoints.areEqual(text, other, memory) ? 1 : 0, verification.minSimilarity());
        }
        return Verdict.of(overlap.similarity(), verification.minSimilarity());
    }

    @Override
    public long bytes() {
        return own.bytes();
    }

    /** Compares with the other text as it is read. Stops when more shingles cannot change the verdict. */
    private final class Overlap implements TokenShingles.Visitor {
        private final boolean jaccard = verification.measure() == Measure.JACCARD;
        private final FixedBitSet seen = new FixedBitSet(own.slots());
        private final LongSet foreign;
        private long shared;
        private long ofForeign;

        Overlap(LongConsumer memory) {
            foreign = new LongSet(memory);
        }

        @Override
        public boolean visit(long shingle, double weight) {
            int slot = own.slot(shingle);
            if (slot >= 0) {
                shared += seen.getAndSet(slot) ? 0 : TokenShingles.letters(shingle);
                return jaccard || shared < counted;
            }
            // Of containment: above it, the other text is certainly larger.
            if ((jaccard || ofForeign < counted) && foreign.add(shingle)) {
                ofForeign += TokenShingles.letters(shingle);
            }
            // Of Jaccard: an upper bound, as if all remaining shingles were shared.
            return jaccard ? counted / (double) union() >= verification.minSimilarity() : counted > 0;
        }

        double similarity() {
            long whole = jaccard ? union() : Math.min(counted, shared + ofForeign);
            return whole == 0 ? 0 : shared / (double) whole;
        }

        private long union() {
            return counted + ofForeign;
        }
    }
}
