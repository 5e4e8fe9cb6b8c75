/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.List;
import java.util.OptionalLong;
import org.opensearch.simhash.nearduplicate.arrival.Arrivals;
import org.opensearch.simhash.nearduplicate.window.ArrivalWindow;

/**
 * The window of a node after the other: what was in it can be taken out, but for one entry that nothing is near, so that its arrays need
 * not be made again. They are large, and models run by the thousand. One thread.
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

    /** A node starts. */
    ArrivalWindow emptied(ArrivalWindow.Bounds bounds) {
        clock += LONG;
        window.admit(List.of(Arrivals.of(NOWHERE, "none", OptionalLong.of(0x5555555555555555L), null, "other")));
        window.limit(bounds);
        return window;
    }
}
