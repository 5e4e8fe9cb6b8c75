/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.deduplicate.Removal.Duplicate;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.transport.client.Client;

/**
 * Reads documents, and makes of each what is to be written into the archive, with where it comes from. A copy has the id of its
 * document, unless the archive holds another document, or an earlier version, under that id: what is archived once is never
 * overwritten by anything else.
 */
final class CopyRequests {

    private final String archive;
    private final String run;
    private final PointInTime pointInTime;
    private final DocumentTable table;
    private final Client client;

    /**
     * A copy to be written.
     *
     * @param replaced where the archive has the same version from already, by a run that ended before it deleted it; or null
     */
    record Copy(IndexRequest request, Map<?, ?> replaced) {

        /** Puts the archive into the state that it had before the copy was written, if nobody has changed it since. */
        DocWriteRequest<?> undo(DocWriteResponse written) {
            if (replaced == null) {
                return new DeleteRequest(written.getIndex(), written.getId())
                        .setIfSeqNo(written.getSeqNo())
                        .setIfPrimaryTerm(written.getPrimaryTerm());
            }
            Map<String, Object> document = new HashMap<>(request.sourceAsMap());
            document.put(ArchiveIndex.ORIGIN, replaced);
            IndexRequest earlier = new IndexRequest(written.getIndex())
                    .id(written.getId())
                    .source(document)
                    .setIfSeqNo(written.getSeqNo())
                    .setIfPrimaryTerm(written.getPrimaryTerm());
            return BulkWrites.asItIs(earlier);
        }
    }

    CopyRequests(JobWrites job) {
        this.archive = job.run().options().archive();
        this.run = job.runId();
        this.pointInTime = job.run().pointInTime();
        this.table = job.table();
        this.client = job.run().client();
    }

    /**
     * By rank; without those whose source is not stored.
     *
     * @param memory is told the length of each source before it is parsed
     */
    Map<Integer, Copy> of(List<Duplicate> batch, LongConsumer memory) {
        long[] addresses =
                batch.stream().mapToLong(d -> table.address(d.rank())).toArray();
        Map<Integer, Integer> survivors = new HashMap<>();
        batch.forEach(duplicate -> survivors.put(duplicate.rank(), duplicate.survivor()));
        Map<Integer, IndexRequest> requests = new LinkedHashMap<>();
        SearchSourceBuilder source = new SearchSourceBuilder().fetchSource(true).version(true);
        pointInTime.read(addresses, source, (address, hit) -> {
            int rank = table.rank(address);
            if (hit.hasSource()) {
                memory.accept(hit.getSourceRef().length());
                requests.put(rank, request(hit, rank, survivors.get(rank)));
            }
        });
        return withIds(requests);
    }

    private IndexRequest request(SearchHit hit, int rank, int survivor) {
        Map<String, Object> origin = new HashMap<>();
        origin.put("run", run);
        origin.put("index", hit.getIndex());
        origin.put("index_uuid", table.indexUuid(rank));
        origin.put("id", hit.getId());
        if (table.routing(rank) != null) {
            origin.put("routing", table.routing(rank));
        }
        origin.put("version", hit.getVersion());
        origin.put("seq_no", table.sequenceNumber(rank));
        origin.put("primary_term", table.primaryTerm(rank));
        origin.put("duplicate_of", Map.of("index", table.indexOf(survivor), "id", table.id(survivor)));
        Map<String, Object> document = new HashMap<>(hit.getSourceAsMap());
        document.put(ArchiveIndex.ORIGIN, origin);
        return BulkWrites.asItIs(new IndexRequest(archive).id(hit.getId()).source(document));
    }

    private Map<Integer, Copy> withIds(Map<Integer, IndexRequest> requests) {
        Map<String, GetResponse> there = holders(requests.values());
        Set<String> taken = new HashSet<>();
        Map<Integer, IndexRequest> others = new LinkedHashMap<>();
        requests.forEach((rank, request) -> {
            GetResponse holder = there.get(request.id());
            boolean isFree = taken.add(request.id()) && (holder == null || isSameVersion(origin(holder), rank));
            if (isFree == false) {
                request.id(idOfVersion(rank));
                others.put(rank, request);
            }
        });
        there.putAll(holders(others.values()));
        Map<Integer, Copy> copies = new HashMap<>();
        requests.forEach((rank, request) -> copies.put(rank, copy(request, there.get(request.id()), rank)));
        return copies;
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
        return table.indexUuid(rank) + "/" + table.id(rank) + "/" + table.primaryTerm(rank) + "/"
                + table.sequenceNumber(rank) + routing;
    }

    /** What the archive has under the ids of these copies, by id. */
    private Map<String, GetResponse> holders(Collection<IndexRequest> copies) {
        Map<String, GetResponse> holders = new HashMap<>();
        if (copies.isEmpty()) {
            return holders;
        }
        FetchSourceContext origin = new FetchSourceContext(true, new String[] {ArchiveIndex.ORIGIN}, new String[0]);
        MultiGetRequest request = new MultiGetRequest();
        copies.stream()
                .map(IndexRequest::id)
                .distinct()
                .forEach(id -> request.add(new MultiGetRequest.Item(archive, id).fetchSourceContext(origin)));
        for (MultiGetItemResponse item : client.multiGet(request).actionGet()) {
            if (item.isFailed() == false && item.getResponse().isExists()) {
                holders.put(item.getId(), item.getResponse());
            }
        }
        return holders;
    }

    private static Map<?, ?> origin(GetResponse holder) {
        return holder.getSourceAsMap().get(ArchiveIndex.ORIGIN) instanceof Map<?, ?> origin ? origin : Map.of();
    }

    private boolean isSameVersion(Map<?, ?> origin, int rank) {
        return Objects.equals(origin.get("index_uuid"), table.indexUuid(rank))
                && Objects.equals(origin.get("routing"), table.routing(rank))
                && ((Number) origin.get("seq_no")).longValue() == table.sequenceNumber(rank)
                && ((Number) origin.get("primary_term")).longValue() == table.primaryTerm(rank);
    }
}
