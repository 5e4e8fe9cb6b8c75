/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.archive.ArchivedSource;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.removal.Survivors.Duplicate;
import org.opensearch.simhash.jobs.removal.Survivors.DurableVersions;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.JobWrites;
import org.opensearch.simhash.jobs.write.TagUpdates.TagMapping;
import org.opensearch.simhash.search.ingest.DocumentValues;

/**
 * Gives survivors the values that some fields have in their groups: first those of the survivor, then those of the members in the
 * order of their ranks, each once. A survivor that lacks none is not written. The others are copied into the archive until the
 * copy is durable, then written on condition that they are unchanged. One thread, which blocks.
 *
 * <p>The copy says what its document becomes. So a restore knows, whenever the job has ended, whether somebody has changed it since.
 */
public final class Merging {

    /** Of one field, in one group. */
    static final int MOST_VALUES = 10_000;

    private static final int PAGE = 1_000;
    private static final int VALUE_BYTES = 64;

    private final DeduplicateOptions options;
    private final List<String> ofTags;
    private final DocumentTable table;

    private final ArchiveCopies archive;

    private final RetriedGets gets;
    private final ReadSlices slices;
    private final JobTask task;
    private final JobOutcome outcome;
    private final JobWrites job;

    /** Survivors that lack a value of their group and could not be given it. */
    private final Set<Integer> unsafe = new HashSet<>();

    /** A survivor with the values that it is to have, and with its source then. */
    private record Merged(int rank, BytesReference source, List<String> hashes) {}

    public Merging(JobWrites job) {
        this.job = job;
        this.options = job.run().options();
        this.table = job.table();
        this.task = job.run().task();
        this.outcome = job.outcome();
        this.gets = new RetriedGets(job.run().client(), task.retries(), outcome);
        this.slices = new ReadSlices(job.run().memory(), task.retries());
        DurableVersions versions =
                new DurableVersions(job.run().client(), job.run().services().cluster(), task.retries());
        boolean isArchived = options.merge().isEmpty() == false && options.archive() != null;
        this.archive = isArchived ? new ArchiveCopies(job, versions, gets) : null;
        TagMapping tags = new TagMapping(options.field(), options.sizeField());
        this.ofTags = Stream.concat(tags.names().stream(), Stream.ofNullable(options.sizeField()))
                .toList();
    }

    /** Returns the groups whose survivors have all values: no others may lose a document. */
    public List<Group> write(List<Group> groups) {
        if (options.merge().isEmpty()) {
            return groups;
        }
        List<Group> batch = new ArrayList<>();
        int members = 0;
        for (Group group : groups) {
            batch.add(group);
            members += group.size();
            if (members >= PAGE) {
                merge(batch);
                batch.clear();
                members = 0;
            }
        }
        merge(batch);
        return groups.stream()
                .filter(group -> unsafe.contains(group.survivor()) == false)
                .toList();
    }

    private void merge(List<Group> batch) {
        if (outcome.isStopped()) {
            batch.forEach(group -> unsafe.add(group.survivor()));
            return;
        }
        try (Account memory = new Account(job.run().memory())) {
            Map<Integer, Map<String, Set<Object>>> lacking = new LinkedHashMap<>();
            for (Group group : batch) {
                Map<String, Set<Object>> values = new HashMap<>();
                if (collect(group, values, memory)) {
                    lacking.put(group.survivor(), values);
                }
            }
            // Until they are written.
            unsafe.addAll(lacking.keySet());
            lacking.keySet().removeIf(survivor -> {
                boolean isLeft = outcome.isWritable(table.indexOf(survivor)) == false;
                outcome.add(JobCount.READ_ONLY, isLeft ? 1 : 0);
                return isLeft;
            });
            write(List.copyOf(lacking.keySet()), lacking);
        }
    }

    /** Collects the values of a group by field, and returns whether its survivor lacks some. */
    private boolean collect(Group group, Map<String, Set<Object>> values, Account memory) {
        int survivor = group.survivor();
        int[] ranks = group.ranks()
                .filter(rank -> rank == survivor || job.mayEnd(rank, survivor))
                .toArray();
        boolean lacks = false;
        for (int from = 0; from < ranks.length; from += PAGE) {
            task.ensureNotCancelled();
            int[] page = Arrays.copyOfRange(ranks, from, Math.min(ranks.length, from + PAGE));
            Map<Integer, Map<String, Object>> read = new HashMap<>();
            SearchSourceBuilder source =
                    new SearchSourceBuilder().fetchSource(options.merge().toArray(String[]::new), null);
            long[] addresses =
                    Arrays.stream(page).mapToLong(table::address).sorted().toArray();
            BiConsumer<Long, SearchHit> put =
                    (address, hit) -> read.put(table.rank(address), hit.hasSource() ? hit.getSourceAsMap() : Map.of());
            job.run().pointInTime().read(addresses, source, put);
            for (int rank : page) {
                for (String field : options.merge()) {
                    Set<Object> ofField = values.computeIfAbsent(field, any -> new LinkedHashSet<>());
                    for (Object value : DocumentValues.at(field, read.getOrDefault(rank, Map.of()))) {
                        if (ofField.add(value)) {
                            memory.take(VALUE_BYTES + 2L * value.toString().length());
                            lacks |= rank != group.survivor();
                        }
                    }
                    if (ofField.size() > MOST_VALUES) {
                        unsafe.add(group.survivor());
                        job.fail(
                                group.survivor(),
                                "[merge] would give it more than " + MOST_VALUES + " values of [" + field + "]",
                                RestStatus.BAD_REQUEST);
                        return false;
                    }
                }
            }
        }
        return lacks;
    }

    private void write(List<Integer> survivors, Map<Integer, Map<String, Set<Object>>> values) {
        for (int from = 0; from < survivors.size() && outcome.isStopped() == false; ) {
            task.ensureNotCancelled();
            try (ReadSlices.Slice slice = slices.next()) {
                List<Integer> rest = survivors.subList(from, survivors.size());
                Map<Integer, SearchHit> read = new LinkedHashMap<>();
                slice.read(
                        job.run().pointInTime(),
                        rest.stream().mapToLong(table::address).toArray(),
                        () -> new SearchSourceBuilder().fetchSource(true).version(true),
                        (address, hit) -> read.put(table.rank(address), hit),
                        outcome::noRoom);
                write(read, values);
                from += slice.size();
            }
        }
    }

    private void write(Map<Integer, SearchHit> read, Map<Integer, Map<String, Set<Object>>> values) {
        Map<Integer, Merged> merged = new LinkedHashMap<>();
        gets.get(
                job.wanted(List.copyOf(read.keySet()), rank -> rank),
                job::get,
                (rank, found) -> {
                    if (job.isUnchanged(rank, found) && found.isSourceEmpty() == false) {
                        keepApart(found.getSourceAsMap(), read.get(rank));
                        prepare(rank, found.getSourceAsMap(), values.get(rank), merged);
                    } else {
                        outcome.add(JobCount.VERSION_CONFLICTS, 1);
                    }
                },
                (rank, reason, status) -> job.fail(rank, "not read: " + reason.getMessage(), status));
        List<Duplicate> batch =
                merged.keySet().stream().map(rank -> new Duplicate(rank, rank)).toList();
        List<Duplicate> copied = archive == null
                ? batch
                : archive.copy(batch, read, rank -> Map.of(ArchiveIndex.MERGED, merged.get(rank).hashes));
        List<Duplicate> refused = new ArrayList<>();
        List<Duplicate> conflicts = new ArrayList<>();
        job.bulks()
                .send(
                        copied,
                        this::stillWanted,
                        survivor -> request(merged.get(survivor.rank())),
                        (survivor, answer) -> {
                            if (answer.isFailed() == false) {
                                done(
                                        survivor.rank(),
                                        answer.getResponse().getSeqNo(),
                                        answer.getResponse().getPrimaryTerm());
                            } else if (BulkWrites.isConflict(answer)) {
                                conflicts.add(survivor);
                            } else {
                                job.bulks().fail(answer);
                                if (BulkWrites.isRefused(answer)) {
                                    refused.add(survivor);
                                }
                            }
                        });
        refused.addAll(unwritten(conflicts, merged));
        if (archive != null && refused.isEmpty() == false) {
            archive.takeBack(refused);
        }
    }

    private List<Duplicate> stillWanted(List<Duplicate> survivors) {
        if (archive != null) {
            archive.requireThere();
        }
        return job.wanted(survivors, Duplicate::rank);
    }

    private void done(int rank, long sequenceNumber, long primaryTerm) {
        table.written(rank, sequenceNumber, primaryTerm);
        unsafe.remove(rank);
        outcome.add(JobCount.MERGED, 1);
        task.written(1);
    }

    /** Those that somebody else has changed. What a lost primary has written is a conflict, too, when OpenSearch sends it again. */
    private List<Duplicate> unwritten(List<Duplicate> conflicts, Map<Integer, Merged> merged) {
        List<Duplicate> others = new ArrayList<>();
        gets.get(
                conflicts,
                survivor -> job.get(survivor.rank()),
                (survivor, found) -> {
                    int rank = survivor.rank();
                    boolean isWritten = found.isExists()
                            && found.isSourceEmpty() == false
                            && ArchivedSource.hash(found.getSourceAsBytesRef(), List.of())
                                    .equals(merged.get(rank).hashes.getFirst());
                    if (isWritten) {
                        done(rank, found.getSeqNo(), found.getPrimaryTerm());
                    } else {
                        outcome.add(JobCount.VERSION_CONFLICTS, 1);
                        others.add(survivor);
                    }
                },
                (survivor, reason, status) -> outcome.add(JobCount.VERSION_CONFLICTS, 1));
        return others;
    }

    /** A restore takes back values, not what people decided: the copy names what the job has written since the document was read. */
    private void keepApart(Map<String, Object> now, SearchHit copied) {
        String path = options.field() + "." + FingerprintFields.APART;
        List<Object> names = DocumentValues.at(path, now);
        if (names.equals(DocumentValues.at(path, copied.getSourceAsMap())) == false
                && put(copied.getSourceAsMap(), path, new LinkedHashSet<>(names))) {
            copied.sourceRef(ArchivedSource.json(copied.getSourceAsMap()));
        }
    }

    private void prepare(
            int rank, Map<String, Object> source, Map<String, Set<Object>> values, Map<Integer, Merged> merged) {
        for (Map.Entry<String, Set<Object>> field : values.entrySet()) {
            int before = Set.copyOf(DocumentValues.at(field.getKey(), source)).size();
            if (before < field.getValue().size() && put(source, field.getKey(), field.getValue()) == false) {
                job.fail(
                        rank,
                        "[merge] must name a field of the document or of its objects, got: [" + field.getKey()
                                + "], which is below another value or in several objects",
                        RestStatus.BAD_REQUEST);
                return;
            }
        }
        BytesReference json = ArchivedSource.json(source);
        merged.put(
                rank,
                new Merged(
                        rank, json, List.of(ArchivedSource.hash(json, List.of()), ArchivedSource.hash(json, ofTags))));
    }

    /** Puts the values where the document has the field, under names with dots, too. Returns whether that is one place. */
    @SuppressWarnings("unchecked") // from JSON
    private static boolean put(Map<String, Object> object, String path, Set<Object> values) {
        List<String> names = new ArrayList<>();
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            if (object.containsKey(path.substring(0, dot))) {
                names.add(path.substring(0, dot));
            }
        }
        boolean isHere = object.containsKey(path);
        int dot = path.indexOf('.');
        if (names.size() + (isHere ? 1 : 0) > 1) {
            return false;
        }
        if (isHere || dot < 0) {
            object.put(path, values.size() == 1 ? values.iterator().next() : new ArrayList<>(values));
            return true;
        }
        String name = names.isEmpty() ? path.substring(0, dot) : names.getFirst();
        Object below = object.computeIfAbsent(name, any -> new HashMap<>());
        return below instanceof Map<?, ?>
                && put((Map<String, Object>) below, path.substring(name.length() + 1), values);
    }

    private IndexRequest request(Merged merged) {
        int rank = merged.rank;
        return BulkWrites.asItIs(new IndexRequest(table.indexOf(rank))
                .id(table.id(rank))
                .routing(table.routing(rank))
                .source(merged.source, XContentType.JSON)
                .setIfSeqNo(table.sequenceNumber(rank))
                .setIfPrimaryTerm(table.primaryTerm(rank)));
    }
}
