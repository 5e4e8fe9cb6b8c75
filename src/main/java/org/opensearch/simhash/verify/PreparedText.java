/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.fingerprint.Folding;

/**
 * A document's text, ready for comparison.
 *
 * @param text normalised, without markup; blank if the document has none
 * @param folding which spellings are equal
 * @param analyzer makes its tokens
 * @param weights of words
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
