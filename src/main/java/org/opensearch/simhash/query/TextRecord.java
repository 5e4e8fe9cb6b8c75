/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.opensearch.search.profile.ProfileMetric;

/** How many texts one query compared. Thread-safe. */
final class TextRecord extends EffortRecord<AtomicLong> {

    /** Call it in the scorer's thread. */
    AtomicLong started(int leaf) {
        AtomicLong verified = new AtomicLong();
        add(leaf, verified);
        return verified;
    }

    Collection<Supplier<ProfileMetric>> metrics() {
        return metrics(Map.of("verified", AtomicLong::get));
    }
}
