/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The similarity from which on people call texts near. Outside of low and high all judgements agree; between them nobody has judged, or
 * people have judged both ways.
 *
 * @param value contradicts as few judgements as possible
 */
public record Border(double value, double low, double high) {

    private static final double PARTS = 1_000;
    private static final double AROUND = 0.2;

    /** @param usual the border without judgements */
    public static Border of(List<Sample.Pair> judged, double usual) {
        double[] ends = DoubleStream.concat(
                        DoubleStream.of(0, 1), judged.stream().mapToDouble(Sample.Pair::similarity))
                .sorted()
                .distinct()
                .toArray();
        Border best = IntStream.range(1, ends.length)
                .mapToObj(i -> between(ends[i - 1], ends[i], usual))
                .min(Comparator.<Border>comparingLong(border -> border.contradicted(judged))
                        .thenComparingDouble(border -> Math.abs(border.value - usual)))
                .orElseThrow();
        double low = best.low;
        double high = best.high;
        for (Sample.Pair pair : judged) {
            low = pair.isNear() ? Math.min(low, pair.similarity()) : low;
            high = pair.isNear() ? high : Math.max(high, pair.similarity());
        }
        return new Border(best.value, low, high);
    }

    /** In the middle, if both ends were judged; else no farther from the usual one than need be. */
    private static Border between(double low, double high, double usual) {
        double value = low == 0 ? Math.min(usual, high) : high == 1 && usual > low ? usual : (low + high) / 2;
        double rounded = Math.floor(value * PARTS) / PARTS;
        return new Border(rounded > low ? rounded : value, low, high);
    }

    /**
     * Pairs whose answers move it most: spread around it, the middle first. An answer about equal texts moves nothing.
     *
     * @param most fewer, if there are fewer
     */
    public List<Sample.Pair> next(int most, Stream<Sample.Pair> unjudged) {
        List<Sample.Pair> left = unjudged.filter(pair -> 0 < pair.similarity() && pair.similarity() < 1)
                .collect(Collectors.toCollection(ArrayList::new));
        double from = Math.max(low, value - AROUND);
        double to = Math.min(high, value + AROUND);
        List<Sample.Pair> next = new ArrayList<>();
        while (next.size() < most && left.isEmpty() == false) {
            Sample.Pair best = Collections.min(left, nearestTo(from + (to - from) * (next.size() + 0.5) / most));
            left.remove(best);
            next.add(best);
        }
        next.sort(nearestTo((from + to) / 2));
        return next;
    }

    public static Comparator<Sample.Pair> nearestTo(double similarity) {
        return Comparator.comparingDouble(pair -> Math.abs(pair.similarity() - similarity));
    }

    public boolean contradicts(Sample.Pair pair) {
        return pair.isNear() != pair.similarity() >= value;
    }

    public long contradicted(List<Sample.Pair> judged) {
        return judged.stream().filter(this::contradicts).count();
    }
}
