/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.util.Arrays;
import org.opensearch.simhash.core.join.CliqueScan;
import org.opensearch.simhash.core.join.NearGraph;
import org.opensearch.simhash.core.join.NearJoin;
import org.opensearch.simhash.core.join.SurvivorLinkage;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.links.LinkSearch;

/**
 * Makes groups if there are more links than fit, as with raw word counts. It takes documents in the survivor order,
 * some at a time. It joins them with all free documents, those without a group, or it compares each with all of them
 * and keeps no links. Blocks its one thread.
 *
 * <p>Cost: the cheaper of both. A sample estimates how many documents have links that fit. If a join finds too many, it compares instead.
 */
final class LinkRounds {

    /** Documents to compare before the costs are estimated again. */
    private static final int COMPARED = 20_000;

    /** The estimated links may take this part of the limit. */
    private static final double PART = 0.5;

    /** Nanoseconds to read a document's fingerprint for a join. */
    private static final double READ = 200;

    /** Nanoseconds per document of a graph. */
    private static final double PLACE = 100;

    private final JobRun run;
    private final LinkSearch search;
    private final DocumentTable table;
    private final NearGraph graph;
    private final CliqueScan scan;

    LinkRounds(JobRun run, LinkSearch search, DocumentTable table, NearGraph graph, Account memory) {
        this.run = run;
        this.search = search;
        this.table = table;
        this.graph = graph;
        this.scan = new CliqueScan(graph, run.options().maxDistance(), memory, run.task()::compared);
    }

    void link(SurvivorLinkage linkage) {
        for (int next = 0; next < table.size(); ) {
            linkage.dropTaken(scan);
            double share = scan.shareWith(PART * run.services().memory().links());
            int fitting = Math.max(1, (int) (share * free(linkage, next)));
            boolean joins = joinNanos() < scan.nanos(fitting);
            int end = end(linkage, next, joins ? fitting : COMPARED);
            if (joins == false || join(linkage, next, end) == false) {
                linkage.link(graph, scan, next, end);
            }
            next = end;
        }
    }

    private int free(SurvivorLinkage linkage, int from) {
        int free = 0;
        for (int rank = from; rank < table.size(); rank++) {
            free += linkage.isTaken(rank) ? 0 : 1;
        }
        return free;
    }

    /** The rank after the next {@code free} free documents. */
    private int end(SurvivorLinkage linkage, int from, int free) {
        int end = from;
        for (int seen = 0; end < table.size() && seen < free; end++) {
            seen += linkage.isTaken(end) ? 0 : 1;
        }
        return end;
    }

    long compared() {
        return scan.compared();
    }

    private double joinNanos() {
        return READ * search.documents() + PLACE * table.size() + scan.joinNanos();
    }

    /** Whether the links fitted. If not, nothing has changed. */
    private boolean join(SurvivorLinkage linkage, int from, int to) {
        try (Account ranges = new Account(run.memory())) {
            // Each is collected, and copied to be sorted.
            ranges.take(2L * Long.BYTES * (to - from + table.size()));
            Wanted wanted = new Wanted(
                    run.services().memory().links(), false, free(linkage, from, to), free(linkage, from, table.size()));
            return join(linkage, wanted, from, to);
        }
    }

    private boolean join(SurvivorLinkage linkage, Wanted wanted, int from, int to) {
        try (Account memory = new Account(run.memory())) {
            NearJoin.Joined found = search.wantedLinks(wanted, memory);
            run.task().enter(Phase.GROUP, table.size());
            if (found.tooMany()) {
                return false;
            }
            linkage.link(Grouping.graph(found, table, memory), from, to);
            return true;
        }
    }

    /** The free documents. All before the first rank are decided, and documents without links are not in the table. */
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
