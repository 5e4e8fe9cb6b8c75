/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.util.function.LongConsumer;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.passages.CommonRuns;
import org.opensearch.simhash.core.passages.CommonRuns.Shared;
import org.opensearch.simhash.core.passages.CutText;

/** Compares the passages of one text with those of many. One thread. */
public final class PassageComparisons implements AutoCloseable {

    private final PassageRule rule;
    private final CutText text;
    private final Account memory;
    private final Runnable checkWanted;
    private final CommonRuns.Comparison comparison;

    /**
     * @param memory accounts for what is kept until {@link #close}
     * @param checkWanted runs now and then; if it throws, the work ends
     */
    public PassageComparisons(PassageRule rule, CutText text, LongConsumer memory, Runnable checkWanted) {
        this.rule = rule;
        this.text = text;
        this.memory = new Account(memory);
        this.checkWanted = checkWanted;
        int least = rule.minWords() == null ? text.run() : rule.minWords();
        this.comparison = new CommonRuns(text.words(), least, this.memory, checkWanted).new Comparison();
    }

    /** The share of the words in common; negative if the texts share too little. */
    public double share(CutText other) {
        if (other.maker().equals(text.maker()) == false) {
            return -1;
        }
        int size = text.words().size();
        boolean isWhole = rule.isOfSource(size, other.words().size());
        Shared shared = comparison.compare(other.words(), isWhole, checkWanted);
        return rule.accepts(shared, size, other.words().size())
                ? rule.share(shared, size, other.words().size())
                : -1;
    }

    @Override
    public void close() {
        memory.close();
    }
}
