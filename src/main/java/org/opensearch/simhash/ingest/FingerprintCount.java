/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

/** What the node's {@code simhash} processors did. */
public enum FingerprintCount {
    /** Documents that got a fingerprint, or were found to be too short for one. */
    DOCUMENTS,
    /** Those with fewer features than a fingerprint takes. */
    TOO_SHORT,
    /** Documents that could not be fingerprinted. */
    FAILED,
    /** Documents that got a fingerprint and were indexed, and that {@code near_duplicate} made nothing else of. */
    INDEXED
}
