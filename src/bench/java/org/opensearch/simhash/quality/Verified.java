/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.verify.TokenWeights;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.verify.TextComparison;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.quality.DataSet.Pair;

/**
 * What a query with {@code verify} finds: pairs within a distance whose Jaccard similarity, by the query's own comparison of
 * token shingles, is at least 0.8.
 *
 * @param near pairs to be found: listed, of a similarity of at least {@link Truth#NEAR} as the data set states it
 * @param nearFound those of them that are found
 * @param wrong found, but listed below {@link Truth#NEAR} or unrelated
 * @param farWrong those of the wrong that are not just at the limit: below 0.7
 * @param others those of the wrong that are two documents, not two versions of one
 */
record Verified(long near, long nearFound, long wrong, long farWrong, long others) {

    /** Without {@code max_distance}. */
    static final int MAX_DISTANCE = 11;

    private static final double FAR = 0.7;

    /** Within the default distance, by the tokens of a recipe. */
    static Verified of(DataSet set, Truth truth, Fingerprints fingerprints, Fingerprinter fingerprinter) {
        Comparisons comparisons =
                new Comparisons(set, text -> fingerprinter.prepare(text, bytes -> {}), fingerprinter, Verification.DEFAULT_SHINGLE_SIZE);
        return of(truth, fingerprints, MAX_DISTANCE, comparisons::areSimilar);
    }

    /**
     * By the words or characters that the set's similarities are of: those of the text in NFKC, which keeps what nobody sees. A zero-width
     * non-joiner of Persian parts two words there.
     */
    static Verified exact(DataSet set, Truth truth, Fingerprints fingerprints, NodeProcessors node, int maxDistance) {
        boolean ofCharacters = DataSet.comparesCharacters(set.language());
        Map<String, Object> words = set.statesSimilarity() ? Recipes.WORDS_OF_THE_SETS : Recipes.OWN_WORDS;
        Fingerprinter fingerprinter =
                node.create(ofCharacters ? Recipes.CHARACTERS : words).fingerprinter();
        UnaryOperator<String> asStated = text ->
                Normalizer.normalize(text, Form.NFKC).replaceAll("\\s+", " ").strip();
        Comparisons comparisons = new Comparisons(
                set,
                set.statesSimilarity() ? asStated : text -> fingerprinter.prepare(text, bytes -> {}),
                fingerprinter,
                ofCharacters ? ShingleSets.CHARACTERS : Verification.DEFAULT_SHINGLE_SIZE);
        return of(truth, fingerprints, maxDistance, comparisons::areSimilar);
    }

    private static Verified of(Truth truth, Fingerprints fingerprints, int maxDistance, Similarity similarity) {
        return new Search(truth, fingerprints, maxDistance, similarity).run();
    }

    double recall() {
        return near == 0 ? 1 : nearFound / (double) near;
    }

    double precision() {
        return nearFound + wrong == 0 ? 1 : nearFound / (double) (nearFound + wrong);
    }

    /** As if pairs just below the limit were not wrong: other tokens than those of the data set, other similarities. */
    double precisionBeyondTheLimit() {
        return nearFound + farWrong == 0 ? 1 : nearFound / (double) (nearFound + farWrong);
    }

    /** As if versions of one document were not wrong. */
    double precisionOfDocuments() {
        return nearFound + others == 0 ? 1 : nearFound / (double) (nearFound + others);
    }

    private interface Similarity {
        boolean isEnough(int a, int b);
    }

    private record Search(Truth truth, Fingerprints fingerprints, int maxDistance, Similarity similarity) {

        Verified run() {
            long near = 0;
            long nearFound = 0;
            long wrong = 0;
            long farWrong = 0;
            long others = 0;
            Set<Set<Integer>> listed = new HashSet<>();
            for (Pair pair : truth.listed()) {
                listed.add(Set.of(pair.a(), pair.b()));
                boolean isNear = pair.jaccard() >= Truth.NEAR;
                boolean found = find(pair.a(), pair.b());
                near += isNear ? 1 : 0;
                nearFound += isNear && found ? 1 : 0;
                wrong += isNear == false && found ? 1 : 0;
                farWrong += pair.jaccard() < FAR && found ? 1 : 0;
                others += isNear == false && found && truth.sameGroup(pair.a(), pair.b()) == false ? 1 : 0;
            }
            for (int b = 0; b < truth.documents(); b++) {
                for (int a = 0; a < b; a++) {
                    boolean mayBeFound = truth.sameGroup(a, b) == false && fingerprints.of(a, b) <= maxDistance;
                    if (mayBeFound && listed.contains(Set.of(a, b)) == false && truth.jaccard(a, b) < Truth.ALIKE) {
                        boolean found = find(a, b);
                        wrong += found ? 1 : 0;
                        farWrong += found ? 1 : 0;
                        others += found ? 1 : 0;
                    }
                }
            }
            return new Verified(near, nearFound, wrong, farWrong, others);
        }

        private boolean find(int a, int b) {
            return fingerprints.of(a, b) <= maxDistance && similarity.isEnough(a, b);
        }
    }

    /** Compares as the query does; keeps what it prepared of each text. Not thread-safe. */
    private static final class Comparisons {

        private final Verification verification;
        private final Map<Integer, TextComparison> comparisons = new HashMap<>();
        private final DataSet set;
        private final UnaryOperator<String> preparation;
        private final Fingerprinter fingerprinter;

        Comparisons(DataSet set, UnaryOperator<String> preparation, Fingerprinter fingerprinter, int shingleSize) {
            this.verification = Verification.of(NodeProcessors.TEXT, null, shingleSize, null, null);
            this.set = set;
            this.preparation = preparation;
            this.fingerprinter = fingerprinter;
        }

        boolean areSimilar(int a, int b) {
            return comparisons
                    .computeIfAbsent(a, unused -> prepare(a))
                    .compare(text(b), bytes -> {}, () -> {})
                    .isSimilar();
        }

        private TextComparison prepare(int document) {
            String text = text(document);
            Analyzer analyzer = fingerprinter.analyzer(set.language(), text);
            return new TextComparison(verification, analyzer, TokenWeights.EQUAL, text, bytes -> {}, () -> {});
        }

        private String text(int document) {
            return preparation.apply(set.documents().get(document).text());
        }
    }
}
