/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.simhash.deduplicate.job.DeduplicateMemory;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.job.PhaseTimes;
import org.opensearch.simhash.deduplicate.join.ChainLinkage;
import org.opensearch.simhash.deduplicate.join.Group;
import org.opensearch.simhash.deduplicate.join.LinkCheck;
import org.opensearch.simhash.deduplicate.join.NearGraph;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.SurvivorLinkage;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.links.LinkSearch;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.query.IndexMapping;

/**
 * Makes the groups of a point in time. Usually {@link LinkSearch} finds all links at once. If there are too many to
 * keep, {@link LinkRounds} makes the same groups. Blocks its one thread.
 */
public final class Grouping {

    private final JobRun run;
    private final IgnoredValues ignored;
    private final LinkSearch search;
    private long pairs;
    private int splitGroups;
    private long comparedInRounds;
    private DocumentTable table;

    public Grouping(JobRun run, IgnoredValues ignored) {
        this.run = run;
        this.ignored = ignored;
        this.search = new LinkSearch(run);
    }

    public List<Group> groups() {
        search.plan();
        // Frees links and texts before the writes, which may take hours.
        try (Account links = new Account(run.memory())) {
            return groups(links);
        }
    }

    private List<Group> groups(Account memory) {
        DeduplicateOptions options = run.options();
        JobTask task = run.task();
        PhaseTimes times = run.times();
        boolean chain = options.linkage() == DeduplicateOptions.Linkage.CHAIN;
        boolean verified = options.verify() != null;
        Wanted wanted = chain && verified == false
                ? Wanted.FOREST
                : Wanted.ALL.atMost(run.services().memory().links());
        NearJoin.Found found = search.first(wanted, memory);
        pairs = found.pairs();
        long[] addresses = found.cliques().documents();
        task.enter(Phase.READ, addresses.length);
        table = DocumentTable.read(run, ignored, addresses, run.task()::step);
        times.end("read");
        task.enter(Phase.GROUP, addresses.length);
        VerifiedTexts texts = verified ? new VerifiedTexts(run, table, memory) : null;
        LinkCheck check = verified ? texts : LinkCheck.NONE;
        if (chain) {
            if (found.tooMany()) {
                throw new IllegalArgumentException("[max_distance] must be smaller for [linkage] chain with [verify]: "
                        + found.pairs()
                        + " pairs to verify do not fit into [plugins.simhash.deduplicate.memory], or are more than "
                        + DeduplicateMemory.MOST_LINKS + ", got: "
                        + options.maxDistance());
            }
            ChainLinkage linkage =
                    new ChainLinkage(graph(found, table, memory), options.maxGroupSize(), check, task::stepsDone);
            List<Group> groups = linkage.groups();
            splitGroups = linkage.splitGroups();
            return ended(groups, linkage.groupBytes(), texts);
        }
        SurvivorLinkage linkage = new SurvivorLinkage(addresses.length, options.maxGroupSize(), check, task::stepsDone);
        NearGraph graph = graph(found, table, memory);
        if (found.tooMany()) {
            LinkRounds rounds = new LinkRounds(run, search, table, graph, memory);
            rounds.link(linkage);
            comparedInRounds = rounds.compared();
        } else {
            linkage.link(graph);
        }
        splitGroups = linkage.splitGroups();
        return ended(linkage.groups(), linkage.groupBytes(), texts);
    }

    private List<Group> ended(List<Group> groups, long bytes, VerifiedTexts texts) {
        if (texts != null) {
            texts.requireSome(this::isMapped);
        }
        run.memory().take(bytes);
        run.times().end("group");
        return groups;
    }

    private boolean isMapped(String field) {
        Metadata metadata = run.services().cluster().state().metadata();
        return run.fields().indices().stream()
                .map(metadata::index)
                .anyMatch(index -> index != null && new IndexMapping(index).maps(field));
    }

    /** @param memory pays for the graph; it has paid for {@code found}, which is used up */
    static NearGraph graph(NearJoin.Found found, DocumentTable table, Account memory) {
        memory.take(NearGraph.bytes(found.cliques(), table.size()));
        NearGraph graph = new NearGraph(found.cliques(), table.addresses(), table.ranks());
        memory.give(found.cliques().bytesReplacedByGraph());
        return graph;
    }

    /** Addresses of the documents that may leave their groups; null for all. */
    public long[] concerned() {
        long[] added = search.newDocuments();
        return added == null
                ? null
                : LongStream.concat(Arrays.stream(added), Arrays.stream(table.addresses()))
                        .sorted()
                        .distinct()
                        .toArray();
    }

    public LinkSearch search() {
        return search;
    }

    public DocumentTable table() {
        return table;
    }

    public long pairs() {
        return pairs;
    }

    /** Pairs compared by the rounds, outside the passes. */
    public long comparedInRounds() {
        return comparedInRounds;
    }

    public int splitGroups() {
        return splitGroups;
    }
}
