/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.util.Arrays;
import java.util.Locale;

/** The output formats of metrics. */
enum MetricsFormat {
    /** Prometheus text, version 0.0.4. */
    PROMETHEUS,
    /** OpenMetrics 1.0. */
    OPENMETRICS;

    /**
     * The format of a request.
     *
     * @param name null to use the header
     * @param accept the header, or null
     * @throws IllegalArgumentException naming the known formats
     */
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

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
