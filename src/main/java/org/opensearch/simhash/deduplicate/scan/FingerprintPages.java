/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.RowSink;
import org.opensearch.simhash.deduplicate.join.Wanted;

/**
 * Reads fingerprints of a point in time, page by page from all shards at once. It can be repeated; strata keep their
 * numbers. Blocks its one thread.
 */
public final class FingerprintPages {

    /** Rows of a page of all shards, 1.4 MB on the wire: the collector frees arrays above half a megabyte late. */
    private static final int PAGE = 60_000;

    private final PointInTime pointInTime;
    private final String field;
    private final List<String> same;
    private final Chunks chunks;
    private final Wanted wanted;
    private final Map<Long, Integer> strata = new HashMap<>();
    private final Map<Long, Integer> guards = new HashMap<>();
    private Map<String, Long> schemes = new TreeMap<>();
    private long documents;
    private long fingerprinted;

    /**
     * @param field the fingerprint object
     * @param same fields that must have equal values in linked documents
     * @param chunks the wanted fingerprints
     * @param wanted tells which documents are left out
     */
    public FingerprintPages(PointInTime pointInTime, String field, List<String> same, Chunks chunks, Wanted wanted) {
        this.pointInTime = pointInTime;
        this.field = field;
        this.same = same;
        this.chunks = chunks;
        this.wanted = wanted;
    }

    /**
     * Adds all wanted documents to the rows.
     *
     * @param query selects the documents to look at, unless few are wanted
     * @param near the wanted ones of these; null for all
     */
    public void read(QueryBuilder query, Near near, RowSink rows, LongConsumer documentsRead) {
        documents = 0;
        fingerprinted = 0;
        schemes = new TreeMap<>();
        QueryBuilder looked = wanted.areFew() ? JobQuery.documents(pointInTime.byShard(wanted.among())) : query;
        Map<ShardId, Integer> after = new HashMap<>();
        List<ShardId> shards = pointInTime.shards();
        int limit = Math.max(1_000, PAGE / Math.max(1, shards.size()));
        Set<ShardId> unfinished = new HashSet<>(shards);
        while (unfinished.isEmpty() == false) {
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(behind(looked, after))
                    .size(0)
                    .trackTotalHits(false)
                    .aggregation(new PageAggregationBuilder(
                            new ColumnsAggregator.Page(field, same, after, limit, chunks, near)));
            InternalPages<ShardColumns> columns =
                    pointInTime.search(source).getAggregations().get(ColumnsAggregator.NAME);
            long before = documents;
            // A shard that cannot match sends no page.
            Set<ShardId> more = new HashSet<>();
            for (ShardColumns page : columns.shards()) {
                if (unfinished.contains(page.shard())) {
                    add(page, rows);
                    if (page.isLast() == false) {
                        more.add(page.shard());
                    }
                }
                after.put(page.shard(), page.isLast() ? Integer.MAX_VALUE : page.lastDocument());
            }
            unfinished.retainAll(more);
            documentsRead.accept(documents - before);
        }
    }

    private static QueryBuilder behind(QueryBuilder query, Map<ShardId, Integer> after) {
        return after.isEmpty() ? query : new BoolQueryBuilder().filter(query).filter(JobQuery.after(after));
    }

    private void add(ShardColumns columns, RowSink rows) {
        documents += columns.documents();
        fingerprinted += columns.fingerprinted();
        columns.schemes().forEach((scheme, count) -> schemes.merge(scheme, count, Long::sum));
        int[] strataHere = new int[columns.strata().length];
        for (int i = 0; i < strataHere.length; i++) {
            strataHere[i] = stratum(columns.strata()[i], columns.guards()[i], rows);
        }
        for (int i = 0; i < columns.docs().length; i++) {
            long address = pointInTime.address(columns.shard(), columns.docs()[i]);
            int stratum = columns.stratum()[i];
            if (wanted.excludes(address)) {
                continue;
            }
            if (stratum >= 0) {
                rows.add(address, columns.bits()[i], columns.digests()[i], strataHere[stratum]);
            } else {
                rows.addWithoutBits(address, columns.digests()[i], strataHere[~stratum]);
            }
        }
    }

    /** The rows account for a new stratum. */
    private int stratum(long hash, long guardHash, RowSink rows) {
        Integer known = strata.get(hash);
        if (known != null) {
            return known;
        }
        int stratum = strata.size();
        rows.stratum(stratum, guards.getOrDefault(guardHash, guards.size()), hash);
        guards.putIfAbsent(guardHash, guards.size());
        strata.put(hash, stratum);
        return stratum;
    }

    /** Documents that the last call looked at. */
    public long documents() {
        return documents;
    }

    public long fingerprinted() {
        return fingerprinted;
    }

    /** Fingerprinted documents by scheme. */
    public Map<String, Long> schemes() {
        return schemes;
    }
}
