/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.TagFields;
import org.opensearch.simhash.search.pair.Apart;
import org.opensearch.simhash.search.query.HitPrints;

/** What the hits of a window say of their stories. By rank. */
final class Stories {

    private final List<String> groups = new ArrayList<>();
    private final List<Apart> apart = new ArrayList<>();
    private final Map<String, List<Integer>> ranks = new HashMap<>();

    private Stories() {}

    /** To be read before the prints are taken from the hits. Copies in archives say nothing. */
    static Stories of(SearchHit[] hits, CollapsePlan plan) {
        Stories stories = new Stories();
        String field = plan.options().carrier();
        for (SearchHit hit : hits) {
            boolean isCopy = plan.isArchived(hit);
            List<String> groups = isCopy ? List.of() : HitPrints.said(hit, field, TagFields.GROUP);
            stories.ranks
                    .computeIfAbsent(hit.getId(), any -> new ArrayList<>(1))
                    .add(stories.groups.size());
            stories.groups.add(groups.size() == 1 ? groups.getFirst() : null);
            stories.apart.add(Apart.of(hit.getId(), isCopy ? List.of() : HitPrints.said(hit, field, TagFields.APART)));
        }
        return stories;
    }

    /** Null if the hit has none. */
    String group(int rank) {
        return groups.get(rank);
    }

    /** Whether people keep two hits apart, or parted the story of one of them from others. */
    boolean areApart(int a, int b) {
        return apart.get(a).isFrom(apart.get(b)) || isOfParted(a, b) || isOfParted(b, a);
    }

    /**
     * Whether two are of two stories, and one of them is kept apart from any hit, or from one that is no hit: its job made a story of its
     * own for it, and no other one stands for that.
     */
    private boolean isOfParted(int hit, int other) {
        Apart own = apart.get(hit);
        return groups.get(other) != null
                && groups.get(other).equals(groups.get(hit)) == false
                && own.named().stream()
                        .anyMatch(id -> ranks.containsKey(id) == false
                                || ranks.get(id).stream().anyMatch(rank -> own.isFrom(apart.get(rank))));
    }
}
