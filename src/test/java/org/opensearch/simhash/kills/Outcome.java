/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

/** What a client was told about a write. */
enum Outcome {
    /** The document is stored. */
    STORED,
    /** The document was left out: a near-duplicate is stored. */
    DROPPED,
    /** The document was refused: a near-duplicate is stored. */
    REFUSED,
    /** The document is not stored, since it was deleted or not there. */
    GONE,
    /** Nothing, or an error after which nobody knows: the write may have happened. */
    UNKNOWN
}
