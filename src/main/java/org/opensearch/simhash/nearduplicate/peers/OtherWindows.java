/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The windows of the other nodes. Thread-safe.
 *
 * @param options as currently set
 * @param memory of the circuit breaker
 */
public record OtherWindows(Peers peers, Supplier<PeerOptions> options, LongConsumer memory) {

    /** For one round. */
    public PeerLookup lookup(PeerQuestion.Rule rule) {
        return new PeerLookup(peers, options.get(), rule, memory);
    }
}
