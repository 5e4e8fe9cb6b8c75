/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collection;
import java.util.Map;
import java.util.function.Supplier;
import org.opensearch.search.profile.ProfileMetric;

/** How many texts one query compared. Thread-safe. */
final class TextRecord extends EffortRecord<TextRecord.Effort> {

    /** Of one scorer in one Lucene leaf; written by its thread, without synchronisation. */
    static final class Effort {
        private long verified;

        /** A text is going to be compared. */
        void count() {
            verified++;
        }

        long verified() {
            return verified;
        }
    }

    /** A scorer starts to work, in the thread that calls. */
    Effort started(int leaf) {
        Effort effort = new Effort();
        add(leaf, effort);
        return effort;
    }

    /** What the profile shows. */
    Collection<Supplier<ProfileMetric>> metrics() {
        return metrics(Map.of("verified", Effort::verified));
    }
}
