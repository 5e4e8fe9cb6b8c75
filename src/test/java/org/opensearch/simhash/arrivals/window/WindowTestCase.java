/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.window.ArrivalWindow.Bounds;
import org.opensearch.test.OpenSearchTestCase;

/** A window with a clock and a memory of the test's own. */
abstract class WindowTestCase extends OpenSearchTestCase {

    final AtomicLong clock = new AtomicLong(1_000);
    final AtomicLong memory = new AtomicLong();

    final ArrivalWindow window(int size) {
        return new ArrivalWindow(clock::get, memory::addAndGet, () -> Long.MAX_VALUE, new Bounds(1_000, size));
    }

    static Arrival admitted(ArrivalWindow window, Arrival arrival) {
        arrival.numbered(window.admit(List.of(arrival)));
        return arrival;
    }

    static List<String> ids(List<Original> matches) {
        return matches.stream().map(match -> match.name().id()).toList();
    }
}
