/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** The tables of what was measured of the default recipe and of what it is compared with, one line a set. */
final class Sections {

    private static final int LARGEST_DISTANCE = 16;

    private Sections() {}

    static String sets(List<Measured> all) {
        Table table = new Table("set", "documents", "listed pairs", "near (similarity >= 0.8)", "labelled the same");
        for (Measured set : all) {
            table.row(
                    set.set().title(),
                    set.truth().documents(),
                    set.truth().listed().size(),
                    set.byDefault().near().total(),
                    set.set().labelled() ? set.byDefault().label().total() : "–");
        }
        return table.toString();
    }

    /** Recall and precision at each distance, by similarity, and where there are labels by these. */
    static String byDistance(List<Measured> all) {
        List<String> header = new ArrayList<>(List.of("set"));
        IntStream.rangeClosed(0, LARGEST_DISTANCE).forEach(distance -> header.add(Integer.toString(distance)));
        Table table = new Table(header);
        for (Measured set : all) {
            curve(table, set.set().title() + " near", set.byDefault().near());
            if (set.set().labelled()) {
                curve(table, set.set().title() + " labels", set.byDefault().label());
            }
        }
        return table.toString();
    }

    private static void curve(Table table, String name, Curve curve) {
        if (curve.total() > 0) {
            table.row(name + " R", cells(curve::recall));
            table.row(name + " P", cells(curve::precision));
        }
    }

    private static Object[] cells(IntToDoubleFunction figure) {
        return IntStream.rangeClosed(0, LARGEST_DISTANCE)
                .mapToObj(distance -> Table.share(figure.applyAsDouble(distance)))
                .toArray();
    }

    /** Best F1 of plain distance. */
    static String bestF1(List<Measured> all, Function<Evaluation, Curve> curve) {
        Table table = new Table(
                "set",
                "default",
                "at distance",
                "with feature_weights",
                "by language",
                "mixed",
                "FNV-1a words",
                "MinHash 128");
        for (Measured set : all) {
            if (curve.apply(set.byDefault()).total() > 0) {
                table.row(
                        set.set().title(),
                        Table.share(curve.apply(set.byDefault()).bestF1()),
                        curve.apply(set.byDefault()).bestDistance(),
                        Table.share(curve.apply(set.damped()).bestF1()),
                        Table.share(curve.apply(set.byLanguage()).bestF1()),
                        Table.share(curve.apply(set.mixed()).bestF1()),
                        Table.share(curve.apply(set.fnv()).bestF1()),
                        Table.share(curve.apply(set.minHash()).bestF1()));
            }
        }
        return table.toString();
    }

    static String verified(List<Measured> all) {
        Table table = new Table(
                "set",
                "near",
                "recall of the distance",
                "exact: recall",
                "precision",
                "exact at 12: recall",
                "own tokens: recall",
                "precision",
                "F1",
                "wrong",
                "of these below 0.7",
                "by language: recall",
                "precision");
        for (Measured set : all) {
            if (set.verified().near() > 0) {
                table.row(
                        set.set().title(),
                        set.verified().near(),
                        Table.share(set.byDefault().near().recall(Verified.MAX_DISTANCE)),
                        Table.share(set.exact().recall()),
                        Table.share(set.exact().precision()),
                        Table.share(set.exactFurther().recall()),
                        Table.share(set.verified().recall()),
                        Table.share(set.verified().precision()),
                        Table.share(set.verified().f1()),
                        set.verified().wrong(),
                        set.verified().farWrong(),
                        Table.share(set.verifiedByLanguage().recall()),
                        Table.share(set.verifiedByLanguage().precision()));
            }
        }
        return table.toString();
    }

    /** Pairs that nobody wants, and how crowded the segments are. */
    static String random(List<Measured> all) {
        Table table = new Table(
                "set",
                "within 3",
                "within 6",
                "within 10",
                "within 11",
                "within 12",
                "within 11, similarity below 0.5",
                "by language, within 11",
                "FNV-1a words, within 11",
                "within 3 bits but similarity below 0.5, %",
                "bucket of a document",
                "largest bucket",
                "FNV-1a words: bucket",
                "largest");
        for (Measured set : all) {
            Curve unrelated = set.byDefault().unrelated();
            table.row(
                    set.set().title(),
                    Table.perTenThousand(unrelated.wrongShare(3)),
                    Table.perTenThousand(unrelated.wrongShare(6)),
                    Table.perTenThousand(unrelated.wrongShare(10)),
                    Table.perTenThousand(unrelated.wrongShare(Verified.MAX_DISTANCE)),
                    Table.perTenThousand(unrelated.wrongShare(Measured.FURTHER)),
                    Table.perTenThousand(set.byDefault().dissimilar().wrongShare(Verified.MAX_DISTANCE)),
                    Table.perTenThousand(set.byLanguage().unrelated().wrongShare(Verified.MAX_DISTANCE)),
                    Table.perTenThousand(set.fnv().unrelated().wrongShare(Verified.MAX_DISTANCE)),
                    String.format(Locale.ROOT, "%.2f", 100 * set.closeButDifferent()),
                    String.format(Locale.ROOT, "%.2f", set.buckets().expected()),
                    set.buckets().largest(),
                    String.format(Locale.ROOT, "%.1f", set.fnvBuckets().expected()),
                    set.fnvBuckets().largest());
        }
        return table.toString();
    }
}
