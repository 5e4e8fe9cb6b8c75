/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import java.util.Locale;

/**
 * The smallest distance that finds enough, and whether texts must be compared since too few pairs would be near without.
 *
 * @param recall among near pairs within the largest distance
 * @param pairs that a job finds
 * @param sketched the same pairs by sketches; null if the index has none
 * @param why a sentence
 */
public record Suggestion(
        int step, boolean verify, Interval precision, Interval recall, double pairs, Sketched sketched, String why) {

    /** What a job by sketches finds, from an estimated similarity on, of the near pairs that were seen. */
    public record Sketched(double least, Interval recall) {}

    /** An interval of at most this width needs no more documents. */
    public static final double WIDE = 0.1;

    /** A larger draw may find a lower recall, whose interval is wider: twice as many are enough for at least 85 of 100 corpora. */
    private static final double LOWER = 2;

    private static final double RECALL = 0.99;

    /** The precision that makes comparing texts needless. */
    private static final double PRECISION = 0.99;

    /** The lower bound of that precision, because a few pairs may be near by chance. */
    private static final double LEAST_PRECISION = 0.9;

    /** The sentence about short texts is null if they are not short; sketched the same pairs by sketches, null if there are none. */
    public static Suggestion of(
            Estimates estimates, double minSimilarity, Steps steps, String shortTexts, Sketched sketched) {
        int furthest = Math.min(steps.mostOfJobs(), estimates.maxDistance());
        if (estimates.recall(estimates.maxDistance()).estimate() == null) {
            int distance = Math.min(steps.byDefault(), furthest);
            double pairs = estimates.pairsWithin(distance, minSimilarity);
            String why =
                    "No near pair was seen, so that there is nothing to choose a distance by: this is the default.";
            return new Suggestion(distance, true, Interval.exactly(1), Interval.UNKNOWN, pairs, sketched, why);
        }
        int distance = smallest(estimates, furthest);
        boolean isUnsure =
                estimates.recall(distance).width() > WIDE && distance < Math.min(steps.byDefault(), furthest);
        distance = isUnsure ? Math.min(steps.byDefault(), furthest) : distance;
        Interval without = estimates.precision(distance);
        boolean isPrecise = without.estimate() != null && without.estimate() >= PRECISION;
        boolean verify = isPrecise == false || without.low() < LEAST_PRECISION;
        Interval recall = estimates.recall(distance);
        double pairs = estimates.pairsWithin(distance, verify ? minSimilarity : 0);
        String why = String.format(
                Locale.ROOT,
                "%s are %s of the near pairs seen, %s; %s.%s%s",
                sentence(steps.within(distance)),
                percent(recall.estimate()),
                border(estimates, distance, furthest, steps, sketched),
                look(without, isPrecise, verify),
                isUnsure ? " Too few near pairs were seen to take less than the default: look at more documents." : "",
                shortTexts == null ? "" : " " + shortTexts);
        return new Suggestion(distance, verify, verify ? Interval.exactly(1) : without, recall, pairs, sketched, why);
    }

    /** How many documents of all make the interval of the recall narrow: its width falls with the root of them. */
    public long documentsToDraw(int drawn, long all) {
        double times = recall.width() / WIDE;
        return recall.estimate() == null || times <= 1
                ? drawn
                : Math.min(all, (long) Math.ceil(LOWER * drawn * times * times));
    }

    /** Why not one less, and why not one more. */
    private static String border(Estimates estimates, int distance, int furthest, Steps steps, Sketched sketched) {
        double found = estimates.recall(distance).estimate();
        if (found < RECALL) {
            return (distance < furthest ? "as many as " + steps.within(furthest) + ", " : "")
                    + "and no job looks farther" + (steps.areSketches() ? "" : other(found, sketched));
        }
        return distance == 0
                ? "which all have " + steps.nearest()
                : steps.within(distance - 1) + " are "
                        + percent(estimates.recall(distance - 1).estimate());
    }

    private static String other(double found, Sketched sketched) {
        if (sketched == null) {
            return ": [minhash] finds what differs more";
        }
        return String.format(
                Locale.ROOT,
                ": [minhash] finds %s of them, %s from an estimate of %s on",
                sketched.recall.estimate() > found ? "more" : "no more",
                percent(sketched.recall.estimate()),
                sketched.least);
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

    private static int smallest(Estimates estimates, int furthest) {
        int distance = 0;
        while (distance < furthest && estimates.recall(distance).estimate() < RECALL) {
            distance++;
        }
        while (distance > 0
                && estimates.recall(distance).estimate() > 0
                && estimates
                        .recall(distance - 1)
                        .estimate()
                        .equals(estimates.recall(distance).estimate())) {
            distance--;
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
