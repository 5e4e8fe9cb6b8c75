/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.core.index.shard.ShardId;

/** Addresses of documents: the position of the shard and the document's number in the shard's reader, as one long. */
final class Addresses {

    private final List<ShardId> shards;
    private final Map<ShardId, Integer> positions = new HashMap<>();

    Addresses(Collection<ShardId> shards) {
        this.shards = new ArrayList<>(shards);
        this.shards.sort(Comparator.comparing(ShardId::getIndexName).thenComparingInt(ShardId::id));
        for (int i = 0; i < shards.size(); i++) {
            positions.put(this.shards.get(i), i);
        }
    }

    /** By index name, then by number. */
    List<ShardId> shards() {
        return shards;
    }

    long of(ShardId shard, int doc) {
        return (long) positions.get(shard) << Integer.SIZE | doc;
    }

    /** Position of a document's shard. */
    int shardOf(long address) {
        return (int) (address >>> Integer.SIZE);
    }

    /** Document numbers per shard, ascending. */
    Map<ShardId, int[]> byShard(long[] addresses) {
        long[] sorted = addresses.clone();
        Arrays.sort(sorted);
        Map<ShardId, int[]> byShard = new HashMap<>();
        int start = 0;
        for (int i = 1; i <= sorted.length; i++) {
            if (i == sorted.length || shardOf(sorted[i]) != shardOf(sorted[start])) {
                int[] docs = new int[i - start];
                for (int j = start; j < i; j++) {
                    docs[j - start] = (int) sorted[j];
                }
                byShard.put(shards.get(shardOf(sorted[start])), docs);
                start = i;
            }
        }
        return byShard;
    }
}
