/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.Vocabulary;
import org.opensearch.simhash.core.fingerprint.Weights;
import org.opensearch.simhash.quality.DataSet.Kind;

/**
 * Data sets and what the default recipe makes of them by any seed of its hash and with any weights. A seed takes a quarter of a
 * second: texts are analysed and compared once.
 */
final class DrawnSets {

    /** A feature that is more frequent weighs as if it were so frequent. */
    private static final int MOST = 1 << 14;

    private final List<DrawnSet> sets;
    private final Vocabulary vocabulary;

    private DrawnSets(List<DrawnSet> sets, Vocabulary vocabulary) {
        this.sets = sets;
        this.vocabulary = vocabulary;
        List<Fingerprints> ours = draw(HashFunction.SEED, Weights.DEFAULT);
        for (int i = 0; i < sets.size(); i++) {
            if (ours.get(i).sameBits(sets.get(i).ours()) == false) {
                throw new IllegalStateException("the features of ["
                        + sets.get(i).set().title() + "] make other fingerprints than the processor");
            }
        }
    }

    static DrawnSets of(List<Measured> measured, NodeProcessors node) {
        Vocabulary vocabulary = new Vocabulary();
        Fingerprinter fingerprinter = node.create(Recipes.DEFAULT).fingerprinter();
        return new DrawnSets(
                measured.stream()
                        .map(set -> DrawnSet.of(set.set(), set.truth(), set.fingerprints(), fingerprinter, vocabulary))
                        .toList(),
                vocabulary);
    }

    /** All but short texts. */
    static DrawnSets read(TextSets texts, NodeProcessors node) {
        Vocabulary vocabulary = new Vocabulary();
        Fingerprinter fingerprinter = node.create(Recipes.DEFAULT).fingerprinter();
        List<DrawnSet> sets = new ArrayList<>();
        for (DataSet set : texts.read()) {
            if (set.kind() != Kind.SHORT) {
                Fingerprints ours = Fingerprints.of(set, node.create(Recipes.DEFAULT));
                sets.add(DrawnSet.of(set, Measured.truth(set, node), ours, fingerprinter, vocabulary));
            }
        }
        return new DrawnSets(sets, vocabulary);
    }

    List<DataSet> sets() {
        return sets.stream().map(DrawnSet::set).toList();
    }

    /** In the order of the sets. */
    List<Evaluation> ours() {
        return sets.stream().map(set -> Evaluation.of(set.truth(), set.ours())).toList();
    }

    /** In the order of the sets. */
    List<Evaluation> evaluate(long seed, Weights weights) {
        List<Fingerprints> drawn = draw(seed, weights);
        List<Evaluation> evaluations = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            evaluations.add(Evaluation.of(sets.get(i).truth(), drawn.get(i)));
        }
        return evaluations;
    }

    private List<Fingerprints> draw(long seed, Weights weights) {
        long[] hashes = vocabulary.hashes(Hashing.xxh3_64(seed));
        double[] factors = vocabulary.figures(weights.tokens());
        double[] table = new double[MOST + 1];
        Arrays.setAll(table, count -> weights.byCount().applyAsDouble(Math.max(1, count)));
        IntToDoubleFunction byCount = count -> table[Math.min(count, MOST)];
        return sets.stream().map(set -> set.draw(hashes, factors, byCount)).toList();
    }
}
