/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.prometheus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.opensearch.simhash.node.Json;

/** What {@code config/} has for Prometheus and Grafana; and the same with seconds in place of minutes, for a test. */
final class MonitoringFiles {

    static final Path PROMETHEUS = Path.of(System.getProperty("project.basedir"), "config", "prometheus");
    static final String SCRAPES = "prometheus.yml";
    static final String RULES = "simhash.rules.yml";

    private static final Path DASHBOARD =
            Path.of(System.getProperty("project.basedir"), "config", "grafana", "opensearch-simhash.json");

    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");

    private MonitoringFiles() {}

    /** Scrapes a node each second; alerts look back some seconds, and do not wait. */
    static Map<String, String> inSeconds(String node) throws IOException {
        String scrapes = replaced(Files.readString(PROMETHEUS.resolve(SCRAPES)), "localhost:9200", node);
        String rules = Files.readString(PROMETHEUS.resolve(RULES)).replaceAll("\\[\\d+[mhd]]", "[8s]");
        rules = rules.replaceAll("for: \\d+m", "for: 0s");
        return Map.of(
                SCRAPES,
                replaced(scrapes, "15s", "1s"),
                RULES,
                replaced(
                        replaced(replaced(rules, "> 900", "> 1"), "> 3 * 3600", "> 1"),
                        "> 600 + 2 * max",
                        "> 1 + 0 * max"));
    }

    private static String replaced(String text, String from, String to) {
        if (text.contains(from) == false) {
            throw new IllegalStateException("no [" + from + "] in " + text);
        }
        return text.replace(from, to);
    }

    static Set<String> alerts() throws IOException {
        Set<String> alerts = new TreeSet<>();
        var names = ALERT.matcher(Files.readString(PROMETHEUS.resolve(RULES)));
        while (names.find()) {
            alerts.add(names.group(1));
        }
        return alerts;
    }

    /** As Grafana sends them for all nodes. */
    static List<String> dashboardExpressions() throws IOException {
        List<String> expressions = new ArrayList<>();
        for (Object panel : (List<?>) Json.at(Json.parse(Files.readString(DASHBOARD)), "panels")) {
            if (Json.at(panel, "targets") instanceof List<?> targets) {
                targets.forEach(target -> expressions.add(((String) Json.at(target, "expr"))
                        .replace("$__rate_interval", "30s")
                        .replace("$instance", ".*")));
            }
        }
        return expressions;
    }
}
