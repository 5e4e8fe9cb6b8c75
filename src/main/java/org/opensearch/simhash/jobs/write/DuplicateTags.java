/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.common.UUIDs;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.arrivals.ending.Obstacle;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.groups.GroupNames;
import org.opensearch.simhash.core.groups.GroupNames.NamePool;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.script.DocumentScript;
import org.opensearch.simhash.jobs.write.TagUpdates.Tag;
import org.opensearch.simhash.jobs.write.TagUpdates.TagMapping;
import org.opensearch.simhash.search.ingest.DocumentValues;

/**
 * Writes the tags of groups: the id of its group into each member, and the survivor into each duplicate. Clears the tags of documents
 * that are in no group, or gives these an id of their own. First it reads what documents carry, then it {@link #write}s those that
 * are not right yet. Each write is a partial update on condition that the document is unchanged, without ingest pipelines.
 *
 * <p>Ids are written before the other parts. So where an id was kept by the sequence numbers of documents, these stay until the
 * others have theirs, and an interrupted run that starts again gives the same ids.
 */
public final class DuplicateTags {

    /** An id of OpenSearch is not longer, so what is longer is no id of a group. */
    private static final int LONGEST_NAME = 512;

    /** Ids per query. An index may limit a query to 65,536 terms. */
    private static final int NAMES = 10_000;

    /** Documents of a search that is not followed by writes. */
    private static final int PAGE = 1_000;

    private final JobWrites job;
    private final JobRun run;
    private final DocumentTable table;
    private final TagMapping mapping;
    private final TagUpdates updates;
    private final Map<Index, Longest> longest = new HashMap<>();
    private final long[] concerned;
    private final NamePool takenBefore;
    private final GroupNames names;

    /** Ranks of survivors by rank of the member, survivors included; negative for documents in no group. */
    private final int[] survivors;

    /** Sizes of groups, by rank of the survivor. */
    private final int[] sizes;

    /** By rank. */
    private final FixedBitSet areTagged;

    /** Whether all but the id is right, by rank. */
    private final FixedBitSet areRight;

    /** Whether the group of a survivor is to be tagged. */
    private final FixedBitSet areWanted;

    /** Addresses of documents in no group whose tag is not right. */
    private final LongStream.Builder toWrite = LongStream.builder();

    /** Of those of them whose id another document has. */
    private final LongStream.Builder toRename = LongStream.builder();

    private long[] alone;
    private long[] displaced;

    private long namedAlone;
    private final Changes changes;
    private List<Tagging> batch = new ArrayList<>();

    private record Longest(int group, int duplicateOf) {}

    /**
     * What becomes of the ids of groups, and of documents that are groups of their own.
     *
     * @param merged groups that kept an id, and have members that had another one
     * @param split ids for documents whose id another group has kept
     */
    public record Changes(long created, long merged, long split, long gone) {

        public static final Changes NONE = new Changes(0, 0, 0, 0);

        public Changes and(Changes others) {
            return new Changes(
                    created + others.created, merged + others.merged, split + others.split, gone + others.gone);
        }

        public void addTo(Map<String, Long> counts) {
            counts.put("groups_new", created);
            counts.put("groups_merged", merged);
            counts.put("groups_split", split);
            counts.put("groups_gone", gone);
        }
    }

    private record Tagging(SearchHit hit, Tag wanted) {}

    /**
     * Reads what documents carry, and gives the groups their ids. Blocks.
     *
     * @param connected the groups, and others that a new document may have changed: these are tagged only if one of their documents
     *     has a tag that is no longer true
     * @param concerned addresses of documents whose tags may be stale; null means all
     * @param takenBefore the ids of groups that were written before, which grow by those of these groups; null if there are none
     */
    public DuplicateTags(
            JobWrites job, List<Group> groups, List<Group> connected, long[] concerned, NamePool takenBefore) {
        this.job = job;
        this.run = job.run();
        this.table = job.table();
        DeduplicateOptions options = run.options();
        this.mapping = new TagMapping(options.field(), options.sizeField());
        boolean runScripts = DocumentScript.mayRun(run.services().scripts());
        this.updates = new TagUpdates(options.field(), options.sizeField(), runScripts);
        this.concerned = concerned;
        this.takenBefore = takenBefore;
        int documents = table.size();
        run.memory().take(2L * Integer.BYTES * documents + 3L * documents / Byte.SIZE);
        this.names = new GroupNames(documents, run.memory());
        this.survivors = new int[documents];
        this.sizes = new int[documents];
        this.areTagged = new FixedBitSet(documents);
        this.areRight = new FixedBitSet(documents);
        this.areWanted = new FixedBitSet(documents);
        read(groups, connected);
        this.changes = changes(connected);
    }

    private void read(List<Group> groups, List<Group> connected) {
        Arrays.fill(survivors, -1);
        for (Group group : connected) {
            survivors[group.survivor()] = group.survivor();
            sizes[group.survivor()] = group.size();
            for (int member : group.members()) {
                survivors[member] = group.survivor();
            }
        }
        groups.forEach(group -> areWanted.set(group.survivor()));
        readAll();
        takeElsewhere();
        names.assign(connected, table::sequenceNumber, UUIDs::base64UUID);
        if (takenBefore != null) {
            connected.forEach(group -> takenBefore.add(names.of(group.survivor())));
        }
        for (long address : names.displaced()) {
            displace(address);
        }
        displaced = toRename.build().sorted().distinct().toArray();
        alone = toWrite.build().sorted().distinct().toArray();
        for (int rank = 0; rank < survivors.length; rank++) {
            if (isRight(rank)) {
                run.task().step(1);
            } else if (survivors[rank] >= 0 && areTagged.get(rank)) {
                areWanted.set(survivors[rank]);
            }
        }
    }

    private boolean isRight(int rank) {
        return survivors[rank] >= 0
                && (table.isOther(rank) || (areRight.get(rank) && names.isKept(rank, survivors[rank])));
    }

    private Changes changes(List<Group> connected) {
        long created = namedAlone;
        long merged = 0;
        long split = displaced.length;
        for (Group group : connected) {
            if (areWanted.get(group.survivor())) {
                boolean isSplit = names.splitFrom(group).isEmpty() == false;
                created += isSplit || names.isOld(group) ? 0 : 1;
                merged += names.mergedFrom(group).isEmpty() ? 0 : 1;
                split += isSplit ? 1 : 0;
            }
        }
        return new Changes(created, merged, split, names.gone());
    }

    public Changes changes() {
        return changes;
    }

    GroupNames names() {
        return names;
    }

    private void readAll() {
        List<String> read = new ArrayList<>(List.of(updates.names()));
        boolean isAll = run.options().groups() == DeduplicateOptions.Groups.ALL;
        List<String> prints = prints();
        if (isAll) {
            read.addAll(prints);
        }
        SearchSourceBuilder source = new SearchSourceBuilder()
                .fetchSource(read.toArray(String[]::new), null)
                .seqNoAndPrimaryTerm(true);
        if (concerned == null) {
            BoolQueryBuilder any = new BoolQueryBuilder();
            mapping.names().forEach(name -> any.should(JobQuery.exists(name)));
            if (isAll) {
                prints.forEach(name -> any.should(JobQuery.exists(name)));
            }
            BoolQueryBuilder query =
                    new BoolQueryBuilder().filter(run.queries().path()).filter(any);
            run.pointInTime().forEach(source.query(query), PAGE, hits -> {
                for (SearchHit hit : hits) {
                    look(hit, run.pointInTime().address(hit));
                }
            });
        } else {
            source.postFilter(
                    run.queries().against() == null ? null : run.queries().path());
            run.pointInTime().read(concerned, source, (address, hit) -> look(hit, address));
        }
        lookAtOthers();
    }

    /** A survivor of the other side stays as it is, and gives the id that it carries to its group. */
    private void lookAtOthers() {
        long[] addresses = IntStream.range(0, table.size())
                .filter(rank -> table.isOther(rank) && survivors[rank] == rank)
                .mapToLong(table::address)
                .sorted()
                .toArray();
        run.pointInTime()
                .read(addresses, new SearchSourceBuilder().fetchSource(updates.names(), null), (address, hit) -> {
                    String name = name(updates.tag(hit));
                    if (name != null) {
                        names.keep(table.rank(address), name);
                    }
                });
    }

    private List<String> prints() {
        return Stream.of(run.options().kind().part(), FingerprintFields.DIGEST, FingerprintFields.BITS_256)
                .map(part -> run.options().field() + "." + part)
                .toList();
    }

    private void look(SearchHit hit, long address) {
        int rank = table.rank(address);
        Tag tag = updates.tag(hit);
        String name = name(tag);
        if (rank >= 0 && table.isOther(rank)) {
            return;
        }
        if (rank >= 0 && survivors[rank] >= 0 && isFound(rank, survivors[rank])) {
            if (tag.isNone() == false) {
                areTagged.set(rank);
            }
            if (name != null) {
                names.carry(rank, name);
            }
            if (wanted(rank, tag.group()).equals(tag)) {
                areRight.set(rank);
            }
        } else if (run.fields().indices().contains(hit.getIndex())) {
            lookAtOneAlone(hit, address, tag, name);
        }
    }

    /** Null if the document carries no id that a group can have. */
    private static String name(Tag tag) {
        return tag.group() instanceof String name && name.isEmpty() == false && name.length() <= LONGEST_NAME
                ? name
                : null;
    }

    private void lookAtOneAlone(SearchHit hit, long address, Tag tag, String name) {
        boolean isNamed = isNamedAlone(hit);
        boolean isWritable = job.outcome().isWritable(hit.getIndex());
        if (isWritable == false && name != null) {
            names.takenElsewhere(names.lose(name));
        }
        if (isWritable == false || (isNamed == false && tag.isNone())) {
            return;
        }
        if (updates.isOneObject(hit) == false) {
            job.outcome().stays(Obstacle.SEVERAL);
        } else if (isNamed && name != null) {
            long loser = names.carryAlone(address, name, hit.getSeqNo());
            if (loser >= 0) {
                displace(loser);
            }
            if (tag.duplicateOf() != null || tag.size() != null) {
                add(address);
            }
        } else {
            if (name != null) {
                names.lose(name);
            }
            namedAlone += isNamed ? 1 : 0;
            add(address);
        }
    }

    /** Whether a document in no group has an id of its own. */
    private boolean isNamedAlone(SearchHit hit) {
        return run.options().groups() == DeduplicateOptions.Groups.ALL
                && hit.hasSource()
                && prints().stream()
                        .anyMatch(print ->
                                DocumentValues.at(print, hit.getSourceAsMap()).isEmpty() == false);
    }

    private void add(long address) {
        run.memory().take(2 * Long.BYTES);
        toWrite.add(address);
    }

    private void displace(long address) {
        toRename.add(address);
        add(address);
    }

    /** Groups that are not looked at are not written, so they keep their ids. One that is decided in part is where its survivor is. */
    private void takeElsewhere() {
        for (int number = 0; takenBefore != null && number < names.size(); number++) {
            if (takenBefore.has(names.get(number))) {
                names.takenElsewhere(number);
            }
        }
        if (concerned == null) {
            return;
        }
        String group = run.options().field() + "." + FingerprintFields.GROUP;
        for (int from = 0; from < names.size(); from += NAMES) {
            Map<String, Integer> some = new HashMap<>();
            IntStream.range(from, Math.min(names.size(), from + NAMES))
                    .forEach(number -> some.put(names.get(number), number));
            BoolQueryBuilder carriers = new BoolQueryBuilder()
                    .filter(run.queries().documents())
                    .filter(JobQuery.whole(group, some.keySet()));
            SearchSourceBuilder source =
                    new SearchSourceBuilder().query(carriers).fetchSource(updates.names(), null);
            run.pointInTime().forEach(source, PAGE, hits -> {
                for (SearchHit hit : hits) {
                    Tag tag = updates.tag(hit);
                    boolean stays = takenBefore == null || tag.duplicateOf() == null;
                    long address = run.pointInTime().address(hit);
                    if (stays && some.containsKey(tag.group()) && Arrays.binarySearch(concerned, address) < 0) {
                        names.takenElsewhere(some.get(tag.group()));
                    }
                }
            });
        }
    }

    private Tag wanted(int rank, Object group) {
        int survivor = survivors[rank];
        boolean isSurvivor = survivor == rank;
        return new Tag(
                group,
                isSurvivor ? null : table.id(survivor),
                isSurvivor && run.options().sizeField() != null ? sizes[survivor] : null);
    }

    /** Whether the index of a document finds the tag. Stale tags would not be found. */
    private boolean isFound(int rank, int survivor) {
        return rank == survivor || table.id(survivor).length() <= longest(rank).duplicateOf;
    }

    private Longest longest(int rank) {
        return longest.computeIfAbsent(table.index(rank), index -> {
            var metadata = run.services().state().metadata().index(index);
            return new Longest(
                    mapping.longestId(metadata, FingerprintFields.GROUP),
                    mapping.longestId(metadata, FingerprintFields.DUPLICATE_OF));
        });
    }

    /** @param remembered is told the new versions of documents */
    public void write(RememberedPairs remembered) {
        for (int from = 0, to; from < alone.length && job.outcome().isStopped() == false; from = to) {
            to = Math.min(alone.length, from + run.task().pace().pageSize());
            writeAlone(Arrays.copyOfRange(alone, from, to), remembered);
        }
        write(rank -> names.isKept(rank, survivors[rank]) == false, remembered);
        write(rank -> names.isKept(rank, survivors[rank]), remembered);
    }

    private void writeAlone(long[] addresses, RememberedPairs remembered) {
        Stream<String> read = Stream.concat(Arrays.stream(updates.names()), prints().stream());
        SearchSourceBuilder source = new SearchSourceBuilder()
                .fetchSource(read.toArray(String[]::new), null)
                .seqNoAndPrimaryTerm(true);
        run.pointInTime().read(addresses, source, (address, hit) -> {
            Tag wanted = Tag.NONE;
            if (isNamedAlone(hit)) {
                Tag tag = updates.tag(hit);
                boolean isKept = name(tag) != null && Arrays.binarySearch(displaced, address) < 0;
                wanted = new Tag(isKept ? name(tag) : UUIDs.base64UUID(), null, tag.isNone() ? tag.size() : null);
            }
            batch.add(new Tagging(hit, wanted));
        });
        flush(remembered);
        run.task().step(0); // Not counted as steps.
    }

    private void write(IntPredicate which, RememberedPairs remembered) {
        int[] members = IntStream.range(0, survivors.length)
                .filter(rank -> survivors[rank] >= 0 && areWanted.get(survivors[rank]))
                .filter(rank -> isRight(rank) == false && which.test(rank))
                .toArray();
        for (int from = 0, to; from < members.length && job.outcome().isStopped() == false; from = to) {
            to = Math.min(members.length, from + run.task().pace().pageSize());
            write(Arrays.copyOfRange(members, from, to));
            flush(remembered);
            run.task().step(to - from);
        }
    }

    /** Skips arrays of fingerprints: a partial update would replace an array by an object. */
    private void write(int[] members) {
        // With their survivors.
        long[] addresses = Arrays.stream(members)
                .flatMap(rank -> IntStream.of(rank, survivors[rank]))
                .distinct()
                .mapToLong(table::address)
                .toArray();
        Map<Integer, SearchHit> read = new HashMap<>();
        SearchSourceBuilder source =
                new SearchSourceBuilder().fetchSource(updates.objects(), null).seqNoAndPrimaryTerm(true);
        run.pointInTime().read(addresses, source, (address, hit) -> read.put(table.rank(address), hit));
        for (int rank : members) {
            SearchHit hit = read.get(rank);
            if (hit == null) {
                continue;
            }
            if (updates.isOneObject(hit) == false) {
                job.outcome().stays(Obstacle.SEVERAL);
            } else if (updates.isRounded(hit) || updates.isRounded(read.get(survivors[rank]))) {
                job.outcome().stays(Obstacle.ROUNDED);
            } else {
                writeIfFound(rank, hit);
            }
        }
    }

    private void writeIfFound(int rank, SearchHit hit) {
        Tag wanted = wanted(rank, names.of(survivors[rank]));
        if (isFound(rank, survivors[rank]) == false) {
            fail(rank, FingerprintFields.DUPLICATE_OF, wanted.duplicateOf(), longest(rank).duplicateOf);
        } else if (names.of(survivors[rank]).length() > longest(rank).group) {
            fail(rank, FingerprintFields.GROUP, wanted.group(), longest(rank).group);
        } else if (wanted.size() != null && updates.hasPlaceForSize(hit) == false) {
            job.fail(
                    rank,
                    "[size_field] must be a field of the document or of its objects, got: ["
                            + run.options().sizeField() + "] below another value",
                    RestStatus.BAD_REQUEST);
        } else {
            batch.add(new Tagging(hit, wanted));
        }
    }

    private void fail(int rank, String part, Object id, int ignoreAbove) {
        job.fail(
                rank,
                "[tag] needs [" + run.options().field() + "." + part + "] without an [ignore_above] that an id of "
                        + String.valueOf(id).length() + " characters is above, got: " + ignoreAbove,
                RestStatus.BAD_REQUEST);
    }

    private void flush(RememberedPairs remembered) {
        Map<Boolean, List<Tagging>> byWritable = batch.stream()
                .collect(Collectors.partitioningBy(tagging -> job.outcome().isWritable(tagging.hit.getIndex())));
        long duplicates = byWritable.get(false).stream()
                .filter(tagging -> tagging.wanted.duplicateOf() != null)
                .count();
        job.outcome().add(JobCount.READ_ONLY, duplicates);
        batch = new ArrayList<>();
        UnaryOperator<List<Tagging>> wanted = taggings -> job.wantedThere(taggings, Tagging::hit);
        job.bulks().write(byWritable.get(true), wanted, t -> updates.update(t.hit, t.wanted), (tagging, answer) -> {
            job.written(tagging.hit, answer);
            remembered.written(tagging.hit, answer);
            if (answer.getResult() == DocWriteResponse.Result.UPDATED) {
                job.outcome().add(updates.count(tagging.hit, tagging.wanted), 1);
                run.task().written(1);
            }
        });
    }
}
