/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.core.memory.Account;

/** Finds some of the links. */
interface Search {

    /** @param links takes them */
    void run(LinkCollector links, Limits limits);

    /** One for each thread, as many as memory allows. The first fails without. */
    static <T> List<T> forThreads(int most, IntFunction<T> making) {
        List<T> made = new ArrayList<>();
        try {
            while (made.size() < most) {
                made.add(making.apply(made.size()));
            }
        } catch (CircuitBreakingException e) {
            if (made.isEmpty()) {
                throw e;
            }
        }
        return made;
    }

    /** What a search may take: the room is bytes for all threads but two, the folder that of files or null for the heap. */
    record Limits(Executor executor, int maxThreads, long room, LongConsumer progress, Account memory, Path folder) {}
}
