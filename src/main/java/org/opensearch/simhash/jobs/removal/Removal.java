/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.removal.Removal.WatchedDeletes.Fate;
import org.opensearch.simhash.jobs.removal.Survivors.Duplicate;
import org.opensearch.simhash.jobs.removal.Survivors.DurableVersions;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.JobWrites;
import org.opensearch.simhash.jobs.write.TagUpdates.TagMapping;

/**
 * Deletes near-duplicates, batch by batch:
 *
 * <ol>
 *   <li>reads the documents and their survivors, and leaves out those with stale evidence ({@link FreshEvidence}),
 *   <li>copies them into the archive until the copies are durable,
 *   <li>confirms that the survivors are unchanged and durable,
 *   <li>deletes each document on condition that it is unchanged,
 *   <li>confirms the survivors again, and puts documents back if theirs changed.
 * </ol>
 *
 * <p>A document that failed or changed stays, and its copy is taken back. A run that ends early may leave copies of existing
 * documents; the next run replaces them.
 */
public final class Removal {

    /** Few, because a crash of the job's node may come between a bulk and the check of its survivors. */
    private static final int MOST_DELETES = 1_000;

    private static final long NO_TERM = SequenceNumbers.UNASSIGNED_PRIMARY_TERM;

    private final JobWrites job;
    private final DocumentTable table;

    private final ArchiveCopies archive;

    private final ReadSlices slices;
    private final FreshEvidence evidence;
    private final Survivors survivors;
    private final PutBack putBack;
    private final JobTask task;
    private final JobOutcome outcome;
    private final ClusterService cluster;

    /** Of the shards of the duplicates, before the last request. */
    private final Map<ShardId, Long> primaryTerms = new HashMap<>();

    /** @param comparesPairs whether nobody has compared each duplicate with its survivor before */
    public Removal(JobWrites job, boolean comparesPairs) {
        JobRun run = job.run();
        this.job = job;
        this.task = run.task();
        this.table = job.table();
        this.cluster = run.services().cluster();
        Retries retries = task.retries();
        DurableVersions versions = new DurableVersions(run.client(), cluster, retries);
        this.evidence = new FreshEvidence(job, comparesPairs);
        this.survivors = new Survivors(job, versions);
        this.putBack = new PutBack(job);
        RetriedGets gets = new RetriedGets(run.client(), retries, job.outcome());
        this.archive = run.options().archive() == null ? null : new ArchiveCopies(job, versions, gets);
        this.slices = new ReadSlices(run.memory(), retries);
        this.outcome = job.outcome();
    }

    /** Maps tags, and names of documents that are kept apart, where documents get them, and creates the archive. */
    public static void prepare(JobRun run, boolean areTagged, List<String> changed, List<String> written) {
        DeduplicateOptions options = run.options();
        if (areTagged) {
            new TagMapping(options.field(), options.sizeField())
                    .complete(run.client(), run.services().state().metadata(), changed);
        }
        if (options.archive() != null) {
            ArchiveIndex.create(run.client(), run.services().cluster(), options.archive(), run.task());
            written.add(options.archive());
        }
        written.addAll(changed);
    }

    /** Gives survivors the values of their groups, and deletes the duplicates if the job does. The last writes of documents. */
    public static void change(JobWrites job, List<Group> groups, boolean comparesPairs) {
        // A value that only a duplicate has must be safe before that goes.
        List<Group> merged = new Merging(job).write(groups);
        if (job.run().options().action() == DeduplicateOptions.Action.DELETE) {
            new Removal(job, comparesPairs).write(merged);
        }
    }

    private void write(List<Group> groups) {
        List<Duplicate> batch = new ArrayList<>();
        for (Group group : groups) {
            for (int member : group.members()) {
                boolean isLeft = outcome.isWritable(table.indexOf(member)) == false;
                if (isLeft || job.mayEnd(member, group.survivor()) == false) {
                    outcome.add(isLeft ? JobCount.READ_ONLY : JobCount.NOT_SIMILAR, 1);
                    task.step(1);
                    continue;
                }
                batch.add(new Duplicate(member, group.survivor()));
                if (batch.size() >= Math.min(MOST_DELETES, task.pace().pageSize())) {
                    remove(batch);
                    batch.clear();
                }
            }
        }
        remove(batch);
    }

    private void remove(List<Duplicate> batch) {
        for (int from = 0; from < batch.size() && outcome.isStopped() == false; ) {
            task.ensureNotCancelled();
            try (ReadSlices.Slice slice = slices.next()) {
                List<Duplicate> rest = batch.subList(from, batch.size());
                Map<Integer, SearchHit> documents = read(rest, slice);
                List<Duplicate> read = rest.stream()
                        .filter(duplicate -> documents.containsKey(duplicate.rank()))
                        .toList();
                List<Duplicate> fresh = evidence.of(read, documents);
                if (archive == null) {
                    delete(fresh, documents);
                } else {
                    archive.takeBack(delete(archive.copy(fresh, documents), documents));
                }
                from += slice.size();
                task.step(slice.size());
            }
        }
    }

    /** Reads as many of the first as fit the slice, by rank. They stay in memory until their survivors are confirmed. */
    private Map<Integer, SearchHit> read(List<Duplicate> batch, ReadSlices.Slice slice) {
        Map<Integer, SearchHit> documents = new LinkedHashMap<>();
        long[] addresses = batch.stream()
                .mapToLong(duplicate -> table.address(duplicate.rank()))
                .toArray();
        slice.read(
                job.run().pointInTime(),
                addresses,
                evidence::whole,
                (address, hit) -> documents.put(table.rank(address), hit),
                outcome::noRoom);
        return documents;
    }

    /** Returns the documents that certainly exist. */
    private Collection<Duplicate> delete(List<Duplicate> removable, Map<Integer, SearchHit> documents) {
        WatchedDeletes deletes = new WatchedDeletes(removable, new ArchiveGuard(documents));
        try {
            send(removable, deletes);
        } catch (RuntimeException e) {
            if (archive != null) {
                archive.takeBackAfter(e, deletes.kept());
            }
            throw e;
        }
        return deletes.kept();
    }

    private void send(List<Duplicate> removable, WatchedDeletes deletes) {
        try {
            // Survivors may change while the request waits.
            job.bulks()
                    .send(
                            removable,
                            deletes::next,
                            this::deletion,
                            (duplicate, answer) -> deletes.answered(duplicate, fate(duplicate, answer)));
        } finally {
            deletes.settle();
        }
    }

    private Fate fate(Duplicate duplicate, BulkItemResponse answer) {
        if (job.bulks().succeeded(answer)) {
            return Fate.GONE;
        }
        // OpenSearch sends it again to a new primary: what the lost one deleted is a conflict then.
        ShardId shard = table.shard(duplicate.rank());
        boolean isOfOnePrimary = primaryTerm(shard) == primaryTerms.getOrDefault(shard, NO_TERM);
        return BulkWrites.isRefused(answer) && isOfOnePrimary ? Fate.KEPT : Fate.UNSURE;
    }

    private long primaryTerm(ShardId shard) {
        IndexMetadata index = cluster.state().metadata().index(shard.getIndex());
        return index == null ? NO_TERM : index.primaryTerm(shard.id());
    }

    private DeleteRequest deletion(Duplicate duplicate) {
        int rank = duplicate.rank();
        return new DeleteRequest(table.indexOf(rank), table.id(rank))
                .routing(table.routing(rank))
                .setIfSeqNo(table.sequenceNumber(rank))
                .setIfPrimaryTerm(table.primaryTerm(rank));
    }

    private final class ArchiveGuard implements WatchedDeletes.Guard {

        private final Map<Integer, SearchHit> documents;

        ArchiveGuard(Map<Integer, SearchHit> documents) {
            this.documents = documents;
        }

        @Override
        public List<Duplicate> confirmed(List<Duplicate> batch) {
            primaryTerms.clear();
            batch.forEach(duplicate ->
                    primaryTerms.computeIfAbsent(table.shard(duplicate.rank()), Removal.this::primaryTerm));
            List<Duplicate> confirmed = survivors.confirmed(batch);
            if (archive != null) {
                archive.requireThere();
            }
            return job.wanted(confirmed, Duplicate::rank);
        }

        @Override
        public Collection<Duplicate> orphans(Collection<Duplicate> gone) {
            return survivors.orphans(gone);
        }

        @Override
        public Collection<Duplicate> putBack(Collection<Duplicate> orphans) {
            return putBack.create(orphans, documents);
        }

        @Override
        public void deleted(int count) {
            outcome.add(JobCount.DELETED, count);
            task.written(count);
        }
    }

    /**
     * The deletes of one bulk, watched by checks of the survivors before and after. A delete is final if the survivor was confirmed
     * after it. Any other document that was or may have been deleted is put back. Independent of nodes. One thread.
     */
    static final class WatchedDeletes {

        interface Guard {

            /** The documents whose survivor is unchanged and durable. */
            List<Duplicate> confirmed(List<Duplicate> batch);

            /** The documents whose survivor has changed or cannot be asked. Must not fail. */
            Collection<Duplicate> orphans(Collection<Duplicate> gone);

            /** Creates documents again and returns those that certainly exist. Must not fail. */
            Collection<Duplicate> putBack(Collection<Duplicate> orphans);

            void deleted(int documents);
        }

        enum Fate {
            GONE,
            KEPT,
            /** The delete failed, but may have been carried out. */
            UNSURE
        }

        private final Guard guard;
        private final Set<Duplicate> kept;

        /** Since the last check of the survivors. */
        private final Set<Duplicate> sent = new LinkedHashSet<>();

        private final Set<Duplicate> gone = new LinkedHashSet<>();

        WatchedDeletes(Collection<Duplicate> batch, Guard guard) {
            this.guard = guard;
            this.kept = new LinkedHashSet<>(batch);
        }

        /**
         * The documents of the next request. Settles the last one.
         *
         * @param rest not sent yet, or rejected for lack of room
         */
        List<Duplicate> next(List<Duplicate> rest) {
            rest.forEach(sent::remove);
            settle();
            List<Duplicate> confirmed = guard.confirmed(rest);
            sent.addAll(confirmed);
            return confirmed;
        }

        /** A document without an answer is {@link Fate#UNSURE}. */
        void answered(Duplicate duplicate, Fate fate) {
            if (fate == Fate.KEPT) {
                sent.remove(duplicate);
            } else if (fate == Fate.GONE) {
                gone.add(duplicate);
            }
        }

        /** Checks the survivors of sent deletes and puts documents back. Must be called at the end, even after a failure. */
        void settle() {
            if (sent.isEmpty()) {
                return;
            }
            List<Duplicate> settled = new ArrayList<>(sent);
            sent.clear();
            Collection<Duplicate> orphans = guard.orphans(settled);
            Collection<Duplicate> back = orphans.isEmpty() ? orphans : guard.putBack(orphans);
            settled.removeAll(Set.copyOf(back));
            settled.forEach(kept::remove);
            guard.deleted((int) settled.stream().filter(gone::contains).count());
        }

        /** The documents that certainly exist. */
        Set<Duplicate> kept() {
            return kept;
        }
    }
}
