/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.apply;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.deduplicate.apply.GroupDecision.GroupVersion;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.removal.RetriedGets;
import org.opensearch.simhash.deduplicate.write.JobWrites.Consent;

/** Looks at decisions again, right before they are carried out. A group that has changed in any way is left alone. Blocks. */
final class StandingDecisions implements Consent {

    private final RetriedGets gets;
    private final JobOutcome outcome;
    private final Map<Integer, GroupVersion> groups = new HashMap<>();
    private final Set<GroupVersion> changed = new HashSet<>();

    StandingDecisions(RetriedGets gets, JobOutcome outcome) {
        this.gets = gets;
        this.outcome = outcome;
    }

    /** @param document of the group, by rank */
    void add(int document, GroupVersion group) {
        groups.put(document, group);
    }

    /** Whether a group was found to have changed. */
    boolean isLeftAlone(GroupVersion group) {
        return changed.contains(group);
    }

    @Override
    public IntPredicate to(IntStream documents) {
        List<GroupVersion> asked = documents
                .mapToObj(groups::get)
                .filter(group -> group != null && changed.contains(group) == false)
                .distinct()
                .toList();
        gets.get(asked, StandingDecisions::request, this::check, (group, reason, status) -> {
            outcome.fail(group.index(), group.id(), "not read again: " + reason.getMessage(), status);
            changed.add(group);
        });
        return document -> changed.contains(groups.get(document)) == false;
    }

    private static MultiGetRequest.Item request(GroupVersion group) {
        return new MultiGetRequest.Item(group.index(), group.id())
                .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE);
    }

    private void check(GroupVersion group, GetResponse now) {
        boolean stands = now.isExists()
                && now.getSeqNo() == group.sequenceNumber()
                && now.getPrimaryTerm() == group.primaryTerm();
        if (stands == false) {
            outcome.warn("the group [" + group.id() + "] of [" + group.index()
                    + "] was changed while it was applied: what was not yet written of it is left as it is");
            changed.add(group);
        }
    }
}
