/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.opensearch.simhash.node.Json;

/** Prints for people: progress with the seconds since the start, and tables that fit {@value #WIDTH} columns. */
final class Terminal {

    static final int WIDTH = 96;

    private final PrintStream out;
    private final long start = System.nanoTime();

    Terminal(PrintStream out) {
        this.out = out;
    }

    void progress(String what) {
        double seconds = (System.nanoTime() - start) / 1e9;
        line(String.format(Locale.ROOT, "[%5.1f s] %s", seconds, what));
    }

    void line(String text) {
        out.println(text);
        out.flush();
    }

    /** One row per hit: distance, score, document, first words of the field {@code content}. */
    void hits(List<?> hits) {
        int idWidth = 8;
        for (Object hit : hits) {
            idWidth = Math.max(idWidth, width(text(hit, "_id")));
        }
        String row = "  %8s  %5s  %s  %s";
        line(String.format(Locale.ROOT, row, "distance", "score", fit("document", idWidth), "first words"));
        for (Object hit : hits) {
            double score = ((Number) Json.at(hit, "_score")).doubleValue();
            line(String.format(
                            Locale.ROOT,
                            row,
                            distance(score),
                            String.format(Locale.ROOT, "%.3f", score),
                            fit(text(hit, "_id"), idWidth),
                            fit(text(hit, "_source.content").replaceAll("\\s+", " "), WIDTH - 21 - idWidth))
                    .stripTrailing());
        }
    }

    /** One row per distance, up to one: pairs, the near ones of them, precision and recall with their intervals. */
    void distances(List<?> distances, int most) {
        line("  distance      pairs    near  precision           recall");
        for (Object row : distances.subList(0, Math.min(distances.size(), most + 1))) {
            line(String.format(
                    Locale.ROOT,
                    "  %8s %10s  %6s  %-18s  %s",
                    text(row, "distance"),
                    text(row, "pairs"),
                    share(row, "near.estimate"),
                    interval(row, "precision"),
                    interval(row, "recall")));
        }
    }

    private static String interval(Object row, String name) {
        return share(row, name + ".estimate") + " (" + share(row, name + ".low") + " to " + share(row, name + ".high")
                + ")";
    }

    private static String share(Object row, String path) {
        return Json.at(row, path) instanceof Number share
                ? String.format(Locale.ROOT, "%.2f", share.doubleValue())
                : "?";
    }

    /** A text on as many lines as it takes. */
    void wrapped(String indent, String text) {
        StringBuilder line = new StringBuilder(indent);
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() > WIDTH) {
                line(line.toString().stripTrailing());
                line.setLength(indent.length());
            }
            line.append(word).append(' ');
        }
        line(line.toString().stripTrailing());
    }

    /** One row per hit: its rank, its document, and how many near-duplicates it hides. */
    void page(List<?> hits) {
        for (int i = 0; i < hits.size(); i++) {
            int hidden = Json.at(hits.get(i), "fields._near_duplicates") instanceof List<?> list ? list.size() : 0;
            String note = hidden == 0 ? "" : "  and " + hidden + " near-duplicate" + (hidden == 1 ? "" : "s");
            line("  " + fit((i + 1) + ".", 4) + text(hits.get(i), "_id") + note);
        }
    }

    /** One row per group: how many documents, the survivor, and a few of its near-duplicates with their distance. */
    void groups(List<?> groups) {
        int idWidth = 8;
        for (Object group : groups) {
            idWidth = Math.max(idWidth, width(text(group, "survivor.id")));
        }
        line("  size  " + fit("survivor", idWidth) + "  near-duplicates (bits)");
        for (Object group : groups) {
            var members = new StringBuilder();
            for (Object member : (List<?>) Json.at(group, "members")) {
                members.append(text(member, "id"))
                        .append(" (")
                        .append(text(member, "distance"))
                        .append(") ");
            }
            String row = String.format(Locale.ROOT, "  %4s  ", text(group, "size"))
                    + fit(text(group, "survivor.id"), idWidth) + "  ";
            line((row + fit(members.toString(), WIDTH - width(row))).stripTrailing());
        }
    }

    /** The score of a match is {@code 1 - distance/64}. */
    private static long distance(double score) {
        return Math.round((1 - score) * Long.SIZE);
    }

    private static String text(Object hit, String path) {
        return String.valueOf(Json.at(hit, path));
    }

    /** Cuts or pads to a number of columns; a Chinese character takes two. */
    static String fit(String text, int columns) {
        var fitted = new StringBuilder();
        int used = 0;
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            int codePoint = text.codePointAt(i);
            if (used + width(codePoint) > columns) {
                break;
            }
            fitted.appendCodePoint(codePoint);
            used += width(codePoint);
        }
        return fitted.append(" ".repeat(columns - used)).toString();
    }

    static int width(String text) {
        return text.codePoints().map(Terminal::width).sum();
    }

    private static int width(int codePoint) {
        boolean fullWidthForm =
                (codePoint >= 0x3000 && codePoint <= 0x303F) || (codePoint >= 0xFF01 && codePoint <= 0xFF60);
        return switch (Character.UnicodeScript.of(codePoint)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL -> 2;
            default -> fullWidthForm ? 2 : 1;
        };
    }
}
