/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.List;

/** The tables of what was measured of the default recipe and of what it is compared with, one line a set. */
final class Sections {

    private Sections() {}

    static String sets(List<Measured> all) {
        Table table = new Table("set", "documents", "listed pairs", "near (similarity >= 0.8)");
        for (Measured set : all) {
            table.row(
                    set.set().title(),
                    set.truth().documents(),
                    set.truth().listed().size(),
                    set.byDefault().near().total());
        }
        return table.toString();
    }

    /** Best F1 of plain distance by graded labels. */
    static String bestF1(List<Measured> all) {
        Table table = new Table("set", "default", "with feature_weights", "FNV-1a words");
        for (Measured set : all) {
            if (set.byDefault().graded().total() > 0) {
                table.row(
                        set.set().title(),
                        Table.share(set.byDefault().graded().bestF1()),
                        Table.share(set.damped().graded().bestF1()),
                        Table.share(set.fnv().graded().bestF1()));
            }
        }
        return table.toString();
    }

    static String verified(List<Measured> all) {
        Table table = new Table(
                "set",
                "recall within 3",
                "within 11",
                "verified by the words of the set: precision",
                "by own tokens: recall",
                "precision");
        for (Measured set : all) {
            if (set.verified().near() > 0) {
                table.row(
                        set.set().title(),
                        Table.share(set.byDefault().near().recall(3)),
                        Table.share(set.byDefault().near().recall(Verified.MAX_DISTANCE)),
                        Table.share(set.exact().precision()),
                        Table.share(set.verified().recall()),
                        Table.share(set.verified().precision()));
            }
        }
        return table.toString();
    }

    /** Pairs that nobody wants. */
    static String random(List<Measured> all) {
        Table table = new Table("set", "default", "FNV-1a words");
        for (Measured set : all) {
            table.row(
                    set.set().title(),
                    Table.perTenThousand(set.byDefault().unrelated().wrongShare(Verified.MAX_DISTANCE)),
                    Table.perTenThousand(set.fnv().unrelated().wrongShare(Verified.MAX_DISTANCE)));
        }
        return table.toString();
    }
}
