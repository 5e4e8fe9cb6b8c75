/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.scope;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.opensearch.cluster.metadata.AliasMetadata;

/**
 * The documents that an arriving one is compared with.
 *
 * @param indices that count in the window, and data streams: a document sent before its stream existed has the stream's name
 * @param toBeMade tests whether an index that does not exist counts in the window
 * @param streams the write index of each data stream
 * @param own whether it is the document's own index, which need not exist
 * @param searches that find each stored document once; none if nothing can be stored yet
 * @param filters the filtered aliases of indices that are not searched whole
 */
public record LookupScope(
        List<String> expressions,
        Set<String> indices,
        Predicate<String> toBeMade,
        Map<String, String> streams,
        boolean own,
        List<Search> searches,
        Map<String, Set<String>> filters,
        int maxHits) {

    /**
     * @param preference shards to search, if others were never started; null for all
     * @param alias whose filter and routing apply to indices searched by their own names, or null
     * @param leftOut indices of which no document counts
     */
    public record Search(List<String> expressions, String preference, AliasMetadata alias, Set<String> leftOut) {

        Search without(Set<String> indices) {
            return new Search(expressions, preference, alias, indices);
        }

        /** Whether a missing index means no matches. */
        public boolean isOfOneName() {
            return expressions.size() == 1;
        }
    }

    public boolean isSearchable() {
        return searches.isEmpty() == false;
    }

    public boolean counts(String index) {
        return indices.contains(index) || toBeMade.test(index);
    }

    /** The stored name of a document in the window. If it was sent to a data stream without an index, it is in the first one. */
    public DocumentName stored(DocumentName name) {
        String index = streams.get(name.index());
        return index == null ? name : new DocumentName(index, name.id(), name.routing());
    }

    /**
     * Whether a document in the window counts by its alias. If only a part of its index counts, it must have been sent to that part.
     *
     * @param alias the filtered alias in the document's request, or null
     */
    public boolean shows(String index, String alias) {
        Set<String> aliases = filters.get(index);
        return aliases == null || (alias != null && aliases.contains(alias));
    }
}
