/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/**
 * The cheapest distance that finds enough, and whether texts must be compared.
 *
 * @param step the distance
 * @param verify whether too few pairs would be near without comparing texts
 * @param recall among near pairs within the largest distance
 * @param why a sentence
 */
public record Suggestion(
        int step, boolean verify, Interval precision, Interval recall, Estimates.Remaining remaining, String why) {

    /** The recall to reach. */
    private static final double RECALL = 0.99;

    /** The recall that is enough if more costs {@link #DEAR} times as much. */
    private static final double LEAST_RECALL = 0.975;

    private static final double DEAR = 4;

    /** The precision that makes comparing texts needless. */
    private static final double PRECISION = 0.99;

    /** The lower bound of that precision, because a few pairs may be near by chance. */
    private static final double LEAST_PRECISION = 0.9;

    /**
     * @param minSimilarity the lowest similarity of near texts
     * @param steps name the distances
     * @param costs by distance, in any unit
     * @param shortTexts a sentence about short texts; null if they are not short
     */
    public static Suggestion of(
            Estimates estimates, double minSimilarity, Steps steps, IntToDoubleFunction costs, String shortTexts) {
        int furthest = Math.min(steps.mostOfJobs(), estimates.maxDistance());
        if (estimates.recall(estimates.maxDistance()).estimate() == null) {
            int distance = Math.min(steps.byDefault(), furthest);
            Estimates.Remaining remaining = estimates.within(distance, minSimilarity);
            String why =
                    "No near pair was seen, so that there is nothing to choose a distance by: this is the default.";
            return new Suggestion(distance, true, Interval.exactly(1), Interval.UNKNOWN, remaining, why);
        }
        int distance = smallest(estimates, furthest, RECALL);
        int less = smallest(estimates, furthest, LEAST_RECALL);
        boolean isDear = costs.applyAsDouble(distance) > DEAR * costs.applyAsDouble(less);
        distance = isDear ? less : distance;
        Interval without = estimates.precision(distance);
        boolean isPrecise = without.estimate() != null && without.estimate() >= PRECISION;
        boolean verify = isPrecise == false || without.low() < LEAST_PRECISION;
        Interval recall = estimates.recall(distance);
        Estimates.Remaining remaining = verify ? estimates.within(distance, minSimilarity) : estimates.within(distance);
        String why = String.format(
                Locale.ROOT,
                "%s are %s of the near pairs seen, %s; %s.%s",
                sentence(steps.within(distance)),
                percent(recall.estimate()),
                border(estimates, distance, isDear, steps),
                look(without, isPrecise, verify),
                shortTexts == null ? "" : " " + shortTexts);
        return new Suggestion(distance, verify, verify ? Interval.exactly(1) : without, recall, remaining, why);
    }

    /** Why not one less, and why not one more. */
    private static String border(Estimates estimates, int distance, boolean isDear, Steps steps) {
        if (isDear == false && estimates.recall(distance).estimate() < RECALL) {
            return "and no job looks farther" + (steps.areSketches() ? "" : ": [minhash] finds what differs more");
        }
        String farther = isDear ? ", and what is farther apart costs more than four times as much to find" : "";
        return distance == 0
                ? "which all have " + steps.nearest() + farther
                : steps.within(distance - 1) + " are "
                        + percent(estimates.recall(distance - 1).estimate()) + farther;
    }

    private static String look(Interval without, boolean isPrecise, boolean verify) {
        if (without.estimate() == null) {
            return "no pair is that near";
        }
        if (isPrecise == false) {
            return "without a look at the texts only " + percent(without.estimate())
                    + " of what is found would be near, so that the texts have to be compared";
        }
        return "and " + percent(without.estimate()) + " of what is found is near without a look at the texts"
                + (verify ? ", but too few were compared to be sure of that" : "");
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private static int smallest(Estimates estimates, int furthest, double recall) {
        int distance = 0;
        while (distance < furthest && estimates.recall(distance).estimate() < recall) {
            distance++;
        }
        return distance;
    }

    private static String percent(Double share) {
        if (share == null) {
            return "an unknown part";
        }
        double percent = share > 0.999 && share < 1 ? 99.9 : share * 100;
        return String.format(Locale.ROOT, percent == Math.rint(percent) ? "%.0f %%" : "%.1f %%", percent);
    }
}
