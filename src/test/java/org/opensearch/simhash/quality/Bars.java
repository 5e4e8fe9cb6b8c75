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
        bars.add(advantage("graded labels", 0.05, "FNV words", labelled, Measured::fnv, Evaluation::graded));
        bars.add(advantage("graded labels", -0.02, "MinHash", labelled, Measured::minHash, Evaluation::graded));
        bars.add(advantage("labels alone", 0.05, "FNV words", labelled, Measured::fnv, Evaluation::label));
        bars.add(advantage("labels alone", -0.02, "MinHash", labelled, Measured::minHash, Evaluation::label));
        bars.add(new Bar(
                "empty, symbols only, a word, under min_features: no bits, equal digests only of equal tokens",
                shortTexts.stream().allMatch(ShortTexts::pass),
                shortTexts.toString()));
        return bars;
    }

    private static Bar advantage(
            String truth,
            double margin,
            String other,
            List<Measured> sets,
            Function<Measured, Evaluation> method,
            Function<Evaluation, Curve> curve) {
        String claim = String.format(
                Locale.ROOT, "best F1 of plain distance, %s, less that of %s: >= %.2f", truth, other, margin);
        return Bar.atLeast(
                claim,
                margin,
                sets,
                set -> curve.apply(set.byDefault()).bestF1()
                        - curve.apply(method.apply(set)).bestF1());
    }
}
