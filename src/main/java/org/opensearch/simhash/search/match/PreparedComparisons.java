/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.util.function.LongConsumer;
import org.opensearch.simhash.core.verify.PreparedText;
import org.opensearch.simhash.core.verify.TextComparisons;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.core.verify.Verification;

/** Compares one text with many: by their passages, as whole texts, or by both. Each is prepared when it is needed. One thread. */
public final class PreparedComparisons implements AutoCloseable {

    private final PassageRule rule;
    private final Verification verification;
    private final PreparedText text;
    private final LongConsumer memory;
    private final Runnable checkWanted;
    private PassageComparisons passages;
    private TextComparisons texts;

    /**
     * @param rule null if passages are not compared
     * @param verification null if whole texts are not compared
     * @param memory accounts for what is kept until {@link #close}
     * @param checkWanted runs now and then; if it throws, the work ends
     */
    public PreparedComparisons(
            PassageRule rule, Verification verification, PreparedText text, LongConsumer memory, Runnable checkWanted) {
        this.rule = rule;
        this.verification = verification;
        this.text = text;
        this.memory = memory;
        this.checkWanted = checkWanted;
    }

    /** The similarity is that of whole texts if they are compared, else the share of words in common. */
    public Verdict compare(PreparedText other) {
        double share = rule == null ? 0 : share(other);
        if (verification == null || share < 0) {
            return share < 0 ? Verdict.BELOW_MINIMUM : new Verdict(Verdict.Outcome.SIMILAR, share);
        }
        if (texts == null) {
            texts = new TextComparisons(verification, text, memory, checkWanted);
        }
        return texts.compare(other);
    }

    private double share(PreparedText other) {
        if (passages == null) {
            passages = new PassageComparisons(rule, text.passages(), memory, checkWanted);
        }
        return passages.share(other.passages());
    }

    @Override
    public void close() {
        if (passages != null) {
            passages.close();
            passages = null;
        }
        if (texts != null) {
            texts.close();
            texts = null;
        }
    }
}
