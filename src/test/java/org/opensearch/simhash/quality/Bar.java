/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A promise, and whether the data keep it.
 *
 * @param claim what is promised of every set
 * @param passed whether all sets keep it
 * @param evidence figures of the sets that do not, else of the worst
 */
record Bar(String claim, boolean passed, String evidence) {

    /** A figure that must be at least so large in every set. */
    static Bar atLeast(String claim, double limit, List<Measured> sets, ToDoubleFunction<Measured> figure) {
        return of(claim, sets, figure, value -> value >= limit, -1);
    }

    /** A figure that must be at most so large in every set. */
    static Bar atMost(String claim, double limit, List<Measured> sets, ToDoubleFunction<Measured> figure) {
        return of(claim, sets, figure, value -> value <= limit, 1);
    }

    private static Bar of(
            String claim,
            List<Measured> sets,
            ToDoubleFunction<Measured> figure,
            Predicate<Double> keeps,
            int directionOfWorse) {
        List<Measured> worstFirst = sets.stream()
                .sorted((a, b) -> directionOfWorse * Double.compare(figure.applyAsDouble(b), figure.applyAsDouble(a)))
                .toList();
        List<Measured> broken = worstFirst.stream()
                .filter(set -> keeps.test(figure.applyAsDouble(set)) == false)
                .toList();
        String worst = worstFirst.isEmpty() ? "no such set" : "worst: " + evidence(worstFirst.getFirst(), figure);
        String evidence = broken.isEmpty()
                ? worst
                : broken.size() + " of " + sets.size() + " sets: "
                        + String.join(
                                ", ",
                                broken.stream()
                                        .map(set -> evidence(set, figure))
                                        .toList());
        double mean = sets.stream().mapToDouble(figure).average().orElse(Double.NaN);
        return new Bar(
                claim,
                broken.isEmpty() && sets.isEmpty() == false,
                String.format(Locale.ROOT, "mean %.4f; %s", mean, evidence));
    }

    private static String evidence(Measured set, ToDoubleFunction<Measured> figure) {
        return String.format(Locale.ROOT, "%s %.4f", set.set().title(), figure.applyAsDouble(set));
    }

    @Override
    public String toString() {
        return (passed ? "PASS " : "FAIL ") + claim + " (" + evidence + ")";
    }
}
