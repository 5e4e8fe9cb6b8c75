/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.deduplicate.join.Group;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.transport.client.Client;

/**
 * Deletes near-duplicates, batch by batch: copies them into the archive, reads the copies back, makes sure that the survivors are
 * still there as they were read, and only then deletes, each document under the condition that it is as it was read. Whatever
 * fails or has changed stays. A run that ended early leaves copies of documents that are still there; the next run replaces
 * them.
 */
final class Removal {

    private final DeduplicateOptions options;
    private final String run;
    private final PointInTime pointInTime;
    private final DocumentTable table;
    private final Client client;
    private final BulkWrites writes;
    private final DeduplicateTask task;
    private final Outcome outcome;

    /** A document to delete, and its survivor. */
    private record Duplicate(int rank, int survivor) {}

    Removal(
            DeduplicateOptions options,
            String run,
            PointInTime pointInTime,
            DocumentTable table,
            Client client,
            BulkWrites writes,
            DeduplicateTask task,
            Outcome outcome) {
        this.options = options;
        this.run = run;
        this.pointInTime = pointInTime;
        this.table = table;
        this.client = client;
        this.writes = writes;
        this.task = task;
        this.outcome = outcome;
    }

    void write(List<Group> groups) {
        List<Duplicate> batch = new ArrayList<>();
        for (Group group : groups) {
            for (int member : group.members()) {
                batch.add(new Duplicate(member, group.survivor()));
                if (batch.size() >= options.scrollSize()) {
                    remove(batch);
                    batch.clear();
                }
            }
        }
        if (batch.isEmpty() == false) {
            remove(batch);
        }
    }

    private void remove(List<Duplicate> batch) {
        task.ensureNotCancelled();
        List<Duplicate> removable = options.archive() == null ? batch : archive(batch);
        removable = withSurvivor(removable);
        BulkRequest deletes = new BulkRequest();
        for (Duplicate duplicate : removable) {
            int rank = duplicate.rank;
            deletes.add(new DeleteRequest(table.indexOf(rank), table.id(rank))
                    .routing(table.routing(rank))
                    .setIfSeqNo(table.sequenceNumber(rank))
                    .setIfPrimaryTerm(table.primaryTerm(rank)));
        }
        writes.send(deletes, item -> {
            outcome.deleted++;
            task.written(1);
        });
        task.step(batch.size());
    }

    /** Those whose survivor is there as it was read; of a lost survivor no duplicate may go. */
    private List<Duplicate> withSurvivor(List<Duplicate> batch) {
        MultiGetRequest request = new MultiGetRequest();
        Set<Integer> asked = new HashSet<>();
        for (Duplicate duplicate : batch) {
            if (asked.add(duplicate.survivor)) {
                request.add(new MultiGetRequest.Item(table.indexOf(duplicate.survivor), table.id(duplicate.survivor))
                        .routing(table.routing(duplicate.survivor))
                        .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE));
            }
        }
        if (asked.isEmpty()) {
            return List.of();
        }
        Map<String, GetResponse> found = new HashMap<>();
        for (MultiGetItemResponse item : client.multiGet(request).actionGet()) {
            if (item.isFailed() == false && item.getResponse().isExists()) {
                found.put(place(item.getIndex(), item.getId()), item.getResponse());
            }
        }
        List<Duplicate> kept = new ArrayList<>();
        for (Duplicate duplicate : batch) {
            int survivor = duplicate.survivor;
            GetResponse now = found.get(place(table.indexOf(survivor), table.id(survivor)));
            if (now != null
                    && now.getSeqNo() == table.sequenceNumber(survivor)
                    && now.getPrimaryTerm() == table.primaryTerm(survivor)) {
                kept.add(duplicate);
            } else {
                outcome.conflicts++;
            }
        }
        return kept;
    }

    /** Copies the documents; returns those whose copy was read back. */
    private List<Duplicate> archive(List<Duplicate> batch) {
        Map<Integer, IndexRequest> copies = copies(batch);
        chooseIds(copies);
        BulkRequest bulk = new BulkRequest();
        List<Duplicate> sent = new ArrayList<>();
        for (Duplicate duplicate : batch) {
            IndexRequest copy = copies.get(duplicate.rank);
            if (copy == null) {
                outcome.fail(
                        table.indexOf(duplicate.rank),
                        table.id(duplicate.rank),
                        "[archive] needs the _source of the document, which is not stored",
                        RestStatus.BAD_REQUEST);
            } else {
                bulk.add(copy);
                sent.add(duplicate);
            }
        }
        List<Duplicate> written = new ArrayList<>();
        MultiGetRequest readBack = new MultiGetRequest();
        Map<String, Long> sequenceNumbers = new HashMap<>();
        if (sent.isEmpty()) {
            return written;
        }
        for (BulkItemResponse item : writes.send(bulk).getItems()) {
            if (item.isFailed()) {
                writes.fail(item);
                continue;
            }
            written.add(sent.get(item.getItemId()));
            readBack.add(new MultiGetRequest.Item(item.getIndex(), item.getId())
                    .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE));
            sequenceNumbers.put(item.getId(), item.getResponse().getSeqNo());
        }
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
            String id = copies.get(duplicate.rank).id();
            if (there.contains(id)) {
                confirmed.add(duplicate);
            } else {
                outcome.fail(options.archive(), id, "the copy was not found again", RestStatus.CONFLICT);
            }
        }
        outcome.archived += confirmed.size();
        return confirmed;
    }

    private Map<Integer, IndexRequest> copies(List<Duplicate> batch) {
        long[] addresses = batch.stream().mapToLong(d -> table.address(d.rank)).toArray();
        Map<Integer, Integer> survivors = new HashMap<>();
        batch.forEach(duplicate -> survivors.put(duplicate.rank, duplicate.survivor));
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
        return new IndexRequest(options.archive())
                .id(hit.getId())
                .source(document)
                .setPipeline("_none");
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
                request.add(new MultiGetRequest.Item(options.archive(), copy.id())
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

    private static String place(String index, String id) {
        return index + "/" + id;
    }
}
