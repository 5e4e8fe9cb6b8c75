/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.round;

import java.util.function.LongConsumer;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.counts.Durations;
import org.opensearch.simhash.counts.Spans;
import org.opensearch.simhash.nearduplicate.decision.DuplicateCount;
import org.opensearch.simhash.nearduplicate.decision.NodeKnowledge;
import org.opensearch.simhash.nearduplicate.lookup.NodeLookups;
import org.opensearch.simhash.nearduplicate.peers.OtherWindows;
import org.opensearch.simhash.query.FingerprintPresence;

/**
 * Shared services for a node's rounds. Thread-safe.
 *
 * @param peers the windows of other nodes
 * @param memory of the circuit breaker
 * @param times of rounds, from start to decision
 * @param presence tells why documents cannot be near anything
 */
public record RoundServices(
        NodeKnowledge knowledge,
        NodeLookups lookups,
        RoundsUnderWay rounds,
        OtherWindows peers,
        LongConsumer memory,
        Counters<DuplicateCount> counts,
        Durations times,
        Spans spans,
        FingerprintPresence presence) {}
