/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.function.LongConsumer;
import org.opensearch.common.lease.Releasable;
import org.opensearch.simhash.memory.Account;

/**
 * What the {@code simhash} clauses of one search of a shard keep until it is over, on the account of the node's memory. Keeps nothing
 * before it is told that somebody is going to close it: not every query that is made is searched by. Thread-safe.
 */
final class SearchMemory implements Releasable {

    private final Account account;
    private boolean isOpen;

    /** @param memory is told the bytes before they are taken, and may refuse them; negative ones are given back */
    SearchMemory(LongConsumer memory) {
        this.account = new Account(memory);
    }

    /** Whether that is news: whoever opens it closes it. */
    synchronized boolean open() {
        boolean wasClosed = isOpen == false;
        isOpen = true;
        return wasClosed;
    }

    /** Whether the bytes are on the account now, until the search is over. */
    synchronized boolean keep(long bytes) {
        if (isOpen) {
            account.take(bytes);
        }
        return isOpen;
    }

    @Override
    public synchronized void close() {
        isOpen = false;
        account.close();
    }
}
