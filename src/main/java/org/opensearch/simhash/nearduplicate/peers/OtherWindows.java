/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.simhash.nearduplicate.arrival.Criteria;
import org.opensearch.simhash.nearduplicate.peers.PeerLookup.PeerOptions;

/**
 * The windows of the other nodes. Thread-safe.
 *
 * @param options as currently set
 * @param memory of the circuit breaker
 */
public record OtherWindows(Peers peers, Supplier<PeerOptions> options, LongConsumer memory) {

    /** For one round. */
    public PeerLookup lookup(List<String> configured, Criteria criteria) {
        return new PeerLookup(peers, options.get(), configured, criteria, memory);
    }
}
