/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoublePredicate;

/**
 * A promise, and whether the data keep it.
 *
 * @param claim what is promised of every set, or of their mean
 * @param passed whether it is kept
 * @param evidence the mean, and the figures of the sets that do not keep it, else of the worst
 */
record Bar(String claim, boolean passed, String evidence) {

    /** What was measured of a set. */
    record Figure(String set, double value) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s %.5f", set, value);
        }
    }

    /** A figure that must be at least so large in every set. */
    static Bar atLeast(String claim, double limit, List<Figure> figures) {
        return ofEach(claim, figures, value -> value >= limit, Comparator.comparingDouble(Figure::value));
    }

    /** A figure that must be at most so large in every set. */
    static Bar atMost(String claim, double limit, List<Figure> figures) {
        return ofEach(
                claim,
                figures,
                value -> value <= limit,
                Comparator.comparingDouble(Figure::value).reversed());
    }

    /** A figure whose mean over the sets must be at least so large. */
    static Bar meanAtLeast(String claim, double limit, List<Figure> figures) {
        return new Bar(claim, mean(figures) >= limit, meanOf(figures));
    }

    /** A figure whose mean over the sets must be at most so large. */
    static Bar meanAtMost(String claim, double limit, List<Figure> figures) {
        return new Bar(claim, mean(figures) <= limit, meanOf(figures));
    }

    private static Bar ofEach(
            String claim, List<Figure> figures, DoublePredicate keeps, Comparator<Figure> worstFirst) {
        List<Figure> sorted = figures.stream().sorted(worstFirst).toList();
        List<Figure> broken = sorted.stream()
                .filter(figure -> keeps.test(figure.value()) == false)
                .toList();
        String evidence;
        if (broken.isEmpty()) {
            evidence = sorted.isEmpty() ? "no such set" : "worst: " + sorted.getFirst();
        } else {
            List<String> names = broken.stream().map(Figure::toString).toList();
            evidence = broken.size() + " of " + figures.size() + " sets: " + String.join(", ", names);
        }
        return new Bar(claim, broken.isEmpty() && figures.isEmpty() == false, meanOf(figures) + "; " + evidence);
    }

    /** Of the figures of all sets. */
    static double mean(List<Figure> figures) {
        return figures.stream().mapToDouble(Figure::value).average().orElse(Double.NaN);
    }

    private static String meanOf(List<Figure> figures) {
        return String.format(Locale.ROOT, "mean %.5f", mean(figures));
    }

    @Override
    public String toString() {
        return (passed ? "PASS " : "FAIL ") + claim + " (" + evidence + ")";
    }
}
