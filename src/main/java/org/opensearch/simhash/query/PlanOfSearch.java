/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collection;
import org.opensearch.simhash.match.LeafEffort;
import org.opensearch.simhash.match.LeafEffort.Plan;

/** The plan that most of the work of a search was done by. */
final class PlanOfSearch {

    private PlanOfSearch() {}

    /** Of the leaf with the most work; where none has any, of any leaf that has a plan at all. */
    static Plan of(Collection<PlanRecord> queries) {
        Plan plan = Plan.NONE;
        long most = 0;
        for (PlanRecord query : queries) {
            for (LeafEffort effort : query.efforts()) {
                long work = effort.probes() + effort.candidates() + effort.scanned() + effort.compared();
                if (work > most || (work == most && plan == Plan.NONE)) {
                    most = work;
                    plan = effort.plan();
                }
            }
        }
        return plan;
    }
}
