/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.arrival.Original.Version;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * A document of the {@link ArrivalWindow} that is near another one.
 *
 * @param number when it came: earlier documents have lower numbers
 */
record WindowMatch(long number, DocumentName name, int distance) {

    /** @param found what it is found by, which need not be what the window has */
    Original original(DocumentName found) {
        return new Original(found, distance, Double.NaN, Version.NONE, number);
    }
}
