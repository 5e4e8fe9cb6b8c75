/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.opensearch.simhash.quality.Bar.Figure;
import org.opensearch.simhash.quality.DataSet.Kind;

/** What is promised of the default recipe, and whether the data keep it. */
final class Bars {

    private static final int DISTANCE = Verified.MAX_DISTANCE;
    /** Within 11 bits, of every document set. */
    static final double RECALL = 0.975;

    /** Within 12 bits, of every document set. */
    static final double RECALL_FURTHER = 0.985;

    /** Within 11 bits, of every set. */
    static final double UNRELATED = 0.0003;

    private static final double UNRELATED_MEAN = 0.00005;

    private Bars() {}

    static List<Bar> of(List<Measured> all, List<ShortTexts> shortTexts, Draws draws) {
        List<Measured> documents =
                all.stream().filter(set -> set.set().kind() == Kind.DOCUMENTS).toList();
        List<Measured> large =
                all.stream().filter(set -> set.set().kind() != Kind.SHORT).toList();
        List<Measured> labelled = all.stream()
                .filter(set -> set.set().labelled() && set.set().kind() == Kind.DOCUMENTS)
                .toList();
        List<Bar> bars = new ArrayList<>();
        String exact = "verify 0.8 by the words of the set";
        bars.addAll(recall(
                exact + ", within 11 bits",
                figures(documents, set -> set.exact().recall())));
        bars.add(Bar.atLeast(
                exact + ", within 11 bits: precision >= 0.99 on every document set",
                0.99,
                figures(documents, set -> set.exact().precision())));
        bars.add(recallFurther(
                exact + ", within 12 bits",
                figures(documents, set -> set.exactFurther().recall())));
        bars.addAll(recall(
                "verify 0.8 by default, within 11 bits",
                figures(documents, set -> set.verified().recall())));
        bars.add(Bar.atLeast(
                "verify 0.8 by default, within 11 bits: precision >= 0.99 on every document set, stated similarities from 0.7 on let pass",
                0.99,
                figures(documents, set -> set.verified().precisionBeyondTheLimit())));
        bars.add(Bar.atLeast(
                "verify 0.8 by default, within 11 bits: precision >= 0.99 on every document set, versions of one document let pass",
                0.99,
                figures(documents, set -> set.verified().precisionOfDocuments())));
        bars.addAll(unrelated(
                "unrelated pairs within 11 bits",
                figures(large, set -> set.byDefault().unrelated().wrongShare(DISTANCE))));
        bars.addAll(draws.bars());
        bars.addAll(recall(
                "mixed recipe, within 11 bits",
                figures(documents, set -> set.mixed().near().recall(DISTANCE))));
        bars.addAll(unrelated(
                "mixed recipe, unrelated pairs within 11 bits",
                figures(large, set -> set.mixed().unrelated().wrongShare(DISTANCE))));
        bars.add(Bar.atMost(
                "pairs within 3 bits with a similarity below 0.5 <= 5 %",
                0.05, figures(all, Measured::closeButDifferent)));
        bars.addAll(advantages("graded labels", labelled, Evaluation::graded));
        bars.addAll(advantages("labels alone", labelled, Evaluation::label));
        bars.add(new Bar(
                "empty, symbols only, a word, under min_features: no bits, equal digests only of equal tokens",
                shortTexts.stream().allMatch(ShortTexts::pass),
                shortTexts.toString()));
        return bars;
    }

    static List<Bar> recall(String what, List<Figure> figures) {
        return List.of(
                Bar.atLeast(what + ": recall >= 0.975 on every document set", RECALL, figures),
                Bar.meanAtLeast(what + ": recall >= 0.99 on average", 0.99, figures));
    }

    static Bar recallFurther(String what, List<Figure> figures) {
        return Bar.atLeast(what + ": recall >= 0.985 on every document set", RECALL_FURTHER, figures);
    }

    static List<Bar> unrelated(String what, List<Figure> figures) {
        return List.of(
                Bar.atMost(what + " <= 3 in 10,000 on every set", UNRELATED, figures),
                Bar.meanAtMost(what + " <= 0.5 in 10,000 on average", UNRELATED_MEAN, figures));
    }

    private static List<Figure> figures(List<Measured> sets, ToDoubleFunction<Measured> figure) {
        return sets.stream()
                .map(set -> new Figure(set.set().title(), figure.applyAsDouble(set)))
                .toList();
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
                figures(
                        sets,
                        set -> curve.apply(ours.apply(set)).bestF1()
                                - curve.apply(theirs.apply(set)).bestF1()));
    }
}
