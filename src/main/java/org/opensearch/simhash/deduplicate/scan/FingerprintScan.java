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
 * Reads fingerprints of a point in time, page by page from all shards at once; may do so several times, and equal strata keep
 * their numbers. One thread, which waits for the pages.
 */
public final class FingerprintScan {

    /** Rows of a page, of all shards together: 6 MB on the wire. */
    private static final int PAGE = 1 << 18;

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
     * What is read.
     *
     * @param field the fingerprint object
     * @param same fields whose values decide, together with the scheme, what may be compared
     * @param chunks which fingerprints
     * @param wanted which of them are left out
     */
    public FingerprintScan(PointInTime pointInTime, String field, List<String> same, Chunks chunks, Wanted wanted) {
        this.pointInTime = pointInTime;
        this.field = field;
        this.same = same;
        this.chunks = chunks;
        this.wanted = wanted;
    }

    /**
     * Adds all to the rows.
     *
     * @param query which documents are looked at
     * @param near which of these are wanted; null for all
     */
    public void read(QueryBuilder query, Near near, RowSink rows, LongConsumer documentsRead) {
        documents = 0;
        fingerprinted = 0;
        schemes = new TreeMap<>();
        Map<ShardId, Integer> after = new HashMap<>();
        List<ShardId> shards = pointInTime.shards();
        int limit = Math.max(1_000, PAGE / Math.max(1, shards.size()));
        Set<ShardId> unfinished = new HashSet<>(shards);
        while (unfinished.isEmpty() == false) {
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(behind(query, after))
                    .size(0)
                    .trackTotalHits(false)
                    .aggregation(new ColumnsAggregationBuilder(
                            new ColumnsAggregationBuilder.Page(field, same, after, limit, chunks, near)));
            InternalPages<ShardColumns> columns =
                    pointInTime.search(source).getAggregations().get(ColumnsAggregationBuilder.NAME);
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
        return after.isEmpty()
                ? query
                : new BoolQueryBuilder().filter(query).filter(new DocumentsAfterQueryBuilder(after));
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

    /** The rows pay for it when it is a new one. */
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

    /** Documents that the last reading looked at. */
    public long documents() {
        return documents;
    }

    public long fingerprinted() {
        return fingerprinted;
    }

    /** Of these, by scheme. */
    public Map<String, Long> schemes() {
        return schemes;
    }
}
