/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.List;
import java.util.Locale;

/** How much of an extracted text is true, and how much of the truth was extracted, by tokens; 0 to 1. */
public record ExtractionGrade(double precision, double recall) {

    public static ExtractionGrade of(Tokens extracted, Tokens truth) {
        int common = extracted.inCommon(truth);
        return new ExtractionGrade(
                share(common, extracted.tokens().size()),
                share(common, truth.tokens().size()));
    }

    public double f1() {
        return precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall);
    }

    /** F1, precision and recall, each the mean over the pages, in this order. */
    public static String means(List<ExtractionGrade> grades) {
        return String.format(
                Locale.ROOT,
                "%.3f, %.3f, %.3f",
                grades.stream().mapToDouble(ExtractionGrade::f1).average().orElse(0),
                grades.stream()
                        .mapToDouble(ExtractionGrade::precision)
                        .average()
                        .orElse(0),
                grades.stream().mapToDouble(ExtractionGrade::recall).average().orElse(0));
    }

    private static double share(int part, int whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }
}
