/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;

/**
 * A completed run.
 *
 * @param at its start, in milliseconds since 1970
 * @param options as text
 * @param seen highest sequence number, per shard, up to which it saw all documents
 */
public record LastRun(String run, long at, String options, Map<ShardId, Long> seen) {

    /** The stored form. */
    Map<String, Object> asMap() {
        List<Map<String, Object>> shards = new ArrayList<>();
        seen.forEach((shard, number) -> shards.add(Map.of(
                "index",
                shard.getIndexName(),
                "uuid",
                shard.getIndex().getUUID(),
                "shard",
                shard.id(),
                "seq_no",
                number)));
        return Map.of("run", run, "at", at, "options", options, "shards", shards);
    }

    /** @param stored from {@link #asMap}; somebody may have changed it */
    static LastRun of(Map<?, ?> stored) {
        Map<ShardId, Long> seen = new HashMap<>();
        if (stored.get("shards") instanceof List<?> shards
                && stored.get("run") instanceof String run
                && stored.get("options") instanceof String options
                && stored.get("at") instanceof Number at) {
            for (Object each : shards) {
                if (each instanceof Map<?, ?> shard
                        && shard.get("index") instanceof String index
                        && shard.get("uuid") instanceof String uuid
                        && shard.get("shard") instanceof Number id
                        && shard.get("seq_no") instanceof Number number) {
                    seen.put(new ShardId(new Index(index, uuid), id.intValue()), number.longValue());
                }
            }
            return new LastRun(run, at.longValue(), options, seen);
        }
        return null;
    }
}
