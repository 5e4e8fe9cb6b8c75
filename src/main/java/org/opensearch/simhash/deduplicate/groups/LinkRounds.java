/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.Arrays;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.join.CliqueScan;
import org.opensearch.simhash.deduplicate.join.NearGraph;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.SurvivorLinkage;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.links.LinkSearch;
import org.opensearch.simhash.memory.Account;

/**
 * Makes groups where there are more links than can be kept (raw word counts make most fingerprints near to most others). Goes through
 * the documents in the survivor order, some of them at a time: joins these with all that are still free, or, where that is cheaper,
 * compares each with all that are free and keeps no links. One thread, which waits.
 *
 * <p>Cost: a join is tried only when it costs less than the comparisons in its place, and after a join whose links did not fit not
 * before as much was compared. So all together is at most about twice what it takes to compare each pair once.
 */
final class LinkRounds {

    private static final int FIRST_FRONT = 20_000;
    private static final int LARGER = 4;

    /** Nanoseconds to read the fingerprint of a document again for a join. */
    private static final double READ = 200;

    /** Nanoseconds for the place of a document in a graph. */
    private static final double PLACE = 100;

    private final JobRun run;
    private final LinkSearch search;
    private final DocumentTable table;
    private final NearGraph graph;
    private final CliqueScan scan;

    /** @param memory pays for what is kept to the end */
    LinkRounds(JobRun run, LinkSearch search, DocumentTable table, NearGraph graph, Account memory) {
        this.run = run;
        this.search = search;
        this.table = table;
        this.graph = graph;
        this.scan = new CliqueScan(graph, run.options().maxDistance(), memory, run.task()::compared);
    }

    /** Links all documents of the table. */
    void link(SurvivorLinkage linkage) {
        int front = FIRST_FRONT;
        int next = 0;
        double wasted = 0;
        while (next < table.size()) {
            int end = next;
            int free = 0;
            while (end < table.size() && free < front) {
                free += linkage.isTaken(end++) ? 0 : 1;
            }
            linkage.dropTaken(scan);
            double joining = joinNanos();
            if (wasted > 0 || scan.nanos(free) <= joining) {
                long before = scan.compared();
                linkage.link(graph, scan, next, end);
                wasted -= CliqueScan.nanosOf(scan.compared() - before);
                front = wasted > 0 ? front : Math.min(front * LARGER, table.size());
                next = end;
                continue;
            }
            long links = join(linkage, next, end);
            if (links < 0) {
                wasted = joining;
                front = Math.max(1, front / LARGER);
                continue;
            }
            if (links < run.services().memory().links() / (2 * LARGER)) {
                front *= LARGER;
            }
            next = end;
        }
    }

    /** Pairs that were compared without a join. */
    long compared() {
        return scan.compared();
    }

    private double joinNanos() {
        return READ * search.documents() + PLACE * table.size() + scan.joinNanos();
    }

    /** How many links there were; negative when these were too many, and nothing was done. */
    private long join(SurvivorLinkage linkage, int from, int to) {
        run.times().end("group");
        try (Account ranges = new Account(run.memory())) {
            // Each is gathered, and copied to be sorted.
            ranges.take(2L * Long.BYTES * (to - from + table.size()));
            Wanted wanted = new Wanted(
                    run.services().memory().links(), false, free(linkage, from, to), free(linkage, from, table.size()));
            return join(linkage, wanted, from, to);
        }
    }

    private long join(SurvivorLinkage linkage, Wanted wanted, int from, int to) {
        try (Account memory = new Account(run.memory())) {
            NearJoin.Found found = search.among(wanted, memory);
            run.task().enter(Phase.GROUP, table.size());
            if (found.tooMany()) {
                return -1;
            }
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
