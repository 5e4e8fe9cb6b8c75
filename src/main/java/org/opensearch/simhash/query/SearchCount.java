/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

/** Counts of the node's {@code simhash} queries; {@code LeafEffort} defines them. */
public enum SearchCount {
    /** Fingerprints searched for, per shard. */
    TOTAL,
    /** Failed searches of a shard. */
    FAILED,
    PROBES,
    CANDIDATES,
    SCANNED,
    COMPARED,
    /** Documents whose text was compared. */
    VERIFIED,
    MATCHES
}
