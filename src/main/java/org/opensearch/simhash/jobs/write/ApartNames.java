/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.groups.ApartDocuments.AddressPair;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.script.DocumentScript;
import org.opensearch.simhash.search.pair.Apart;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.IndexMapping.WholeField;

/**
 * What documents name in {@value FingerprintFields#APART}, and what they are to name besides. A document names at most {@value #MOST} others:
 * what is beyond is in {@code dest} only. Reading and writing take a step for each name. One thread, which blocks.
 */
final class ApartNames {

    static final int MOST = 1_000;

    private static final int PAGE = 500;
    private static final int NAME_BYTES = 100;
    private static final Apart NONE = Apart.of(null, List.of());

    private record Version(long sequenceNumber, long primaryTerm) {}

    private final String field;
    private final LongConsumer memory;

    private final Map<Long, Apart> said = new HashMap<>();

    private final Map<String, List<Long>> byId = new HashMap<>();

    /** All names of those that get others, by address. */
    private final Map<Long, Set<String>> wanted = new HashMap<>();

    /** Of those that the run has written since, by address. */
    private final Map<Long, Version> written = new HashMap<>();

    /** Pairs that only {@code dest} keeps apart. */
    private long beyond;

    ApartNames(String field, LongConsumer memory) {
        this.field = field;
        this.memory = memory;
    }

    /** Reads doc values. */
    void read(PointInTime sources, Metadata metadata) {
        Arrays.stream(sources.indices())
                .filter(index -> values(metadata.index(index)) != null)
                .collect(Collectors.groupingBy(index -> values(metadata.index(index))))
                .forEach((values, indices) -> {
                    SearchSourceBuilder source = new SearchSourceBuilder()
                            .query(new BoolQueryBuilder()
                                    .filter(JobQuery.exists(values))
                                    .filter(QueryBuilders.termsQuery("_index", indices)))
                            .fetchSource(false)
                            .docValueField(values);
                    sources.forEach(source, PAGE, hits -> {
                        for (SearchHit hit : hits) {
                            DocumentField named = hit.field(values);
                            Apart apart = Apart.of(hit.getId(), named == null ? List.of() : named.getValues());
                            take(apart.named());
                            said.put(sources.address(hit), apart);
                            byId.computeIfAbsent(hit.getId(), any -> new ArrayList<>())
                                    .add(sources.address(hit));
                        }
                    });
                });
    }

    List<AddressPair> pairs() {
        List<AddressPair> pairs = new ArrayList<>();
        said.forEach((address, before) -> {
            Apart apart = new Apart(before.id(), null, names(address));
            apart.named().stream()
                    .filter(other -> apart.id().compareTo(other) < 0)
                    .flatMap(other -> byId.getOrDefault(other, List.of()).stream())
                    .filter(other -> apart.isFrom(new Apart(said.get(other).id(), null, names(other))))
                    .forEach(other -> {
                        memory.accept(AddressPair.BYTES);
                        pairs.add(new AddressPair(address, other));
                    });
        });
        return pairs;
    }

    private String values(IndexMetadata index) {
        String path = field + "." + FingerprintFields.APART;
        WholeField found = index == null ? null : new IndexMapping(index).whole(path);
        return found != null && found.hasValues() ? found.name() : null;
    }

    private void take(Set<String> names) {
        memory.accept(
                names.stream().mapToLong(name -> NAME_BYTES + name.length()).sum());
    }

    void add(long a, String idOfA, long b, String idOfB) {
        Set<String> ofA = names(a);
        Set<String> ofB = names(b);
        if (idOfA.equals(idOfB) || (ofA.contains(idOfB) && ofB.contains(idOfA))) {
            return;
        }
        if ((ofA.size() >= MOST && ofA.contains(idOfB) == false)
                || (ofB.size() >= MOST && ofB.contains(idOfA) == false)) {
            beyond++;
            return;
        }
        take(Set.of(idOfA, idOfB));
        wanted.computeIfAbsent(a, any -> new HashSet<>(ofA)).add(idOfB);
        wanted.computeIfAbsent(b, any -> new HashSet<>(ofB)).add(idOfA);
    }

    void remove(long a, String idOfA, long b, String idOfB) {
        if (names(a).contains(idOfB) || names(b).contains(idOfA)) {
            wanted.computeIfAbsent(a, any -> new HashSet<>(names(a))).remove(idOfB);
            wanted.computeIfAbsent(b, any -> new HashSet<>(names(b))).remove(idOfA);
        }
    }

    private Set<String> names(long address) {
        return wanted.getOrDefault(address, said.getOrDefault(address, NONE).named());
    }

    void written(long address, DocWriteResponse answer) {
        if (wanted.containsKey(address)) {
            memory.accept(NAME_BYTES);
            written.put(address, new Version(answer.getSeqNo(), answer.getPrimaryTerm()));
        }
    }

    /** Writes what documents do not name yet, or not any more, on condition that they are unchanged. */
    void write(JobWrites job, long[] only) {
        PointInTime sources = job.run().pointInTime();
        TagUpdates updates = new TagUpdates(
                field, null, DocumentScript.mayRun(job.run().services().scripts()));
        long[] addresses = (only == null ? wanted.keySet().stream().mapToLong(Long::longValue) : Arrays.stream(only))
                .filter(address ->
                        names(address).equals(said.getOrDefault(address, NONE).named()) == false)
                .sorted()
                .distinct()
                .toArray();
        Set<String> tags = addresses.length == 0
                ? Set.of()
                : NearDuplicateProcessor.tags(job.run().services().state().metadata());
        String[] read = Stream.concat(Stream.of(field), tags.stream()).toArray(String[]::new);
        int page = job.run().task().pace().pageSize();
        for (int from = 0; from < addresses.length && job.outcome().isStopped() == false; from += page) {
            List<SearchHit> hits = new ArrayList<>();
            sources.read(
                    Arrays.copyOfRange(addresses, from, Math.min(addresses.length, from + page)),
                    new SearchSourceBuilder().fetchSource(read, null).seqNoAndPrimaryTerm(true),
                    (address, hit) -> {
                        if (updates.isOneObject(hit) && job.outcome().isWritable(hit.getIndex())) {
                            hits.add(hit);
                        }
                    });
            UnaryOperator<List<SearchHit>> there = some -> job.wantedThere(some, hit -> hit);
            job.bulks().write(hits, there, hit -> request(hit, sources.address(hit), updates, tags), (hit, answer) -> {
                job.written(hit, answer);
                job.outcome().add(JobCount.GROUPED, 1);
                job.run().task().written(1);
            });
        }
        Arrays.stream(addresses).forEach(wanted::remove);
        if (only == null && beyond > 0) {
            job.outcome()
                    .warn("[dest] alone keeps " + beyond + " pairs apart: a document names at most " + MOST
                            + " others in [" + FingerprintFields.APART + "]");
        }
    }

    private UpdateRequest request(SearchHit hit, long address, TagUpdates updates, Set<String> tags) {
        Version version = written.getOrDefault(address, new Version(hit.getSeqNo(), hit.getPrimaryTerm()));
        return updates.apart(hit, wanted.get(address).stream().sorted().toList(), tags)
                .setIfSeqNo(version.sequenceNumber)
                .setIfPrimaryTerm(version.primaryTerm);
    }
}
