/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.memory.Account;

/** Finds some of the links. */
interface Search {

    /** @param links takes them */
    void run(LinkCollector links, Limits limits);

    /**
     * What a search may take.
     *
     * @param room bytes for all threads but two
     * @param progress is told the number of compared pairs
     * @param folder of files; null for the heap
     */
    record Limits(Executor executor, int maxThreads, long room, LongConsumer progress, Account memory, Path folder) {}
}
