/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.opensearch.OpenSearchParseException;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.search.SearchHit;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.archive.ArchivedSource;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.RivalJobs;
import org.opensearch.simhash.jobs.removal.Survivors.Duplicate;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.JobWrites;

/** Makes the archive's copies. The id of a copy names the version of its document, so none overwrites another one. */
final class CopyRequests {

    private static final int MOST_BYTES = 512;

    private final String archive;

    private final String run;
    private final long start = System.currentTimeMillis();
    private final JobWrites job;
    private final DocumentTable table;
    private final RetriedGets gets;
    private final RivalJobs others;

    /** @param archive an index; an alias of several indices cannot get documents */
    CopyRequests(JobWrites job, RetriedGets gets, String archive) {
        this.archive = archive;
        this.run = job.runId();
        this.job = job;
        this.table = job.table();
        this.gets = gets;
        this.others = new RivalJobs(job.run().client(), TaskId.EMPTY_TASK_ID);
    }

    /** By rank. A document that cannot be copied is a failure. */
    Map<Integer, Copy> of(List<Duplicate> batch, Map<Integer, SearchHit> read, IntFunction<Map<String, Object>> more) {
        Map<Integer, IndexRequest> requests = new LinkedHashMap<>();
        for (Duplicate duplicate : batch) {
            int rank = duplicate.rank();
            SearchHit hit = read.get(rank);
            if (hit.hasSource() == false) {
                job.fail(
                        rank,
                        "[archive] needs the _source of the document, which is not stored",
                        RestStatus.BAD_REQUEST);
                continue;
            }
            try {
                requests.put(rank, request(hit, rank, duplicate.survivor(), more.apply(rank)));
            } catch (IllegalArgumentException | OpenSearchParseException e) {
                job.fail(rank, e.getMessage(), RestStatus.BAD_REQUEST);
            }
        }
        Map<Integer, GetResponse> there = holders(requests);
        leaveToOthers(requests, there);
        Map<Integer, Copy> copies = new HashMap<>();
        requests.forEach((rank, request) -> copies.put(rank, copy(request, there.get(rank), rank)));
        return copies;
    }

    private IndexRequest request(SearchHit hit, int rank, int survivor, Map<String, Object> more) {
        Map<String, Object> origin = new LinkedHashMap<>();
        origin.put("run", run);
        origin.put("archived_at", start);
        origin.put("index", hit.getIndex());
        origin.put("index_uuid", table.index(rank).getUUID());
        origin.put("id", hit.getId());
        if (table.routing(rank) != null) {
            origin.put("routing", table.routing(rank));
        }
        origin.put("version", hit.getVersion());
        origin.put("seq_no", table.sequenceNumber(rank));
        origin.put("primary_term", table.primaryTerm(rank));
        origin.put("duplicate_of", Map.of("index", table.indexOf(survivor), "id", table.id(survivor)));
        origin.putAll(more);
        return BulkWrites.asItIs(new IndexRequest(archive)
                .id(idOfVersion(rank))
                .source(ArchivedSource.copy(hit.getSourceRef(), origin), XContentType.JSON));
    }

    /**
     * Leaves out documents that belong to another run, as conflicts: that run has a copy of this version, and still runs or has
     * deleted the document. A copy whose run has ended without deleting its document is taken over.
     */
    private void leaveToOthers(Map<Integer, IndexRequest> requests, Map<Integer, GetResponse> there) {
        Map<Integer, String> copied = new HashMap<>();
        there.forEach((rank, holder) -> {
            if (isSameVersion(origin(holder), rank)) {
                copied.put(rank, String.valueOf(origin(holder).get("run")));
            }
        });
        copied.values().removeIf(run::equals);
        if (copied.isEmpty()) {
            return;
        }
        // First the runs: one that has ended deletes nothing after the documents are read.
        Set<String> running = others.runs();
        Map<Integer, GetResponse> documentsThere = live(copied.keySet().stream().mapToInt(rank -> rank));
        copied.forEach((rank, other) -> {
            if (running.contains(other) || job.isUnchanged(rank, documentsThere.get(rank)) == false) {
                requests.remove(rank);
                job.outcome().add(JobCount.VERSION_CONFLICTS, 1);
            }
        });
    }

    private Copy copy(IndexRequest request, GetResponse holder, int rank) {
        if (holder == null || isSameVersion(origin(holder), rank) == false) {
            return new Copy(request.opType(DocWriteRequest.OpType.CREATE), null);
        }
        return new Copy(
                request.setIfSeqNo(holder.getSeqNo()).setIfPrimaryTerm(holder.getPrimaryTerm()), origin(holder));
    }

    private String idOfVersion(int rank) {
        String routing = table.routing(rank) == null ? "" : "/" + table.routing(rank);
        String id = table.index(rank).getUUID() + "/" + table.id(rank) + "/" + table.primaryTerm(rank) + "/"
                + table.sequenceNumber(rank) + routing;
        byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= MOST_BYTES
                ? id
                : MessageDigests.toHexString(MessageDigests.sha256().digest(bytes));
    }

    /** What the archive has under the ids of these copies. Those that cannot be looked up are left out. */
    private Map<Integer, GetResponse> holders(Map<Integer, IndexRequest> requests) {
        FetchSourceContext origin = new FetchSourceContext(true, new String[] {ArchiveIndex.ORIGIN}, new String[0]);
        Map<Integer, GetResponse> holders = new HashMap<>();
        gets.get(
                List.copyOf(requests.keySet()),
                rank -> new MultiGetRequest.Item(archive, requests.get(rank).id()).fetchSourceContext(origin),
                (rank, found) -> {
                    if (found.isExists()) {
                        holders.put(rank, found);
                    }
                },
                (rank, reason, status) -> {
                    requests.remove(rank);
                    job.fail(rank, "[archive] cannot be read: " + reason.getMessage(), status);
                });
        return holders;
    }

    private static Map<String, Object> origin(GetResponse holder) {
        return ArchivedSource.origin(holder.getSourceAsMap());
    }

    private boolean isSameVersion(Map<String, Object> origin, int rank) {
        // Shards number their documents alike.
        return Objects.equals(origin.get("id"), table.id(rank))
                && Objects.equals(origin.get("index_uuid"), table.index(rank).getUUID())
                && Objects.equals(origin.get("routing"), table.routing(rank))
                && origin.get("seq_no") instanceof Number seqNo
                && seqNo.longValue() == table.sequenceNumber(rank)
                && origin.get("primary_term") instanceof Number primaryTerm
                && primaryTerm.longValue() == table.primaryTerm(rank);
    }

    /**
     * A copy to write into the archive.
     *
     * @param replaced the origin of a copy of the same version, from a run that ended before the delete; or null
     */
    record Copy(IndexRequest request, Map<String, Object> replaced) {

        /** Restores the archive as it was before the copy, unless somebody has changed it since. */
        DocWriteRequest<?> undo(DocWriteResponse written) {
            if (replaced == null) {
                return new DeleteRequest(written.getIndex(), written.getId())
                        .setIfSeqNo(written.getSeqNo())
                        .setIfPrimaryTerm(written.getPrimaryTerm());
            }
            IndexRequest earlier = new IndexRequest(written.getIndex())
                    .id(written.getId())
                    .source(ArchivedSource.copy(ArchivedSource.original(request.source()), replaced), XContentType.JSON)
                    .setIfSeqNo(written.getSeqNo())
                    .setIfPrimaryTerm(written.getPrimaryTerm());
            return BulkWrites.asItIs(earlier);
        }
    }

    /** The table's documents that exist now, by rank, without their source. One that cannot be read is a failure, and left out. */
    Map<Integer, GetResponse> live(IntStream wanted) {
        Map<Integer, GetResponse> there = new HashMap<>();
        BiConsumer<Integer, GetResponse> got = (rank, found) -> {
            if (found.isExists()) {
                there.put(rank, found);
            }
        };
        gets.get(wanted.distinct().boxed().toList(), this::withoutSource, got, (rank, reason, status) -> {
            if (status != RestStatus.NOT_FOUND) { // the index is gone
                job.fail(rank, "not read: " + reason.getMessage(), status);
            }
        });
        return there;
    }

    private MultiGetRequest.Item withoutSource(int rank) {
        return job.get(rank).fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE);
    }
}
