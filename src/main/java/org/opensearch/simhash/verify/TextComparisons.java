/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import java.util.IdentityHashMap;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.fingerprint.UnreadableTextException;
import org.opensearch.simhash.memory.Account;

/**
 * Compares one text with others, as a search does: the other one's analyzer makes the tokens of both, because only texts that are cut
 * alike can be compared. The text is cut once for each analyzer. One thread.
 */
public final class TextComparisons implements AutoCloseable {

    private final Verification verification;
    private final PreparedText text;
    private final Account memory;
    private final Runnable checkCancelled;
    /** By analyzer; null where that cannot read the text. */
    private final IdentityHashMap<Analyzer, TextComparison> byAnalyzer = new IdentityHashMap<>();

    /**
     * Compares nothing yet.
     *
     * @param memory pays for what is prepared until this is closed, and for each comparison as long as it takes
     * @param checkCancelled is run every few milliseconds; what it throws ends the work
     */
    public TextComparisons(Verification verification, PreparedText text, LongConsumer memory, Runnable checkCancelled) {
        this.verification = verification;
        this.text = text;
        this.memory = new Account(memory);
        this.checkCancelled = checkCancelled;
    }

    /** Compares with another text. Equal ones are equal even where the analyzer cannot read them. */
    public Verdict compare(PreparedText other) {
        if (text.text().equals(other.text())) {
            return Verdict.EQUAL;
        }
        if (byAnalyzer.containsKey(other.analyzer()) == false) {
            byAnalyzer.put(other.analyzer(), prepare(other.analyzer()));
        }
        TextComparison comparison = byAnalyzer.get(other.analyzer());
        if (comparison == null) {
            return Verdict.UNREADABLE;
        }
        try (Account buffers = new Account(memory)) {
            return comparison.compare(other.text(), buffers, checkCancelled);
        }
    }

    private TextComparison prepare(Analyzer analyzer) {
        try {
            return new TextComparison(verification, text.folding(), analyzer, text.weights(), text.text(), memory, checkCancelled);
        } catch (UnreadableTextException e) {
            return null; // of one language, which must not keep others from being compared
        }
    }

    /** Gives back what is prepared. */
    @Override
    public void close() {
        byAnalyzer.clear();
        memory.close();
    }
}
