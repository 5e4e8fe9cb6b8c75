/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.durable;

/** What the primary shard says of a version of a document. */
public enum Durability {

    /** The version is the current one, and on disk on every in-sync copy of its shard. */
    DURABLE,

    /** The version is the current one, but its write is under way: a crash may lose it. */
    PENDING,

    /** Another version is current, the document is deleted, or its index was deleted or made again. */
    CHANGED,

    /** Nobody could say: the primary did not answer. */
    UNKNOWN
}
