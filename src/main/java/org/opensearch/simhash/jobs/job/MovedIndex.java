/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockLevel;

/** Where the documents of a run are now, if none of the indices that a request names is one of the run. */
public final class MovedIndex {

    private MovedIndex() {}

    /**
     * The index to write into; null if nobody has moved it.
     *
     * @param names of the request
     * @param indices behind them
     * @param into of the request, or null
     * @param origin an index of the run; null if the run has none
     * @throws IllegalArgumentException if that is not known
     */
    public static String of(
            ClusterState state, String[] names, Collection<String> indices, String into, String origin) {
        if (into != null) {
            if (indices.contains(into) == false) {
                throw new IllegalArgumentException(
                        "[into] must be one of the indices of the request, got: " + into + ", not of " + indices);
            }
            return into;
        }
        // Who names another index by itself, and not what was swapped, is mistaken.
        boolean isNamed = Stream.of(names).anyMatch(Set.copyOf(indices)::contains);
        if (origin == null || (isNamed && state.metadata().hasIndex(origin))) {
            return null;
        }
        List<String> writable = indices.stream()
                .filter(index -> state.blocks().indexBlocked(ClusterBlockLevel.WRITE, index) == false)
                .sorted()
                .toList();
        if (writable.size() != 1) {
            throw new IllegalArgumentException("[into] must name the index for what was in [" + origin
                    + "], as {\"into\": \"index\"}, because the request has " + writable.size()
                    + " writable indices, got: " + writable);
        }
        return writable.getFirst();
    }
}
