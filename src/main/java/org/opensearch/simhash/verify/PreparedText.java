/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.fingerprint.Folding;

/**
 * A document's text, ready for comparison.
 *
 * @param text normalised, without markup; blank where the document has none
 * @param folding which spellings of a text are one
 * @param analyzer makes its tokens
 * @param weights how much words say
 */
public record PreparedText(String text, Folding folding, Analyzer analyzer, TokenWeights weights) {

    public boolean isBlank() {
        return text.isBlank();
    }

    /** Bytes on the heap. */
    public long bytes() {
        return (long) Character.BYTES * text.length();
    }
}
