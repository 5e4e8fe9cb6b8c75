/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.Locale;

public enum Phase {
    WAITING,
    SCAN,
    JOIN,
    READ,
    GROUP,
    WRITE,
    DONE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
