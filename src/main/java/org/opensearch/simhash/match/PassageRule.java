/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import org.opensearch.simhash.passages.CommonRuns.Shared;
import org.opensearch.simhash.passages.PassageLayout;

/**
 * How much two texts must share.
 *
 * @param minWords least words of a run that counts; null for the least that every pair of such texts is found by
 * @param minShare least share of the words in common, 0 to 1
 * @param of which text the share is of
 * @param maxDocumentShare a term that a larger share of documents has proposes none of them; null for {@link #DEFAULT_SHARE}, but
 *     never fewer than {@link #FEW_DOCUMENTS} documents
 */
public record PassageRule(Integer minWords, double minShare, Of of, Double maxDocumentShare) {

    public static final double DEFAULT_SHARE = .01;
    /** In a small index, a term of a few documents is no block. */
    public static final int FEW_DOCUMENTS = 100;

    public static final int MOST_MIN_WORDS = 10_000;

    /** The text that a share is of. */
    public enum Of {
        SMALLER,
        QUERY,
        DOCUMENT
    }

    /** @throws IllegalArgumentException naming the option, the rule and the value */
    public PassageRule {
        if (minWords != null && (minWords < 1 || minWords > MOST_MIN_WORDS)) {
            throw new IllegalArgumentException(
                    "[min_words] must be between 1 and " + MOST_MIN_WORDS + ", got: " + minWords);
        }
        requireShare("min_share", minShare);
        if (maxDocumentShare != null) {
            requireShare("max_document_share", maxDocumentShare);
        }
    }

    private static void requireShare(String option, double share) {
        if ((share >= 0 && share <= 1) == false) {
            throw new IllegalArgumentException("[" + option + "] must be between 0 and 1, got: " + share);
        }
    }

    /**
     * The rule for prints of a layout, which finds all texts with shorter runs only by chance.
     *
     * @throws IllegalArgumentException if it promises more
     */
    public PassageRule resolved(PassageLayout layout) {
        if (minWords == null) {
            return new PassageRule(layout.run(), minShare, of, maxDocumentShare);
        }
        if (minWords < layout.run()) {
            throw new IllegalArgumentException(
                    "[min_words] must be at least [words] + [window] - 1 of the processor, which is " + layout.run()
                            + ", got: " + minWords);
        }
        return this;
    }

    /** The share of the words in common. */
    public double share(Shared shared, int sourceSize, int documentSize) {
        boolean isOfSource = switch (of) {
            case SMALLER -> sourceSize <= documentSize;
            case QUERY -> true;
            case DOCUMENT -> false;
        };
        int size = isOfSource ? sourceSize : documentSize;
        return size == 0 ? 0 : (double) (isOfSource ? shared.sourceWords() : shared.documentWords()) / size;
    }

    boolean accepts(Shared shared, int sourceSize, int documentSize) {
        return shared.words() > 0 && share(shared, sourceSize, documentSize) >= minShare;
    }

    /** The most documents of a term that proposes them. */
    long mostDocuments(int documents) {
        return maxDocumentShare == null
                ? Math.max(FEW_DOCUMENTS, (long) (DEFAULT_SHARE * documents))
                : (long) (maxDocumentShare * documents);
    }
}
