/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.passages.CutText;

/** A document's text, ready for comparison: normalised, without markup. Its language and the words of its passages may be null. */
public record PreparedText(String text, Analyzer analyzer, String language, TokenWeights weights, CutText passages) {

    public boolean isBlank() {
        return text.isBlank() || (passages != null && passages.words().size() == 0);
    }

    /** Whether tokens of both are made in the same way. */
    public boolean isAnalysedLike(PreparedText other) {
        return analyzer.equals(other.analyzer);
    }

    /** For a comparison of passages alone. */
    public PreparedText withoutText() {
        return new PreparedText("", analyzer, language, weights, passages);
    }

    public long bytes() {
        return (long) Character.BYTES * text.length()
                + (passages == null ? 0 : passages.words().bytes());
    }
}
