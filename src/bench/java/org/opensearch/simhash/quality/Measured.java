/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import org.opensearch.simhash.search.ingest.TextProcessor;

/**
 * A data set and what the methods make of it.
 *
 * @param byDefault the processor without options
 * @param mixed with a language field where words are not set apart by spaces, otherwise by default
 * @param damped by default, with the {@code feature_weights} that are proposed for the set; null where {@code minHash} is
 * @param fnv words, raw counts, FNV-1a: what most code does
 * @param minHash of the features of the default recipe; null where nothing is labelled or listed
 * @param exact by default, within the default distance, then verified by the words or characters that the set's similarities are of
 * @param exactFurther likewise, within 12 bits
 * @param verified by default, then verified by the recipe's tokens
 * @param closeButDifferent share of the pairs within 3 bits, of whatever groups, with a similarity below 0.5
 */
record Measured(
        DataSet set,
        Truth truth,
        Fingerprints fingerprints,
        Evaluation byDefault,
        Evaluation mixed,
        Evaluation damped,
        Evaluation fnv,
        Evaluation minHash,
        Verified exact,
        Verified exactFurther,
        Verified verified,
        double closeButDifferent) {

    static final int FURTHER = 12;
    private static final int CLOSE = 3;

    static Measured of(DataSet set, NodeProcessors node) {
        TextProcessor standard = node.create(Recipes.DEFAULT);
        Truth truth = truth(set, node);
        Fingerprints byDefault = Fingerprints.of(set, standard);
        return new Measured(
                set,
                truth,
                byDefault,
                Evaluation.of(truth, byDefault),
                Evaluation.of(
                        truth,
                        set.spacesBetweenWords()
                                ? byDefault
                                : Fingerprints.of(set, node.create(Recipes.BY_LANGUAGE))),
                set.pairs().isEmpty() ? null : Evaluation.of(truth, Boilerplate.damped(node, set)),
                Evaluation.of(truth, Fingerprints.of(set, node.create(Recipes.FNV))),
                set.pairs().isEmpty()
                        ? null
                        : Evaluation.of(truth, MinHashes.of(ShingleSets.of(set, standard.fingerprinter()))),
                Verified.exact(set, truth, byDefault, node, Verified.MAX_DISTANCE),
                Verified.exact(set, truth, byDefault, node, FURTHER),
                Verified.of(set, truth, byDefault, standard.fingerprinter()),
                closeButDifferent(truth, byDefault));
    }

    /** By words, of languages that do not set them apart by characters. */
    static Truth truth(DataSet set, NodeProcessors node) {
        return new Truth(
                set,
                DataSet.comparesCharacters(set.language())
                        ? ShingleSets.ofCharacters(set)
                        : ShingleSets.of(set, node.create(Recipes.WORD_SHINGLES).fingerprinter()));
    }

    private static double closeButDifferent(Truth truth, Fingerprints fingerprints) {
        long close = 0;
        long different = 0;
        for (int b = 0; b < truth.documents(); b++) {
            for (int a = 0; a < b; a++) {
                if (fingerprints.of(a, b) <= CLOSE) {
                    close++;
                    different += truth.jaccard(a, b) < Truth.ALIKE ? 1 : 0;
                }
            }
        }
        return close == 0 ? 0 : different / (double) close;
    }
}
