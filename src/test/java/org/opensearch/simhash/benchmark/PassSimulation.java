/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The passes of a job on equal nodes, each of which holds an equal share of the documents, as {@code Passes} deals them: a node has one
 * at a time. A pass reads all documents, each node its own share for it, on one core for each pass; then its node joins what is in its
 * chunks, on all cores that it gets. Who needs a node's cores at the same time shares them. One thread.
 */
final class PassSimulation {

    private static final double NOTHING = 1e-9;

    /** What is left of a pass: core-seconds of its scan on each node, and of its join on its own. */
    private static final class Pass {
        private final int node;
        private final double[] scans;
        private double join;

        Pass(int node, int nodes, double scan, double join) {
            this.node = node;
            this.scans = new double[nodes];
            Arrays.fill(scans, scan);
            this.join = join;
        }

        boolean isScanning() {
            return Arrays.stream(scans).anyMatch(scan -> scan > NOTHING);
        }

        boolean needs(int at) {
            return isScanning() ? scans[at] > NOTHING : at == node && join > NOTHING;
        }

        boolean isDone() {
            return isScanning() == false && join <= NOTHING;
        }
    }

    private final int nodes;
    private final int cores;

    PassSimulation(int nodes, int cores) {
        this.nodes = nodes;
        this.cores = cores;
    }

    /**
     * Seconds until all passes have ended.
     *
     * @param scan core-seconds of each pass on each node
     * @param join core-seconds of each pass
     */
    double seconds(long passes, double scan, double join) {
        Deque<Integer> free = new ArrayDeque<>();
        for (int node = 0; node < nodes; node++) {
            free.add(node);
        }
        List<Pass> running = new ArrayList<>();
        double now = 0;
        long waiting = passes;
        while (waiting > 0 || running.isEmpty() == false) {
            for (; waiting > 0 && free.isEmpty() == false; waiting--) {
                running.add(new Pass(free.remove(), nodes, scan, join));
            }
            now += step(running);
            for (Pass pass : List.copyOf(running)) {
                if (pass.isDone()) {
                    running.remove(pass);
                    free.add(pass.node);
                }
            }
        }
        return now;
    }

    /** Until the first scan of a node or join ends. */
    private double step(List<Pass> running) {
        double[][] speeds = new double[running.size()][nodes];
        double step = Double.POSITIVE_INFINITY;
        for (int node = 0; node < nodes; node++) {
            int at = node;
            long sharing = running.stream().filter(pass -> pass.needs(at)).count();
            for (int i = 0; i < running.size(); i++) {
                Pass pass = running.get(i);
                if (pass.needs(node)) {
                    // A scan is one thread, a join has as many as there are cores.
                    double most = pass.isScanning() ? 1 : cores;
                    speeds[i][node] = Math.min(most, (double) cores / sharing);
                    double left = pass.isScanning() ? pass.scans[node] : pass.join;
                    step = Math.min(step, left / speeds[i][node]);
                }
            }
        }
        for (int i = 0; i < running.size(); i++) {
            Pass pass = running.get(i);
            if (pass.isScanning()) {
                for (int node = 0; node < nodes; node++) {
                    pass.scans[node] -= speeds[i][node] * step;
                }
            } else {
                pass.join -= speeds[i][pass.node] * step;
            }
        }
        return Double.isInfinite(step) ? 0 : step;
    }
}
