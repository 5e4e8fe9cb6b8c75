/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.Arrays;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.SurvivorLinkage;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.links.LinkSearch;
import org.opensearch.simhash.memory.Account;

/**
 * Makes groups where there are more links than can be kept (raw word counts make most fingerprints near to most others): finds the
 * links of the documents that come next in the survivor order to all that are still free, then those of the next. One thread, which
 * waits.
 */
final class LinkRounds {

    private static final int FIRST_FRONT = 20_000;
    private static final int LARGER = 4;

    private final JobRun run;
    private final LinkSearch search;
    private final DocumentTable table;

    LinkRounds(JobRun run, LinkSearch search, DocumentTable table) {
        this.run = run;
        this.search = search;
        this.table = table;
    }

    void link(SurvivorLinkage linkage) {
        int front = FIRST_FRONT;
        int next = 0;
        while (next < table.size()) {
            int end = next;
            int free = 0;
            while (end < table.size() && free < front) {
                free += linkage.isTaken(end++) ? 0 : 1;
            }
            run.times().end("group");
            long links;
            long most = run.services().memory().links();
            try (Account ranges = new Account(run.memory())) {
                // Each is gathered, and copied to be sorted.
                ranges.take(2L * Long.BYTES * (end - next + table.size()));
                Wanted wanted = new Wanted(most, false, free(linkage, next, end), free(linkage, next, table.size()));
                links = link(linkage, wanted, next, end);
            }
            if (links < 0) {
                if (front == 1) {
                    throw new IllegalArgumentException(
                            "[max_distance] must be smaller, or [plugins.simhash.deduplicate.memory] larger: the links of"
                                    + " one document are more than the " + most + " that fit, got: "
                                    + run.options().maxDistance());
                }
                front = Math.max(1, front / LARGER);
                continue;
            }
            if (links < most / (2 * LARGER)) {
                front *= LARGER;
            }
            next = end;
        }
    }

    /** How many links there were; negative when these were too many, and nothing was done. */
    private long link(SurvivorLinkage linkage, Wanted wanted, int from, int to) {
        try (Account memory = new Account(run.memory())) {
            NearJoin.Found found = search.among(wanted, memory);
            if (found.tooMany()) {
                return -1;
            }
            run.task().enter(Phase.GROUP, table.size());
            linkage.link(Grouping.graph(found, table, memory), from, to);
            return found.cliques().links().size();
        }
    }

    /** All before the first rank are decided, and some after it; what is near to none is not in the table. */
    private long[] free(SurvivorLinkage linkage, int from, int to) {
        long[] addresses = new long[to - from];
        int size = 0;
        for (int rank = from; rank < to; rank++) {
            if (linkage.isTaken(rank) == false) {
                addresses[size++] = table.address(rank);
            }
        }
        long[] sorted = Arrays.copyOf(addresses, size);
        Arrays.sort(sorted);
        return sorted;
    }
}
