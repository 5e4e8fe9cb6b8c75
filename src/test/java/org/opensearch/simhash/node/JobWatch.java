/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.List;
import java.util.Map;

/**
 * Watches a job until it does what it is to be killed in: a phase that its status shows, or a pass on a node that does not
 * coordinate, which only the node's own tasks show.
 */
final class JobWatch {

    private static final List<String> PHASES = List.of("waiting", "scan", "join", "read", "group", "write", "done");
    /** A pass has no search between two pages of its scan either, but not for so many looks. */
    private static final int LOOKS = 3;

    private final DeletingJob job;
    private String phase = "waiting";
    private String seen = "nothing";
    private int node = -1;
    private String pass;
    private int looks;

    JobWatch(DeletingJob job) {
        this.job = job;
    }

    /**
     * Waits for a phase.
     *
     * @return false when the job is past it
     */
    boolean sees(String wanted) {
        while (isPast(wanted) == false) {
            if (phase.equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Waits for a pass on a node that does not coordinate.
     *
     * @param joining that has read its fingerprints and compares them
     * @return false when the job has no passes any more
     */
    boolean seesPass(boolean joining) {
        while (isPast("join") == false) {
            boolean searches = look();
            looks = pass == null || searches ? 0 : looks + 1;
            if (joining ? looks >= LOOKS : pass != null && searches) {
                seen = phase + ", " + (joining ? "join" : "scan") + " on node-" + node;
                return true;
            }
        }
        return false;
    }

    /** What the job did when it was looked at last. */
    String seen() {
        return seen;
    }

    /** Where the pass is. */
    int node() {
        return node;
    }

    /** What is written counts as writing when something is written: before that nothing can be half done. */
    private boolean isPast(String wanted) {
        Answer status = job.status();
        phase = status.string("task.status.phase");
        seen = phase;
        boolean hasBegun = phase.equals("write") == false || status.number("task.status.written") > 0;
        if (wanted.equals("write") && hasBegun == false) {
            phase = "group";
        }
        return (boolean) status.at("completed") || PHASES.indexOf(phase) > PHASES.indexOf(wanted);
    }

    /** Finds a pass, and tells whether it searches. */
    private boolean look() {
        Object byNode = job.passes().at("nodes");
        String before = pass;
        pass = null;
        for (Object listed : ((Map<?, ?>) byNode).values()) {
            int number = Integer.parseInt(Json.at(listed, "name").toString().substring("node-".length()));
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) Json.at(listed, "tasks")).entrySet()) {
                if (number != DeletingJob.COORDINATING
                        && Json.at(entry.getValue(), "action").toString().endsWith("/pairs")) {
                    pass = entry.getKey().toString();
                    node = number;
                }
            }
        }
        if (pass != null && pass.equals(before) == false) {
            looks = 0;
        }
        return ((Map<?, ?>) byNode)
                .values().stream()
                        .flatMap(listed -> ((Map<?, ?>) Json.at(listed, "tasks")).values().stream())
                        .anyMatch(task -> pass != null && pass.equals(Json.at(task, "parent_task_id")));
    }
}
