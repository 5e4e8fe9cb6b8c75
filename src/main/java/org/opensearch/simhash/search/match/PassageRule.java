/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.passages.CommonRuns.Shared;
import org.opensearch.simhash.core.passages.PassageLayout;

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

    public static final String MIN_WORDS = "min_words";
    public static final String MIN_SHARE = "min_share";
    public static final String MAX_DOCUMENT_SHARE = "max_document_share";

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
        if (minWords != null) {
            TypedNumber.requireBetween(MIN_WORDS, 1, MOST_MIN_WORDS, minWords);
        }
        TypedNumber.requireBetween(MIN_SHARE, 0, 1, minShare);
        if (maxDocumentShare != null) {
            TypedNumber.requireBetween(MAX_DOCUMENT_SHARE, 0, 1, maxDocumentShare);
        }
    }

    /**
     * A rule for pairs of which neither is the source.
     *
     * @param minShare null for none
     */
    public static PassageRule ofPairs(Integer minWords, Double minShare, Double maxDocumentShare) {
        return new PassageRule(minWords, minShare == null ? 0 : minShare, Of.SMALLER, maxDocumentShare);
    }

    /** The same of parameters that {@link #ofPairs(XContentBuilder)} has written; null of those of another sketch. */
    public static PassageRule ofPairs(Map<?, ?> parameters) {
        return SketchKind.PASSAGES.toString().equals(parameters.get("sketch"))
                ? ofPairs(
                        (Integer) parameters.get(MIN_WORDS),
                        number(parameters, MIN_SHARE),
                        number(parameters, MAX_DOCUMENT_SHARE))
                : null;
    }

    private static Double number(Map<?, ?> parameters, String name) {
        return parameters.get(name) instanceof Number number ? number.doubleValue() : null;
    }

    /** Writes the rule into an open object, without what is by default. */
    public void ofPairs(XContentBuilder builder) throws IOException {
        if (minWords != null) {
            builder.field(MIN_WORDS, minWords);
        }
        builder.field(MIN_SHARE, minShare);
        if (maxDocumentShare != null) {
            builder.field(MAX_DOCUMENT_SHARE, maxDocumentShare);
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
        requireRun(layout.run());
        return this;
    }

    /** @throws IllegalArgumentException if runs of fewer words are wanted than are found in every case */
    public void requireRun(int run) {
        if (minWords != null && minWords < run) {
            throw new IllegalArgumentException(
                    "[min_words] must be at least [words] + [window] - 1 of the processor, which is " + run + ", got: "
                            + minWords);
        }
    }

    /** Whether the share is of the source. */
    boolean isOfSource(int sourceSize, int documentSize) {
        return switch (of) {
            case SMALLER -> sourceSize <= documentSize;
            case QUERY -> true;
            case DOCUMENT -> false;
        };
    }

    /** The share of the words in common. */
    public double share(Shared shared, int sourceSize, int documentSize) {
        boolean isOfSource = isOfSource(sourceSize, documentSize);
        int size = isOfSource ? sourceSize : documentSize;
        return size == 0 ? 0 : (double) (isOfSource ? shared.sourceWords() : shared.documentWords()) / size;
    }

    public boolean accepts(Shared shared, int sourceSize, int documentSize) {
        return shared.words() > 0 && share(shared, sourceSize, documentSize) >= minShare;
    }

    /** The most documents of a term that proposes them. */
    long mostDocuments(int documents) {
        return mostDocuments(maxDocumentShare, documents);
    }

    /** @param share null for the default */
    public static long mostDocuments(Double share, int documents) {
        return share == null ? Math.max(FEW_DOCUMENTS, (long) (DEFAULT_SHARE * documents)) : (long) (share * documents);
    }
}
