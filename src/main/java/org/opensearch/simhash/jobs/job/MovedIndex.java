/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.transport.client.Client;

/** Where the documents of a run are now, if the indices that a request names are not those of the run. */
public record MovedIndex(
        ClusterState state, Client client, List<String> names, Collection<String> indices, String into) {

    /**
     * Those of the run whose documents are somewhere else now. If some are where they were, an index that is still there has not moved,
     * and who names indices by themselves, not what was swapped, means these.
     */
    public List<String> moved(Collection<String> origins) {
        boolean isNamed = names.stream().anyMatch(Set.copyOf(indices)::contains);
        boolean areSomeThere = origins.stream().anyMatch(indices::contains);
        return origins.stream()
                .filter(origin -> indices.contains(origin) == false)
                .filter(origin -> {
                    boolean isGone = state.metadata().hasIndex(origin) == false;
                    boolean hasMoved = areSomeThere ? isGone && isNamed == false : isGone || isNamed == false;
                    return into != null || hasMoved;
                })
                .toList();
    }

    /** The index to write into; null if nothing has moved. */
    public String of(List<String> moved, String... ids) {
        if (into != null && indices.contains(into) == false) {
            throw new IllegalArgumentException(
                    "[into] must be one of the indices of the request, got: " + into + ", not of " + indices);
        }
        if (into != null || moved.isEmpty()) {
            return into;
        }
        List<String> writable = indices.stream()
                .filter(index -> state.blocks().indexBlocked(ClusterBlockLevel.WRITE, index) == false)
                .sorted()
                .toList();
        QueryBuilder any = QueryBuilders.idsQuery().addIds(ids);
        List<String> found = writable.size() == 1
                ? writable
                : writable.stream()
                        .filter(index -> JobQuery.matchesAny(client, any, index))
                        .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException("[into] must name the index for what was in ["
                    + String.join(", ", moved) + "], as {\"into\": \"index\"}, because the request has "
                    + writable.size() + " writable indices, got: " + writable);
        }
        return found.getFirst();
    }
}
