/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws an answer as SVG, a chart per fingerprint object: precision and recall with their intervals. Works without colours. */
final class Picture {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;
    private static final int LEFT = 56;
    private static final int RIGHT = 16;
    private static final int TOP = 48;
    private static final int BOTTOM = 44;
    private static final int MOST_TICKS = 26;

    private static final String STYLE = """
            <style>
            svg { background: #fff; color: #222; font: 13px sans-serif; }
            text { fill: currentColor; }
            .axis, .grid { stroke: currentColor; fill: none; }
            .grid { opacity: .15; }
            .suggested { stroke: currentColor; stroke-dasharray: 2 4; }
            .recall { stroke: #0a6; } .precision { stroke: #36c; stroke-dasharray: 7 4; }
            polyline { fill: none; stroke-width: 2; }
            polygon { stroke: none !important; opacity: .18; }
            polygon.recall { fill: #0a6; } polygon.precision { fill: #36c; }
            @media (prefers-color-scheme: dark) { svg { background: #111; color: #eee; } }
            </style>
            """;

    private final Formatter svg = new Formatter(Locale.ROOT);
    private final int top;
    private final boolean areSketches;
    private final List<Map<String, Object>> distances;

    @SuppressWarnings("unchecked")
    private Picture(int top, Map<String, Object> field) {
        this.top = top;
        this.areSketches = field.containsKey("estimates");
        this.distances = (List<Map<String, Object>>) field.get(areSketches ? "estimates" : "distances");
    }

    @SuppressWarnings("unchecked")
    static String svg(Map<String, Object> answer) {
        List<Map<String, Object>> fields =
                answer.get("fields") instanceof List<?> several ? (List<Map<String, Object>>) several : List.of(answer);
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title desc\">\n"
                        + "<title id=\"title\">Precision and recall by distance</title>\n<desc id=\"desc\">%s</desc>\n%s",
                WIDTH,
                HEIGHT * fields.size(),
                escaped(description(fields)),
                STYLE));
        for (int i = 0; i < fields.size(); i++) {
            Picture chart = new Picture(i * HEIGHT, fields.get(i));
            svg.append(chart.draw(fields.get(i)));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String description(List<Map<String, Object>> fields) {
        StringBuilder description = new StringBuilder();
        for (Map<String, Object> field : fields) {
            description.append(field.get("field")).append(": ");
            description.append(
                    field.get("suggestion") instanceof Map<?, ?> suggestion
                            ? suggestion.get("why")
                            : "nothing was compared.");
            description.append(' ');
        }
        return description.toString().strip();
    }

    private String draw(Map<String, Object> field) {
        text(LEFT, top + 20, "start", String.valueOf(field.get("field")));
        legend("recall", WIDTH - RIGHT - 230);
        legend("precision", WIDTH - RIGHT - 110);
        for (int tenth = 0; tenth <= 10; tenth += 2) {
            line("grid", LEFT, y(tenth / 10.0), WIDTH - RIGHT, y(tenth / 10.0));
            text(LEFT - 8, y(tenth / 10.0) + 4, "end", String.format(Locale.ROOT, "%.1f", tenth / 10.0));
        }
        int step = 1 + distances.size() / MOST_TICKS;
        for (int distance = 0; distance < distances.size(); distance += step) {
            text(x(distance), y(0) + 18, "middle", name(distance));
        }
        text(
                (LEFT + WIDTH - RIGHT) / 2.0,
                y(0) + 38,
                "middle",
                areSketches ? "least estimated similarity" : "distance in bits");
        line("axis", LEFT, y(0), WIDTH - RIGHT, y(0));
        line("axis", LEFT, y(0), LEFT, y(1));
        series("precision");
        series("recall");
        if (field.get("suggestion") instanceof Map<?, ?> suggestion
                && suggestion.get(areSketches ? "min_similarity" : "max_distance") instanceof Number suggested) {
            double x = x(step(suggested));
            line("suggested", x, y(0), x, y(1));
            text(x, y(1) - 6, "middle", "suggested: " + suggested);
        }
        return svg.toString();
    }

    private String name(int step) {
        return areSketches ? String.valueOf(distances.get(step).get("estimate")) : String.valueOf(step);
    }

    private int step(Number suggested) {
        int step = 0;
        while (step < distances.size() - 1 && name(step).equals(suggested.toString()) == false) {
            step++;
        }
        return step;
    }

    private void legend(String name, int x) {
        svg.format("<polyline class=\"%s\" points=\"%d,%d %d,%d\"/>\n", name, x, top + 16, x + 32, top + 16);
        text(x + 38, top + 20, "start", name);
    }

    private void series(String name) {
        StringBuilder line = new StringBuilder();
        StringBuilder upper = new StringBuilder();
        StringBuilder lower = new StringBuilder();
        for (int distance = 0; distance < distances.size(); distance++) {
            if (distances.get(distance).get(name) instanceof Map<?, ?> share
                    && share.get("estimate") instanceof Number estimate) {
                line.append(point(distance, estimate.doubleValue())).append(' ');
                upper.append(point(distance, ((Number) share.get("high")).doubleValue()))
                        .append(' ');
                lower.insert(0, point(distance, ((Number) share.get("low")).doubleValue()) + " ");
            }
        }
        if (line.isEmpty() == false) {
            svg.format(
                    "<polygon class=\"%s\" points=\"%s\"/>\n",
                    name, upper + lower.toString().strip());
            svg.format(
                    "<polyline class=\"%s\" points=\"%s\"/>\n",
                    name, line.toString().strip());
        }
    }

    private String point(int distance, double share) {
        return String.format(Locale.ROOT, "%.1f,%.1f", x(distance), y(share));
    }

    private double x(int distance) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (double) distance / Math.max(1, distances.size() - 1);
    }

    private double y(double share) {
        return top + HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private void line(String type, double x1, double y1, double x2, double y2) {
        svg.format("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", type, x1, y1, x2, y2);
    }

    private void text(double x, double y, String anchor, String text) {
        svg.format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escaped(text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
