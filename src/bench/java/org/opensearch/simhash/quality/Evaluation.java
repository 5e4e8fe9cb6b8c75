/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.Set;
import org.opensearch.simhash.quality.DataSet.Pair;

/**
 * One method on one data set. Three opinions of what is right, and unrelated pairs are wrong in each:
 *
 * @param near by similarity alone: a listed pair is right from {@link Truth#NEAR} on and wrong below
 * @param graded by labels where similarity agrees: a pair labelled the same must be found from {@link Truth#MUST} on, one
 *     labelled otherwise must not below {@link Truth#UNRELATED}; what is between says nothing (a version with hardly a word
 *     in common, a template twin)
 * @param label by labels alone
 * @param unrelated pairs of a similarity below {@link Truth#UNRELATED}
 * @param dissimilar pairs of a similarity below {@link Truth#ALIKE}: the unrelated, and those that share boilerplate
 */
record Evaluation(Curve near, Curve graded, Curve label, Curve unrelated, Curve dissimilar) {

    static Evaluation of(Truth truth, Distances distances) {
        Curve unrelated = truth.unrelated(distances, Truth.UNRELATED);
        Curve dissimilar = truth.unrelated(distances, Truth.ALIKE);
        Curve near = new Curve(distances.largest());
        Curve graded = new Curve(distances.largest());
        Curve label = new Curve(distances.largest());
        Set.of(near, graded, label).forEach(curve -> curve.add(unrelated));
        for (Pair pair : truth.listed()) {
            int distance = distances.of(pair.a(), pair.b());
            near.count(pair.jaccard() >= Truth.NEAR, distance, 1);
            if (pair.label() != null) {
                label.count(pair.label(), distance, 1);
                if (pair.label() ? pair.jaccard() >= Truth.MUST : pair.jaccard() < Truth.UNRELATED) {
                    graded.count(pair.label(), distance, 1);
                }
            }
        }
        return new Evaluation(near, graded, label, unrelated, dissimilar);
    }
}
