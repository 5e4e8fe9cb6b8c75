/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.scope;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.opensearch.cluster.metadata.AliasMetadata;

/**
 * Which documents a document is compared with.
 *
 * @param expressions what is searched: index, alias, pattern
 * @param indices the indices behind them, in which documents of the window count, and the data streams that these are of: what was
 *     sent to one before it was there has its name
 * @param toBeMade of which other indices documents of the window count, too: those that are not there yet
 * @param streams of these data streams the index that is written to, by name
 * @param own whether it is the document's own index: that one need not exist yet
 * @param searches what finds all that may be stored there, each document once; none when nothing can be yet
 * @param filters the aliases by which an index is searched when none shows all of it
 * @param maxHits how many hits of one search every index allows
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
     * One search of several, or the only one.
     *
     * @param expressions what is searched
     * @param preference the shards to search when others have never been started; null for all
     * @param alias as which indices are searched that are named themselves: what it hides is not searched; null for none
     */
    public record Search(List<String> expressions, String preference, AliasMetadata alias) {

        /** Whether this finds nothing when what is searched is not there any more. */
        public boolean isOfOneName() {
            return expressions.size() == 1;
        }
    }

    /** Whether anything can be stored there yet. */
    public boolean isSearchable() {
        return searches.isEmpty() == false;
    }

    /** Whether documents of the window count that go to an index. */
    public boolean counts(String index) {
        return indices.contains(index) || toBeMade.test(index);
    }

    /** What a document of the window is found by: of a data stream that was not there when it came, in its first index. */
    public DocumentName stored(DocumentName name) {
        String index = streams.get(name.index());
        return index == null ? name : new DocumentName(index, name.id(), name.routing());
    }

    /**
     * Whether a document of one of the indices counts that no search shows yet: where only a part of the index counts, it must
     * have been sent to that part.
     *
     * @param alias the filtered alias that a document was sent to, or null
     */
    public boolean shows(String index, String alias) {
        Set<String> aliases = filters.get(index);
        return aliases == null || (alias != null && aliases.contains(alias));
    }
}
