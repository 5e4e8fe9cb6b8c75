/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.prometheus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;
import org.opensearch.simhash.node.Scrape;

/** A real Prometheus scrapes a real node under load, and reads the files that operators get. */
@RealNodes(value = 1, disturbed = true)
class WatchedByPrometheus {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final RealCluster cluster;
    private final WatchedLoad load;

    WatchedByPrometheus(RealCluster cluster) {
        this.cluster = cluster;
        this.load = new WatchedLoad(cluster.client());
    }

    @BeforeEach
    void create() {
        load.create();
    }

    @AfterEach
    void remove() {
        load.close();
    }

    @Test
    void testPromtoolIsContent() throws IOException, InterruptedException {
        load.ingest();
        load.search();
        String path = "/_plugins/_simhash/metrics";
        for (String parameters : List.of("", "?cluster=true")) {
            Path metrics = Files.createTempFile(Prometheus.target(), "metrics-", ".txt");
            try {
                Files.writeString(
                        metrics, Scrape.of(cluster.client(), path + parameters).text());
                assertEquals("", Promtool.complaints(metrics, "check", "metrics"));
            } finally {
                Files.delete(metrics);
            }
        }
        Path files = MonitoringFiles.PROMETHEUS;
        assertEquals(
                "",
                Promtool.complaints(
                        null,
                        "check",
                        "config",
                        files.resolve(MonitoringFiles.SCRAPES).toString()));
        assertEquals(
                "",
                Promtool.complaints(
                        null,
                        "check",
                        "rules",
                        "--lint=all",
                        "--lint-fatal",
                        files.resolve(MonitoringFiles.RULES).toString()));
    }

    /** With the times that operators have. */
    @Test
    void testAlertsWaitAsLongAsTheyShould() throws IOException, InterruptedException {
        Path cases = Path.of(System.getProperty("project.basedir"), "src", "test", "resources", "prometheus");
        for (String times : List.of("simhash.rules.test.yml", "day.test.yml")) {
            assertEquals(
                    "",
                    Promtool.complaints(
                            null, "test", "rules", cases.resolve(times).toString()));
        }
    }

    @Test
    void testEveryExpressionReturnsSeriesAndEachAlertFires() throws IOException, InterruptedException {
        String node = cluster.client().address().getAuthority();
        try (Prometheus prometheus = Prometheus.start(MonitoringFiles.inSeconds(node))) {
            Set<String> empty = new TreeSet<>(MonitoringFiles.dashboardExpressions());
            assertTrue(empty.size() > 30, empty.toString());
            await(() -> {
                load.ingest();
                load.search();
                load.job();
                load.badRequest();
                empty.removeIf(expression -> prometheus.query(expression).isEmpty() == false);
                return empty.isEmpty();
            });
            assertEquals(Set.of(), empty, "expressions without series");

            Set<String> silent = MonitoringFiles.alerts();
            assertEquals(9, silent.size());
            silent.remove("SimhashWindowIncomplete"); // needs a second node: promtool tries it
            for (Cause cause : causes()) {
                assertTrue(silent.remove(cause.alert), cause.alert);
                boolean isSilent = await(() -> prometheus.firing().contains(cause.alert) == false);
                assertTrue(isSilent, cause.alert + " fires without its cause");
                boolean hasFired = await(() -> {
                    cause.work.run();
                    return prometheus.firing().contains(cause.alert);
                });
                assertTrue(hasFired, cause.alert + " does not fire");
            }
            assertEquals(Set.of(), silent, "alerts without a cause");
        }
    }

    private record Cause(String alert, Runnable work) {}

    /** The breaker comes last: its limit cannot be taken back. */
    private List<Cause> causes() {
        List<Cause> causes = new ArrayList<>();
        causes.add(new Cause("SimhashLookupsFail", load::failingLookups));
        causes.add(new Cause("SimhashWindowEvictsEarly", load::crowdedWindow));
        causes.add(new Cause("SimhashDocumentsWithoutFingerprint", load::withoutFingerprints));
        causes.add(new Cause("SimhashJobStuck", load::slowJob));
        causes.add(new Cause("SimhashRunMissed", load::run));
        causes.add(new Cause("SimhashScheduleLate", load::schedule));
        causes.add(new Cause("SimhashJobsFail", load::failingJob));
        causes.add(new Cause("SimhashBreakerNearLimit", load::smallBreaker));
        return causes;
    }

    @FunctionalInterface
    private interface Condition {

        boolean isMet();
    }

    /**
     * Whether it was met before nobody waits for it any more. Not asked a second time: what a node holds at the moment rises and falls,
     * and so does an alert.
     */
    private static boolean await(Condition condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (condition.isMet() == false) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(200);
        }
        return true;
    }
}
