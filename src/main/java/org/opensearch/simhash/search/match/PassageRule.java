/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.passages.CommonRuns;
import org.opensearch.simhash.core.passages.CommonRuns.Shared;
import org.opensearch.simhash.core.passages.CutText;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.core.verify.PreparedText;
import org.opensearch.simhash.core.verify.TextComparisons;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.core.verify.Verification;

/**
 * How much two texts must share.
 *
 * @param minWords least words of a run that counts; null for the least that every pair of such texts is found by
 * @param minShare least share of the words in common, 0 to 1
 * @param of which text the share is of
 * @param maxDocumentShare a term that a larger share of documents has proposes none of them; null for {@link #DEFAULT_SHARE}, but
 *     never fewer than {@link #FEW_DOCUMENTS} documents; never fewer than the two of a pair
 */
public record PassageRule(Integer minWords, double minShare, Of of, Double maxDocumentShare) {

    public static final String MIN_WORDS = "min_words";
    public static final String MIN_SHARE = "min_share";
    public static final String MAX_DOCUMENT_SHARE = "max_document_share";

    public static final double DEFAULT_SHARE = .01;
    /** In a small index, a term of a few documents is no block. */
    public static final int FEW_DOCUMENTS = 100;

    public static final int MOST_MIN_WORDS = 10_000;

    public enum Of {
        SMALLER,
        QUERY,
        DOCUMENT
    }

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

    /** The same of parameters that {@link #asPairs} has written; null of those of another sketch. */
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

    /** The rule by the names of its options, without what is by default. */
    public Map<String, Object> asPairs() {
        Map<String, Object> rule = new LinkedHashMap<>();
        if (minWords != null) {
            rule.put(MIN_WORDS, minWords);
        }
        rule.put(MIN_SHARE, minShare);
        if (maxDocumentShare != null) {
            rule.put(MAX_DOCUMENT_SHARE, maxDocumentShare);
        }
        return rule;
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

    boolean isOfSource(int sourceSize, int documentSize) {
        return switch (of) {
            case SMALLER -> sourceSize <= documentSize;
            case QUERY -> true;
            case DOCUMENT -> false;
        };
    }

    public double share(Shared shared, int sourceSize, int documentSize) {
        boolean isOfSource = isOfSource(sourceSize, documentSize);
        int size = isOfSource ? sourceSize : documentSize;
        return size == 0 ? 0 : (double) (isOfSource ? shared.sourceWords() : shared.documentWords()) / size;
    }

    public boolean accepts(Shared shared, int sourceSize, int documentSize) {
        return shared.words() > 0 && share(shared, sourceSize, documentSize) >= minShare;
    }

    /** The most documents of a term that proposes them. The share is null for the default. */
    public static long mostDocuments(Double share, int documents) {
        double most = (share == null ? DEFAULT_SHARE : share) * documents;
        return Math.max(share == null ? FEW_DOCUMENTS : 2, (long) most);
    }

    /** Compares the passages of one text with those of many. One thread. */
    public static final class PassageComparisons implements AutoCloseable {

        private final PassageRule rule;
        private final CutText text;
        private final Account memory;
        private final Runnable checkWanted;
        private final CommonRuns.Comparison comparison;

        /** @param memory accounts for what is kept until {@link #close} */
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

    /** Compares one text with many: by their passages, as whole texts, or by both. Each is prepared when it is needed. One thread. */
    public static final class PreparedComparisons implements AutoCloseable {

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
         */
        public PreparedComparisons(
                PassageRule rule,
                Verification verification,
                PreparedText text,
                LongConsumer memory,
                Runnable checkWanted) {
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
}
