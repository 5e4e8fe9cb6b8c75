/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.groups.ApartDocuments.AddressPair;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.PointInTime.HitPages;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.jobs.write.RejectedPair.DocumentPlace;

/**
 * The pairs that people have kept apart, in a point in time of the documents: those that name each other, those rejected in {@code dest}
 * whose texts are still the same, and those of which a text has changed. A document of {@code dest} is known by its {@code _id} and its
 * text, in whatever index it is now; where none has both, those with its digest count, too. Read page by page; keeps 40 bytes for each
 * pair, some hundreds for each that has changed.
 */
public final class RememberedPairs {

    /** More would be no people's decisions. */
    static final int MOST = 1_000_000;

    private static final int PAGE = 1_000;
    private static final int CHANGED_BYTES = 600;
    private static final String DIGEST = FingerprintFields.DIGEST + ":";

    /** Documents with the text of one that is gone. */
    private static final int MOST_COPIES = 100;

    /** Documents elsewhere with the id of one, and with another text. */
    private static final int MOST_STRANGERS = 10;

    private final PointInTime sources;
    private final Metadata metadata;
    private final String field;
    private final JobTask task;
    private final LongConsumer memory;
    private final List<AddressPair> active = new ArrayList<>();
    private final List<AddressPair> together = new ArrayList<>();
    private final List<Changed> changed = new ArrayList<>();
    private final ApartNames names;
    private int read;
    private long withoutDocuments;
    private long unknown;

    /** A pair of which a text has changed. */
    record Changed(AddressPair documents, RejectedPair pair) {}

    /**
     * A document of a pair as it is now.
     *
     * @param isSame whether it has the text that people saw; null if it does not say
     * @param isAt whether it is where people saw it
     */
    private record Placed(long address, String id, Boolean isSame, boolean isAt, List<Object> group) {}

    private RememberedPairs(PointInTime sources, String field, JobTask task, Metadata metadata, LongConsumer memory) {
        this.sources = sources;
        this.field = field;
        this.task = task;
        this.metadata = metadata;
        this.memory = memory;
        this.names = new ApartNames(field, memory);
    }

    /**
     * Reads them. Blocks its thread.
     *
     * @param dest null if there is none
     * @param field the fingerprint object of the job, which says what texts are where that of a pair does not
     */
    public static RememberedPairs read(
            PointInTime dest, PointInTime sources, String field, JobTask task, Metadata metadata, LongConsumer memory) {
        RememberedPairs pairs = new RememberedPairs(sources, field, task, metadata, memory);
        pairs.names.read(sources, metadata);
        if (dest != null) {
            pairs.visit(
                    dest,
                    JobQuery.exists(GroupMapping.TAKEN_BACK + ".field"),
                    hit -> pairs.look(
                            RejectedPair.withKept(GroupMapping.TAKEN_BACK, hit.getSourceAsMap(), new ArrayList<>()),
                            false));
        }
        pairs.active.addAll(pairs.names.pairs());
        if (dest == null) {
            return pairs;
        }
        BoolQueryBuilder any = new BoolQueryBuilder()
                .should(JobQuery.exists(GroupMapping.REJECTED_PAIRS + ".field"))
                .should(JobQuery.exists(GroupMapping.REJECTED))
                .should(JobQuery.whole(
                        GroupMapping.DECISION_NAME, List.of(GroupMapping.REJECTED_GROUP, GroupMapping.ACCEPTED)));
        List<List<DocumentPlace>> accepted = new ArrayList<>();
        pairs.visit(dest, any, hit -> {
            List<RejectedPair> rejected = RejectedPair.of(hit.getSourceAsMap());
            pairs.add(rejected, hit);
            if (rejected.isEmpty()) {
                accepted.add(RejectedPair.documents(hit.getSourceAsMap()).stream()
                        .limit(PAGE)
                        .toList());
                pairs.look(accepted, PAGE);
            }
        });
        pairs.look(accepted, 0);
        return pairs;
    }

    private void visit(PointInTime dest, QueryBuilder groups, Consumer<SearchHit> visitor) {
        HitPages pages =
                new HitPages(dest, new SearchSourceBuilder().query(groups).fetchSource(RejectedPair.FIELDS, null));
        ReadSlices slices = new ReadSlices(memory, task.retries());
        while (pages.isEnd() == false) {
            try (ReadSlices.Slice slice = slices.next()) {
                slice.read(pages, PAGE, RememberedPairs::refuse).forEach(visitor);
            }
        }
    }

    private static void refuse(SearchHit hit, RuntimeException rejection) {
        throw new OpenSearchStatusException(
                "[dest] has rejected pairs that cannot be read, in [" + hit.getId() + "]: "
                        + ReadSlices.noRoom(rejection),
                RestStatus.TOO_MANY_REQUESTS,
                rejection);
    }

    private void add(List<RejectedPair> some, SearchHit hit) {
        read += some.size();
        if (read > MOST) {
            throw new IllegalArgumentException(
                    "[dest] must have at most " + MOST + " rejected pairs, got more in: " + hit.getIndex());
        }
        look(some, true);
    }

    private void look(List<RejectedPair> some, boolean areRejected) {
        // Half: each has two documents.
        for (int from = 0; from < some.size(); from += PAGE / 2) {
            List<RejectedPair> page = some.subList(from, Math.min(some.size(), from + PAGE / 2));
            page.stream()
                    .collect(Collectors.groupingBy(RejectedPair::field))
                    .forEach((decided, ofField) -> look(decided, ofField, areRejected));
        }
    }

    /** At accepted groups, as soon as they have more than so many documents together. */
    private void look(List<List<DocumentPlace>> groups, int least) {
        if (groups.stream().mapToInt(List::size).sum() > least) {
            PlacedDocuments placed = new PlacedDocuments(new TextPrints(metadata, List.of(field)));
            placed.find(groups.stream().flatMap(List::stream).collect(Collectors.toSet()));
            withoutDocuments += groups.stream()
                    .filter(group ->
                            group.stream().allMatch(place -> placed.of(place).isEmpty()))
                    .count();
            groups.clear();
        }
    }

    private void look(String decided, List<RejectedPair> pairs, boolean areRejected) {
        PlacedDocuments placed = new PlacedDocuments(
                new TextPrints(metadata, Stream.of(decided, field).distinct().toList()));
        placed.find(pairs.stream()
                .flatMap(pair -> Stream.of(pair.member(), pair.survivor()))
                .collect(Collectors.toSet()));
        for (RejectedPair pair : pairs) {
            List<Placed> members = placed.of(pair.member());
            List<Placed> survivors = placed.of(pair.survivor());
            withoutDocuments += areRejected && members.isEmpty() && survivors.isEmpty() ? 1 : 0;
            for (Placed member : members) {
                for (Placed survivor : survivors) {
                    if (areRejected) {
                        add(pair, member, survivor);
                    } else if (Boolean.TRUE.equals(member.isSame) && Boolean.TRUE.equals(survivor.isSame)) {
                        names.remove(member.address, member.id, survivor.address, survivor.id);
                    }
                }
            }
        }
    }

    private void add(RejectedPair pair, Placed member, Placed survivor) {
        AddressPair documents = new AddressPair(member.address, survivor.address);
        memory.accept(AddressPair.BYTES);
        if (Boolean.FALSE.equals(member.isSame) || Boolean.FALSE.equals(survivor.isSame)) {
            memory.accept(CHANGED_BYTES);
            changed.add(new Changed(documents, pair));
            return;
        }
        if (member.isSame == null || survivor.isSame == null) {
            unknown++;
        } else {
            names.add(member.address, member.id, survivor.address, survivor.id);
        }
        active.add(documents);
        if (member.group.isEmpty() == false && member.group.equals(survivor.group)) {
            memory.accept(AddressPair.BYTES);
            together.add(documents);
        }
    }

    private final class PlacedDocuments {

        private final TextPrints prints;
        private final Map<String, List<SearchHit>> byId = new HashMap<>();

        /** Of documents whose id is gone. */
        private final Map<String, List<SearchHit>> byPrint = new HashMap<>();

        PlacedDocuments(TextPrints prints) {
            this.prints = prints;
        }

        void find(Set<DocumentPlace> places) {
            Map<String, List<DocumentPlace>> wanted = places.stream().collect(Collectors.groupingBy(DocumentPlace::id));
            find(QueryBuilders.idsQuery().addIds(wanted.keySet().toArray(String[]::new)), hit -> {
                boolean isStranger = wanted.get(hit.getId()).stream().allMatch(place -> isStranger(place, hit));
                add(hit.getId(), hit, byId, isStranger ? MOST_STRANGERS : Integer.MAX_VALUE);
            });
            Set<String> gone = places.stream()
                    .filter(place ->
                            byId.getOrDefault(place.id(), List.of()).stream().allMatch(hit -> isStranger(place, hit)))
                    .map(DocumentPlace::fingerprint)
                    .filter(print -> print.startsWith(DIGEST))
                    .collect(Collectors.toSet());
            if (gone.isEmpty() == false) {
                List<String> digests = gone.stream()
                        .flatMap(print ->
                                Arrays.stream(print.substring(DIGEST.length()).split("/")))
                        .toList();
                BoolQueryBuilder any = new BoolQueryBuilder();
                prints.paths(FingerprintFields.DIGEST).forEach(path -> any.should(JobQuery.whole(path, digests)));
                find(any, hit -> add(prints.of(hit), hit, byPrint, MOST_COPIES));
                byPrint.keySet().retainAll(gone);
            }
        }

        private boolean isStranger(DocumentPlace place, SearchHit hit) {
            return place.isAt(hit) == false && Boolean.FALSE.equals(prints.isStill(place.fingerprint(), hit));
        }

        private static void add(String key, SearchHit hit, Map<String, List<SearchHit>> found, int most) {
            List<SearchHit> some = found.computeIfAbsent(key, any -> new ArrayList<>());
            if (some.size() < most) {
                some.add(hit);
            }
        }

        private void find(QueryBuilder documents, Consumer<SearchHit> visitor) {
            Arrays.stream(sources.indices())
                    .collect(Collectors.partitioningBy(prints::isKept))
                    .forEach((isKept, indices) -> {
                        if (indices.isEmpty() == false) {
                            BoolQueryBuilder query = new BoolQueryBuilder()
                                    .filter(documents)
                                    .filter(QueryBuilders.termsQuery("_index", indices));
                            SearchSourceBuilder source = prints.source(isKept).query(query);
                            sources.forEach(
                                    source, PAGE, hits -> Arrays.asList(hits).forEach(visitor));
                        }
                    });
        }

        /** One with another text counts only where people saw it, or if none is there. */
        List<Placed> of(DocumentPlace place) {
            List<Placed> all = Stream.of(byId.get(place.id()), byPrint.get(place.fingerprint()))
                    .filter(Objects::nonNull)
                    .flatMap(List::stream)
                    .map(hit -> new Placed(
                            sources.address(hit),
                            hit.getId(),
                            prints.isStill(place.fingerprint(), hit),
                            place.isAt(hit),
                            prints.group(hit)))
                    .toList();
            boolean isThere = all.stream().anyMatch(Placed::isAt);
            return all.stream()
                    .filter(document -> document.isAt || isThere == false || Boolean.TRUE.equals(document.isSame))
                    .toList();
        }
    }

    /** Rejected pairs, and accepted groups, of which no document is in the point in time. */
    public long withoutDocuments() {
        return withoutDocuments;
    }

    /** What a run has to say about decisions that it cannot place. */
    public List<String> warnings() {
        List<String> sentences = new ArrayList<>();
        if (withoutDocuments > 0) {
            sentences.add(
                    "[dest] has " + withoutDocuments
                            + " decisions about documents that are nowhere in the indices of this job, neither by [_id] nor by digest");
        }
        if (unknown > 0) {
            sentences.add(
                    "[dest] has decisions about " + unknown
                            + " pairs of documents that do not say whether their texts have changed since: they are kept apart");
        }
        return sentences;
    }

    /**
     * Lets documents say from which others they are kept apart, where {@code dest} says so, but of two sides: two that are apart
     * name each other, and the other side stays as it is. Before survivors get values: a restore knows them as they are then.
     */
    public void write(JobWrites job, long[] only) {
        if (job.run().options().against() == null) {
            names.write(job, only);
        }
    }

    void written(SearchHit read, DocWriteResponse answer) {
        names.written(sources.address(read), answer);
    }

    /** Those whose texts are the same: no group may have both. */
    public List<AddressPair> active() {
        return active;
    }

    /** Addresses of those of them that carry the id of one group. */
    public long[] together() {
        return together.stream()
                .flatMapToLong(pair -> LongStream.of(pair.a(), pair.b()))
                .sorted()
                .distinct()
                .toArray();
    }

    /** The changed pairs of documents of the table, by the rank of the rejected member. */
    Map<Integer, List<Changed>> changed(DocumentTable table) {
        Map<Integer, List<Changed>> byRank = new HashMap<>();
        for (Changed pair : changed) {
            int a = table.rank(pair.documents.a());
            int b = table.rank(pair.documents.b());
            if (a >= 0 && b >= 0) {
                byRank.computeIfAbsent(a, rank -> new ArrayList<>()).add(pair);
            }
        }
        return byRank;
    }
}
