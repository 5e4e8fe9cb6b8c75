/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.opensearch.simhash.quality.DataSet.Kind;

/** What is promised of the default recipe, and whether the data keep it. */
final class Bars {

    private static final int DISTANCE = Verified.MAX_DISTANCE;

    private Bars() {}

    static List<Bar> of(List<Measured> all, List<ShortTexts> shortTexts) {
        List<Measured> documents =
                all.stream().filter(set -> set.set().kind() == Kind.DOCUMENTS).toList();
        List<Measured> large =
                all.stream().filter(set -> set.set().kind() != Kind.SHORT).toList();
        List<Measured> labelled = all.stream()
                .filter(set -> set.set().labelled() && set.set().kind() == Kind.DOCUMENTS)
                .toList();
        List<Bar> bars = new ArrayList<>();
        bars.add(Bar.atLeast(
                "within 10 bits, then similarity >= 0.8: recall >= 0.97",
                0.97,
                documents,
                set -> set.exact().recall()));
        bars.add(Bar.atLeast(
                "within 10 bits, then similarity >= 0.8: precision >= 0.99",
                0.99,
                documents,
                set -> set.exact().precision()));
        bars.add(Bar.atLeast(
                "within 10 bits, mixed recipe: recall >= 0.97",
                0.97,
                documents,
                set -> set.mixed().near().recall(DISTANCE)));
        bars.add(Bar.atLeast(
                "verified by the recipe's own tokens: recall >= 0.97",
                0.97,
                documents,
                set -> set.verified().recall()));
        bars.add(Bar.atLeast(
                "verified by the recipe's own tokens: precision >= 0.99, stated similarities from 0.7 on let pass",
                0.99,
                documents,
                set -> set.verified().precisionBeyondTheLimit()));
        bars.add(Bar.atMost(
                "unrelated pairs within 10 bits <= 0.0003",
                0.0003,
                large,
                set -> set.byDefault().unrelated().wrongShare(DISTANCE)));
        bars.add(Bar.atMost(
                "unrelated pairs within 10 bits, mixed recipe <= 0.0003",
                0.0003,
                large,
                set -> set.mixed().unrelated().wrongShare(DISTANCE)));
        bars.add(Bar.atMost(
                "pairs within 3 bits with a similarity below 0.5 <= 5 %", 0.05, all, Measured::closeButDifferent));
        bars.addAll(advantages("graded labels", labelled, Evaluation::graded));
        bars.addAll(advantages("labels alone", labelled, Evaluation::label));
        bars.add(new Bar(
                "empty, symbols only, a word, under min_features: no bits, equal digests only of equal tokens",
                shortTexts.stream().allMatch(ShortTexts::pass),
                shortTexts.toString()));
        return bars;
    }

    private static List<Bar> advantages(String truth, List<Measured> sets, Function<Evaluation, Curve> curve) {
        return List.of(
                advantage(truth + ", less that of FNV words", 0.05, sets, Measured::byDefault, Measured::fnv, curve),
                advantage(truth + ", less that of MinHash", -0.02, sets, Measured::byDefault, Measured::minHash, curve),
                advantage(
                        truth + ", with feature_weights as proposed, less that of FNV words",
                        0.05,
                        sets,
                        Measured::damped,
                        Measured::fnv,
                        curve),
                advantage(
                        truth + ", with feature_weights as proposed, less that of MinHash",
                        -0.02,
                        sets,
                        Measured::damped,
                        Measured::minHash,
                        curve));
    }

    private static Bar advantage(
            String what,
            double margin,
            List<Measured> sets,
            Function<Measured, Evaluation> ours,
            Function<Measured, Evaluation> theirs,
            Function<Evaluation, Curve> curve) {
        return Bar.atLeast(
                String.format(Locale.ROOT, "best F1 of plain distance, %s: >= %.2f", what, margin),
                margin,
                sets,
                set -> curve.apply(ours.apply(set)).bestF1()
                        - curve.apply(theirs.apply(set)).bestF1());
    }
}
