/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

/** What the {@code simhash} queries of the node did. {@code LeafEffort} says what is counted. */
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
