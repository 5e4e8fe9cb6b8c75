/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whether a document that was read survives a crash. A get shows what is in the engine of a shard, which a crash may lose. A version
 * is durable when every in-sync copy of its shard has it on disk: its sequence number is at or below the global checkpoint.
 *
 * <p>To use, execute {@code DurabilityAction} with the versions that were read. Nothing may be dropped or deleted for a version that
 * is not {@code DURABLE}.
 */
package org.opensearch.simhash.durable;
