/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.deduplicate.Removal.Duplicate;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.transport.client.Client;

/**
 * Copies documents into the archive before they are deleted, each with where it comes from, and reads the copies back. What is
 * archived once is never overwritten by anything else.
 */
final class ArchiveCopies {

    private final String archive;
    private final String run;
    private final PointInTime pointInTime;
    private final DocumentTable table;
    private final Client client;
    private final BulkWrites writes;
    private final Outcome outcome;

    /** Nothing copied yet. */
    ArchiveCopies(JobWrites job) {
        this.archive = job.run().options().archive();
        this.run = job.runId();
        this.pointInTime = job.run().pointInTime();
        this.table = job.table();
        this.client = job.run().client();
        this.writes = job.bulks();
        this.outcome = job.outcome();
    }

    /** Copies the documents; returns those whose copy was read back. */
    List<Duplicate> copy(List<Duplicate> batch) {
        Map<Integer, IndexRequest> copies = copies(batch);
        chooseIds(copies);
        List<Duplicate> sent = new ArrayList<>();
        for (Duplicate duplicate : batch) {
            IndexRequest copy = copies.get(duplicate.rank());
            if (copy == null) {
                outcome.fail(
                        table.indexOf(duplicate.rank()),
                        table.id(duplicate.rank()),
                        "[archive] needs the _source of the document, which is not stored",
                        RestStatus.BAD_REQUEST);
            } else {
                sent.add(duplicate);
            }
        }
        List<Duplicate> written = new ArrayList<>();
        MultiGetRequest readBack = new MultiGetRequest();
        Map<String, Long> sequenceNumbers = new HashMap<>();
        writes.send(sent, all -> all, duplicate -> copies.get(duplicate.rank()), (duplicate, item) -> {
            if (item.isFailed()) {
                writes.fail(item);
                return;
            }
            written.add(duplicate);
            readBack.add(new MultiGetRequest.Item(item.getIndex(), item.getId())
                    .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE));
            sequenceNumbers.put(item.getId(), item.getResponse().getSeqNo());
        });
        return confirmed(written, copies, readBack, sequenceNumbers);
    }

    private List<Duplicate> confirmed(
            List<Duplicate> written,
            Map<Integer, IndexRequest> copies,
            MultiGetRequest readBack,
            Map<String, Long> sequenceNumbers) {
        if (written.isEmpty()) {
            return written;
        }
        Set<String> there = new HashSet<>();
        for (MultiGetItemResponse item : client.multiGet(readBack).actionGet()) {
            if (item.isFailed() == false
                    && item.getResponse().isExists()
                    && sequenceNumbers.get(item.getId()) == item.getResponse().getSeqNo()) {
                there.add(item.getId());
            }
        }
        List<Duplicate> confirmed = new ArrayList<>();
        for (Duplicate duplicate : written) {
            String id = copies.get(duplicate.rank()).id();
            if (there.contains(id)) {
                confirmed.add(duplicate);
            } else {
                outcome.fail(archive, id, "the copy was not found again", RestStatus.CONFLICT);
            }
        }
        outcome.archived += confirmed.size();
        return confirmed;
    }

    private Map<Integer, IndexRequest> copies(List<Duplicate> batch) {
        long[] addresses =
                batch.stream().mapToLong(d -> table.address(d.rank())).toArray();
        Map<Integer, Integer> survivors = new HashMap<>();
        batch.forEach(duplicate -> survivors.put(duplicate.rank(), duplicate.survivor()));
        Map<Integer, IndexRequest> copies = new HashMap<>();
        SearchSourceBuilder source = new SearchSourceBuilder().fetchSource(true).version(true);
        pointInTime.read(addresses, source, (address, hit) -> {
            int rank = table.rank(address);
            if (hit.hasSource()) {
                copies.put(rank, copy(hit, rank, survivors.get(rank)));
            }
        });
        return copies;
    }

    private IndexRequest copy(SearchHit hit, int rank, int survivor) {
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
        return new IndexRequest(archive).id(hit.getId()).source(document).setPipeline("_none");
    }

    /**
     * A copy has the id of its document, unless the archive holds another document, or an earlier version, under that id: what
     * is archived once is never overwritten by anything else.
     */
    private void chooseIds(Map<Integer, IndexRequest> copies) {
        if (copies.isEmpty()) {
            return;
        }
        Map<String, List<Integer>> byId = new HashMap<>();
        MultiGetRequest request = new MultiGetRequest();
        copies.forEach((rank, copy) -> {
            if (byId.computeIfAbsent(copy.id(), id -> new ArrayList<>()).isEmpty()) {
                request.add(new MultiGetRequest.Item(archive, copy.id())
                        .fetchSourceContext(
                                new FetchSourceContext(true, new String[] {ArchiveIndex.ORIGIN}, new String[0])));
            }
            byId.get(copy.id()).add(rank);
        });
        Map<String, GetResponse> there = new HashMap<>();
        for (MultiGetItemResponse item : client.multiGet(request).actionGet()) {
            if (item.isFailed() == false && item.getResponse().isExists()) {
                there.put(item.getId(), item.getResponse());
            }
        }
        byId.forEach((id, ranks) -> {
            for (int i = 0; i < ranks.size(); i++) {
                GetResponse holder = there.get(id);
                IndexRequest copy = copies.get(ranks.get(i));
                if (i == 0 && holder == null) {
                    copy.opType(DocWriteRequest.OpType.CREATE);
                } else if (isOther(holder, ranks.get(i))) {
                    copy.id(table.indexUuid(ranks.get(i)) + "/" + id + "/" + table.primaryTerm(ranks.get(i)) + "/"
                            + table.sequenceNumber(ranks.get(i)));
                }
            }
        });
    }

    private boolean isOther(GetResponse holder, int rank) {
        if (holder != null && holder.getSourceAsMap().get(ArchiveIndex.ORIGIN) instanceof Map<?, ?> origin) {
            return table.indexUuid(rank).equals(origin.get("index_uuid")) == false
                    || table.sequenceNumber(rank) != ((Number) origin.get("seq_no")).longValue()
                    || table.primaryTerm(rank) != ((Number) origin.get("primary_term")).longValue();
        }
        return true;
    }
}
