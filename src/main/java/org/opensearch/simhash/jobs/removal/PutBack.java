/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.lucene.util.BytesRef;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.arrivals.durable.StoredVersion;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.removal.Survivors.Duplicate;
import org.opensearch.simhash.jobs.removal.Survivors.DurableVersions;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.JobWrites;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/**
 * Creates documents again whose survivor changed while they were deleted: with their id and routing, without ingest pipelines.
 * Never overwrites a document, and never writes into an index that was created again. Retries for some minutes if the cluster has
 * no room or no shard, even after cancellation. Never fails. One thread, which blocks.
 */
final class PutBack {

    private static final TimeValue SHARD_PATIENCE = TimeValue.timeValueSeconds(10);

    private final JobWrites job;
    private final DocumentTable table;
    private final ClusterService cluster;
    private final Client client;
    private final JobOutcome outcome;
    private final Retries retries = new Retries(() -> {});
    private final DurableVersions versions;

    PutBack(JobWrites job) {
        this.job = job;
        this.table = job.table();
        this.cluster = job.run().services().cluster();
        this.client = job.run().services().client();
        this.outcome = job.outcome();
        this.versions = new DurableVersions(client, cluster, retries);
    }

    Collection<Duplicate> create(Collection<Duplicate> orphans, Map<Integer, SearchHit> documents) {
        Map<Duplicate, StoredVersion> created = new HashMap<>();
        List<Duplicate> rest = possible(orphans, documents);
        for (Iterator<TimeValue> delays = retries.delays(); rest.isEmpty() == false; ) {
            boolean isLast = delays.hasNext() == false;
            List<Duplicate> again = new ArrayList<>();
            BulkItemResponse[] answers = send(rest, documents);
            for (int i = 0; i < answers.length; i++) {
                Duplicate duplicate = rest.get(i);
                if (answers[i].isFailed() == false) {
                    created.put(duplicate, StoredVersion.of(answers[i].getResponse()));
                } else if (BulkWrites.isConflict(answers[i])) {
                    outcome.add(JobCount.VERSION_CONFLICTS, 1); // It was never deleted, or somebody wrote another one.
                } else if (isLast == false && BulkWrites.isTransient(answers[i])) {
                    again.add(duplicate);
                } else {
                    fail(duplicate, answers[i].getFailureMessage(), answers[i].status());
                }
            }
            if (again.isEmpty() == false) {
                retries.pause(delays.next());
            }
            rest = possible(again, documents);
        }
        outcome.add(JobCount.PUT_BACK, created.size());
        warn(created.keySet());
        return durable(created);
    }

    private void fail(Duplicate duplicate, String reason, RestStatus status) {
        job.fail(duplicate.rank(), "deleted while its survivor changed, and not put back: " + reason, status);
    }

    /** Without documents whose index is gone or kept only parts of them. */
    private List<Duplicate> possible(Collection<Duplicate> orphans, Map<Integer, SearchHit> documents) {
        List<Duplicate> possible = new ArrayList<>();
        Metadata metadata = cluster.state().metadata();
        Map<Index, Optional<String>> left = new HashMap<>();
        for (Duplicate orphan : orphans) {
            IndexMetadata index = metadata.index(table.index(orphan.rank()));
            String missing = index == null
                    ? null
                    : left.computeIfAbsent(
                                    index.getIndex(), any -> Optional.ofNullable(new IndexMapping(index).leavesOut()))
                            .orElse(null);
            if (index == null) {
                outcome.add(JobCount.VERSION_CONFLICTS, 1); // Its index is gone, too.
            } else if (missing != null || documents.get(orphan.rank()).hasSource() == false) {
                fail(orphan, "the index does not keep whole documents: " + missing, RestStatus.CONFLICT);
            } else {
                possible.add(orphan);
            }
        }
        return possible;
    }

    private BulkItemResponse[] send(List<Duplicate> duplicates, Map<Integer, SearchHit> documents) {
        List<IndexRequest> requests = duplicates.stream()
                .map(duplicate -> request(duplicate.rank(), documents.get(duplicate.rank())))
                .toList();
        BulkRequest bulk = new BulkRequest().timeout(SHARD_PATIENCE);
        requests.forEach(bulk::add);
        try {
            return client.bulk(bulk).actionGet().getItems();
        } catch (RuntimeException e) {
            return requests.stream()
                    .map(request -> new BulkItemResponse(
                            0,
                            request.opType(),
                            new BulkItemResponse.Failure(request.index(), request.id(), e, ExceptionsHelper.status(e))))
                    .toArray(BulkItemResponse[]::new);
        }
    }

    private IndexRequest request(int rank, SearchHit document) {
        IndexRequest request = new IndexRequest(target(rank))
                .id(table.id(rank))
                .routing(table.routing(rank))
                .opType(DocWriteRequest.OpType.CREATE)
                .source(
                        document.getSourceRef(),
                        mediaType(document.getSourceRef().toBytesRef()));
        return BulkWrites.asItIs(request);
    }

    @SuppressWarnings("deprecation") // A stored document does not tell its format.
    private static MediaType mediaType(BytesRef source) {
        return MediaTypeRegistry.xContent(source.bytes, source.offset, source.length);
    }

    /** OpenSearch creates documents of a data stream only by the name of the stream. */
    private String target(int rank) {
        Metadata metadata = cluster.state().metadata();
        IndexAbstraction index = metadata.getIndicesLookup().get(table.indexOf(rank));
        boolean isOfStream = index != null && index.getParentDataStream() != null;
        return isOfStream ? index.getParentDataStream().getName() : table.indexOf(rank);
    }

    private void warn(Collection<Duplicate> created) {
        Map<Integer, Integer> bySurvivor = new TreeMap<>();
        created.forEach(duplicate -> bySurvivor.merge(duplicate.survivor(), 1, Integer::sum));
        bySurvivor.forEach((survivor, count) -> outcome.warn("[" + table.indexOf(survivor) + "] [" + table.id(survivor)
                + "] changed, or could not be read, while its duplicates were deleted: put back " + count));
    }

    private Collection<Duplicate> durable(Map<Duplicate, StoredVersion> created) {
        List<Duplicate> durable = new ArrayList<>();
        try {
            versions.of(created.keySet(), created::get, EnumSet.of(Durability.PENDING, Durability.UNKNOWN))
                    .forEach((duplicate, answer) -> {
                        if (answer == Durability.DURABLE) {
                            durable.add(duplicate);
                        }
                    });
        } catch (RuntimeException e) {
            outcome.warn("it is not known whether what was put back is on disk: " + e.getMessage());
        }
        return durable;
    }
}
