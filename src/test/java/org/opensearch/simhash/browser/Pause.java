/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import java.time.Duration;

/** Between two looks at what another process does. */
final class Pause {

    private static final Duration SHORT = Duration.ofMillis(20);

    private Pause() {}

    static void shortly() {
        try {
            Thread.sleep(SHORT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
