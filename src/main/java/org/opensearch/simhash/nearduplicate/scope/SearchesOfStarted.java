/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.scope;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.simhash.durable.NewShards;
import org.opensearch.simhash.nearduplicate.scope.LookupScope.Search;

/** Searches of a name without new shards that were never started: nothing is stored there. */
final class SearchesOfStarted {

    private SearchesOfStarted() {}

    /**
     * One search by the name if all shards were started; if not, one for each group of indices with the same shards and
     * alias. Every rollover adds an index.
     */
    static List<Search> of(ClusterState state, String name, List<IndexMetadata> indices) {
        Map<Search, List<String>> alike = new LinkedHashMap<>();
        boolean whole = true;
        for (IndexMetadata index : indices) {
            List<String> started = startedShards(state, index);
            boolean all = started.size() == index.getNumberOfShards();
            if (started.isEmpty() == false) {
                String preference = all ? null : "_shards:" + String.join(",", started);
                Search way =
                        new Search(List.of(), preference, index.getAliases().get(name));
                alike.computeIfAbsent(way, any -> new ArrayList<>())
                        .add(index.getIndex().getName());
            }
            whole &= all;
        }
        if (whole) {
            return List.of(new Search(List.of(name), null, null));
        }
        List<Search> searches = new ArrayList<>();
        alike.forEach((way, names) -> searches.add(new Search(List.copyOf(names), way.preference(), way.alias())));
        return searches;
    }

    private static List<String> startedShards(ClusterState state, IndexMetadata index) {
        List<String> started = new ArrayList<>();
        for (int shard = 0; shard < index.getNumberOfShards(); shard++) {
            if (NewShards.isNew(state, index, shard) == false) {
                started.add(Integer.toString(shard));
            }
        }
        return started;
    }
}
