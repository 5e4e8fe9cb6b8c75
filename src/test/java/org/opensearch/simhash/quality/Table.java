/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A Markdown table: the first column is text, the others are numbers. Not thread-safe. */
public final class Table {

    private final List<String> lines = new ArrayList<>();

    public Table(String... header) {
        this(Arrays.asList(header));
    }

    public Table(List<String> header) {
        lines.add(line(header));
        lines.add("|---|" + "---:|".repeat(header.size() - 1));
    }

    public Table row(String first, Object... others) {
        List<String> cells = new ArrayList<>(List.of(first));
        for (Object other : others) {
            cells.add(other.toString());
        }
        lines.add(line(cells));
        return this;
    }

    /** Three decimals. */
    public static String share(double share) {
        return Double.isNaN(share) ? "–" : String.format(Locale.ROOT, "%.3f", share);
    }

    /** A share of pairs as a number in ten thousand, which is how rare random matches are. */
    public static String perTenThousand(double share) {
        double number = share * 10_000;
        if (number == 0) {
            return "0";
        }
        return number < 0.01 ? "<0.01" : String.format(Locale.ROOT, "%.2f", number);
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    @Override
    public String toString() {
        return String.join("\n", lines) + "\n\n";
    }
}
