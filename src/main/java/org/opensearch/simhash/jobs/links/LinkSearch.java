/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.Cliques;
import org.opensearch.simhash.core.join.NearJoin;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.jobs.job.DeduplicateMemory;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobRun.JobQueries;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.SharedTerms;

/**
 * Finds the links in a point in time: by passes on this node or on all that hold shards, or from candidates in an index;
 * all of them, or those of documents that are connected with new ones. Blocks its one thread.
 */
public final class LinkSearch {

    /** One node joins fewer documents faster than several do. */
    private static final int WORTH_SPREADING = 300_000;

    /** An entry of a map with two numbers. */
    private static final int KNOWN_BYTES = 80;

    private final JobRun run;
    private final Passes passes;
    private final long documents;

    /** What is joined; null if passages or candidates are compared: these need no passes. */
    private final Prints prints;

    private final NewDocuments newDocuments;

    /** Where and how; another one when it is known which documents are connected with new ones. */
    private PassPlan plan;

    private long blockTerms;

    /** @param only addresses of the documents that are joined, ascending; null for all */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record PassPlan(List<DiscoveryNode> nodes, int chunks, int rows, long[] only) {}

    /** Decides the number and the nodes of the passes, and reads the new documents. Blocks. */
    public LinkSearch(JobRun run) {
        this.run = run;
        this.passes = new Passes(run.services().transport(), run.client(), run.task());
        JobQueries queries = run.queries();
        this.documents = run.pointInTime().count(queries.documents());
        run.task().documents(documents);
        this.prints = prints();
        this.plan = plan(
                documents,
                run.pointInTime().count(queries.fingerprinted(run.options().field())),
                null);
        this.newDocuments = queries.newSince() == null ? null : NewDocuments.read(run);
    }

    /** One sketch tells how long all are, as almost always. */
    private Prints prints() {
        if (run.options().comparesFingerprints()) {
            return run.fields().areLongHashes() ? Prints.HASHES : Prints.FINGERPRINTS;
        }
        if (run.options().kind() != SketchKind.MINHASH) {
            return null;
        }
        String field = run.options().field() + "." + FingerprintFields.SKETCH;
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(new BoolQueryBuilder().filter(run.queries().documents()).filter(JobQuery.exists(field)))
                .size(1)
                .trackTotalHits(false)
                .fetchSource(false)
                .docValueField(field);
        int permutations = BandLayout.DEFAULT_PERMUTATIONS;
        for (SearchHit hit : run.pointInTime().search(source).getHits()) {
            for (Object value : hit.field(field).getValues()) {
                permutations = Sketch.fromBase64(value.toString()).permutations();
            }
        }
        return new Prints(permutations, run.options().minSimilarity());
    }

    private PassPlan plan(long ofDocuments, long fingerprinted, long[] only) {
        DeduplicateMemory memory = run.services().memory();
        int chunks = prints == null
                ? 1
                : memory.chunks(fingerprinted, prints, run.services().disk());
        List<DiscoveryNode> nodes = nodes(chunks, ofDocuments);
        while (Chunks.passes(chunks) < nodes.size()) {
            chunks++;
        }
        run.task().passes((int) Math.min(Integer.MAX_VALUE, Chunks.passes(chunks)));
        long rows = chunks == 1 ? fingerprinted : fingerprinted * 2 / chunks;
        return new PassPlan(nodes, chunks, (int) Math.min(Integer.MAX_VALUE / 2, rows), only);
    }

    /** The links of all documents, or of those connected with new ones. */
    public NearJoin.Joined first(Wanted wanted, Account memory) {
        if (newDocuments == null) {
            return prints == null ? atOnce(memory) : wantedLinks(wanted, memory);
        }
        if (prints != null && newDocuments.addresses().length == 0) {
            // Nothing can be near, so fingerprints are only counted.
            passes.add(PassCounts.ofNothing(run.pointInTime()
                    .count(run.queries().fingerprinted(run.options().field()))));
            return new NearJoin.Joined(new Cliques.Builder(memory).build(), 0, false);
        }
        try (Account all = new Account(memory)) {
            if (prints == null) {
                NearJoin.Joined found = atOnce(all);
                return new NearJoin.Joined(
                        found.cliques().connectedWith(newDocuments::contains, memory), found.pairs(), false);
            }
            // A forest connects the same documents with fewer links, and always fits.
            NearJoin.Joined found = wantedLinks(Wanted.FOREST, all);
            all.take(found.cliques().bytes());
            long[] connected =
                    found.cliques().connectedWith(newDocuments::contains, all).documents();
            // No others are joined from now on.
            run.memory().accept((long) connected.length * Long.BYTES);
            plan = plan(connected.length, connected.length, connected);
        }
        return wantedLinks(wanted, memory);
    }

    /** Links that this node finds without passes. They always fit. */
    private NearJoin.Joined atOnce(Account memory) {
        return run.options().kind() == SketchKind.PASSAGES ? passages(memory) : candidates(memory);
    }

    /** The documents of each term, which may share a passage. Terms with equal documents are one clique. */
    private NearJoin.Joined passages(Account memory) {
        run.task().enter(Phase.SCAN, documents);
        SharedTerms terms = new SharedTerms(
                run.pointInTime(),
                run.queries().documents(),
                run.options().field(),
                run.options().passages());
        Cliques.Builder cliques = new Cliques.Builder(memory);
        try (Account known = new Account(memory)) {
            Map<Integer, Integer> byDocuments = new HashMap<>();
            terms.read(
                    addresses -> {
                        if (mayLink(addresses) == false) {
                            return;
                        }
                        Arrays.sort(addresses);
                        int key = Arrays.hashCode(addresses);
                        Integer before = byDocuments.get(key);
                        if (before == null || cliques.has(before, addresses) == false) {
                            known.take(before == null ? KNOWN_BYTES : 0);
                            byDocuments.put(key, cliques.addEqualTexts(addresses));
                        }
                    },
                    read -> run.task().ensureNotCancelled());
        }
        blockTerms = terms.blocks();
        run.task().step(documents);
        passes.add(new PassCounts(documents, terms.withTerms(), 0, terms.schemes()));
        return new NearJoin.Joined(cliques.build(), 0, false);
    }

    /** Whether documents may be of both sides, as far as their indices tell. */
    private boolean mayLink(long... addresses) {
        JobQueries queries = run.queries();
        LongFunction<String> index = address -> run.pointInTime().shard(address).getIndexName();
        return queries.against() == null
                || (Arrays.stream(addresses).mapToObj(index).anyMatch(queries::isOfPath)
                        && Arrays.stream(addresses).mapToObj(index).anyMatch(queries::isOfOthers));
    }

    public NearJoin.Joined wantedLinks(Wanted links, Account memory) {
        // Documents connected with new ones have no other links.
        Wanted wanted = plan.only == null ? links : links.within(plan.only);
        List<Chunks> all = run.services().memory().passes(plan.chunks);
        // Each pass reads all documents and keeps its chunks.
        run.task().enter(Phase.SCAN, (wanted.areFew() ? wanted.toRead().length : documents) * all.size());
        DeduplicateOptions options = run.options();
        NearJoin.Joined found = passes.run(
                all,
                plan.nodes,
                wanted,
                memory,
                (pair, wantedOfPair) -> new PairsAction.Request(
                        run.pointInTime().indices(),
                        new PairsAction.Pass(
                                run.pointInTime().id(),
                                run.queries().path(),
                                run.queries().against(),
                                options.field(),
                                options.same(),
                                prints.areSketches() ? 0 : options.maxDistance(),
                                prints,
                                plan.rows,
                                pair,
                                wantedOfPair)));
        if (found.tooMany()) {
            prints.refuseTooMany(options.maxDistance());
        }
        return found;
    }

    private List<DiscoveryNode> nodes(int count, long ofDocuments) {
        ClusterState state = run.services().state();
        DiscoveryNode here = state.nodes().getLocalNode();
        if (count == 1 && ofDocuments < WORTH_SPREADING) {
            return List.of(here);
        }
        List<DiscoveryNode> holding = run.pointInTime().nodes().stream()
                .sorted()
                .map(state.nodes()::get)
                .filter(Objects::nonNull)
                .toList();
        return holding.isEmpty() ? List.of(here) : holding;
    }

    private NearJoin.Joined candidates(Account memory) {
        try (PointInTime log = PointInTime.open(
                new String[] {run.options().candidates().index()},
                SearchRequest.DEFAULT_INDICES_OPTIONS,
                run.client(),
                run.services().registry(),
                run.services().cluster(),
                run.task().retries())) {
            run.task().enter(Phase.SCAN, log.count(QueryBuilders.matchAllQuery()));
            Cliques found = new CandidateSets(run, memory).read(log);
            return new NearJoin.Joined(found, found.links().size(), false);
        }
    }

    public long documents() {
        return documents;
    }

    /** Addresses of the new documents; null if the job does not look for them. */
    public long[] newDocuments() {
        return newDocuments == null ? null : newDocuments.addresses();
    }

    /** Terms of passages that propose nothing, because too many documents have them. */
    public long blockTerms() {
        return blockTerms;
    }

    public int passes() {
        return passes.count();
    }

    public PassCounts counts() {
        return passes.counts();
    }
}
