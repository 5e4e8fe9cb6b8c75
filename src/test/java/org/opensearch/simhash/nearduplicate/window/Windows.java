/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.List;
import java.util.Set;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/** What tests want to know of the window of a node, and nobody else. */
public final class Windows {

    private Windows() {}

    /** The documents that are in it, in the order in which they came. */
    public static List<DocumentName> names(ArrivalWindow window) {
        return window.names();
    }

    /** Bytes that it holds of the breaker. */
    public static long bytes(ArrivalWindow window) {
        return window.bytes();
    }

    public static void forget(ArrivalWindow window, String index) {
        window.forget(Set.of(index));
    }
}
