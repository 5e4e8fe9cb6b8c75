/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.durable;

/** The primary shard's answer about a version of a document. */
public enum Durability {

    /** The version is current, and on disk on every in-sync copy of its shard. */
    DURABLE,

    /** The version is current, but a crash may lose it. */
    PENDING,

    /** Another version is current, or the document or its index was deleted. */
    CHANGED,

    /** The primary did not answer. */
    UNKNOWN
}
