/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collection;
import org.opensearch.simhash.match.LeafEffort;
import org.opensearch.simhash.match.LeafEffort.Plan;

/** The plan that did most of the work of a search. */
final class PlanOfSearch {

    private PlanOfSearch() {}

    /** The plan of the leaf with the most work. Without work, the plan of any leaf that has one. */
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
