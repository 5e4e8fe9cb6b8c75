/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.opensearch.simhash.deduplicate.join.ChainLinkage;
import org.opensearch.simhash.deduplicate.join.EdgeCheck;
import org.opensearch.simhash.deduplicate.join.Group;
import org.opensearch.simhash.deduplicate.join.NearGraph;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.SurvivorLinkage;
import org.opensearch.simhash.deduplicate.join.Wanted;

/**
 * The groups of a point in time. Usually the {@link LinkSearch} finds all links at once. Where these are too many to keep (raw word
 * counts make most fingerprints near to most others), groups are made in rounds: links of the documents that come next in the
 * survivor order to all that are still free, then those of the next. The groups are the same. One thread, which waits.
 */
final class Grouping {

    private static final int FIRST_FRONT = 20_000;
    private static final int LARGER = 4;

    private final JobRun run;
    private final LinkSearch search;
    private long pairs;
    private int splitGroups;
    private DocumentTable table;

    Grouping(JobRun run) {
        this.run = run;
        this.search = new LinkSearch(run);
    }

    List<Group> groups() {
        DeduplicateOptions options = run.options();
        DeduplicateTask task = run.task();
        PhaseTimes times = run.times();
        search.plan();
        boolean chain = options.linkage() == DeduplicateOptions.Linkage.CHAIN;
        boolean verified = options.verify() != null;
        Wanted wanted = chain && verified == false
                ? new Wanted(Long.MAX_VALUE, true, null, new long[0])
                : new Wanted(run.services().memory().links(), false, null, new long[0]);
        NearJoin.Found found = search.first(wanted);
        pairs = found.pairs();
        run.memory().take(found.cliques().bytes() + found.cliques().links().size() * 10);
        long[] addresses = found.cliques().documents();
        task.enter(Phase.READ, addresses.length);
        table = DocumentTable.read(run, addresses);
        times.end("read");
        task.enter(Phase.GROUP, addresses.length);
        EdgeCheck check = verified ? new VerifiedTexts(run, table) : EdgeCheck.NONE;
        if (chain) {
            if (found.tooMany()) {
                throw new IllegalArgumentException("[max_distance] must be smaller for [linkage] chain with [verify]: "
                        + found.pairs() + " pairs to verify do not fit into [plugins.simhash.deduplicate.memory], got: "
                        + options.maxDistance());
            }
            ChainLinkage linkage = new ChainLinkage(graph(found), options.maxGroupSize(), check, task::stepsDone);
            List<Group> groups = linkage.groups();
            splitGroups = linkage.splitGroups();
            times.end("group");
            return groups;
        }
        SurvivorLinkage linkage = new SurvivorLinkage(addresses.length, options.maxGroupSize(), check, task::stepsDone);
        if (found.tooMany()) {
            linkInRounds(linkage);
        } else {
            linkage.link(graph(found));
        }
        splitGroups = linkage.splitGroups();
        times.end("group");
        return linkage.groups();
    }

    private void linkInRounds(SurvivorLinkage linkage) {
        int front = FIRST_FRONT;
        int next = 0;
        while (next < table.size()) {
            int end = next;
            int free = 0;
            while (end < table.size() && free < front) {
                free += linkage.isTaken(end++) ? 0 : 1;
            }
            run.times().end("group");
            NearJoin.Found found = search.among(
                    new Wanted(run.services().memory().links(), false, free(linkage, next, end), taken(linkage, next)));
            if (found.tooMany()) {
                if (front == 1) {
                    throw new IllegalStateException("the links of one document do not fit into the memory");
                }
                front = Math.max(1, front / LARGER);
                continue;
            }
            run.task().enter(Phase.GROUP, table.size());
            linkage.link(graph(found), next, end);
            if (found.cliques().links().size() < run.services().memory().links() / (2 * LARGER)) {
                front *= LARGER;
            }
            next = end;
        }
    }

    private long[] free(SurvivorLinkage linkage, int from, int to) {
        long[] addresses = new long[to - from];
        int size = 0;
        for (int rank = from; rank < to; rank++) {
            if (linkage.isTaken(rank) == false) {
                addresses[size++] = table.address(rank);
            }
        }
        return sorted(addresses, size);
    }

    /** All before a rank are decided, and some after it. */
    private long[] taken(SurvivorLinkage linkage, int from) {
        long[] addresses = new long[table.size()];
        int size = 0;
        for (int rank = 0; rank < table.size(); rank++) {
            if (rank < from || linkage.isTaken(rank)) {
                addresses[size++] = table.address(rank);
            }
        }
        return sorted(addresses, size);
    }

    private static long[] sorted(long[] addresses, int size) {
        long[] sorted = Arrays.copyOf(addresses, size);
        Arrays.sort(sorted);
        return sorted;
    }

    private NearGraph graph(NearJoin.Found found) {
        return new NearGraph(found.cliques(), table.addresses(), table.ranks());
    }

    /** Addresses of the documents that may have lost their places in groups; null when all may. */
    long[] concerned() {
        long[] added = search.newDocuments();
        return added == null
                ? null
                : LongStream.concat(Arrays.stream(added), Arrays.stream(table.addresses()))
                        .sorted()
                        .distinct()
                        .toArray();
    }

    long documents() {
        return search.documents();
    }

    Passes passes() {
        return search.passes();
    }

    DocumentTable table() {
        return table;
    }

    long pairs() {
        return pairs;
    }

    int splitGroups() {
        return splitGroups;
    }
}
