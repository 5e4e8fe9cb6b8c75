/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

/** Counts of the node's {@code simhash} processors. */
public enum FingerprintCount {
    /** Documents that got a fingerprint or are too short for one. */
    DOCUMENTS,
    /** Documents with too few features, but at least one. */
    TOO_SHORT,
    /** Documents without a text, or without words in it. */
    NO_TEXT,
    /** Documents that could not be fingerprinted. */
    FAILED,
    /** Fingerprinted documents that were indexed and are not near-duplicates. */
    INDEXED
}
