/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.fingerprint.Folding;
import org.opensearch.simhash.memory.LongSet;

/**
 * Jaccard and containment of the sets of token shingles.
 *
 * <p>The other text is streamed and never collected: each of its shingles is one of the prepared text's, or foreign.
 * Foreign shingles are remembered only while they count. So memory follows the prepared text (except for Jaccard with
 * {@code min_similarity} 0, where all count). Analysis ends at the first foreign shingle too many. Texts without tokens
 * are similar if they are equal after folding and without white space.
 */
final class ShingleComparison implements TextComparison.Rest {

    private final Verification verification;
    private final Folding folding;
    private final TokenShingles shingles;
    private final String text;
    private final LongSet own;

    ShingleComparison(
            Verification verification,
            Folding folding,
            Analyzer analyzer,
            String text,
            LongConsumer memory,
            Runnable checkCancelled) {
        this.verification = verification;
        this.folding = folding;
        this.shingles = new TokenShingles(analyzer, folding, verification.shingleSize());
        this.text = text;
        this.own = new LongSet(memory);
        TokenShingles.Visitor collect = shingle -> {
            own.add(shingle);
            return true;
        };
        shingles.forEach(text, collect, checkCancelled);
    }

    @Override
    public Verdict compare(String other, LongConsumer memory, Runnable checkCancelled) {
        memory.accept(own.slots() / Byte.SIZE);
        Overlap overlap = new Overlap(memory);
        boolean hasTokens = shingles.forEach(other, overlap, checkCancelled);
        if (own.size() == 0 && hasTokens == false) {
            return Verdict.of(
                    CodePoints.areEqualWithoutSpace(folding, text, other, memory) ? 1 : 0,
                    verification.minSimilarity());
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
        private int shared;

        Overlap(LongConsumer memory) {
            foreign = new LongSet(memory);
        }

        @Override
        public boolean visit(long shingle) {
            int slot = own.slot(shingle);
            if (slot >= 0) {
                shared += seen.getAndSet(slot) ? 0 : 1;
                return jaccard || shared < own.size();
            }
            if (jaccard) { // an upper bound, as if all remaining shingles were shared
                return foreign.add(shingle) == false || own.size() / (double) union() >= verification.minSimilarity();
            }
            if (foreign.size() < own.size()) { // above it, the other text is certainly larger
                foreign.add(shingle);
            }
            return own.size() > 0;
        }

        double similarity() {
            int whole = jaccard ? union() : Math.min(own.size(), shared + foreign.size());
            return whole == 0 ? 0 : shared / (double) whole;
        }

        private int union() {
            return own.size() + foreign.size();
        }
    }
}
