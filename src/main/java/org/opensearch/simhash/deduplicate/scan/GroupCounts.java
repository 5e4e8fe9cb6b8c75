/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.Arrays;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.scan.GroupsAggregator.ShardGroups;

/**
 * How many documents each group has, of those that a query selects: 32 bytes for each group and leaf. Shards take some 20 ns for a
 * document and 0.2 µs for a group. Groups are told apart by hashes of 64 bits. Immutable.
 */
public final class GroupCounts {

    private static final int BYTES = 4 * Long.BYTES;

    /** Ascending and distinct. */
    private final long[] hashes;

    private final int[] counts;
    /** Addresses of one document each. */
    private final long[] documents;
    /** Negative if there is none. */
    private final double[] sizes;

    private GroupCounts(int rows) {
        this.hashes = new long[rows];
        this.counts = new int[rows];
        this.documents = new long[rows];
        this.sizes = new double[rows];
    }

    /**
     * @param field of the groups
     * @param size a number, of which the largest of each group is wanted; null for none
     * @param slice of so many slices of all groups
     */
    public static GroupCounts read(
            PointInTime pointInTime, QueryBuilder query, String field, String size, int slice, int slices) {
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(query)
                .size(0)
                .trackTotalHits(false)
                .aggregation(new PageAggregationBuilder(new GroupsAggregator.Page(field, size, slice, slices)));
        InternalPages<ShardGroups> found =
                pointInTime.search(source).getAggregations().get(GroupsAggregator.NAME);
        long[] hashes = found.shards().stream()
                .flatMapToLong(shard -> Arrays.stream(shard.hashes()))
                .sorted()
                .distinct()
                .toArray();
        GroupCounts all = new GroupCounts(hashes.length);
        System.arraycopy(hashes, 0, all.hashes, 0, hashes.length);
        Arrays.fill(all.sizes, -1);
        for (ShardGroups shard : found.shards()) {
            for (int row = 0; row < shard.size(); row++) {
                int group = all.indexOf(shard.hashes()[row]);
                all.counts[group] += shard.counts()[row];
                all.documents[group] = pointInTime.address(shard.shard(), shard.documents()[row]);
                if (size != null) {
                    all.sizes[group] = Math.max(all.sizes[group], shard.sizes()[row]);
                }
            }
        }
        return all;
    }

    /** Of so many documents; each of them may be a group of its own. */
    public static long bytes(long documents) {
        return documents * BYTES;
    }

    public int size() {
        return hashes.length;
    }

    public long hash(int group) {
        return hashes[group];
    }

    public int count(int group) {
        return counts[group];
    }

    /** The address of one of its documents. */
    public long document(int group) {
        return documents[group];
    }

    /** Negative if no document has one. */
    public double size(int group) {
        return sizes[group];
    }

    /** Negative if no document is of such a group. */
    public int indexOf(long hash) {
        return Arrays.binarySearch(hashes, hash);
    }
}
