/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

/** The answer of the copies of a shard about a version of a document, or about an id without one. */
public enum Durability {

    /** The version is current, and on disk on every in-sync copy of its shard; or the id has none, as asked. */
    DURABLE,

    /** The version is current, but a crash may lose it. */
    PENDING,

    /** As {@link #PENDING}, but on disk wherever it is: durable if its write was answered. */
    SYNCED,

    /** Another version is current, or the document or its index was deleted. */
    CHANGED,

    /** The primary did not answer, or did not prove that it still is the primary. */
    UNKNOWN
}
