/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.pair.Apart;
import org.opensearch.simhash.search.query.HitPrints;

/** What the hits of a window say of their stories. */
record Stories(List<Apart> all) {

    /** To be read before the prints are taken from the hits. Copies in archives say nothing. */
    static Stories of(SearchHit[] hits, CollapsePlan plan) {
        List<Apart> all = new ArrayList<>();
        String field = plan.options().carrier();
        for (SearchHit hit : hits) {
            boolean isCopy = plan.isArchived(hit);
            List<String> groups = isCopy ? List.of() : HitPrints.said(hit, field, FingerprintFields.GROUP);
            List<String> apart = isCopy ? List.of() : HitPrints.said(hit, field, FingerprintFields.APART);
            all.add(new Apart(hit.getId(), groups.size() == 1 ? groups.getFirst() : null, Set.copyOf(apart)));
        }
        return new Stories(all);
    }

    /** Null if the hit has none. */
    String group(int rank) {
        return all.get(rank).group();
    }

    /** The two alone are in sight: a larger window has more hits, and must decide as a smaller one. */
    boolean areApart(int a, int b) {
        Apart hit = all.get(a);
        Apart other = all.get(b);
        return hit.isFrom(other, (one, named) -> named.equals(hit.id()) == false && named.equals(other.id()) == false);
    }
}
