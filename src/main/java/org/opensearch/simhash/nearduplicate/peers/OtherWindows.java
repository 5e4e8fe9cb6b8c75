/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The windows of the other nodes, for the rounds of this one. Thread-safe.
 *
 * @param options as they are at the moment
 * @param memory takes bytes, or refuses them, or takes them back when negative
 */
public record OtherWindows(Peers peers, Supplier<PeerOptions> options, LongConsumer memory) {

    /** For one round. */
    public PeerLookup lookup(PeerQuestion.Rule rule) {
        return new PeerLookup(peers, options.get(), rule, memory);
    }
}
