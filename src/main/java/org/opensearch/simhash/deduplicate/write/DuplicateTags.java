/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.JobCount;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobQueries;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.join.Group;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.scan.MappedExistsQueryBuilder;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.write.JobWrites.Consent;
import org.opensearch.simhash.ingest.Freshness;
import org.opensearch.simhash.script.DocumentScript;

/**
 * Writes the survivor into each duplicate, and clears the tags of documents that are no duplicates any more. Each write is a
 * partial update on condition that the document is unchanged, without ingest pipelines. Skips documents that have the right tag.
 */
public final class DuplicateTags {

    private final DeduplicateOptions options;
    private final JobQueries queries;
    private final int batchSize;
    private final PointInTime pointInTime;
    private final DocumentTable table;
    private final TagMapping mapping;
    private final TagUpdates updates;
    private final Map<Index, Integer> longestIds = new HashMap<>();
    private final ClusterService cluster;
    private final Consent consent;
    private final Set<String> fingerprinted;
    private final BulkWrites writes;
    private final JobTask task;
    private final JobOutcome outcome;
    private final long[] concerned;
    private List<Tagging> batch = new ArrayList<>();

    /**
     * @param rank negative for a document without links
     * @param clears whether it loses its tag
     * @param index of the document
     */
    private record Tagging(int rank, boolean clears, Index index, UpdateRequest update) {}

    /** @param concerned addresses of documents whose tags may be stale; null means all */
    public DuplicateTags(JobWrites job, long[] concerned) {
        this.options = job.run().options();
        this.queries = job.run().queries();
        this.batchSize = job.run().task().pace().scrollSize();
        this.pointInTime = job.run().pointInTime();
        this.table = job.table();
        this.mapping = new TagMapping(options.field());
        this.updates = new TagUpdates(
                options.field(), DocumentScript.mayRun(job.run().services().scripts()));
        this.cluster = job.run().services().cluster();
        this.fingerprinted = Set.copyOf(job.run().fields().indices());
        this.consent = job.consent();
        this.writes = job.bulks();
        this.task = job.run().task();
        this.outcome = job.outcome();
        this.concerned = concerned;
    }

    public void write(List<Group> groups) {
        write(groups, groups);
    }

    /**
     * Tags the groups.
     *
     * @param connected the groups, and others that a new document may have changed: these are tagged only if one of their documents
     *     has a tag that is no longer true
     */
    public void write(List<Group> groups, List<Group> connected) {
        Tags tags = new Tags(connected, groups, table.size());
        clear(tags);
        flush();
        int[] members = IntStream.range(0, table.size()).filter(tags::isMissing).toArray();
        for (int from = 0; from < members.length && outcome.isStopped() == false; from += batchSize) {
            int to = Math.min(members.length, from + batchSize);
            tag(Arrays.copyOfRange(members, from, to), tags);
            flush();
            task.step(to - from);
        }
    }

    /** Skips arrays of fingerprints: a partial update would replace an array by an object. */
    private void tag(int[] members, Tags tags) {
        task.ensureNotCancelled();
        // With their survivors.
        long[] addresses = Arrays.stream(members)
                .flatMap(rank -> IntStream.of(rank, tags.survivors[rank]))
                .distinct()
                .mapToLong(table::address)
                .toArray();
        Map<Integer, SearchHit> read = new HashMap<>();
        SearchSourceBuilder source = new SearchSourceBuilder().fetchSource(options.field(), null);
        pointInTime.read(addresses, source, (address, hit) -> read.put(table.rank(address), hit));
        for (int rank : members) {
            SearchHit hit = read.get(rank);
            if (hit == null) {
                continue;
            }
            if (updates.isOneObject(hit) == false) {
                outcome.doubt(Freshness.State.SEVERAL);
            } else if (updates.isRounded(hit) || updates.isRounded(read.get(tags.survivors[rank]))) {
                outcome.doubt(Freshness.State.ROUNDED);
            } else {
                tagIfFound(rank, table.id(tags.survivors[rank]));
            }
        }
    }

    /** Skips tags that are too long for the index, because stale ones would not be found. */
    private void tagIfFound(int rank, String survivor) {
        int longest = longestId(rank);
        if (survivor.length() <= longest) {
            tag(rank, survivor);
        } else {
            outcome.fail(
                    table.indexOf(rank),
                    table.id(rank),
                    "[tag] needs [" + String.join("] and [", mapping.names())
                            + "] without an [ignore_above] that an id of " + survivor.length()
                            + " characters is above, got: " + longest,
                    RestStatus.BAD_REQUEST);
        }
    }

    private int longestId(int rank) {
        return longestIds.computeIfAbsent(
                table.index(rank),
                index -> mapping.longestId(cluster.state().metadata().index(index)));
    }

    /** Which documents are to be tagged with what, by rank. */
    private static final class Tags {

        /** Negative for documents that are no duplicates. */
        final int[] survivors;

        final boolean[] areRight;

        /** Whether the group of a survivor is to be tagged. */
        private final boolean[] isWanted;

        Tags(List<Group> connected, List<Group> wanted, int documents) {
            survivors = new int[documents];
            areRight = new boolean[documents];
            isWanted = new boolean[documents];
            Arrays.fill(survivors, -1);
            for (Group group : connected) {
                for (int member : group.members()) {
                    survivors[member] = group.survivor();
                }
            }
            wanted.forEach(group -> isWanted[group.survivor()] = true);
        }

        /** A document has a tag that is no longer true. */
        void wrong(int rank) {
            isWanted[survivors[rank] < 0 ? rank : survivors[rank]] = true;
        }

        boolean isMissing(int rank) {
            return survivors[rank] >= 0 && areRight[rank] == false && isWanted[survivors[rank]];
        }
    }

    /** Clears stale tags. */
    private void clear(Tags tags) {
        String[] names = mapping.names().toArray(String[]::new);
        Supplier<SearchSourceBuilder> source =
                () -> new SearchSourceBuilder().fetchSource(names, null).seqNoAndPrimaryTerm(true);
        if (concerned == null) {
            BoolQueryBuilder tagged = new BoolQueryBuilder();
            for (String name : names) {
                tagged.should(new MappedExistsQueryBuilder(name));
            }
            QueryBuilder query =
                    new BoolQueryBuilder().filter(queries.documents()).filter(tagged);
            pointInTime.forEach(source.get().query(query), () -> outcome.isStopped() ? 0 : batchSize, hits -> {
                for (SearchHit hit : hits) {
                    check(hit, pointInTime.address(hit), tags);
                }
            });
        } else {
            for (int from = 0; from < concerned.length && outcome.isStopped() == false; from += batchSize) {
                int to = Math.min(concerned.length, from + batchSize);
                pointInTime.read(
                        Arrays.copyOfRange(concerned, from, to),
                        source.get(),
                        (address, hit) -> check(hit, address, tags));
            }
        }
    }

    private void check(SearchHit hit, long address, Tags tags) {
        task.ensureNotCancelled();
        int rank = table.rank(address);
        String survivor = rank < 0 || tags.survivors[rank] < 0 ? null : table.id(tags.survivors[rank]);
        String expected = survivor == null || survivor.length() > longestId(rank) ? null : survivor;
        boolean isRight = expected != null && updates.isTaggedWith(hit, expected);
        if (rank >= 0 && isRight == false && updates.isTagged(hit)) {
            tags.wrong(rank);
        }
        if (expected != null) {
            tags.areRight[rank] = isRight;
            if (isRight) {
                task.step(1);
            }
        } else if (updates.isTagged(hit) && fingerprinted.contains(hit.getIndex())) {
            if (updates.isOneObject(hit)) {
                add(new Tagging(rank, true, hit.getShard().getShardId().getIndex(), updates.clear(hit)));
            } else {
                outcome.doubt(Freshness.State.SEVERAL);
            }
        }
    }

    private void tag(int rank, String survivor) {
        add(new Tagging(rank, false, table.index(rank), updates.tag(table, rank, survivor)));
    }

    private void add(Tagging tagging) {
        batch.add(tagging);
        if (batch.size() >= batchSize) {
            flush();
        }
    }

    private void flush() {
        List<Tagging> full = batch;
        batch = new ArrayList<>();
        if (outcome.isStopped()) {
            return;
        }
        writes.write(full, this::thoseWanted, Tagging::update, (tagging, answer) -> {
            if (answer.getResult() == DocWriteResponse.Result.UPDATED) {
                outcome.add(tagging.clears() ? JobCount.CLEARED : JobCount.TAGGED, 1);
                task.written(1);
            }
        });
        if (full.stream().allMatch(Tagging::clears)) {
            task.step(0); // Not counted as steps.
        }
    }

    /** Documents whose index is gone are conflicts: an update would create it again. */
    private List<Tagging> thoseWanted(List<Tagging> taggings) {
        List<Tagging> there = taggings.stream()
                .filter(tagging -> cluster.state().metadata().index(tagging.index) != null)
                .toList();
        outcome.add(JobCount.VERSION_CONFLICTS, taggings.size() - there.size());
        IntPredicate wanted = consent.to(there.stream().mapToInt(Tagging::rank));
        return there.stream().filter(tagging -> wanted.test(tagging.rank)).toList();
    }
}
