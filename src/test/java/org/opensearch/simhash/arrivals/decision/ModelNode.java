/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.arrivals.window.WindowVersion;
import org.opensearch.simhash.arrivals.window.Windows;

/** A node that takes bulks: its window, and its undecided documents. One thread. */
final class ModelNode {

    private final ArrivalWindow window;
    private final NodeKnowledge knowledge;
    private final Set<Long> undecided = new HashSet<>();
    private long entered;
    private long forgotten;

    ModelNode(ArrivalWindow window) {
        this.window = window;
        knowledge = new NodeKnowledge(window, null, null);
    }

    ArrivalWindow window() {
        return window;
    }

    List<WindowVersion> versions(String id) {
        DocumentName name = DecisionModel.name(id);
        return window.snapshot(List.of(), List.of(name), Arrivals.FIELD, List.of())
                .versions(name);
    }

    /** Whether it is stored for certain, and no duplicate. */
    static boolean isPlain(WindowVersion version) {
        return version.isAnswered() && version.originals().isEmpty();
    }

    NodeKnowledge knowledge() {
        return knowledge;
    }

    Set<Long> undecided() {
        return undecided;
    }

    void entered(long number) {
        entered = number;
    }

    /** The index is deleted. */
    void forget(String index) {
        Windows.forget(window, index);
        forgotten = entered + 1;
    }

    /** Lower numbers left the window. */
    long first() {
        return Math.max(forgotten, window.first());
    }
}
