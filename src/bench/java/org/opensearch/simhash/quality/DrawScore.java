/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.opensearch.simhash.quality.Bar.Figure;
import org.opensearch.simhash.quality.DataSet.Kind;

/**
 * What one seed of the hash makes of the data sets, or several of them on average.
 *
 * @param recall of near pairs within 11 bits, each document set
 * @param further of near pairs within 12 bits, each document set
 * @param unrelated the share of unrelated pairs within 11 bits, each set
 * @param missed sets that one of these figures misses its bar of, a draw; a set that misses two counts twice
 */
record DrawScore(List<Figure> recall, List<Figure> further, List<Figure> unrelated, double missed) {

    /** @param draws one or more, each in the order of the sets */
    static DrawScore of(List<DataSet> sets, List<List<Evaluation>> draws) {
        List<DataSet> documents =
                sets.stream().filter(set -> set.kind() == Kind.DOCUMENTS).toList();
        return new DrawScore(
                means(sets, documents, draws, set -> set.near().recall(Verified.MAX_DISTANCE)),
                means(sets, documents, draws, set -> set.near().recall(Measured.FURTHER)),
                means(sets, sets, draws, set -> set.unrelated().wrongShare(Verified.MAX_DISTANCE)),
                draws.stream().mapToLong(DrawScore::missed).average().orElseThrow());
    }

    /**
     * Of every second set: one half is for choosing, the other one tells what the choice is worth.
     *
     * @param half 0 or 1
     */
    static DrawScore half(int half, List<DataSet> sets, List<List<Evaluation>> draws) {
        return of(everySecond(half, sets), draws.stream().map(draw -> everySecond(half, draw)).toList());
    }

    private static <T> List<T> everySecond(int first, List<T> all) {
        return IntStream.range(0, all.size())
                .filter(i -> i % 2 == first)
                .mapToObj(all::get)
                .toList();
    }

    /** Sets without near pairs miss nothing of them. */
    private static long missed(List<Evaluation> draw) {
        return draw.stream()
                .mapToLong(set -> (set.near().recall(Verified.MAX_DISTANCE) < Bars.RECALL ? 1 : 0)
                        + (set.near().recall(Measured.FURTHER) < Bars.RECALL_FURTHER ? 1 : 0)
                        + (set.unrelated().wrongShare(Verified.MAX_DISTANCE) > Bars.UNRELATED ? 1 : 0))
                .sum();
    }

    private static List<Figure> means(
            List<DataSet> sets,
            List<DataSet> chosen,
            List<List<Evaluation>> draws,
            ToDoubleFunction<Evaluation> figure) {
        List<Figure> means = new ArrayList<>();
        for (DataSet set : chosen) {
            int place = sets.indexOf(set);
            means.add(new Figure(
                    set.title(),
                    draws.stream()
                            .mapToDouble(draw -> figure.applyAsDouble(draw.get(place)))
                            .average()
                            .orElseThrow()));
        }
        return means;
    }

    /** What the defaults promise of such a draw. */
    List<Bar> bars(String what) {
        List<Bar> bars = new ArrayList<>(Bars.recall(what + ", within 11 bits", recall));
        bars.add(Bars.recallFurther(what + ", within 12 bits", further));
        bars.addAll(Bars.unrelated(what + ", unrelated pairs within 11 bits", unrelated));
        return bars;
    }

    boolean keepsAll() {
        return bars("").stream().allMatch(Bar::passed);
    }

    static Table table(String first) {
        return new Table(
                first,
                "recall at 11: mean",
                "worst set",
                "at 12: mean",
                "worst set",
                "unrelated within 11, per 10,000: mean",
                "worst set",
                "bars kept, of 5",
                "sets that miss a bar");
    }

    void addTo(Table table, String name) {
        table.row(
                name,
                Table.share(Bar.mean(recall)),
                worst(recall),
                Table.share(Bar.mean(further)),
                worst(further),
                Table.perTenThousand(Bar.mean(unrelated)),
                most(unrelated),
                bars("").stream().filter(Bar::passed).count(),
                String.format(Locale.ROOT, "%.1f", missed));
    }

    private static String worst(List<Figure> figures) {
        Figure worst = figures.stream()
                .min((a, b) -> Double.compare(a.value(), b.value()))
                .orElseThrow();
        return Table.share(worst.value()) + " " + worst.set();
    }

    private static String most(List<Figure> figures) {
        Figure most = figures.stream()
                .max((a, b) -> Double.compare(a.value(), b.value()))
                .orElseThrow();
        return Table.perTenThousand(most.value()) + " " + most.set();
    }
}
