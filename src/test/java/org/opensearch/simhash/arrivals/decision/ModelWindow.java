/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.List;
import java.util.OptionalLong;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;

/**
 * One window for many models, one after the other. It can be emptied except for one entry that is near nothing, so that
 * its large arrays need not be made for each of thousands of models. One thread.
 */
final class ModelWindow {

    private static final long LONG = 1_000_000;
    private static final String NOWHERE = "nowhere";

    private final ArrivalWindow window =
            new ArrivalWindow(this::clock, bytes -> {}, () -> Long.MAX_VALUE, new ArrivalWindow.Bounds(LONG, 10));
    private long clock;

    private long clock() {
        return clock;
    }

    void tick() {
        clock++;
    }

    /** For a node that starts. */
    ArrivalWindow emptied(ArrivalWindow.Bounds bounds) {
        clock += LONG;
        window.admit(List.of(Arrivals.of(NOWHERE, "none", OptionalLong.of(0x5555555555555555L), null, "other")));
        window.limit(bounds);
        return window;
    }
}
