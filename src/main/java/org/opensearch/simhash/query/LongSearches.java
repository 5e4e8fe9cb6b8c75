/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.index.IndexSettings;
import org.opensearch.search.deciders.ConcurrentSearchRequestDecider;

/**
 * Has {@link LongSearchDecider} look through searches in which there may be a long one, and through no other search of the node.
 * OpenSearch makes the queries of a search of a shard first, and then asks, in the same thread: the long ones leave a note for that
 * thread. A note that nobody asks for, as where a query is only explained, has one search too many looked through. Thread-safe;
 * holds a number for each thread at most.
 */
final class LongSearches implements ConcurrentSearchRequestDecider.Factory {

    private final Set<Long> threads = ConcurrentHashMap.newKeySet();

    /** The thread made a long query. */
    void made() {
        threads.add(Thread.currentThread().threadId());
    }

    @Override
    public Optional<ConcurrentSearchRequestDecider> create(IndexSettings index) {
        boolean isMade = threads.isEmpty() == false
                && threads.remove(Thread.currentThread().threadId());
        return isMade ? Optional.of(new LongSearchDecider()) : Optional.empty();
    }
}
