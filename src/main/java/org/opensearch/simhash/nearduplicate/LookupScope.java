/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.support.IndicesOptions;

/**
 * Which documents a document is compared with.
 *
 * @param expressions what is searched: index, alias, pattern
 * @param indices the indices behind them, in which documents of the window count
 * @param own whether it is the document's own index: that one need not exist yet
 * @param searchable false when nothing can be stored there yet
 * @param preference the shards to search when others have never been started; null for all
 * @param filters the aliases by which an index is searched when none shows all of it
 * @param maxHits how many hits of one search every index allows
 */
record LookupScope(
        List<String> expressions,
        Set<String> indices,
        boolean own,
        boolean searchable,
        String preference,
        Map<String, Set<String>> filters,
        int maxHits) {

    /** All must be there, open and whole. */
    static final IndicesOptions OPTIONS =
            IndicesOptions.fromOptions(false, false, true, false, false, true, true, false, false);

    /**
     * Whether a document of one of the indices counts that no search shows yet: where only a part of the index counts, it must
     * have been sent to that part.
     *
     * @param alias the filtered alias that a document was sent to, or null
     */
    boolean shows(String index, String alias) {
        Set<String> aliases = filters.get(index);
        return aliases == null || (alias != null && aliases.contains(alias));
    }
}
