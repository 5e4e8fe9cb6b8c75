/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The texts of one or several nodes as one; each name once, with the samples of all nodes. One thread. */
final class MetricsText {

    private static final String END = "# EOF\n";

    private final MetricsFormat format;

    /** Lines by name. */
    private final Map<String, StringBuilder> metrics = new TreeMap<>();

    MetricsText(MetricsFormat format) {
        this.format = format;
    }

    void add(String node, String text) {
        Set<String> known = Set.copyOf(metrics.keySet());
        String name = null;
        for (String line : text.replace(END, "").split("\n", -1)) {
            if (line.startsWith("# ")) {
                name = line.split(" ", 4)[2];
                StringBuilder lines = metrics.computeIfAbsent(name, any -> new StringBuilder());
                if (known.contains(name) == false) {
                    lines.append(line).append('\n');
                }
            } else if (line.isEmpty() == false) {
                metrics.get(name)
                        .append(node == null ? line : labelled(line, node))
                        .append('\n');
            }
        }
    }

    private static String labelled(String sample, String node) {
        String label =
                "{node=\"" + node.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
        int brace = sample.indexOf('{');
        int space = sample.indexOf(' ');
        return brace >= 0 && brace < space
                ? sample.substring(0, brace) + label + "," + sample.substring(brace + 1)
                : sample.substring(0, space) + label + "}" + sample.substring(space);
    }

    @Override
    public String toString() {
        return String.join("", metrics.values()) + (format == MetricsFormat.OPENMETRICS ? END : "");
    }

    enum MetricsFormat {
        /** Prometheus text, version 0.0.4. */
        PROMETHEUS,
        /** OpenMetrics 1.0. */
        OPENMETRICS;

        /** @param name null to use the header */
        static MetricsFormat of(String name, String accept) {
            if (name == null) {
                return OPENMETRICS.writer().accepts(accept) ? OPENMETRICS : PROMETHEUS;
            }
            return Arrays.stream(values())
                    .filter(format -> format.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "[format] must be of " + Arrays.toString(values()) + ", got: " + name));
        }

        ExpositionFormatWriter writer() {
            return switch (this) {
                case PROMETHEUS -> PrometheusTextFormatWriter.create();
                case OPENMETRICS -> OpenMetricsTextFormatWriter.create();
            };
        }

        String write(MetricSnapshots metrics) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try {
                writer().write(out, metrics);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return out.toString(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
