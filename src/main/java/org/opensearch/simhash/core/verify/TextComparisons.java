/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.IdentityHashMap;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.text.UnreadableTextException;

/**
 * Compares one text with many. The other text's analyzer makes the tokens of both, since only texts analysed alike are
 * comparable. The text is prepared once per analyzer. One thread.
 */
public final class TextComparisons implements AutoCloseable {

    private final Verification verification;
    private final PreparedText text;
    private final Account memory;
    private final Runnable checkCancelled;
    /** By analyzer; null if it cannot read the text. */
    private final IdentityHashMap<Analyzer, TextComparison> byAnalyzer = new IdentityHashMap<>();

    /** @param memory accounts for prepared texts until {@link #close}, and for each comparison while it runs */
    public TextComparisons(Verification verification, PreparedText text, LongConsumer memory, Runnable checkCancelled) {
        this.verification = verification;
        this.text = text;
        this.memory = new Account(memory);
        this.checkCancelled = checkCancelled;
    }

    /** Compares with another text. Equal texts are equal even if the analyzer cannot read them. */
    public Verdict compare(PreparedText other) {
        if (text.text().equals(other.text())) {
            return Verdict.EQUAL;
        }
        Analyzer analyzer = verification.measure() == Measure.FACTS
                ? ContentWords.of(text.language(), other.language())
                : other.analyzer();
        if (byAnalyzer.containsKey(analyzer) == false) {
            byAnalyzer.put(analyzer, prepare(analyzer));
        }
        TextComparison comparison = byAnalyzer.get(analyzer);
        if (comparison == null) {
            return Verdict.UNREADABLE;
        }
        try (Account buffers = new Account(memory)) {
            return comparison.compare(other.text(), buffers, checkCancelled);
        }
    }

    private TextComparison prepare(Analyzer analyzer) {
        try {
            return new TextComparison(verification, analyzer, text.weights(), text.text(), memory, checkCancelled);
        } catch (UnreadableTextException e) {
            return null; // unreadable by this analyzer only
        }
    }

    /** Gives back the memory. */
    @Override
    public void close() {
        byAnalyzer.clear();
        memory.close();
    }
}
