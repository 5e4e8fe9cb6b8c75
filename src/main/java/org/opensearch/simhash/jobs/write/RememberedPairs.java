/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.jobs.groups.ApartDocuments.AddressPair;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.PointInTime.HitPages;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.jobs.write.RejectedPair.DocumentPlace;

/**
 * The pairs that people have rejected in {@code dest}, in a point in time of the documents: those whose texts are still the same, and
 * those of which a text has changed. Read page by page; keeps 40 bytes for each pair, some hundreds for each that has changed.
 */
public final class RememberedPairs {

    /** More would be no people's decisions. */
    static final int MOST = 1_000_000;

    private static final int PAGE = 1_000;
    private static final int CHANGED_BYTES = 600;

    private final PointInTime sources;
    private final Metadata metadata;
    private final JobTask task;
    private final LongConsumer memory;
    private final List<AddressPair> active = new ArrayList<>();
    private final List<AddressPair> together = new ArrayList<>();
    private final List<Changed> changed = new ArrayList<>();
    private int read;

    /** A pair of which a text has changed. */
    record Changed(AddressPair documents, RejectedPair pair) {}

    /** A document of a pair as it is now. */
    private record StoredPrint(long address, String print, List<Object> group) {}

    private RememberedPairs(PointInTime sources, JobTask task, Metadata metadata, LongConsumer memory) {
        this.sources = sources;
        this.task = task;
        this.metadata = metadata;
        this.memory = memory;
    }

    /** Of a job without {@code dest}. */
    public static RememberedPairs none() {
        return new RememberedPairs(null, null, null, bytes -> {});
    }

    /**
     * Reads them. Blocks its thread.
     *
     * @param memory pays for what is kept
     * @throws IllegalArgumentException if there are more than {@value #MOST}
     */
    public static RememberedPairs read(
            PointInTime dest, PointInTime sources, JobTask task, Metadata metadata, LongConsumer memory) {
        RememberedPairs pairs = new RememberedPairs(sources, task, metadata, memory);
        BoolQueryBuilder any = new BoolQueryBuilder()
                .should(JobQuery.exists(GroupMapping.REJECTED_PAIRS + ".field"))
                .should(JobQuery.exists(GroupMapping.REJECTED))
                .should(JobQuery.whole(GroupMapping.DECISION_NAME, List.of(GroupMapping.REJECTED_GROUP)));
        HitPages pages =
                new HitPages(dest, new SearchSourceBuilder().query(any).fetchSource(RejectedPair.FIELDS, null));
        ReadSlices slices = new ReadSlices(memory, task.retries());
        while (pages.isEnd() == false) {
            task.ensureNotCancelled();
            try (ReadSlices.Slice slice = slices.next()) {
                for (SearchHit hit : slice.read(pages, PAGE, RememberedPairs::refuse)) {
                    pairs.add(RejectedPair.of(hit.getSourceAsMap()), hit);
                }
            }
        }
        return pairs;
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
        // Half: each has two documents.
        for (int from = 0; from < some.size(); from += PAGE / 2) {
            List<RejectedPair> page = some.subList(from, Math.min(some.size(), from + PAGE / 2));
            page.stream().collect(Collectors.groupingBy(RejectedPair::field)).forEach(this::look);
        }
    }

    private void look(String field, List<RejectedPair> pairs) {
        TextPrints prints = new TextPrints(metadata, field);
        Map<List<String>, StoredPrint> there = new HashMap<>();
        Set<DocumentPlace> places = pairs.stream()
                .flatMap(pair -> List.of(pair.member(), pair.survivor()).stream())
                .collect(Collectors.toSet());
        places.stream()
                .collect(Collectors.partitioningBy(place -> prints.isKept(place.index())))
                .forEach((isKept, some) -> find(prints, isKept, some, there));
        for (RejectedPair pair : pairs) {
            StoredPrint member = there.get(key(pair.member()));
            StoredPrint survivor = there.get(key(pair.survivor()));
            if (member == null || survivor == null) {
                continue;
            }
            AddressPair documents = new AddressPair(member.address, survivor.address);
            memory.accept(AddressPair.BYTES);
            if (member.print.equals(pair.member().fingerprint())
                    && survivor.print.equals(pair.survivor().fingerprint())) {
                active.add(documents);
                if (member.group.isEmpty() == false && member.group.equals(survivor.group)) {
                    memory.accept(AddressPair.BYTES);
                    together.add(documents);
                }
            } else {
                memory.accept(CHANGED_BYTES);
                changed.add(new Changed(documents, pair));
            }
        }
    }

    private static List<String> key(DocumentPlace place) {
        return Arrays.asList(place.index(), place.id(), place.routing());
    }

    private void find(
            TextPrints prints, boolean isKept, Collection<DocumentPlace> places, Map<List<String>, StoredPrint> there) {
        if (places.isEmpty()) {
            return;
        }
        Set<String> indices = new TreeSet<>();
        Set<String> ids = new TreeSet<>();
        for (DocumentPlace place : places) {
            indices.add(place.index());
            ids.add(place.id());
        }
        BoolQueryBuilder query = new BoolQueryBuilder()
                .filter(QueryBuilders.idsQuery().addIds(ids.toArray(String[]::new)))
                .filter(QueryBuilders.termsQuery("_index", indices));
        sources.forEach(prints.source(isKept).query(query), PAGE, hits -> {
            task.ensureNotCancelled();
            for (SearchHit hit : hits) {
                there.put(
                        Arrays.asList(hit.getIndex(), hit.getId(), DocumentTable.routing(hit)),
                        new StoredPrint(sources.address(hit), prints.of(hit), prints.group(hit)));
            }
        });
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
