/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

/** What the node's {@code simhash} queries did; how their counts come about is said at {@code LeafEffort}. */
public enum SearchCount {
    /** Fingerprints that a shard was searched for. */
    TOTAL,
    /** Searches of a shard that failed, for whatever reason. */
    FAILED,
    PROBES,
    CANDIDATES,
    SCANNED,
    COMPARED,
    /** Documents whose text was compared. */
    VERIFIED,
    MATCHES
}
