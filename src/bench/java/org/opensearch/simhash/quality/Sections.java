/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** The tables of what was measured of the default recipe and of what it is compared with, one line a set. */
final class Sections {

    private static final int[] DISTANCES = {0, 3, 5, 7, 9, 10, 11, 12, 14};

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

    /** Recall by similarity within some distances. */
    static String byDistance(List<Measured> all) {
        List<String> header = new ArrayList<>(List.of("set"));
        IntStream.of(DISTANCES).forEach(distance -> header.add(Integer.toString(distance)));
        Table table = new Table(header);
        for (Measured set : all) {
            Curve near = set.byDefault().near();
            if (near.total() > 0) {
                table.row(set.set().title(), cells(near::recall));
            }
        }
        return table.toString();
    }

    private static Object[] cells(IntToDoubleFunction figure) {
        return IntStream.of(DISTANCES)
                .mapToObj(distance -> Table.share(figure.applyAsDouble(distance)))
                .toArray();
    }

    /** Best F1 of plain distance by graded labels. */
    static String bestF1(List<Measured> all) {
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
            if (set.byDefault().graded().total() > 0) {
                table.row(
                        set.set().title(),
                        Table.share(set.byDefault().graded().bestF1()),
                        set.byDefault().graded().bestDistance(),
                        Table.share(set.damped().graded().bestF1()),
                        Table.share(set.byLanguage().graded().bestF1()),
                        Table.share(set.mixed().graded().bestF1()),
                        Table.share(set.fnv().graded().bestF1()),
                        Table.share(set.minHash().graded().bestF1()));
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
