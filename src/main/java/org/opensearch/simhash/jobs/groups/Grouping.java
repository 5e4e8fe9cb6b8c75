/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.groups.ApartDocuments;
import org.opensearch.simhash.core.groups.ApartDocuments.AddressPair;
import org.opensearch.simhash.core.join.Linkage;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.core.join.Linkage.LinkCheck;
import org.opensearch.simhash.core.join.Linkage.LinkVisitor;
import org.opensearch.simhash.core.join.NearGraph;
import org.opensearch.simhash.core.join.NearJoin;
import org.opensearch.simhash.core.join.SurvivorLinkage;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.job.DeduplicateMemory;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.links.LinkSearch;
import org.opensearch.simhash.jobs.links.PassCounts;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.query.IndexMapping;

/**
 * Makes the groups of a point in time. Usually {@link LinkSearch} finds all links at once. If there are too many to
 * keep, {@link LinkRounds} makes the same groups. Blocks its one thread.
 */
public final class Grouping {

    private final JobRun run;
    private final LinkSearch search;
    private final List<AddressPair> keptApart;
    private long keptApartPairs;
    private long pairs;
    private int splitGroups;
    private long comparedInRounds;
    private long withoutText;
    private Optional<String> warning = Optional.empty();
    private DocumentTable table;

    /** Counts and reads what is new. Blocks. */
    public Grouping(JobRun run, List<AddressPair> keptApart) {
        this.run = run;
        this.keptApart = keptApart;
        this.search = new LinkSearch(run);
    }

    /** @param pairs makes what takes all links; null if nobody wants them */
    public List<Group> groups(Function<DocumentTable, LinkVisitor> pairs) {
        // Frees links and texts before the writes, which may take hours.
        try (Account links = new Account(run.memory())) {
            return groups(pairs, links);
        }
    }

    private List<Group> groups(Function<DocumentTable, LinkVisitor> pairsTo, Account memory) {
        DeduplicateOptions options = run.options();
        JobTask task = run.task();
        boolean chain = options.linkage() == DeduplicateOptions.Linkage.CHAIN;
        boolean verified = options.comparesTexts();
        Wanted wanted = chain
                        && pairsTo == null
                        && verified == false
                        && keptApart.isEmpty()
                        && (options.sameId() || run.fields().indices().size() == 1)
                        && options.conditions().withoutClasses().isEmpty()
                ? Wanted.FOREST
                : Wanted.ALL.atMost(
                        options.kind() == SketchKind.MINHASH
                                ? DeduplicateMemory.MOST_LINKS // there is no other way than to keep them
                                : run.services().memory().links());
        NearJoin.Joined found = search.first(wanted, memory);
        if (options.action() == DeduplicateOptions.Action.DELETE && options.comparesFingerprints()) {
            options.ending().requireFor("delete", search.counts().schemes().keySet());
        }
        pairs = found.pairs();
        if (pairsTo != null && found.tooMany()) {
            throw new IllegalArgumentException(
                    "[pairs] must be few enough for [plugins.simhash.deduplicate.memory], got: " + found.pairs());
        }
        if (chain && found.tooMany()) {
            throw new IllegalArgumentException(
                    "[max_distance] must be smaller for [linkage] chain with [verify], conditions, rejected pairs or several indices: "
                            + found.pairs()
                            + " pairs to verify do not fit into [plugins.simhash.deduplicate.memory], or are more than "
                            + DeduplicateMemory.MOST_LINKS + ", got: "
                            + options.maxDistance());
        }
        long[] addresses = found.cliques().documents();
        task.enter(Phase.READ, addresses.length);
        table = DocumentTable.read(run, options.conditions(), addresses, run.task()::step);
        task.enter(Phase.GROUP, addresses.length);
        VerifiedTexts texts = verified ? new VerifiedTexts(run, table, memory) : null;
        LinkCheck compared = verified ? texts : LinkCheck.NONE;
        ApartDocuments apart = new ApartDocuments(keptApart, table::rank, memory);
        keptApartPairs = apart.pairs();
        LinkCheck check = table.hasConditions() || table.twins() > 0 || keptApartPairs > 0 || options.against() != null
                ? new ConditionalLinks(table, apart, compared)
                : compared;
        NearGraph graph = graph(found, table, memory);
        Linkage linkage;
        if (chain) {
            linkage = Linkage.chain(graph, options.maxGroupSize(), check, memory, task::stepsDone);
        } else {
            var survivors = new SurvivorLinkage(addresses.length, options.maxGroupSize(), check, task::stepsDone);
            linkage = survivors;
            if (found.tooMany()) {
                LinkRounds rounds = new LinkRounds(run, search, table, graph, memory);
                rounds.link(survivors);
                comparedInRounds = rounds.compared();
            } else {
                survivors.link(graph, 0, addresses.length);
            }
        }
        splitGroups = linkage.splitGroups();
        List<Group> ended = ended(linkage, texts);
        if (pairsTo != null) {
            // At the end, because texts count what is compared.
            linkage.forEachLink(graph, pairsTo.apply(table));
        }
        return ended;
    }

    /** Links of documents that meet the conditions of the job, and that people have not kept apart. */
    private record ConditionalLinks(DocumentTable table, ApartDocuments apart, LinkCheck compared)
            implements LinkCheck {

        @Override
        public boolean areCliquesEqual() {
            return compared.areCliquesEqual();
        }

        @Override
        public boolean comparesTexts() {
            return compared.isNeeded();
        }

        @Override
        public boolean mayLink(int a, int b) {
            return apart.are(a, b) == false
                    && table.areTwins(a, b) == false
                    && table.areOfOneSide(a, b) == false
                    && (table.hasConditions() == false || table.meet(a, b));
        }

        @Override
        public int[] apartFrom(int document) {
            return apart.from(document);
        }

        @Override
        public int patience() {
            return compared.patience();
        }

        @Override
        public void gaveUp() {
            compared.gaveUp();
        }

        @Override
        public long apartKey(int document) {
            return table.apartKey(document);
        }

        @Override
        public int expect(int[] documents) {
            return compared.expect(documents);
        }

        @Override
        public boolean isComparable(int document) {
            return compared.isComparable(document);
        }

        @Override
        public double similarity(int a, int b) {
            return compared.similarity(a, b);
        }
    }

    private List<Group> ended(Linkage linkage, VerifiedTexts texts) {
        if (texts != null) {
            texts.requireSome(field -> indices(index -> index.maps(field)).isEmpty() == false);
            withoutText = texts.blank();
            warning = texts.warning();
        }
        if (run.options().passages() != null) {
            // Terms only propose pairs, the same one many times.
            pairs = texts.similarPairs();
            comparedInRounds = texts.pairs();
            linkage.forgetDistances();
        }
        run.memory().take(linkage.groupBytes());
        return withWords(linkage.found());
    }

    /** Equal digests of texts without words, such as blank ones, say nothing about their documents. */
    private List<Group> withWords(List<Group> groups) {
        PassCounts counts = search.counts();
        SketchKind kind = run.options().kind();
        if (kind == SketchKind.PASSAGES) {
            return groups; // their texts were compared
        }
        long withScheme =
                counts.schemes().values().stream().mapToLong(Long::longValue).sum();
        if (withScheme <= counts.fingerprinted()) {
            return groups;
        }
        FixedBitSet wordless = new FixedBitSet(table.size());
        DeduplicateOptions options = run.options();
        String print = options.field() + "." + kind.part();
        String features = options.field() + "."
                + (kind == SketchKind.MINHASH ? FingerprintFields.SIZE : FingerprintFields.FEATURES);
        // Filtering the source is an error where an index keeps none.
        Set<String> readable = indices(index -> index.keepsInSource(features));
        long[] survivors = groups.stream()
                .filter(group -> readable.contains(table.indexOf(group.survivor())))
                .mapToLong(group -> table.address(group.survivor()))
                .toArray();
        SearchSourceBuilder source = new SearchSourceBuilder()
                .fetchSource(features, null)
                .postFilter(new BoolQueryBuilder().mustNot(JobQuery.exists(print)));
        run.pointInTime().read(survivors, source, (address, hit) -> {
            if (DocumentValues.at(features, hit.getSourceAsMap()).equals(List.of(0))) {
                wordless.set(table.rank(address));
            }
        });
        List<Group> ofWords = new ArrayList<>();
        for (Group group : groups) {
            if (wordless.get(group.survivor())) {
                withoutText += group.size();
            } else {
                ofWords.add(group);
            }
        }
        return ofWords;
    }

    private Set<String> indices(Predicate<IndexMapping> mapping) {
        Metadata metadata = run.services().state().metadata();
        return run.fields().indices().stream()
                .filter(name -> metadata.index(name) != null && mapping.test(new IndexMapping(metadata.index(name))))
                .collect(Collectors.toSet());
    }

    static NearGraph graph(NearJoin.Joined found, DocumentTable table, Account memory) {
        memory.take(NearGraph.bytes(found.cliques(), table.size()));
        NearGraph graph = new NearGraph(found.cliques(), table.addresses(), table.ranks());
        memory.give(found.cliques().bytesReplacedByGraph());
        return graph;
    }

    /** The groups that have a new document; all if the job does not look for new ones. */
    public List<Group> withNewDocuments(List<Group> groups) {
        long[] added = search.newDocuments();
        IntPredicate isNew = rank -> Arrays.binarySearch(added, table.address(rank)) >= 0;
        return added == null
                ? groups
                : groups.stream().filter(group -> group.ranks().anyMatch(isNew)).toList();
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

    public long keptApart() {
        return keptApartPairs;
    }

    public long withoutText() {
        return withoutText;
    }

    public Optional<String> warning() {
        return warning;
    }

    public int splitGroups() {
        return splitGroups;
    }
}
